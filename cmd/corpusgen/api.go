package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/atomicfile"
)

var _ = register(&command{
	name:    "api",
	summary: "write a harness that calls the API of a package",
	usage: `usage: corpusgen api [flags] [package]

Api writes callseq_fuzz_test.go into the folder of the package, by default the
one in the current directory. It declares the exported functions, methods and
fields as operations of bigen/callseq/api. What makes no sense to call, or has
arguments for which api knows no values, is left out, and the file says so. The
file has the test TestCalls and the fuzz target FuzzCalls:

	go test -run TestCalls
	corpusgen fuzz -fuzz FuzzCalls

If the file exists, api rewrites what stands between two lines that begin with
"// corpusgen api:". What you change outside of them stays, so add operations
of your own behind the second line. Api never overwrites a file without them.

The module of the package must require github.com/espalier-go/espalier.

The flags are:

	-skip regexp
		leave out the operations whose names match, as in
		-skip 'Close|os\.Exit'. The file records it for later runs
	-o dir
		write to dir instead of the folder of the package
	-v
		print what is left out, and why
	-json
		print one JSON object per line to standard output and
		everything else to standard error
	-C dir
		change to dir before anything else

The flags of go test that build packages (-tags, -race, -mod and so on) mean what
they mean there, also in GOFLAGS.
`,
	run: runAPI,
})

// harnessFile is the name of the file that holds a harness.
const harnessFile = "callseq_fuzz_test.go"

// An apiRun is one run of `corpusgen api`.
type apiRun struct {
	*output
	flags *gotest.Flags
	env   *gotest.Env
	skip  string
	dir   string // of -o, absolute; "" if it is not set
	v     bool
}

func runAPI(ctx context.Context, args []string) error {
	r, err := parseAPI(ctx, args)
	if err != nil {
		return err
	}
	defer r.close()
	pkg, err := apigen.Load(ctx, r.flags.Packages[0], r.flags.BuildFlags())
	if err != nil {
		return err
	}
	if r.dir == "" {
		r.dir = pkg.Dir
	}
	return r.writeHarness(pkg)
}

// parseAPI reads the command line and GOFLAGS. It changes the working directory if -C is set.
func parseAPI(ctx context.Context, args []string) (*apiRun, error) {
	own := flag.NewFlagSet("api", flag.ContinueOnError)
	own.SetOutput(io.Discard)
	r := &apiRun{flags: &gotest.Flags{Own: own}}
	own.StringVar(&r.skip, "skip", "", "")
	own.StringVar(&r.dir, "o", "", "")
	own.BoolVar(&r.v, "v", false, "")
	asJSON := own.Bool("json", false, "")
	wd := own.String("C", "", "")
	if err := r.flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil, errHelp
	} else if err != nil {
		return nil, usageError{err.Error()}
	}
	if _, err := regexp.Compile(r.skip); err != nil {
		return nil, usageError{fmt.Sprintf("-skip is not a regular expression: %v", err)}
	}
	if *wd != "" {
		if err := enter(*wd); err != nil {
			return nil, usageError{err.Error()}
		}
	}
	switch n := len(r.flags.Packages); {
	case n == 0:
		r.flags.Packages = []string{"."}
	case n > 1:
		return nil, usageError{fmt.Sprintf("there are %d packages: name one", n)}
	}
	var err error
	if r.dir != "" {
		if r.dir, err = filepath.Abs(r.dir); err != nil {
			return nil, err
		}
	}
	if r.env, err = gotest.ReadEnv(ctx); err != nil {
		return nil, err
	}
	if err := r.flags.AddGOFLAGS(r.env.GOFLAGS); err != nil {
		return nil, usageError{err.Error()}
	}
	r.output = newOutput(*asJSON)
	return r, nil
}

// writeHarness writes the harness of a package.
func (r *apiRun) writeHarness(pkg *apigen.Package) error {
	path := filepath.Join(r.dir, harnessFile)
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if r.skip == "" {
		r.skip = apigen.Recorded(old)
	}
	var opts apigen.Options
	if r.skip != "" {
		if opts.Skip, err = regexp.Compile(r.skip); err != nil {
			return fmt.Errorf("%s: the recorded -skip is not a regular expression: %w", gotest.Short(path), err)
		}
	}
	h, err := apigen.New(pkg, opts)
	if err != nil {
		return err
	}
	text, err := h.Write(old)
	if errors.Is(err, apigen.ErrForeign) {
		return fmt.Errorf("%s exists and is not of corpusgen api: %w. Rename it, or write elsewhere with -o", gotest.Short(path), err)
	} else if err != nil {
		return fmt.Errorf("%s: %w", gotest.Short(path), err)
	}
	if err := atomicfile.Write(path, text); err != nil {
		return err
	}
	r.print(r.text, fmt.Sprintf("%s: %s of %s (%d left out) in %s\n", pkg.Path,
		count(len(h.Operations), "operation", "operations"), count(h.Types, "type", "types"), len(h.Left), gotest.Short(path)))
	if r.v {
		for _, l := range h.Left {
			r.warn(fmt.Sprintf("left out: %s: %s\n", l.Name, strings.TrimSpace(l.Why)))
		}
	}
	return nil
}
