package main

import (
	"context"
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/espalier-go/espalier/eval/others"
)

// A crash is a line of crashes.tsv.
type crash struct {
	name          string
	module        string
	before, after string // versions
	pkg           string // the directory of the package in the module
	target        string // a function
	reference     string
	kind          string
	what          string // goes wrong
}

//go:embed crashes.tsv
var table string

// testdata has the witnesses, and the targets that are not the modules' own.
//
//go:embed testdata
var testdata embed.FS

// crashes returns the table.
func crashes() (all []crash) {
	_, rest, _ := strings.Cut(table, "\n")
	for line := range strings.Lines(rest) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		all = append(all, crash{f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8]})
	}
	return all
}

// at returns the target in a version of the module.
func (c crash) at(version string) others.Target {
	return others.Target{Module: c.module, Version: version, Pkg: c.pkg, Name: c.target}
}

// test returns the text of the target, or nil if the module has its own.
func (c crash) test() ([]byte, error) {
	text, err := testdata.ReadFile("testdata/" + c.name + "/target_test.go")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// witness returns the file of the witness.
func (c crash) witness() ([]byte, error) {
	return testdata.ReadFile("testdata/" + c.name + "/witness")
}

// copyTo copies a version of the module to a directory. If the target is not the module's own, it
// is the only test of the package.
func (c crash) copyTo(ctx context.Context, lab *others.Lab, version, dir string) error {
	if err := lab.Copy(ctx, c.module+"@"+version, dir); err != nil {
		return err
	}
	text, err := c.test()
	if text == nil || err != nil {
		return err
	}
	pkg := c.at(version).Dir(dir)
	theirs, err := filepath.Glob(filepath.Join(pkg, "*_test.go"))
	if err != nil {
		return err
	}
	for _, file := range theirs {
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(pkg, "espalier_crash_test.go"), text, 0o666)
}
