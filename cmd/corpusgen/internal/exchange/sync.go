package exchange

import (
	"context"
	"path/filepath"
	"time"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// A syncEvent says what sync has exchanged.
type syncEvent struct {
	session.Head
	Inputs int      // that all have
	Pushed int      // files
	Files  []string // that are new entries
}

// A Syncer is one run of `corpusgen sync`.
type Syncer struct {
	*session.Session
	Dirs    []string // that are shared
	Watch   time.Duration
	waiting bool // a round that changes nothing says nothing
}

// Run exchanges the inputs of all targets, once or again and again.
func (r *Syncer) Run(ctx context.Context) error {
	for {
		err := r.Each(ctx, r.target)
		switch {
		case r.Watch == 0:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
		r.waiting = true
		r.Failed = false
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(r.Watch):
		}
	}
}

// target exchanges the inputs of a target.
func (r *Syncer) target(ctx context.Context, t *session.Target) error {
	x := &exchange{ctx: ctx, Syncer: r, t: t, known: map[string]bool{}}
	for _, dir := range r.Dirs {
		c := openShared(dir, filepath.Join(dir, filepath.FromSlash(t.Package.Path), t.Name))
		c.name = gotest.Short(dir)
		x.shared = append(x.shared, c)
	}
	x.local = []string{t.Seeds, t.Cache()}
	if r.Dir != "" {
		x.local = append(x.local, t.Place())
	}
	err := x.run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if x.pushed+len(x.pulled) > 0 || !r.waiting {
		inputs := len(x.inputs) + len(x.pulled)
		r.Printf("%s: %s, %d pushed%s, %d pulled\n", t.Label, session.Count(inputs, "input", "inputs"), x.pushed, x.shares(), len(x.pulled))
		r.Emit(syncEvent{t.Head("sync"), inputs, x.pushed, x.pulled})
	}
	return err
}
