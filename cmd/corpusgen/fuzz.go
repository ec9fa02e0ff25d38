package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"syscall"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
)

var _ = register(&command{
	name:    "fuzz",
	summary: "fuzz targets with Go's own engine, better informed",
	usage: `usage: corpusgen fuzz [flags] [go test flags] [packages] [-args ...]

Fuzz fuzzes the targets of the packages, with the engine of the Go
installation. The targets need no change: what runs under go test -fuzz runs
here. The corpora are the same, too: in testdata/fuzz and in the build cache.
The default package is the one in the current directory.

Tests that call fuzzext.Check, themselves or by functions of their package, are
targets, too, under their own names; so is a test named exactly, as in -fuzz
'^TestX$', which may call it elsewhere. Their properties are explored in the same way. What fails is saved where Check
keeps its failures, in testdata/fuzzext, and runs first in the next go test.

With one target, fuzz prints what go test -fuzz prints and first runs the
package's other tests. With several, the targets take turns, and only tests
that -run names run before them. Half of the time is shared equally. The other
half goes to targets that have lately found new inputs of interest. Fuzz keeps
in the user's cache directory what time each target has had and what it has
found, and the next run resumes from there.

Fuzz follows the coverage of the packages of the main module: an input is of
interest if it reaches something new in them. Fuzz begins by naming these
packages, and others that the tests import. The flag -instrument chooses other
packages instead. If a package has only tests, and these import nothing from the
main module, fuzz follows what they import, and says so.

At the end, fuzz prints a summary of each target. Executions are the inputs that
have run. Values are those that were valid, for targets whose inputs have a
structure: the generator accepts them and the test does not skip. Their share of
all shows how well mutation keeps to the structure. Operators are kinds of
mutation that have found new inputs, with how many they found, of how many they
made. Two failures count as one if they have the same place and message, apart
from numbers and other values.

If the workers of a target do not stop at the end of its turn, its next turn is
long enough for the engine to report a hang, even beyond -fuzztime.

The flags are:

	-fuzz regexp
		fuzz the targets whose names match (default all)
	-fuzztime t
		fuzz for the time t, such as 10m, or for a number of executions,
		such as 1000x. Several targets share t times their number. The
		default is to run until interrupted
	-p n
		fuzz n targets at a time (default 1)
	-parallel n
		run n workers for each target. The default is GOMAXPROCS,
		divided by the number of targets that are fuzzed at a time
	-keepgoing
		continue after a failure. Each distinct failure is reported once
	-stock
		use the engine as it is: no overlay, and instrumentation as by
		go test -fuzz. It fuzzes no tests that call fuzzext.Check, nor
		does -overlay=off
	-overlay auto|require|off
		improve the engine as far as the overlay fits the Go
		installation (auto, the default), completely or not at all
		(require), or leave it as it is (off)
	-instrument patterns
		follow the coverage of the packages that match any of the
		patterns, separated by commas, instead of the main module's
	-changed rev
		fuzz only targets of packages whose tests depend on a file that
		has changed since rev, a revision of git, and prefer inputs, and
		targets, that reach functions that have changed
	-http addr
		serve a page that shows the campaign, at HOST:PORT or PORT.
		Without a host, only this machine can reach it
	-json
		print one JSON object per line, described below, to standard
		output and everything else to standard error
` + sarifUsage + `	-C dir
		change to dir before anything else

The flags of go test that build packages, select tests or go to the test binary
(-tags, -race, -run, -timeout, -v, -short and so on) mean what they mean there,
also in GOFLAGS. Arguments for the tests themselves come after -args.

The fields of the JSON objects are Version, which is 1, Time, Event, Package,
Target and those of the Event:

	start     a turn of the target begins
	progress  Executions, Found and Entries so far. Found counts new inputs
	          of interest, Entries all inputs in the corpus
	failure   Failure: Class, Place, Log, Value, File, relative to the
	          package's directory, Rerun, a command, and Hangs: it has not
	          returned
	end       the turn has ended. Status is ok, failed, broken, skipped or
	          interrupted
	summary   Summary: Executions, Seconds, CPUSeconds (0 if not known),
	          Values, Found, Entries, Changed (with -changed: inputs that
	          reach functions that have changed), Flaky (inputs whose
	          coverage was not the same when they ran again), Operators
	          (Name, Tried, Found), Failures, KnownFailed (further inputs
	          of known classes), Unfit (why the target is not fuzzed any
	          longer) and Reproducible

The first failure ends the run, unless -keepgoing is set. A target that cannot
be built, or that fails before it is fuzzed, does not stop the others. The first
interrupt ends the run in an orderly way, the second one at once. The exit
status is 0 if nothing failed, 1 if something did, 2 if the command line is
wrong and 130 after an interrupt. Go run turns every status but 0 into 1: where
the status matters, as in CI, use go install or go tool.
`,
	run: runFuzz,
})

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
	sarif      string // file; empty for none
	changed    string // revision; empty for none
	http       string // address; empty for none
}

// parseFuzz reads the command line and GOFLAGS. It changes the working directory if -C is
// set.
func parseFuzz(ctx context.Context, args []string) (*fuzzOptions, *gotest.Flags, *gotest.Env, error) {
	opts := &fuzzOptions{}
	own := newFlagSet("fuzz")
	fuzz := own.String("fuzz", ".", "")
	own.Var(&opts.limit, "fuzztime", "")
	own.IntVar(&opts.together, "p", 1, "")
	own.IntVar(&opts.parallel, "parallel", 0, "")
	own.BoolVar(&opts.keepGoing, "keepgoing", false, "")
	own.BoolVar(&opts.json, "json", false, "")
	own.BoolVar(&opts.stock, "stock", false, "")
	own.StringVar(&opts.overlay, "overlay", "auto", "")
	own.StringVar(&opts.instrument, "instrument", "", "")
	own.StringVar(&opts.sarif, "sarif", "", "")
	own.StringVar(&opts.changed, "changed", "", "")
	own.StringVar(&opts.http, "http", "", "")
	dir := own.String("C", "", "")

	flags := &gotest.Flags{Own: own}
	if err := parse(flags, args); err != nil {
		return nil, nil, nil, err
	}
	env, err := settle(ctx, flags, *dir)
	if err != nil {
		return nil, nil, nil, err
	}
	if opts.match, err = regexp.Compile(*fuzz); err != nil {
		return nil, nil, nil, usageError{fmt.Sprintf("-fuzz is not a regular expression: %v", err)}
	}
	switch set := flags.Given(); {
	case opts.together < 1:
		err = usageError{fmt.Sprintf("-p %d: must be at least 1", opts.together)}
	case set["parallel"] && opts.parallel < 1:
		err = usageError{fmt.Sprintf("-parallel %d: must be at least 1", opts.parallel)}
	case set["instrument"] && opts.instrument == "":
		err = usageError{"-instrument: name at least one package"}
	case !slices.Contains([]string{"auto", "require", "off"}, opts.overlay):
		err = usageError{fmt.Sprintf("-overlay=%s: want auto, require or off (set go build's own -overlay in GOFLAGS)", opts.overlay)}
	case opts.stock && (set["overlay"] && opts.overlay != "off" || set["instrument"]):
		err = usageError{"-stock leaves the engine as it is: use it without -overlay and -instrument"}
	}
	if len(flags.Packages) == 0 {
		flags.Packages = []string{"."}
	}
	return opts, flags, env, err
}

func runFuzz(ctx context.Context, args []string) error {
	kill, stop := secondSignal(ctx)
	defer stop()
	opts, flags, env, err := parseFuzz(ctx, args)
	if err != nil {
		return err
	}
	f := &fuzzer{fuzzOptions: *opts, flags: flags, env: env, out: &fuzzOutput{newOutput(opts.json)}, kill: kill}
	f.found.sarif = opts.sarif
	if err := f.found.locate(); err != nil {
		return err
	}
	pkgs, err := gotest.List(ctx, flags.Packages, flags.BuildFlags()...)
	if err != nil {
		return err
	}
	overlaid := !opts.stock && opts.overlay != "off"
	if overlaid {
		takeChecks(pkgs, opts.match.String())
	}
	all := pkgs
	pkgs, errs := selectTargets(pkgs, flags.Packages, f.match)
	for _, err := range errs {
		f.complain(err)
	}
	if checks := matchedChecks(all, f.match); !overlaid && len(pkgs) == 0 && len(checks) > 0 {
		f.complain(fmt.Errorf("tests that call fuzzext.Check are fuzzed with the overlay only, without -stock and -overlay=off: %s", names(checks)))
	}
	if len(pkgs) == 0 {
		return errReported
	}
	if opts.changed != "" {
		if pkgs, err = f.onlyChanged(ctx, pkgs); err != nil {
			return err
		}
		if len(pkgs) == 0 {
			return f.found.write()
		}
	}
	if err := f.servePage(); err != nil {
		return err
	}
	defer f.closePage()
	cache, dir, err := tempDir()
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
	f.out.close()
	f.out.summary(slices.Concat(f.targets, f.unbuilt))
	if err := f.found.write(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if f.failed {
		return errReported
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
