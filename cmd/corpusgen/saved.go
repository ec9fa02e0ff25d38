package main

import (
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
)

// Tests that call fuzzext.Check save values that failed in folders of testdata/fuzzext. For
// commands that read entries, such a folder is the corpus of a target. The target's name is
// that of the folder: TestX, or TestX/sub if a subtest calls Check.

// savedUsage says in a usage text that a command reads such folders.
const savedUsage = `
Values that failed in a fuzzext.Check, in testdata/fuzzext/TestXxx, are entries,
too, and the test is their target.
`

// foldersOf returns the folders of saved values of a package: those that hold files of the
// command line, if it names any, or else all.
func (s *session) foldersOf(pkg gotest.Package) (folders []string) {
	add := func(folder string) {
		test := testOf(folder)
		if !slices.Contains(folders, folder) && slices.ContainsFunc(pkg.Checks, func(c gotest.Check) bool { return c.Name == test }) {
			folders = append(folders, folder)
		}
	}
	switch {
	case s.files != nil:
		for _, f := range s.files {
			if f.in(pkg) {
				add(f.target)
			}
		}
	case s.saved:
		root := filepath.Join(pkg.Dir, "testdata", "fuzzext")
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				if folder, err := filepath.Rel(root, filepath.Dir(path)); err == nil {
					add(filepath.ToSlash(folder))
				}
			}
			return nil // what cannot be read has no folder
		})
	}
	return folders
}

// testOf returns the name of the test that has a folder, as fuzzext.Check names it.
func testOf(folder string) string {
	top, _, _ := strings.Cut(folder, "/")
	if name, err := url.PathUnescape(top); err == nil {
		return name
	}
	return top
}

// addSaved makes the tests that have saved values targets of packages, by their own names.
func (s *session) addSaved(pkgs []gotest.Package) {
	for i := range pkgs {
		for _, folder := range s.foldersOf(pkgs[i]) {
			if test := testOf(folder); !slices.Contains(pkgs[i].Targets, test) {
				pkgs[i].Targets = append(pkgs[i].Targets, test)
			}
		}
	}
}

// unfoldSaved replaces each test of addSaved by the targets for its folders.
func (s *session) unfoldSaved(pkgs []gotest.Package) {
	for i := range pkgs {
		folders := s.foldersOf(pkgs[i])
		var targets []string
		for _, name := range pkgs[i].Targets {
			isFolder := false
			for _, folder := range folders {
				if testOf(folder) == name {
					isFolder, targets = true, append(targets, folder)
				}
			}
			if !isFolder {
				targets = append(targets, name)
			}
		}
		pkgs[i].Targets = targets
	}
}

// isTest reports whether the target is a test that calls fuzzext.Check.
func (t *userTarget) isTest() bool { return !strings.HasPrefix(t.name, "Fuzz") }

// test returns the name of the top-level test or fuzz target.
func (t *userTarget) test() string { return testOf(t.name) }

// rerun returns the command that runs an entry again: a test runs all those of its folder.
func (t *userTarget) rerun(file string) string {
	pattern := "^" + t.test() + "$"
	if !t.isTest() {
		pattern += "/^" + filepath.Base(file) + "$"
	}
	return "go test -run '" + pattern + "' " + t.pkg.Path
}
