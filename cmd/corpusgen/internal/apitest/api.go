// Package apitest writes a harness for the API of a package, and tests that sequences of its calls
// make.
package apitest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/apigen"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// The files that hold a harness, and the types that it uses in place of what implements interfaces.
const (
	harnessFile = "callseq_fuzz_test.go"
	stubFile    = "callseq_stub_test.go"
)

// An apiRun is one run of `corpusgen api`.
type apiRun struct {
	*session.Output
	flags   *gotest.Flags
	tmp     string // for files of the run
	cache   string // for files of later runs
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
	lent    string // the main module, if it does not require the library; see lend
}

// Run is `corpusgen api`.
func Run(ctx context.Context, args []string) error {
	r, err := parseAPI(ctx, args)
	if err != nil {
		return err
	}
	defer r.Close()
	cache, dir, err := session.TempDir()
	if err != nil {
		return err
	}
	defer dir.Remove()
	r.tmp, r.cache = dir.Path, cache
	r.Status("reading the API of %s", r.flags.Packages[0])
	pkg, err := r.load(ctx, r.flags.Packages[0])
	if err != nil {
		return err
	}
	if r.old != "" {
		return r.diff(ctx, pkg)
	}
	cached := r.env.Cached(pkg.Dir)
	switch {
	case cached && !r.harness:
		return fmt.Errorf("%s is in the module cache, whose files cannot be replaced for a build: run it "+
			"in a copy of the module %s", pkg.Path, pkg.Module)
	case r.dir != "":
	case pkg.Module == "":
		return fmt.Errorf("%s is of the standard library, where corpusgen writes nothing: "+
			"name a directory of your own module by -o", pkg.Path)
	case cached:
		return fmt.Errorf("%s is in the module cache, where corpusgen writes nothing: run it in a copy of "+
			"the module %s, or name a directory of your own module by -o", pkg.Path, pkg.Module)
	default:
		r.dir = pkg.Dir
	}
	if err := r.replaceable(stubFile); err != nil {
		return err
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
	own := session.NewFlagSet("api")
	r := &apiRun{flags: &gotest.Flags{Own: own}}
	own.StringVar(&r.skip, "skip", "", "")
	own.StringVar(&r.dir, "o", "", "")
	own.StringVar(&r.old, "diff", "", "")
	own.BoolVar(&r.v, "v", false, "")
	own.BoolVar(&r.harness, "harness", false, "")
	own.DurationVar(&r.time, "time", 2*time.Minute, "")
	own.IntVar(&r.n, "sequences", 0, "")
	session.Renamed(own, "n", "sequences")
	own.IntVar(&r.length, "length", 100, "")
	own.IntVar(&r.tests, "tests", 0, "")
	own.Uint64Var(&r.seed, "seed", 1, "")
	asJSON := own.Bool("json", false, "")
	wd := own.String("C", "", "")
	if err := session.Parse(r.flags, args); err != nil {
		return nil, err
	}
	if len(r.flags.Packages) == 0 {
		r.flags.Packages = []string{"."}
	}
	switch given := r.flags.Given(); {
	case r.old != "" && (r.harness || r.dir != ""):
		return nil, session.Usagef("-diff writes no files: use it without -harness and -o")
	case r.time <= 0:
		return nil, session.Usagef("-time %v: must be positive", r.time)
	case given["sequences"] && r.n < 1:
		return nil, session.Usagef("-sequences %d: must be positive", r.n)
	case given["tests"] && r.tests < 1:
		return nil, session.Usagef("-tests %d: must be positive", r.tests)
	case r.length < 1:
		return nil, session.Usagef("-length %d: must be positive", r.length)
	case len(r.flags.Packages) > 1:
		return nil, session.Usagef("there are %d packages: name one", len(r.flags.Packages))
	case gotest.IsWild(r.flags.Packages[0]):
		return nil, session.Usagef("%s names any number of packages: name one", r.flags.Packages[0])
	}
	if _, err := regexp.Compile(r.skip); err != nil {
		return nil, session.Usagef("-skip is not a regular expression: %v", err)
	}
	switch {
	case r.tests > 0:
	case r.old != "": // nobody reads them, and more of them find more
		r.tests = 100
	default:
		r.tests = 20
	}
	var err error
	if r.env, err = session.Settle(ctx, r.flags, *wd); err != nil {
		return nil, err
	}
	if r.dir != "" {
		if r.dir, err = filepath.Abs(r.dir); err != nil {
			return nil, err
		}
	}
	r.Output = session.NewOutput(*asJSON)
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
	opts := apigen.Options{Own: apigen.OwnText(string(old)), Away: r.dir != pkg.Dir}
	if r.skip != "" {
		if opts.Skip, err = regexp.Compile(r.skip); err != nil {
			return nil, nil, fmt.Errorf("%s: the recorded -skip is not a regular expression: %w",
				gotest.Short(path), err)
		}
	}
	if h, err = apigen.New(pkg, opts); err != nil {
		return nil, nil, err
	}
	text, err = h.Write(old)
	if errors.Is(err, apigen.ErrForeign) {
		return nil, nil, fmt.Errorf("%s exists and is not of corpusgen api: %w. "+
			"Rename it, or write elsewhere with -o", gotest.Short(path), err)
	} else if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", gotest.Short(path), err)
	}
	return h, text, nil
}

// writeHarness writes the file of a harness.
func (r *apiRun) writeHarness(pkg *apigen.Package, h *apigen.Harness, text []byte) error {
	path := filepath.Join(r.dir, harnessFile)
	file := gotest.Short(path)
	place := " in " + file
	if r.lent != "" {
		file, place = "", ". No harness is left: "+r.unlent()
	} else if err := errors.Join(r.put(stubFile, h.Stubs), r.put(harnessFile, text)); err != nil {
		return err
	}
	r.Print(r.Text, fmt.Sprintf("%s: %s of %s (%d left out)%s\n", pkg.Path,
		session.Count(len(h.Operations), "operation", "operations"),
		session.Count(h.Types, "type", "types"), len(h.Left), place))
	if h.Note != "" && r.lent == "" {
		r.Warn(fmt.Sprintf("%s: %s\n", gotest.Short(path), h.Note))
	}
	skipped := func(l apigen.Left) bool { return l.Why == apigen.Skipped }
	if r.skip != "" && !slices.ContainsFunc(h.Left, skipped) {
		r.Warn(fmt.Sprintf("%s: -skip %s matches no operation: their names are those of c.Op, such as "+
			"\"tree.Key =\"\n", gotest.Short(path), r.skip))
	}
	if r.v {
		for _, l := range h.Left {
			r.Warn(fmt.Sprintf("left out: %s: %s\n", l.Name, l.Why))
		}
	}
	head := session.NewHead("harness", pkg.Path, "")
	r.Emit(harnessEvent{head, file, h.Operations, h.Left})
	return nil
}

// A harnessEvent is the line of -json for a harness.
type harnessEvent struct {
	session.Head
	File       string
	Operations []string
	Left       []apigen.Left
}
