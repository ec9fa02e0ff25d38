// Command targets fuzzes targets that others wrote, as they are, with go test -fuzz and with
// corpusgen fuzz, and compares the statements that the corpora reach. Run it in the directory eval:
//
//	go run ./targets [-only REGEXP] [-results DIR] [-cpu SECONDS] [-runs N] [-again]
//	go run ./targets -report [-results DIR] [-markdown]
//
// The targets are in targets.tsv. Each engine has so many CPU seconds for each run, with one worker
// and what is compiled in the build cache. All its processes count, also what corpusgen fuzz does
// before it fuzzes. corpusgen fuzz goes on after a failure (-keepgoing). Where go test -fuzz stops
// at one, the input is set aside, and it runs again. Then a plain test binary that covers the
// module, or its package if the module does not compile so, runs the entries that the engine has
// kept, and those of the module. reasons.tsv says why a target reaches less, where that is known.
package main

import (
	"context"
	"flag"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/eval/others"
)

func main() {
	var s study
	flag.BoolVar(&s.markdown, "markdown", false, "print the table as Markdown")
	flag.IntVar(&s.runs, "runs", 1, "how often each engine fuzzes a target")
	others.Main("targets", &s)
}

type study struct {
	markdown bool
	runs     int
}

func (*study) Subjects() (names []string) {
	for _, t := range targets() {
		names = append(names, t.String())
	}
	return names
}

var notWord = regexp.MustCompile(`\W+`)

func (*study) File(name string) string { return notWord.ReplaceAllString(name, "-") + ".json" }

func (s *study) Run(ctx context.Context, lab *others.Lab, name, file string) error {
	all := targets()
	r := runner{lab, all[slices.IndexFunc(all, func(t target) bool { return t.String() == name })]}
	res, err := r.result(ctx, s.runs)
	if ctx.Err() != nil {
		return ctx.Err()
	} else if err != nil {
		res.Note = strings.Join(strings.Fields(err.Error()), " ")
	}
	return others.Keep(file, res)
}

func (s *study) Report(out io.Writer, results string, matching *regexp.Regexp) error {
	return printReport(out, results, matching, s.markdown)
}
