// Apiablation says which rules of corpusgen api pay. A rule is a place of its code that decides
// something: that an error may be the caller's mistake, which operations a harness has, or which
// arguments they get. The rules are listed in rules.txt. The ablation
//
//   - copies the module, and marks each rule in the copy, so that a variable of the environment can
//     switch it off, and each process tells which rules have mattered;
//   - runs corpusgen api on the packages of packages.tsv, with fixed seeds and a fixed number of
//     sequences, first with all rules, then without one of them, where that rule has mattered;
//   - counts the real causes and the false reports by the verdicts of ../testdata/api-labels.tsv.
//
// The product has no switches. Usage:
//
//	go -C bench run ./apiablation -work DIR [-rules REGEXP] [-packages REGEXP] [-base] [-known] > TABLE
//
// DIR keeps the copies and the answers of all runs. A run that DIR has is not repeated, so an
// ablation can be interrupted, and verdicts can be added to api-labels.tsv afterward: standard
// error lists the reports without one. Remove DIR once the code has changed. The table of
// testdata/api-ablation.tsv is of the rules that there were before those that do not pay were
// deleted. What ends a process, and which reports have one cause, is not measured: the runs are of
// the test binary alone.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

const (
	sequences  = 2000
	seeds      = 2 // of a run without a rule
	noiseSeeds = 3 // of the run with all rules, which shows how much seeds matter
)

func main() {
	work := flag.String("work", "", "the `directory` of copies and answers")
	rulesLike := flag.String("rules", "", "only the rules whose names match `REGEXP`")
	packagesLike := flag.String("packages", "", "only the packages whose paths match `REGEXP`")
	base := flag.Bool("base", false, "only run with all rules, and print the reports")
	known := flag.Bool("known", false, "run nothing: print the table of the answers that there are")
	workers := flag.Int("workers", 2, "runs at once")
	flag.Parse()
	if *work == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := ablate(*work, *rulesLike, *packagesLike, *base, *known, *workers); err != nil {
		fmt.Fprintln(os.Stderr, "apiablation:", err)
		os.Exit(1)
	}
}

func ablate(work, rulesLike, packagesLike string, base, known bool, workers int) error {
	rules, err := readRules()
	if err != nil {
		return err
	}
	packages, err := readPackages()
	if err != nil {
		return err
	}
	like, err := regexp.Compile(rulesLike)
	if err != nil {
		return err
	}
	those, err := regexp.Compile(packagesLike)
	if err != nil {
		return err
	}
	packages = slices.DeleteFunc(packages, func(p pkg) bool { return !those.MatchString(p.path) })
	if work, err = filepath.Abs(work); err != nil {
		return err
	}
	l := &lab{work: work, workers: workers, known: known, answers: map[cell]answer{}, parts: map[string][]string{}}
	for _, r := range rules {
		l.parts[r.name] = r.all()
	}
	if err := l.prepare(rules); err != nil {
		return err
	}
	var cells []cell
	for _, p := range packages {
		for seed := 1; seed <= noiseSeeds; seed++ {
			cells = append(cells, cell{p, "", seed})
		}
	}
	if err := l.run(cells); err != nil || base {
		return errors.Join(err, l.printReports(packages))
	}
	for _, r := range rules {
		if !like.MatchString(r.name) {
			continue
		}
		cells = cells[:0]
		for _, p := range packages {
			for seed := 1; seed <= seeds; seed++ {
				if l.matters(r.name, l.answers[cell{p, "", seed}]) {
					cells = append(cells, cell{p, r.name, seed})
				}
			}
		}
		if err := l.run(cells); err != nil {
			return err
		}
	}
	return l.table(rules, packages, like)
}

// matters reports whether a rule can matter to a run that has an answer: it applies there, and what
// it depends on is there, too.
func (l *lab) matters(rule string, a answer) bool {
	switch {
	case !l.fired(rule, a.Fired):
		return false
	case strings.HasPrefix(rule, "odd/"): // they tell reports and doubts apart
		return len(a.Reports)+len(a.Doubtful) > 0
	case rule == "contract/spoilers": // it excuses what breaks such contracts
		return slices.Contains(a.Fired, "contract/kept")
	}
	return true
}

// fired reports whether a rule, or one of a mechanism, is among those that have mattered.
func (l *lab) fired(rule string, all []string) bool {
	return slices.ContainsFunc(l.parts[rule], func(part string) bool { return slices.Contains(all, part) })
}

// A cell is a run: of a package, without a rule or with all, from a seed.
type cell struct {
	pkg  pkg
	rule string
	seed int
}

// An answer is what is known of a run.
type answer struct {
	Reports  []report
	Doubtful []report
	Coverage float64
	CPU      float64  // seconds, of all processes
	Fired    []string // rules that have mattered
	Failed   string   // why there is nothing else
}

// A report is an error.
type report struct{ Op, Message, Place, Code string }

func (r report) String() string { return strings.TrimSpace(r.Place + " " + r.Op + ": " + r.Message) }

// path returns the file of the answer of a cell.
func (l *lab) path(c cell) string {
	name := fmt.Sprintf("%s-%s-%d.json", strings.ReplaceAll(c.pkg.path, "/", "!"), strings.ReplaceAll(c.rule, "/", "!"), c.seed)
	return filepath.Join(l.work, "answers", name)
}

// run runs cells, unless their answers are known.
func (l *lab) run(cells []cell) error {
	todo := make(chan cell)
	var wg sync.WaitGroup
	var mu sync.Mutex
	var failed error
	for range l.workers {
		wg.Go(func() {
			for c := range todo {
				a, err := l.answer(c)
				mu.Lock()
				l.answers[c] = a
				failed = errors.Join(failed, err)
				mu.Unlock()
			}
		})
	}
	for _, c := range cells {
		todo <- c
	}
	close(todo)
	wg.Wait()
	return failed
}

func (l *lab) answer(c cell) (a answer, err error) {
	path := l.path(c)
	if text, err := os.ReadFile(path); err == nil {
		return a, json.Unmarshal(text, &a)
	}
	if l.known {
		return answer{Failed: "not run"}, nil
	}
	a, err = l.measure(c)
	if err != nil { // the others go on
		fmt.Fprintf(os.Stderr, "%s without %q: %v\n", c.pkg.path, c.rule, err)
		return answer{Failed: err.Error()}, nil
	}
	text, err := json.MarshalIndent(a, "", "\t")
	if err != nil {
		return a, err
	}
	fmt.Fprintf(os.Stderr, "%s without %q, seed %d: %d reports, %.1f%%, %.1f s %s\n", c.pkg.path, c.rule, c.seed, len(a.Reports), a.Coverage, a.CPU, a.Failed)
	return a, os.WriteFile(path, text, 0o666)
}
