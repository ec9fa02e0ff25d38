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
	usage:   usage("libfuzzer"),
	run:     runLibFuzzer,
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
