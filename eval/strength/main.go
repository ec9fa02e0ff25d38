// Command strength runs corpusgen strength and gremlins, which builds the tests anew for each
// mistake, on modules that others wrote, and compares what a mistake costs, and the verdicts on
// those that both make. Run it in the directory eval:
//
//	go run ./strength [-only REGEXP] [-results DIR] [-again]
//	go run ./strength -report [-results DIR] [-markdown]
//
// The modules are in modules.txt. They come from the Go module proxy, and keep their tests. Each
// tool runs on a copy, one process at a time. What the tests need is compiled before. Gremlins is
// the version in the file tools.go, with GOFLAGS=-count=1, since it takes its limit of time from
// a run without mistakes, which the go command would have in its cache.
//
// In the end, and with -report at once, it prints a table of all results, and below it each mistake
// on which they differ.
package main

import (
	"context"
	_ "embed"
	"flag"
	"io"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/espalier-go/espalier/eval/others"
)

//go:embed modules.txt
var modules string

func main() {
	var s study
	flag.BoolVar(&s.markdown, "markdown", false, "print the table as Markdown")
	others.Main("strength", &s)
}

type study struct {
	markdown bool
	gremlins string // the binary
}

func (*study) Subjects() []string { return strings.Fields(modules) }

func (*study) File(subject string) string { return path.Base(subject) + ".json" }

// A result is what both tools say of a module.
type result struct {
	Mutants   []mutant // of gremlins
	Strength  summary
	Made      []mistake                            // all that corpusgen strength makes
	Survivors []mistake                            // those that no test notices, or none reaches
	CPU       struct{ Gremlins, Strength float64 } // seconds, all in
	Differ    []difference
	Same      int
}

func (s *study) Run(ctx context.Context, lab *others.Lab, subject, file string) error {
	dir := filepath.Join(lab.Scratch, "module")
	if err := lab.Copy(ctx, subject, dir); err != nil {
		return err
	}
	if _, err := others.Output(ctx, dir, "go", "test", "-vet=off", "./..."); err != nil {
		return err
	}
	var r result
	if s.gremlins == "" {
		binary, err := install(ctx, lab)
		if err != nil {
			return err
		}
		s.gremlins = binary
	}
	if err := r.gremlins(ctx, s.gremlins, dir); err != nil {
		return err
	}
	if err := r.strength(ctx, lab, dir); err != nil {
		return err
	}
	if err := r.compare(dir); err != nil {
		return err
	}
	return others.Keep(file, r)
}

func (s *study) Report(out io.Writer, results string, matching *regexp.Regexp) error {
	all := map[string]result{}
	for _, subject := range s.Subjects() {
		r, ok, err := others.Kept[result](results, s.File(subject))
		if err != nil {
			return err
		} else if ok && matching.MatchString(subject) {
			all[subject] = r
		}
	}
	return report(out, s.Subjects(), all, s.markdown)
}
