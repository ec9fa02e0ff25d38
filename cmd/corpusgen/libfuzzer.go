package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/libfuzzer"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

var _ = register(&command{
	name:    "libfuzzer",
	summary: "build fuzz targets as binaries of libFuzzer",
	usage: `usage: corpusgen libfuzzer [flags] [go test flags] [packages]

Libfuzzer builds each fuzz target of the packages as a binary that libFuzzer
drives, for campaigns on many machines: libFuzzer's -fork and -merge,
ClusterFuzzLite, OSS-Fuzz. The targets need no change, and no source file is
edited: TestMain, external test packages, build tags and cgo work as in go test.
The default package is the one in the current directory.

The binary takes libFuzzer's flags, corpus directories and files to run. A
failure prints what it prints under go test, and ends the process by SIGABRT:
libFuzzer saves the input as crash-HASH. If the target uses fuzzext, the values
are mutated by their structure, and the simplest value that fails is saved
beside it, as minimized-from-HASH. The argument --stock of the binary leaves the
mutations to libFuzzer.

A target with one parameter of type []byte or string gets the bytes as they are.
Those of other targets are decoded into the arguments.

For a binary fuzz_x, there are also:

	fuzz_x_seed_corpus.zip	the seeds: those given to F.Add and those in
				testdata/fuzz, if there are any
	fuzz_x.dict		words for libFuzzer's -dict: constants of the
				packages under test; not for fuzzext
	fuzz_x.options		options for OSS-Fuzz and ClusterFuzzLite
	fuzz_x.ldflags		with -archive: the flags with which cgo packages
				are linked
	fuzz_x.model.json	a copy of the policy or model that the target
				reads, which has its own name behind fuzz_x

To make them, libfuzzer runs the target up to F.Fuzz, in the directory of its
package.

The flags are:

	-fuzz regexp
		build the targets whose names match (default all)
	-o file
		write the binary of the only target to the file
	-o dir/
		write binaries to the directory, each under the name
		fuzz_package_target, in lower case, with the package's path in
		its module. The default is the current directory
	-archive
		write C archives (.a) instead of binaries, to be linked with
		-fsanitize=fuzzer or OSS-Fuzz's $LIB_FUZZING_ENGINE
	-cc name
		the C compiler, a clang that has libFuzzer (default clang)
	-instrument patterns
		follow the coverage of the packages that match any of the
		patterns, separated by commas, instead of the main module's
	-C dir
		change to dir before anything else

The flags of go test that build packages (-tags, -asan, -mod and so on) mean
what they mean there, also in GOFLAGS; -race cannot be linked with libFuzzer. Files are replaced only if corpusgen
has written them. The exit status is 0 if all targets are built, 1 if any is not
and 2 if the command line is wrong.
`,
	run: runLibFuzzer,
})

func parseLibFuzzer(ctx context.Context, args []string) (*libfuzzer.BuildOptions, *gotest.Flags, *gotest.Env, error) {
	opts := &libfuzzer.BuildOptions{}
	own := session.NewFlagSet("libfuzzer")
	fuzz := own.String("fuzz", ".", "")
	to := own.String("o", "", "")
	own.BoolVar(&opts.Archive, "archive", false, "")
	own.StringVar(&opts.Cc, "cc", "clang", "")
	own.StringVar(&opts.Instrument, "instrument", "", "")
	dir := own.String("C", "", "")

	flags := &gotest.Flags{Own: own}
	if err := session.Parse(flags, args); err != nil {
		return nil, nil, nil, err
	}
	if len(flags.Args) > 0 || len(flags.Test) > 0 {
		return nil, nil, nil, session.UsageError{Msg: "libfuzzer builds binaries that take libFuzzer's flags only: remove -args and the flags of the test binary"}
	}
	env, err := session.Settle(ctx, flags, *dir)
	if err != nil {
		return nil, nil, nil, err
	}
	if opts.Match, err = regexp.Compile(*fuzz); err != nil {
		return nil, nil, nil, session.UsageError{Msg: fmt.Sprintf("-fuzz is not a regular expression: %v", err)}
	}
	info, missing := os.Stat(*to)
	switch set := flags.Given(); {
	case set["instrument"] && opts.Instrument == "":
		err = session.UsageError{Msg: "-instrument: name at least one package"}
	case *to == "" || strings.HasSuffix(*to, "/") || strings.HasSuffix(*to, string(filepath.Separator)) || missing == nil && info.IsDir():
		opts.Dir, err = filepath.Abs(*to)
	default:
		opts.File, err = filepath.Abs(*to)
	}
	for _, name := range []string{"overlay", "buildmode"} {
		if value, ok := flags.Lookup(name); ok && err == nil {
			err = session.UsageError{Msg: fmt.Sprintf("-%s=%s: corpusgen libfuzzer sets this flag itself: remove it, also from GOFLAGS", name, value)}
		}
	}
	if len(flags.Packages) == 0 {
		flags.Packages = []string{"."}
	}
	return opts, flags, env, err
}

func runLibFuzzer(ctx context.Context, args []string) error {
	opts, flags, env, err := parseLibFuzzer(ctx, args)
	if err != nil {
		return err
	}
	if race, _ := flags.Lookup("race"); race == "true" {
		return session.UsageError{Msg: "-race: the race detector cannot be linked with libFuzzer: both have the runtime of a sanitizer. Import the corpus and run go test -race"}
	}
	return libfuzzer.Build(ctx, opts, flags, env)
}
