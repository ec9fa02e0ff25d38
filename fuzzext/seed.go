package fuzzext

import (
	"cmp"
	"os"
	"path/filepath"
	"time"

	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/corpus"
)

// seeding returns what chooses seeds of the target, by runs of the property in a trial that end
// ends.
func (x *spec) seeding(seed, stream uint64) (c *values.Seeding, end func()) {
	tb := detached(x.target().name)
	tr := newTrial(x, home{}, tb)
	c = values.NewSeeding(x.subjectOfGuide(), seed, stream)
	c.Judge = func(v any) (run values.Outcome, ok bool) {
		if tr.prints {
			tr.show(v)
		}
		t := tr.run(v, x.judgeUntil(), reducing)
		if t == nil {
			return run, false
		}
		defer tr.recycle(t)
		return t.outcome(), true
	}
	return c, tr.end
}

// judgeLimit returns how long a run may take that judges a value.
func (x *spec) judgeLimit() time.Duration { return cmp.Or(x.runLimit(), values.SeedRunLimit) }

// judgeUntil returns when a run that judges a value has taken too long, or zero if the trial's
// patience decides.
func (x *spec) judgeUntil() time.Time {
	if x.runLimit() > 0 {
		return time.Time{}
	}
	return time.Now().Add(values.SeedRunLimit)
}

const (
	firstInputs  = 16
	firstChoices = 200 // of one input, at most
)

// fillCache gives the engine inputs to begin with, if its cache for the target is empty. They
// spell out each choice of a value, so a mutation of their bytes changes a part of the value.
// A mutation of the few random bytes that the engine would begin with changes all of it.
func fillCache(x *spec) {
	dir := flagValue("test.fuzzcachedir")
	if dir == "" {
		return
	}
	dir = filepath.Join(dir, x.target().name)
	if there, err := os.ReadDir(dir); len(there) > 0 || err != nil && !os.IsNotExist(err) {
		return
	}
	defer func() { _ = recover() }() // a generator that panics does so again while fuzzing
	c := values.NewSeeding(x.subjectOfGuide(), 0, 0)
	for c.Most = firstChoices; c.Draws < 8*firstInputs && c.Len() < firstInputs && c.Draw(); {
	}
	for _, b := range c.Choose(firstInputs, true) {
		if _, _, err := corpus.Write(dir, b); err != nil {
			return
		}
	}
}
