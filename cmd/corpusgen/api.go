package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/atomicfile"
)

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
	run: runAPI,
})

// harnessFile is the name of the file that holds a harness.
const harnessFile = "callseq_fuzz_test.go"

// An apiRun is one run of `corpusgen api`.
type apiRun struct {
	*output
	flags   *gotest.Flags
	env     *gotest.Env
	skip    string
	dir     string // of -o, absolute; "" if it is not set
	v       bool
	harness bool
	old     string // of -diff
	time    time.Duration
	n       int
	length  int
	tests   int
	seed    uint64
}

func runAPI(ctx context.Context, args []string) error {
	r, err := parseAPI(ctx, args)
	if err != nil {
		return err
	}
	defer r.close()
	r.status("reading the API of %s", r.flags.Packages[0])
	pkg, err := apigen.Load(ctx, r.flags.Packages[0], r.flags.BuildFlags(), nil)
	if err != nil {
		return err
	}
	if r.old != "" {
		return r.diff(ctx, pkg)
	}
	if r.dir == "" {
		r.dir = pkg.Dir
	}
	h, text, err := r.makeHarness(pkg)
	if err != nil {
		return err
	}
	if r.harness {
		return r.writeHarness(pkg, h, text)
	}
	return r.generate(ctx, pkg, h, text)
}

// parseAPI reads the command line and GOFLAGS. It changes the working directory if -C is set.
func parseAPI(ctx context.Context, args []string) (*apiRun, error) {
	own := newFlagSet("api")
	r := &apiRun{flags: &gotest.Flags{Own: own}}
	own.StringVar(&r.skip, "skip", "", "")
	own.StringVar(&r.dir, "o", "", "")
	own.StringVar(&r.old, "diff", "", "")
	own.BoolVar(&r.v, "v", false, "")
	own.BoolVar(&r.harness, "harness", false, "")
	own.DurationVar(&r.time, "time", 2*time.Minute, "")
	own.IntVar(&r.n, "n", 0, "")
	own.IntVar(&r.length, "length", 100, "")
	own.IntVar(&r.tests, "tests", 100, "")
	own.Uint64Var(&r.seed, "seed", 1, "")
	asJSON := own.Bool("json", false, "")
	wd := own.String("C", "", "")
	if err := parse(r.flags, args); err != nil {
		return nil, err
	}
	if len(r.flags.Packages) == 0 {
		r.flags.Packages = []string{"."}
	}
	switch given := r.flags.Given(); {
	case r.old != "" && (r.harness || r.dir != ""):
		return nil, usageError{"-diff writes no files: use it without -harness and -o"}
	case r.time <= 0:
		return nil, usageError{fmt.Sprintf("-time %v: must be positive", r.time)}
	case given["n"] && r.n < 1:
		return nil, usageError{fmt.Sprintf("-n %d: at least one sequence is needed", r.n)}
	case r.tests < 1:
		return nil, usageError{fmt.Sprintf("-tests %d: at least one test is needed", r.tests)}
	case r.length < 1:
		return nil, usageError{fmt.Sprintf("-length %d: at least one call is needed", r.length)}
	case len(r.flags.Packages) > 1:
		return nil, usageError{fmt.Sprintf("there are %d packages: name one", len(r.flags.Packages))}
	}
	if _, err := regexp.Compile(r.skip); err != nil {
		return nil, usageError{fmt.Sprintf("-skip is not a regular expression: %v", err)}
	}
	var err error
	if r.env, err = settle(ctx, r.flags, *wd); err != nil {
		return nil, err
	}
	if r.dir != "" {
		if r.dir, err = filepath.Abs(r.dir); err != nil {
			return nil, err
		}
	}
	r.output = newOutput(*asJSON)
	return r, nil
}

// makeHarness makes the harness of a package, and its file.
func (r *apiRun) makeHarness(pkg *apigen.Package) (h *apigen.Harness, text []byte, err error) {
	path := filepath.Join(r.dir, harnessFile)
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	if r.skip == "" {
		r.skip = apigen.Recorded(old)
	}
	var opts apigen.Options
	if r.skip != "" {
		if opts.Skip, err = regexp.Compile(r.skip); err != nil {
			return nil, nil, fmt.Errorf("%s: the recorded -skip is not a regular expression: %w", gotest.Short(path), err)
		}
	}
	if h, err = apigen.New(pkg, opts); err != nil {
		return nil, nil, err
	}
	text, err = h.Write(old)
	if errors.Is(err, apigen.ErrForeign) {
		return nil, nil, fmt.Errorf("%s exists and is not of corpusgen api: %w. Rename it, or write elsewhere with -o", gotest.Short(path), err)
	} else if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", gotest.Short(path), err)
	}
	return h, text, nil
}

// writeHarness writes the file of a harness.
func (r *apiRun) writeHarness(pkg *apigen.Package, h *apigen.Harness, text []byte) error {
	path := filepath.Join(r.dir, harnessFile)
	if err := atomicfile.Write(path, text); err != nil {
		return err
	}
	r.print(r.text, fmt.Sprintf("%s: %s of %s (%d left out) in %s\n", pkg.Path,
		count(len(h.Operations), "operation", "operations"), count(h.Types, "type", "types"), len(h.Left), gotest.Short(path)))
	if r.v {
		for _, l := range h.Left {
			r.warn(fmt.Sprintf("left out: %s: %s\n", l.Name, l.Why))
		}
	}
	r.emit(harnessEvent{newEvent("harness", pkg.Path, ""), gotest.Short(path), h.Operations, h.Left})
	return nil
}

// A harnessEvent is the line of -json for a harness.
type harnessEvent struct {
	event
	File       string
	Operations []string
	Left       []apigen.Left
}
