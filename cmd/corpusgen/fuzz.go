package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"syscall"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/campaign"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
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

// parseFuzz reads the command line and GOFLAGS. It changes the working directory if -C is
// set.
func parseFuzz(ctx context.Context, args []string) (*campaign.Options, *gotest.Flags, *gotest.Env, error) {
	opts := &campaign.Options{}
	own := session.NewFlagSet("fuzz")
	fuzz := own.String("fuzz", ".", "")
	own.Var(&opts.Limit, "fuzztime", "")
	own.IntVar(&opts.Together, "p", 1, "")
	own.IntVar(&opts.Parallel, "parallel", 0, "")
	own.BoolVar(&opts.KeepGoing, "keepgoing", false, "")
	own.BoolVar(&opts.Json, "json", false, "")
	own.BoolVar(&opts.Stock, "stock", false, "")
	own.StringVar(&opts.Overlay, "overlay", "auto", "")
	own.StringVar(&opts.Instrument, "instrument", "", "")
	own.StringVar(&opts.Sarif, "sarif", "", "")
	own.StringVar(&opts.Changed, "changed", "", "")
	own.StringVar(&opts.Http, "http", "", "")
	dir := own.String("C", "", "")

	flags := &gotest.Flags{Own: own}
	if err := session.Parse(flags, args); err != nil {
		return nil, nil, nil, err
	}
	env, err := session.Settle(ctx, flags, *dir)
	if err != nil {
		return nil, nil, nil, err
	}
	if opts.Match, err = regexp.Compile(*fuzz); err != nil {
		return nil, nil, nil, session.UsageError{Msg: fmt.Sprintf("-fuzz is not a regular expression: %v", err)}
	}
	switch set := flags.Given(); {
	case opts.Together < 1:
		err = session.UsageError{Msg: fmt.Sprintf("-p %d: must be at least 1", opts.Together)}
	case set["parallel"] && opts.Parallel < 1:
		err = session.UsageError{Msg: fmt.Sprintf("-parallel %d: must be at least 1", opts.Parallel)}
	case set["instrument"] && opts.Instrument == "":
		err = session.UsageError{Msg: "-instrument: name at least one package"}
	case !slices.Contains([]string{"auto", "require", "off"}, opts.Overlay):
		err = session.UsageError{Msg: fmt.Sprintf("-overlay=%s: want auto, require or off (set go build's own -overlay in GOFLAGS)", opts.Overlay)}
	case opts.Stock && (set["overlay"] && opts.Overlay != "off" || set["instrument"]):
		err = session.UsageError{Msg: "-stock leaves the engine as it is: use it without -overlay and -instrument"}
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
	return campaign.Run(ctx, kill, opts, flags, env)
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
