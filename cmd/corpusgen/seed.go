package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
)

var _ = register(&command{
	name:    "seed",
	summary: "add entries made by a target's own generator to testdata/fuzz",
	usage: `usage: corpusgen seed [flags] [packages]

Seed makes each fuzz target generate N distinct values and adds them, encoded,
to the target's seed corpus: one file per value in testdata/fuzz/FuzzXxx, where
go test and go test -fuzz find them. Seed needs targets that use fuzzext:

	func FuzzInsert(f *testing.F) { f.Fuzz(fuzzext.Valid(gen, prop)) }

or fuzzext.Fuzz. The packages are those of go test. The default is the one in
the current directory. Seed does not write a value that the corpus holds
already, and never changes a file that exists. The same target, corpus and S
give the same entries.

If there are more than N values, seed prefers those that add most pairs of
choices to the corpus (combinatorial coverage of strength 2). To see which
values are valid, it runs the property on them. If the generator rejects some
values, or the property rejects them by T.Assume, seed writes only valid ones.
It then looks for more of them with a guide that learns from those found, and
from the corpus. If the property ends the process, by os.Exit or an error of the
runtime, all values count as valid.

For example:

	corpusgen seed -n 20 -fuzz Insert ./...

The flags are:

	-n N
		make N entries per target, at least 1 (default 100)
	-seed S
		start the random stream at S (default 1)
	-o dir
		write to dir/FuzzXxx instead of testdata/fuzz/FuzzXxx. If there
		are several packages, to dir/IMPORTPATH/FuzzXxx
	-v
		print the name of each new file
` + sessionUsage + `
Seed continues with the next target if one fails, and exits with status 1 if
something went wrong with any. It is no failure if there are fewer than N
values, or fewer that are valid: seed says so, and writes those there are.
`,
	run: runSeed,
})

// A seeder is one run of `corpusgen seed`.
type seeder struct {
	*session
	n int
}

func runSeed(ctx context.Context, args []string) error {
	r := &seeder{}
	s, err := newSession(ctx, "seed", args, func(s *session) {
		s.Own.IntVar(&r.n, "n", 100, "")
		s.defineOutput()
	}, func(*session) error {
		if r.n < 1 {
			return usageError{fmt.Sprintf("-n %d: at least one entry is needed", r.n)}
		}
		return nil
	})
	if err != nil {
		return err
	}
	defer s.close()
	r.session = s
	return s.each(ctx, r.target)
}

// target seeds a target.
func (r *seeder) target(ctx context.Context, t *userTarget) error {
	if err := corpus.Check(t.seeds); err != nil {
		return fmt.Errorf("%s: %w", t.label, err)
	}
	order := job.Order{Seed: r.seed, Make: &job.Make{N: r.n}}
	answer, err := t.ask(ctx, order)
	if died := (*deathError)(nil); errors.As(err, &died) && len(answer.Entries) == 0 {
		order.Make = &job.Make{N: r.n, Blind: true}
		if blind, err := t.ask(ctx, order); err == nil {
			return r.deliver(ctx, t, blind)
		}
		return err
	}
	if answer.End == nil {
		return err
	}
	return errors.Join(r.deliver(ctx, t, answer), err)
}

// deliver writes the entries of an answer, and says if there are fewer than N.
func (r *seeder) deliver(ctx context.Context, t *userTarget, answer *job.Answer) error {
	paths, old, err := t.deliver(ctx, answer.Entries)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if len(paths)+old > 0 {
		text := fmt.Sprintf("%s: %s in %s", t.label, count(len(paths), "new entry", "new entries"), t.place())
		if old > 0 {
			text += fmt.Sprintf(" (%d there before)", old)
		}
		r.printf("%s\n", text)
		if r.v {
			for _, path := range paths {
				r.printf("\t%s\n", filepath.Base(path))
			}
		}
	}
	r.emit(entriesEvent{t.event("seed"), paths, answer.End})
	if note := answer.End.Note; note != "" {
		r.note("%s: %d of %d entries: %s", t.label, len(answer.Entries), r.n, note)
	}
	return err
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
