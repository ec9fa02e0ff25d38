package main

import (
	"context"
	"embed"
	"os"
	"path/filepath"
	"strings"

	"github.com/espalier-go/espalier/eval/others"
)

// A bug is a line of races.tsv.
type bug struct {
	name          string
	before, after string // modules with their versions
	pkg           string // the directory of the package in the module
	race          bool   // shows only as a data race
	kind          string
	fix           string // an issue, a pull request or a commit
	what          string // goes wrong
}

//go:embed races.tsv
var table string

// tests are those of the bugs.
//
//go:embed testdata
var tests embed.FS

// bugs returns the table.
func bugs() (all []bug) {
	_, rest, _ := strings.Cut(table, "\n")
	for line := range strings.Lines(rest) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		all = append(all, bug{f[0], f[1], f[2], f[3], f[4] == "-race", f[5], f[6], f[7]})
	}
	return all
}

// file returns the base name of the file of the results.
func (b bug) file() string { return b.name + ".json" }

// test returns the text of the test.
func (b bug) test() ([]byte, error) { return tests.ReadFile("testdata/" + b.name + "_test.go") }

// copyTo copies a version of the module to a directory, where it requires Espalier, and the only
// test of the package is the one of the bug.
func (b bug) copyTo(ctx context.Context, lab *others.Lab, version, dir string) error {
	if err := lab.Copy(ctx, version, dir); err != nil {
		return err
	}
	pkg := filepath.Join(dir, filepath.FromSlash(b.pkg))
	theirs, err := filepath.Glob(filepath.Join(pkg, "*_test.go"))
	if err != nil {
		return err
	}
	for _, file := range theirs {
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	text, err := b.test()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(pkg, "espalier_race_test.go"), text, 0o666)
}
