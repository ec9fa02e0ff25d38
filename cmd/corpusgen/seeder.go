package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
)

// seeder is one run of `corpusgen seed`.
type seeder struct {
	n       int
	seed    uint64
	verbose bool
	tmp     string // directory of this run: orders, answers, what the go command builds
	failed  bool   // an error has been printed
}

func (s *seeder) complain(err error) {
	s.failed = true
	complain("%v", err)
}

// seedPackage seeds the targets of pkg and prints what goes wrong. It returns an error only
// if ctx ends or there is no place for temporary files.
func (s *seeder) seedPackage(ctx context.Context, pkg gotest.Package) error {
	tmp, err := os.MkdirTemp(s.tmp, "package-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	for _, target := range pkg.Targets {
		dir := gotest.Short(filepath.Join(pkg.Dir, "testdata", "fuzz", target))
		if err := corpus.Check(dir); err != nil {
			s.complain(fmt.Errorf("%s %s: %w", pkg.Path, target, err))
			continue
		}
		result, answer, err := s.ask(ctx, tmp, pkg, target, false)
		if err == nil && answer == nil && result.Outcome == gotest.Failed { // the property may have ended the process
			if again, blind, err := s.ask(ctx, tmp, pkg, target, true); err == nil && blind != nil {
				result, answer = again, blind
			}
		}
		label := pkg.Path + " " + target
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			s.complain(fmt.Errorf("%s: %w", label, err))
		case answer != nil:
			s.deliver(ctx, label, dir, answer)
			if result.Outcome != gotest.Passed {
				s.complain(fmt.Errorf("%s made its entries, but go test then failed:\n%s", label, trim(result)))
			}
		default:
			s.complain(unanswered(pkg.Path, target, result))
			if result.Outcome == gotest.Broken {
				return nil // no other target would run
			}
		}
	}
	return ctx.Err()
}

// deliver writes the entries of an answer to the corpus in dir.
func (s *seeder) deliver(ctx context.Context, label, dir string, answer *job.Answer) {
	err := s.write(ctx, label, dir, answer.Entries)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		s.complain(fmt.Errorf("%s: writing the corpus: %w", label, err))
	}
	switch made := len(answer.Entries); {
	case answer.Error != "":
		s.complain(fmt.Errorf("%s: %d of %d entries: %s", label, made, s.n, answer.Error))
	case answer.Note != "":
		complain("%s: %d of %d entries: %s", label, made, s.n, answer.Note)
	case made < s.n:
		s.complain(fmt.Errorf("%s: only %d of %d entries", label, made, s.n))
	}
}

// ask runs target with an order, which may be blind. The answer is nil if the target gave
// none. The files of all orders for pkg are in tmp.
func (s *seeder) ask(ctx context.Context, tmp string, pkg gotest.Package, target string, blind bool) (*gotest.Result, *job.Answer, error) {
	dir, err := os.MkdirTemp(tmp, target+"-*")
	if err != nil {
		return nil, nil, err
	}
	path := filepath.Join(dir, "order.json")
	order := &job.Order{Target: target, Answer: filepath.Join(dir, "answer.json"), N: s.n, Seed: s.seed, Blind: blind}
	if err := order.Write(path); err != nil {
		return nil, nil, err
	}
	result, err := gotest.Run(ctx, pkg.Path, target, tmp, job.Env+"="+path, goTempVar+s.tmp)
	if err != nil {
		return nil, nil, err
	}
	answer, err := order.ReadAnswer()
	return result, answer, err
}

// unanswered returns an error that says why target gave no answer.
func unanswered(pkg, target string, result *gotest.Result) error {
	switch result.Outcome {
	case gotest.Broken:
		return fmt.Errorf("%s: go test fails before it runs %s:\n%s", pkg, target, trim(result))
	case gotest.Absent:
		return fmt.Errorf("%s: go test does not run %s (does TestMain call m.Run?):\n%s", pkg, target, trim(result))
	case gotest.Skipped:
		return fmt.Errorf("%s %s skips itself before it calls fuzzext.Valid or fuzzext.Fuzz, so corpusgen cannot run its generator", pkg, target)
	case gotest.Failed:
		return fmt.Errorf("%s %s fails before it makes an entry:\n%s", pkg, target, trim(result))
	}
	return fmt.Errorf("%s %s does not use fuzzext.Valid or fuzzext.Fuzz, so corpusgen cannot run its generator: write f.Fuzz(fuzzext.Valid(gen, prop))", pkg, target)
}

func trim(result *gotest.Result) string { return strings.TrimRight(result.Output, "\n") }

// write adds entries to the corpus in dir and prints how many are new. It stops at the
// first that it cannot write, and when ctx ends.
func (s *seeder) write(ctx context.Context, label, dir string, entries [][]byte) error {
	var paths []string
	var failure error
	old := 0
	for _, entry := range entries {
		if failure = ctx.Err(); failure != nil {
			break
		}
		path, isNew, err := corpus.Write(dir, entry)
		if err != nil {
			failure = err
			break
		}
		if isNew {
			paths = append(paths, path)
		} else {
			old++
		}
	}
	if len(paths)+old == 0 {
		return failure
	}
	fmt.Printf("%s: %s in %s", label, count(len(paths), "new entry", "new entries"), dir)
	if old > 0 {
		fmt.Printf(" (%d there before)", old)
	}
	fmt.Println()
	if s.verbose {
		for _, path := range paths {
			fmt.Printf("\t%s\n", filepath.Base(path))
		}
	}
	return failure
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
