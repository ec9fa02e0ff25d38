package main

import "github.com/espalier-go/espalier/cmd/corpusgen/internal/apitest"

var _ = register(&command{
	name:    "api",
	summary: "write a harness that calls the API of a package",
	usage: `usage: corpusgen api [flags] [package]

Api writes tests of a package, by default the one in the current directory, that
call its exported API. First, it writes a harness, callseq_fuzz_test.go, which
declares the exported functions, methods and fields as operations of
bigen/callseq/api. What makes no sense to call, or has arguments for which api
knows no values, is left out, and the file says so. The harness has the test
TestCalls and the fuzz target FuzzCalls:

	go test -run TestCalls
	corpusgen fuzz -fuzz FuzzCalls

Then it runs sequences of calls for two minutes, extends those that reach new
states, and writes two more files:

	callseq_error_test.go
		a minimal sequence for each class of errors, as TestErrorN. An
		error is a runtime error without a nil argument, a violated
		contract, or the end of the process: by a hang, a full stack or
		memory, os.Exit, or a panic of another goroutine
	callseq_regression_test.go
		what the calls return now, as TestRegressionN. Tests that do not
		pass each time are set aside

If the harness exists, api rewrites what stands between two lines that begin
with "// corpusgen api:". What you change outside of them stays, so add
operations of your own behind the second line. Api never overwrites a file that
it has not written.

The module of the package must require github.com/espalier-go/espalier.

The flags are:

	-harness
		write the harness only
	-diff VERSION|DIR
		make regression tests of another version of the module, or of
		the one in a directory, run them on this one, and list what
		has changed. No file is written
	-skip regexp
		leave out the operations whose names match, as in
		-skip 'Close|os\.Exit'. The harness records it for later runs
	-time d
		run sequences for at most d (default 2m). Those that end the
		process are minimized for at most d again, and some seconds
		for each class
	-n N
		run at most N sequences
	-length N
		make sequences of at most N calls (default 100)
	-tests N
		write at most N regression tests (default 100)
	-seed S
		start the random stream at S (default 1)
	-o dir
		write to dir instead of the folder of the package
	-v
		print what is left out, and why, and the statements of each error
	-json
		print one JSON object per line to standard output and
		everything else to standard error
	-C dir
		change to dir before anything else

The flags of go test that build packages (-tags, -race, -mod and so on) mean what
they mean there, also in GOFLAGS.

The exit status is 1 if there are errors or changes, or something went wrong.
`,
	run: apitest.Run,
})
