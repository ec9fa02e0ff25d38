// Command guards measures how soon go test -fuzz and corpusgen fuzz pass guards: conditions that
// few inputs meet, and whose code says which. Run it in the directory eval:
//
//	go run ./guards [-only REGEXP] [-results DIR] [-cpu SECONDS] [-runs N] [-again] [-markdown]
//	go run ./guards -report [-results DIR] [-markdown]
//
// The guards are in the package guard, which knows nothing of the engines. Each has three targets:
// of bytes, of a text, and of a generator's record, of which it tests a part. Each engine fuzzes
// each target -runs times, with one worker and from nothing, until an input passes the guard, or
// all processes have used the CPU seconds. An engine that has not passed a guard in three runs has
// no more of them.
package main

import (
	"context"
	"flag"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/espalier-go/espalier/eval/others"
)

// enough is how often an engine tries a guard that it does not pass.
const enough = 3

func main() {
	s := study{built: map[string]bool{}}
	flag.BoolVar(&s.markdown, "markdown", false, "print the table as Markdown")
	flag.IntVar(&s.runs, "runs", 10, "how often each engine fuzzes a target")
	others.Main("guards", &s)
}

type study struct {
	markdown bool
	runs     int
	built    map[string]bool // by the engine
}

// A run is what became of fuzzing once.
type run struct {
	Passed bool
	CPU    float64 // seconds, until it has passed
}

// Subjects returns the targets, each with each engine, such as "SwitchText, corpusgen fuzz".
func (*study) Subjects() (names []string) {
	for _, g := range guards {
		for _, kind := range kinds {
			for _, engine := range others.Engines {
				names = append(names, subject(g, kind, engine))
			}
		}
	}
	return names
}

func subject(g guard, kind, engine string) string { return g.Name + kind + ", " + engine }

var notWord = regexp.MustCompile(`\W+`)

func (*study) File(subject string) string {
	return notWord.ReplaceAllString(subject, "-") + ".json"
}

func (s *study) Run(ctx context.Context, lab *others.Lab, subject, file string) error {
	name, engine, _ := strings.Cut(subject, ", ")
	var all []run
	for range s.runs {
		done, err := fuzz(ctx, lab, engine, name, s.built[engine])
		if err != nil {
			return err
		}
		s.built[engine] = true
		all = append(all, done)
		if len(all) == enough && len(passing(all)) == 0 {
			break
		}
	}
	return others.Keep(file, all)
}

// fuzz fuzzes with an engine until that passes the guard.
func fuzz(
	ctx context.Context, lab *others.Lab, engine, name string, built bool,
) (r run, err error) {
	c := others.Campaign{Engine: engine, Built: built,
		Target:  others.Target{Module: module, Name: "Fuzz" + name},
		Prepare: func(_ context.Context, dir string) error { return write(dir, lab.Root) },
		Failed: func(file string, spent time.Duration) bool {
			if filepath.Base(file) == "passed" {
				r = run{true, spent.Seconds()}
			}
			return r.Passed
		}}
	done, err := lab.Fuzz(ctx, c)
	if !r.Passed {
		r.CPU = done.CPU.Seconds()
	}
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	return r, err
}

func (s *study) Report(out io.Writer, results string, matching *regexp.Regexp) error {
	read := func(subject string) (runs []run, err error) {
		if matching.MatchString(subject) {
			runs, _, err = others.Kept[[]run](results, s.File(subject))
		}
		return runs, err
	}
	return report(out, read, s.markdown)
}
