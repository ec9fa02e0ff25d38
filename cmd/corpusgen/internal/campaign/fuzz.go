package campaign

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// Fuzz is `corpusgen fuzz`.
func Fuzz(ctx context.Context, args []string) error {
	kill, stop := secondSignal(ctx)
	defer stop()
	f := &fuzzer{Session: session.NewBuild("fuzz"), kill: kill, began: time.Now()}
	f.Own.Var(&f.limit, "fuzztime", "")
	f.Own.IntVar(&f.together, "p", 1, "")
	f.Own.IntVar(&f.parallel, "parallel", 0, "")
	f.Own.BoolVar(&f.keepGoing, "keepgoing", false, "")
	f.Own.BoolVar(&f.AsJSON, "json", false, "")
	f.Own.BoolVar(&f.stock, "stock", false, "")
	f.Own.StringVar(&f.overlay, "overlay", "auto", "")
	f.Own.StringVar(&f.instrument, "instrument", "", "")
	f.Own.DurationVar(&f.limitTime, "limit-time", 0, "")
	f.Own.Var(&f.limitMem, "limit-memory", "")
	f.Own.StringVar(&f.dictFile, "dict", "", "")
	f.Own.DurationVar(&f.until, "until", 0, "")
	f.Own.BoolVar(&f.overflow, "overflow", false, "")
	f.Own.StringVar(&f.found.Sarif, "sarif", "", "")
	session.DefineForce(f.Own)
	f.Own.StringVar(&f.changed, "changed", "", "")
	f.Own.StringVar(&f.html, "html", "", "")
	return f.Run(ctx, args, f.check, f.runAll)
}

// check checks the values of flags.
func (f *fuzzer) check() error {
	switch set := f.Given(); {
	case f.together < 1:
		return session.Usagef("-p %d: must be at least 1", f.together)
	case set["parallel"] && f.parallel < 1:
		return session.Usagef("-parallel %d: must be at least 1", f.parallel)
	case set["instrument"] && f.instrument == "":
		return session.Usagef("-instrument: name at least one package")
	case !slices.Contains([]string{"auto", "require", "off"}, f.overlay):
		return session.Usagef("-overlay=%s: want auto, require or off (set go build's own "+
			"-overlay in GOFLAGS)", f.overlay)
	case set["until"] && f.until <= 0:
		return session.Usagef("-until %v: must be more than 0", f.until)
	case set["limit-time"] && f.limitTime < time.Millisecond:
		return session.Usagef("-limit-time %v: must be at least 1ms", f.limitTime)
	case (set["limit-time"] || set["limit-memory"] || set["dict"]) && (f.stock || f.overlay == "off"):
		return session.Usagef("-limit-time, -limit-memory and -dict change the engine: use them " +
			"without -stock and -overlay=off")
	case f.stock && (set["overlay"] && f.overlay != "off" || set["instrument"]):
		return session.Usagef("-stock leaves the engine as it is: use it without -overlay and " +
			"-instrument")
	case f.overflow && f.changed != "":
		return session.Usagef("-overflow and -changed edit the same files: use one of them")
	case f.overflow && (f.stock || f.overlay == "off"):
		return session.Usagef("-overflow compiles other sources: use it without -stock and " +
			"-overlay=off")
	}
	f.Tests = !f.stock && f.overlay != "off"
	f.found.Command = "fuzz"
	if f.dictFile != "" {
		var err error
		if f.dict, err = readDictionary(f.dictFile); err != nil {
			return session.Usagef("-dict: %v", err)
		}
	}
	return f.found.Locate()
}

// idle is what a campaign without an execution has instead of a number of failures.
const idle = "nothing was fuzzed"

// runAll fuzzes the targets until ctx ends, in an orderly way, or f.kill, at once.
func (f *fuzzer) runAll(ctx context.Context) (err error) {
	if checks := f.matchedChecks(); !f.Tests && len(f.Pkgs) == 0 && len(checks) > 0 {
		f.Complain(
			fmt.Errorf("tests that call fuzzext.Check are fuzzed with the overlay only, without "+
				"-stock and -overlay=off: %s", session.Names(checks, f.verbose())))
	}
	if len(f.Pkgs) == 0 {
		return session.ErrReported
	}
	f.leaveOutPairs()
	if f.changed != "" {
		if f.Pkgs, err = f.onlyChanged(ctx); err != nil {
			return err
		}
		if len(f.Pkgs) == 0 {
			f.found.Idle = idle
			return f.found.Write()
		}
	}
	if err := f.beginPage(); err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, f.page.End()) }()
	if f.engine, err = newFuzzEngine(ctx, f); err != nil {
		return err
	}
	if err := f.markChanged(); err != nil {
		return err
	}
	if err := f.build(ctx); err != nil {
		return err
	}
	f.fillPage()
	f.run(ctx)
	f.passOver(ctx)
	f.record()
	if f.engine.points != nil {
		f.engine.points.ShowRest()
	}
	f.Status("")
	f.summary(slices.Concat(f.targets, f.unbuilt))
	f.found.Table, f.found.Legend = table(slices.Concat(f.targets, f.unbuilt)), counted
	if !slices.ContainsFunc(f.targets,
		func(t *fuzzTarget) bool { return t.tally.Executions() > 0 }) {
		f.found.Idle = idle
	}
	if err := f.found.Write(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	f.complainOfIdle()
	if f.Failed {
		return session.ErrReported
	}
	return nil
}

// secondSignal returns a context that ends at the second interrupt. Ctx ends at the first.
func secondSignal(ctx context.Context) (context.Context, func()) {
	kill, cancel := context.WithCancel(context.WithoutCancel(ctx))
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		for range 2 {
			select {
			case <-signals:
			case <-kill.Done():
				return
			}
		}
		cancel()
	}()
	return kill, func() { signal.Stop(signals); cancel() }
}
