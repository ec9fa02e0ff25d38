package libfuzzer

import (
	"context"
	"os"
	"regexp"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// BuildOptions are the flags of corpusgen libfuzzer.
type BuildOptions struct {
	Match      *regexp.Regexp
	File       string // of the only target; "" if there is a directory
	Dir        string // for all targets
	Archive    bool
	Cc         string
	Instrument string // patterns, separated by commas; empty for the default
}

// Build builds a binary for each target that the command line names.
func Build(ctx context.Context, opts *BuildOptions, flags *gotest.Flags, env *gotest.Env) error {
	cache, dir, err := session.TempDir()
	if err != nil {
		return err
	}
	defer dir.Remove()
	if err := os.Setenv("TMPDIR", dir.Path); err != nil { // of linkers, which know no GOTMPDIR
		return err
	}
	asan, _ := flags.Lookup("asan")
	b := &builder{BuildOptions: *opts, flags: flags, env: env, tmp: dir.Path}
	if b.cc, err = Find(ctx, opts.Cc, dir.Path, asan == "true"); err != nil {
		return err
	}
	pkgs, err := gotest.List(ctx, flags.Packages, flags.BuildFlags()...)
	if err != nil {
		return err
	}
	pkgs, errs := session.SelectTargets(pkgs, flags.Packages, opts.Match)
	for _, err := range errs {
		session.Complain("%v", err)
	}
	if len(errs) > 0 {
		return session.ErrReported
	}
	targets, err := b.name(ctx, pkgs)
	if err != nil {
		return err
	}
	if err := b.prepare(ctx, cache, pkgs); err != nil {
		return err
	}
	return b.buildAll(ctx, targets)
}
