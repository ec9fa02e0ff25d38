// Package plain reads the plans and scripts of package planted from bytes and from text. Its
// fuzz targets take []byte and string, as if written by hand, without this module. It has
// the bugs of package planted that the environment names:
//
//	ESPALIER_PLANT=ladder go test ./examples/plain -run '^$' -fuzz '^FuzzPlanBytes$'
//
// The text of a plan is in prefix notation, each operator before its operands:
//
//	sort 3 semijoin 3 scan 1 distinct 3 scan 2
//
// The text of a script has one command per line:
//
//	set a 7
//	repeat 2
//	  print a
//	  say hello
//	end
package plain
