// Command unchanged runs the tests of modules that others wrote, as they are and with the points of
// corpusgen test, and compares what becomes of each test. Run it in the directory eval:
//
//	go run ./unchanged [-only REGEXP] [-results DIR] [-cpu SECONDS] [-schedule] [-again]
//	go run ./unchanged -report [-results DIR]
//
// The modules and their versions are in modules.tsv. It prints a row for each module and each test
// that differs. reasons.tsv says why, where that is known.
//
// A test differs if no outcome of three runs with points is one of three runs without. Tests without
// a difference run once each way.
//
// With -schedule, each test that has passed also runs alone in a bubble of testing/synctest, as it
// is, and if it passes there, with points and one schedule, the one without delays. Tests of
// packages with a TestMain of their own, and tests with subtests, do not.
package main

import (
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/espalier-go/espalier/eval/others"
)

func main() {
	var s study
	flag.BoolVar(&s.schedule, "schedule", false, "also run each test alone, under one schedule")
	others.Main("unchanged", &s)
}

type study struct{ schedule bool }

func (*study) Subjects() (paths []string) {
	for _, m := range modules() {
		paths = append(paths, m.path)
	}
	return paths
}

func (*study) File(path string) string { return module{path: path}.file() }

func (s *study) Run(ctx context.Context, lab *others.Lab, path, file string) error {
	r := runner{lab, s.schedule}
	for _, dir := range []string{"tmp", "home"} {
		if err := os.MkdirAll(filepath.Join(lab.Scratch, dir), 0o777); err != nil {
			return err
		}
	}
	all := modules()
	res := r.module(ctx, all[slices.IndexFunc(all, func(m module) bool { return m.path == path })])
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return others.Write(file, res.text())
}

func (*study) Report(out io.Writer, results string, matching *regexp.Regexp) error {
	return printReport(out, results, matching)
}
