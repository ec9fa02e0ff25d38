package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
)

var fuzzCommand = &command{
	name:    "fuzz",
	summary: "fuzz targets with Go's own engine, better informed",
	usage: `usage: corpusgen fuzz [flags] [go test flags] [packages] [-args ...]

Fuzz fuzzes the targets of the packages that match a regular expression, with
the engine of the Go installation. It needs no change of the targets: what runs
under go test -fuzz runs here, and its corpora, in testdata/fuzz and in the
build cache, are the same. The default package is the one in the current
directory.

With one target, fuzz prints what go test -fuzz prints, and runs the package's
other tests before, too. With several, they take turns, in which no other tests
are run than those that -run names. Half of the time is shared equally, the
other half goes where new inputs of interest have been found lately. What each
has had and found is kept in the user's cache directory; the next run goes on
from there.

At the end there is a summary of each target. Executions are the inputs that
have run. For targets whose inputs have a structure, values are those of them
that were valid: neither rejected by the generator nor skipped by the test.
Valid, as a part of all, tells how well mutation keeps to the structure.
Operators are the kinds of mutation that have found inputs of interest, with how
many they found and how many they made. Failures are told apart by their place:
two of one place are one failure.

If the workers of a target do not stop at the end of its turn, its next turn is
long enough for the engine to report a hang, even beyond -fuzztime.

The flags are:

	-fuzz regexp
		fuzz the targets whose names match; the default is all
	-fuzztime t
		fuzz for the time t, such as 10m, or for a number of executions,
		such as 1000x. If there are several targets, they share t times
		their number. The default is to run until interrupted
	-p n
		fuzz n targets at a time (default 1)
	-parallel n
		run n workers for each target; the default is GOMAXPROCS, divided
		by the number of targets that are fuzzed at a time
	-keepgoing
		after a failure, go on and look for others; each is told once
	-stock
		use the engine as it is: no overlay, instrumentation as by go test
	-overlay auto|require|off
		whether to improve the engine: as far as it is known how to, which
		is the default, completely or not at all
	-instrument patterns
		follow the coverage of the packages that match any of the patterns,
		separated by commas; the default is those of the main module
	-json
		print a JSON object per line, described below, to standard output
		and all else to standard error
	-C dir
		change to dir before anything else

The flags of go test that build packages, select tests or go to the test binary
(-tags, -race, -run, -timeout, -v, -short and so on) mean what they mean there,
in GOFLAGS, too. Arguments for the tests themselves come after -args.

The fields of the JSON objects are Version, which is 1, Time, Event, Package,
Target and those that belong to the Event:

	start     a turn of the target begins
	progress  Executions, Found and Entries so far; Found counts new inputs of
	          interest, Entries all in the corpus
	failure   Failure: Place, Log, Value, File, relative to the package's
	          directory, and Rerun, a command
	end       the turn is over; Status is ok, failed, broken,
	          skipped or interrupted
	summary   Summary: what has come of the target: Executions, Seconds,
	          CPUSeconds, Values, Found, Entries, Flaky (inputs whose coverage
	          did not come again), Operators (Name, Tried, Found), Failures,
	          KnownFailed (further inputs that failed in known places), Unfit
	          (why it is fuzzed no longer) and Reproducible

The first failure ends the run, unless -keepgoing is set. A target that cannot
be built, or fails before it is fuzzed, does not keep the others from going on.
An interrupt ends the run in an orderly way, a second one at once. The status is
0 if nothing failed, 1 if something did, 2 if the command line is wrong and 130
after an interrupt. The status of go run is 1 for all but the first: where the
status matters, as in CI, install corpusgen by go install.
`,
	run: runFuzz,
}

// fuzzOptions are the flags of corpusgen fuzz.
type fuzzOptions struct {
	match      *regexp.Regexp
	limit      gotest.Amount // for each target; zero is none
	together   int           // targets fuzzed at a time
	parallel   int           // workers for each; 0 if not set
	keepGoing  bool
	json       bool
	stock      bool
	overlay    string // auto, require or off
	instrument string // patterns, separated by commas; empty for the default
}

// parseFuzz reads the command line and GOFLAGS. It changes the working directory
// if that is asked for.
func parseFuzz(ctx context.Context, args []string) (*fuzzOptions, *gotest.Flags, *gotest.Env, error) {
	opts := &fuzzOptions{}
	own := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	own.SetOutput(io.Discard)
	fuzz := own.String("fuzz", ".", "")
	own.Var(&opts.limit, "fuzztime", "")
	own.IntVar(&opts.together, "p", 1, "")
	own.IntVar(&opts.parallel, "parallel", 0, "")
	own.BoolVar(&opts.keepGoing, "keepgoing", false, "")
	own.BoolVar(&opts.json, "json", false, "")
	own.BoolVar(&opts.stock, "stock", false, "")
	own.StringVar(&opts.overlay, "overlay", "auto", "")
	own.StringVar(&opts.instrument, "instrument", "", "")
	dir := own.String("C", "", "")

	flags := &gotest.Flags{Own: own}
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil, nil, nil, errHelp
	} else if err != nil {
		return nil, nil, nil, usageError{err.Error()}
	}
	if *dir != "" {
		if err := enter(*dir); err != nil {
			return nil, nil, nil, usageError{err.Error()}
		}
	}
	env, err := gotest.ReadEnv(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := flags.AddGOFLAGS(env.GOFLAGS); err != nil {
		return nil, nil, nil, usageError{err.Error()}
	}
	if opts.match, err = regexp.Compile(*fuzz); err != nil {
		return nil, nil, nil, usageError{fmt.Sprintf("-fuzz is not a regular expression: %v", err)}
	}
	set := map[string]bool{}
	own.Visit(func(f *flag.Flag) { set[f.Name] = true })
	switch {
	case opts.together < 1:
		err = usageError{fmt.Sprintf("-p %d: at least one target is fuzzed at a time", opts.together)}
	case set["parallel"] && opts.parallel < 1:
		err = usageError{fmt.Sprintf("-parallel %d: at least one worker is needed", opts.parallel)}
	case set["instrument"] && opts.instrument == "":
		err = usageError{"-instrument: name a package"}
	case !slices.Contains([]string{"auto", "require", "off"}, opts.overlay):
		err = usageError{fmt.Sprintf("-overlay=%s: want auto, require or off (a file of go build goes into GOFLAGS)", opts.overlay)}
	case opts.stock && (set["overlay"] && opts.overlay != "off" || set["instrument"]):
		err = usageError{"-stock leaves the engine as it is: it goes with neither -overlay nor -instrument"}
	}
	if len(flags.Packages) == 0 {
		flags.Packages = []string{"."}
	}
	return opts, flags, env, err
}

// enter changes the working directory, also for the processes that rely on PWD.
func enter(dir string) error {
	if err := os.Chdir(dir); err != nil {
		return fmt.Errorf("-C: %w", err)
	}
	wd, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	return os.Setenv("PWD", wd)
}

func runFuzz(ctx context.Context, args []string) error {
	kill, stop := secondSignal(ctx)
	defer stop()
	opts, flags, env, err := parseFuzz(ctx, args)
	if err != nil {
		return err
	}
	f := &fuzzer{fuzzOptions: *opts, flags: flags, env: env, out: newFuzzOutput(opts.json), kill: kill}
	pkgs, err := gotest.List(ctx, flags.Packages, flags.BuildFlags()...)
	if err != nil {
		return err
	}
	pkgs, errs := selectTargets(pkgs, flags.Packages, f.match)
	for _, err := range errs {
		f.complain(err)
	}
	if len(pkgs) == 0 {
		return errReported
	}
	cache, dir, err := tempDir()
	if err != nil {
		return err
	}
	defer dir.Remove()
	f.cache, f.dir = cache, dir.Path
	if f.engine, err = newFuzzEngine(ctx, f, pkgs); err != nil {
		return err
	}
	if err := f.build(ctx, pkgs); err != nil {
		return err
	}
	f.run(ctx)
	f.out.close()
	f.out.summary(slices.Concat(f.targets, f.unbuilt))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if f.failed {
		return errReported
	}
	return nil
}

// secondSignal returns a context that ends at the second interrupt, where ctx
// ends at the first.
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
