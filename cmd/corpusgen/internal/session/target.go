package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/rundir"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/safefile"
)

// A Workshop is a package whose targets carry out orders. Its test binary is built once.
type Workshop struct {
	Session *Session
	Package gotest.Package
	Tmp     string
	Flags   []string // of go test, in addition to the flags of the session
	built   bool     // whether binary has been built
	with    []string // the build flags then

	Patterns string   // of -coverpkg
	Packages []string // whose coverage is measured
	Imports  []string // packages of other modules that the tests import
}

func newWorkshop(s *Session, pkg gotest.Package) (*Workshop, error) {
	tmp, err := rundir.Sub(s.Tmp.Path, "package")
	return &Workshop{Session: s, Package: pkg, Tmp: tmp}, err
}

// Binary is the path of the test binary.
func (w *Workshop) Binary() string { return filepath.Join(w.Tmp, "fuzz.test"+w.Session.Env.GOEXE) }

// buildFlags returns the flags with which the go command builds the test binary, and puts the
// one of an earlier run in place.
func (w *Workshop) buildFlags() []string {
	flags := slices.Concat(w.Session.BuildFlags(LinkTag), w.Session.LinkFlags(), w.Flags)
	if !w.built {
		w.Session.Kept.Restore(w.Binary(), w.Package, flags)
		w.built, w.with = true, flags
	}
	return flags
}

// BuildWith sets the flags of go test, in addition to the flags of the session, and reports whether
// they change.
func (w *Workshop) BuildWith(flags ...string) (changed bool) {
	if slices.Equal(w.Flags, flags) {
		return false
	}
	w.keep()
	w.Flags, w.built = flags, false
	return true
}

// keep keeps the test binary for later runs.
func (w *Workshop) keep() {
	if w.built {
		w.Session.Kept.Keep(w.Binary(), w.Package, w.with) // if that fails, the next run links another
	}
}

func (w *Workshop) close() {
	w.keep()
	os.RemoveAll(w.Tmp)
}

// A Target is a fuzz target of the user, or a test that calls fuzzext.Check.
type Target struct {
	*Workshop
	Name  string
	Label string   // for output
	Seeds string   // directory of its seed corpus, as output shows it
	Args  []string // of the test binary, in addition to the flags of the session
}

func (w *Workshop) target(name string) *Target {
	t := &Target{Workshop: w, Name: name, Label: w.Package.Path + " " + name}
	kind := "fuzz"
	if t.IsTest() {
		kind = "fuzzext"
	}
	t.Seeds = gotest.Short(filepath.Join(w.Package.Dir, "testdata", kind, filepath.FromSlash(name)))
	return t
}

// EngineName returns the name under which the engine runs a target of a package.
func EngineName(pkg gotest.Package, name string) string {
	for _, c := range pkg.Checks {
		if c.Name == name {
			return c.Target()
		}
	}
	return name
}

// LinkFlags returns the flag -ldflags of go test, with one more flag.
func (t *Target) LinkFlags(more string) (string, error) {
	flags, ok := t.Session.Lookup("ldflags")
	switch {
	case !ok:
		flags = "-s -w"
	case flags != "" && !strings.HasPrefix(flags, "-"):
		return "", fmt.Errorf("%s does not use fuzzext, so its entries outside of testdata/fuzz "+
			"need a link flag: use -ldflags without a pattern of packages", t.Label)
	}
	return "-ldflags=" + flags + " " + more, nil
}

// Files returns the paths of the files in directories, also of files that are not entries: the
// target rejects them.
func (t *Target) Files(dirs ...string) (paths []string, err error) {
	if err := t.Check(dirs...); err != nil {
		return nil, err
	}
	paths, err = FilesIn(dirs...)
	for i := range paths {
		if err == nil {
			paths[i], err = filepath.Abs(paths[i])
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Label, err)
	}
	return paths, nil
}

// LeftOut returns the error of an entry that does not belong to the target.
func (t *Target) LeftOut(e job.Entry) error {
	return fmt.Errorf("%s: an entry is left out: %s: %s", t.Label,
		safefile.Quoted(gotest.Short(e.Of)), strings.TrimRight(e.Why, "\n"))
}

// Cache is the directory in which the engine keeps what it finds.
func (t *Target) Cache() string {
	return filepath.Join(gotest.FuzzCache(t.Session.Env, t.Package), EngineName(t.Package, t.Name))
}

// Corpora returns the directories of the target's entries, with the engine's if -cache is set.
func (t *Target) Corpora() []string {
	if t.Session.Cached {
		return []string{t.Seeds, t.Cache()}
	}
	return []string{t.Seeds}
}

// checkPlace returns an error if the directory of the target's entries is outside of its package.
func (t *Target) checkPlace() error {
	if err := safefile.Below(gotest.Short(t.Package.Dir), t.Seeds); err != nil {
		return fmt.Errorf("%s: its corpus is outside of its package: %w", t.Label, err)
	}
	return nil
}

// Check returns an error if one of the target's directories of entries cannot be read.
func (t *Target) Check(dirs ...string) error {
	for _, dir := range dirs {
		if err := corpus.Check(dir); err != nil {
			return fmt.Errorf("%s: %w", t.Label, err)
		}
	}
	return nil
}

// Place returns the directory to which entries go: the seed corpus, or one below the directory of
// -o.
func (t *Target) Place() string {
	switch {
	case t.Session.Dir == "":
		return t.Seeds
	case len(t.Session.Pkgs) == 1:
		return gotest.Short(filepath.Join(t.Session.Dir, t.Name))
	}
	return gotest.Short(filepath.Join(t.Session.Dir, filepath.FromSlash(t.Package.Path), t.Name))
}

// Deliver writes entries to the corpus, and returns the paths of those that are new. It
// stops at the first that it cannot write, and when ctx ends.
func (t *Target) Deliver(
	ctx context.Context, entries []job.Entry,
) (paths []string, old int, err error) {
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return paths, old, err
		}
		path, isNew, err := corpus.Write(t.Place(), e.Data)
		switch {
		case err != nil:
			return paths, old, fmt.Errorf("%s: writing the corpus: %w", t.Label, err)
		case isNew:
			paths = append(paths, path)
		default:
			old++
		}
	}
	return paths, old, nil
}
