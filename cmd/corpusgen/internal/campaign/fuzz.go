package campaign

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// Options are the flags of corpusgen fuzz.
type Options struct {
	Match      *regexp.Regexp
	Limit      gotest.Amount // for each target; zero is none
	Together   int           // targets fuzzed at a time
	Parallel   int           // workers for each; 0 if not set
	KeepGoing  bool
	Json       bool
	Stock      bool
	Overlay    string // auto, require or off
	Instrument string // patterns, separated by commas; empty for the default
	Sarif      string // file; empty for none
	Changed    string // revision; empty for none
	Http       string // address; empty for none
	Page       string // file; empty for none
}

// Run fuzzes the targets that the command line names, until ctx ends, in an orderly way, or
// kill, at once.
func Run(ctx, kill context.Context, opts *Options, flags *gotest.Flags, env *gotest.Env) error {
	f := &fuzzer{Options: *opts, flags: flags, env: env, out: &fuzzOutput{session.NewOutput(opts.Json)}, kill: kill}
	f.found.Sarif, f.found.Command = opts.Sarif, "fuzz"
	if err := f.found.Locate(); err != nil {
		return err
	}
	pkgs, err := gotest.List(ctx, flags.Packages, flags.BuildFlags()...)
	if err != nil {
		return err
	}
	overlaid := !opts.Stock && opts.Overlay != "off"
	if overlaid {
		takeChecks(pkgs, opts.Match.String())
	}
	all := pkgs
	pkgs, errs := session.SelectTargets(pkgs, flags.Packages, f.Match)
	for _, err := range errs {
		f.complain(err)
	}
	if checks := matchedChecks(all, f.Match); !overlaid && len(pkgs) == 0 && len(checks) > 0 {
		f.complain(fmt.Errorf("tests that call fuzzext.Check are fuzzed with the overlay only, without -stock and -overlay=off: %s", session.Names(checks)))
	}
	if len(pkgs) == 0 {
		return session.ErrReported
	}
	if opts.Changed != "" {
		if pkgs, err = f.onlyChanged(ctx, pkgs); err != nil {
			return err
		}
		if len(pkgs) == 0 {
			return f.found.Write()
		}
	}
	if err := f.servePage(); err != nil {
		return err
	}
	defer f.closePage()
	cache, dir, err := session.TempDir()
	if err != nil {
		return err
	}
	defer dir.Remove()
	f.cache, f.dir = cache, dir.Path
	if f.engine, err = newFuzzEngine(ctx, f, pkgs); err != nil {
		return err
	}
	if err := f.markChanged(); err != nil {
		return err
	}
	if err := f.build(ctx, pkgs); err != nil {
		return err
	}
	f.fillPage()
	f.run(ctx)
	f.endCampaign()
	f.out.Close()
	f.out.summary(slices.Concat(f.targets, f.unbuilt))
	f.found.Table = table(slices.Concat(f.targets, f.unbuilt))
	if err := f.found.Write(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	f.complainOfIdle()
	if f.failed {
		return session.ErrReported
	}
	return nil
}
