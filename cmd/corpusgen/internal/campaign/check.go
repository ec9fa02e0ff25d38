package campaign

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/engine"
)

// Tests that call fuzzext.Check are targets, too. For each of them, the overlay adds a fuzz
// target to the package, which gives its input to fuzzext and calls the test. In a process of
// the engine, Check then explores its property instead of checking it, and saves failures
// where it keeps its own.

// matchedChecks returns the tests that call fuzzext.Check and match.
func (f *fuzzer) matchedChecks() (list []string) {
	for _, pkg := range f.Listed {
		for _, c := range pkg.Checks {
			if c.Calls && f.Match.MatchString(c.Name) {
				list = append(list, c.Name)
			}
		}
	}
	return list
}

// checksOf returns the targets of a package that are tests.
func checksOf(pkg gotest.Package) (checks []gotest.Check) {
	for _, c := range pkg.Checks {
		if slices.Contains(pkg.Targets, c.Name) {
			checks = append(checks, c)
		}
	}
	return checks
}

// leaveOutPairs leaves out tests that are to be fuzzed with a fuzz target of the same property: both
// would do the same work.
func (f *fuzzer) leaveOutPairs() {
	for i, pkg := range f.Pkgs {
		f.Pkgs[i].Targets = slices.DeleteFunc(slices.Clone(pkg.Targets), func(name string) bool {
			k := slices.IndexFunc(pkg.Checks, func(c gotest.Check) bool { return c.Name == name })
			if k < 0 || !slices.Contains(pkg.Targets, pkg.Checks[k].Same) {
				return false
			}
			f.Note("%s %s is fuzzed as %s, which has the same generator and property", pkg.Path, name,
				pkg.Checks[k].Same)
			return true
		})
	}
}

// checkFile is the file that the overlay adds to a package whose tests are targets. The tests
// of a package may be in two, p and p_test.
const checkFile = "espalier_check_%s_test.go"

const checkHeader = `package %s

import (
	espalierFlag "flag"
	espalierTesting "testing"
	_ "unsafe" // for go:linkname
)

//go:linkname espalierInput_%[1]s github.com/espalier-go/espalier/fuzzext.checkInput
var espalierInput_%[1]s []byte
`

const checkSource = `
func %[1]s(f *espalierTesting.F) {
	if fuzz := espalierFlag.Lookup("test.fuzz"); fuzz == nil || fuzz.Value.String() != "^%[1]s$" {
		f.SkipNow()
	}
	f.Fuzz(func(t *espalierTesting.T, b []byte) {
		espalierInput_%[2]s = b
		%[3]s(t)
	})
}
`

// withChecks returns the overlay with which pkg is built: the one in file, and the fuzz
// targets for checks. It writes to dir.
func withChecks(file string, pkg gotest.Package, dir string) (string, error) {
	checks := checksOf(pkg)
	if len(checks) == 0 {
		return file, nil
	}
	replace := map[string]string{}
	sources := map[string]*strings.Builder{} // by package name
	for _, c := range checks {
		source := sources[c.Package]
		if source == nil {
			source = &strings.Builder{}
			fmt.Fprintf(source, checkHeader, c.Package)
			sources[c.Package] = source
		}
		fmt.Fprintf(source, checkSource, c.Target(), c.Package, c.Name)
	}
	for name, source := range sources {
		base := fmt.Sprintf(checkFile, name)
		path := filepath.Join(dir, base)
		if err := os.WriteFile(path, []byte(source.String()), 0o666); err != nil {
			return "", err
		}
		replace[filepath.Join(pkg.Dir, base)] = path
	}
	path := filepath.Join(dir, "overlay.json")
	return path, gotest.WriteOverlay(path, file, replace)
}

// tidy removes the inputs that the engine has saved for t, if t is a test: what failed is
// saved where Check finds it. No fuzz target of the user has such a corpus.
func (t *fuzzTarget) tidy() error {
	if t.engine == t.name {
		return nil
	}
	dir := filepath.Join(t.pkg().Dir, "testdata", "fuzz", t.engine)
	err := os.RemoveAll(dir)
	_ = os.Remove(filepath.Dir(dir)) // if it is empty
	_ = os.Remove(filepath.Dir(filepath.Dir(dir)))
	return err
}

// savedDir returns where go test finds what fails, in the directory of the package.
func (t *fuzzTarget) savedDir() string {
	if t.engine != t.name {
		return filepath.Join("testdata", "fuzzext", t.name)
	}
	return filepath.Join("testdata", "fuzz", t.name)
}

// adopt saves an input that the engine has saved where Check finds it, if t is a test. Check itself
// cannot save what ends its process. If that has not happened again, the input may be one of a
// subtest.
func (f *fuzzer) adopt(t *fuzzTarget, failure *engine.Failure, explained bool) error {
	if t.engine == t.name || !strings.HasPrefix(failure.File, "testdata/fuzz/") {
		return nil
	}
	if !explained {
		failure.Note = "If the test calls Check in subtests, move the file to the directory of the one " +
			"that fails: " + filepath.ToSlash(t.savedDir()) + "/SUBTEST"
	}
	entry, err := corpus.ReadFile(t.file(failure.File))
	if err == nil {
		err = f.save(t, failure, entry)
	}
	return err
}

// save saves the entry of a failure where go test finds it.
func (f *fuzzer) save(t *fuzzTarget, failure *engine.Failure, entry []byte) error {
	dir := t.savedDir()
	path, _, err := corpus.Add(filepath.Join(t.pkg().Dir, dir), corpus.NameOf(entry), entry)
	if err == nil {
		name := filepath.Base(path)
		failure.File = filepath.ToSlash(filepath.Join(dir, name))
		failure.Rerun = rerun(f.testCommand(), t.pkg().Path, t.name, name)
	}
	return err
}

// ownWords returns a line of the engine's output as it should be read for t. It reports false
// for a line about files that are removed.
func (t *fuzzTarget) ownWords(line string) (string, bool) {
	if t.engine == t.name {
		return line, true
	}
	text := strings.TrimSpace(line)
	if strings.HasPrefix(text, "Failing input written to ") || text == "To re-run:" ||
		strings.HasPrefix(text, "go test -run="+t.engine) {
		return "", false
	}
	return strings.ReplaceAll(line, t.engine, t.name), true
}
