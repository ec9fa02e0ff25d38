package main

// sarifUsage describes the flag that commands have which report failures.
const sarifUsage = `	-sarif file
		write the failures to file, in the format SARIF 2.1.0. In GitHub
		Actions, they are also shown at the lines that fail
`

// Tests that call fuzzext.Check save values that failed in folders of testdata/fuzzext. For
// commands that read entries, such a folder is the corpus of a target. The target's name is
// that of the folder: TestX, or TestX/sub if a subtest calls Check.

// savedUsage says in a usage text that a command reads such folders.
const savedUsage = `
Values that failed in a fuzzext.Check, in testdata/fuzzext/TestXxx, are entries,
too, and the test is their target.
`

// sessionUsage describes the flags that all sessions have.
const sessionUsage = `	-fuzz regexp
		use the targets whose names match, unanchored as in go test
		(default all). So does -run
	-json
		print one JSON object per line to standard output and
		everything else to standard error
	-C dir
		change to dir before anything else

The flags of go test that build packages (-tags, -race, -mod and so on), -short
and -timeout mean what they mean there, also in GOFLAGS. Targets that do not use
fuzzext are named and left out, unless the text above says that they take part.
`

// measureUsage describes the flags that stats and report share.
const measureUsage = `	-n N
		compare with N values that the generator makes at random, by its
		own weights (default 1000; 0 for none). Fewer are made if they
		have more than 524288 choices in all
	-t T
		count combinations of up to T choices, from 1 to 4 (default 2)
	-cache
		measure also the entries in the engine's cache
	-seed S
		start the random stream at S (default 1)
	-observe FILE
		write what the property says of each value to FILE, as
		observations in Hypothesis's format, which Tyche reads
`
