// Package corpora makes, changes and shows corpus entries by the generators of their targets.
package corpora

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/job"
)

// A seeder is one run of `corpusgen seed`.
type seeder struct {
	*session.Session
	n int
}

// Seed is `corpusgen seed`.
func Seed(ctx context.Context, args []string) error {
	r := &seeder{Session: session.New("seed")}
	r.Own.IntVar(&r.n, "n", 100, "")
	r.DefineOutput()
	return r.RunEach(ctx, args, func() error {
		if r.n < 1 {
			return session.Usagef("-n %d: at least one entry is needed", r.n)
		}
		return nil
	}, r.target)
}

// target seeds a target.
func (r *seeder) target(ctx context.Context, t *session.Target) error {
	if err := t.Check(t.Seeds); err != nil {
		return err
	}
	order := job.Order{Seed: r.Seed, Make: &job.Make{N: r.n}}
	answer, err := t.Ask(ctx, order)
	if died := (*session.DeathError)(nil); errors.As(err, &died) && len(answer.Entries) == 0 {
		order.Make = &job.Make{N: r.n, Blind: true}
		if blind, err := t.Ask(ctx, order); err == nil {
			return r.deliver(ctx, t, blind)
		}
		return err
	}
	if answer.End == nil {
		return err
	}
	return errors.Join(r.deliver(ctx, t, answer), err)
}

// failing returns for how many of the new entries the property fails.
func failing(entries []job.Entry, paths []string) (n int) {
	fails := map[string]bool{}
	for _, e := range entries {
		fails[corpus.Name(e.Data)] = e.Status == job.Failing
	}
	for _, path := range paths {
		if fails[filepath.Base(path)] {
			n++
		}
	}
	return n
}

// deliver writes the entries of an answer, and says if there are fewer than N.
func (r *seeder) deliver(ctx context.Context, t *session.Target, answer *job.Answer) error {
	paths, old, err := t.Deliver(ctx, answer.Entries)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if len(paths)+old > 0 {
		text := fmt.Sprintf("%s: %s in %s", t.Label,
			session.Count(len(paths), "new entry", "new entries"), t.Place())
		if old > 0 {
			text += fmt.Sprintf(" (%d there before)", old)
		}
		if n := failing(answer.Entries, paths); n > 0 {
			text += ", " + session.Count(n, "of them fails", "of them fail")
			if r.Dir == "" {
				text += ": go test shows how"
			}
		}
		r.Printf("%s\n", text)
		r.List(paths)
	}
	r.Emit(session.EntriesEvent{Head: t.Head("seed"), Files: paths, End: answer.End})
	if note := answer.End.Note; note != "" {
		r.Note("%s: %d of %d entries: %s", t.Label, len(answer.Entries), r.n, note)
	}
	return err
}
