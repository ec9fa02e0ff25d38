package session

import (
	"io/fs"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/shell"
)

// foldersOf returns the folders of saved values of a package: those that hold files of the
// command line, if it names any, or else all.
func (s *Session) foldersOf(pkg gotest.Package) (folders []string) {
	var named []string
	switch {
	case s.Files != nil:
		for _, f := range s.Files {
			if f.in(pkg) {
				named = append(named, f.Target)
			}
		}
	case s.Saved:
		named = foldersBelow(filepath.Join(pkg.Dir, "testdata", "fuzzext"))
	}
	for _, folder := range named {
		test := testOf(folder)
		isTest := func(c gotest.Check) bool { return c.Name == test }
		if !slices.Contains(folders, folder) && slices.ContainsFunc(pkg.Checks, isTest) {
			folders = append(folders, folder)
		}
	}
	return folders
}

// foldersBelow returns the folder of each file below root. What cannot be read has no folder.
func foldersBelow(root string) (folders []string) {
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if folder, err := filepath.Rel(root, filepath.Dir(path)); err == nil {
			folders = append(folders, filepath.ToSlash(folder))
		}
		return nil
	})
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

// IsTest reports whether the target is a test that calls fuzzext.Check.
func (t *Target) IsTest() bool { return !strings.HasPrefix(t.Name, "Fuzz") }

// test returns the name of the top-level test or fuzz target.
func (t *Target) test() string { return testOf(t.Name) }

// Rerun returns the command that runs an entry again, alone.
func (t *Target) Rerun(file string) string {
	parts := append(strings.Split(t.Name, "/"), filepath.Base(file))
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return t.Session.Again("go test -run " + shell.Quote(strings.Join(parts, "/")) + " " +
		t.Package.Path)
}

// again matches a command that runs a test again, as a test prints it or the engine, which names no
// package and expects to be in its directory.
var again = regexp.MustCompile(`^(\s*)(go test|corpusgen test)( -overflow)?( -timeout \S+)?` +
	`( -race)?( -run(?:=\S+| '.*' \S+))$`)

// Again completes such a command by what this command line has and the test does not know: the
// directory, flags without which another test binary would be built, and arguments for the tests.
// It returns other lines as they are.
func (s *Session) Again(command string) string {
	m := again.FindStringSubmatch(command)
	if m == nil {
		return command
	}
	words := m[1] + m[2]
	add := func(args ...string) {
		if len(args) > 0 {
			words += " " + shell.Command(args...)
		}
	}
	overflow, timeout, race, run := m[3], m[4], m[5], m[6]
	if s.wd != "" && !strings.HasPrefix(run, " -run=") {
		add("-C", s.wd) // which must be first
	}
	words += overflow + timeout
	flags := s.Flags.Again()
	if !slices.Contains(flags, "-race") {
		words += race
	}
	add(flags...)
	words += run
	if len(s.Args) > 0 {
		add(slices.Insert(slices.Clone(s.Args), 0, "-args")...)
	}
	return words
}
