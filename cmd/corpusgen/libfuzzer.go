package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/libfuzzer"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

func parseLibFuzzer(ctx context.Context, args []string) (*libfuzzer.BuildOptions, *gotest.Flags, *gotest.Env, error) {
	opts := &libfuzzer.BuildOptions{}
	own := session.NewFlagSet("libfuzzer")
	to := own.String("o", "", "")
	session.DefineForce(own)
	own.BoolVar(&opts.Archive, "archive", false, "")
	own.StringVar(&opts.Cc, "cc", "clang", "")
	own.StringVar(&opts.Instrument, "instrument", "", "")
	match, flags, env, err := session.ParseBuild(ctx, own, args, func(flags *gotest.Flags) error {
		if len(flags.Args) > 0 || len(flags.Test) > 0 {
			return session.UsageError{Msg: "libfuzzer builds binaries that take libFuzzer's flags only: remove -args and the flags of the test binary"}
		}
		return nil
	})
	if err != nil {
		return nil, nil, nil, err
	}
	opts.Match = match
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
