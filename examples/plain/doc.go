// Package plain reads plans and scripts of package planted from bytes and from text, as
// one would who writes fuzz targets by hand: its own are on []byte and on string. It
// has the bugs of package planted that the environment names:
//
//	ESPALIER_PLANT=ladder go test ./examples/plain -run '^$' -fuzz '^FuzzPlanBytes$'
//
// A plan is written in prefix notation, each operator before what it works on:
//
//	sort 3 semijoin 3 scan 1 distinct 3 scan 2
//
// A script has one command in a line:
//
//	set a 7
//	repeat 2
//	  print a
//	  say hello
//	end
package plain
