package fuzzext

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/stack"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/budget"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/hash"
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
	chosenSeeds  = 24
	seedsToTry   = 96              // valid values, to choose from
	seedsToDraw  = 2000            // values
	seedsPairs   = 1 << 19         // of choices, looked at for the coverage
	seedsChoices = 200             // of a seed
	seedsTime    = 3 * time.Second // for all of this; see budget
)

// chooseSeeds returns the seeds of a target besides the examples. No run of the property
// begins after the time is up.
func chooseSeeds(x *spec, examples [][]byte, most time.Duration) [][]byte {
	spent := budget.New()
	c, end := x.seeding(0, hash.FNV64(x.target().name))
	defer end()
	c.Most, c.Pairs = seedsChoices, seedsPairs
	func() {
		defer func() {
			if r := recover(); r != nil {
				x.fault = "the generator panics: " + stack.Panic(r, string(debug.Stack()))
			}
		}()
		for _, b := range examples {
			if isOver(&spent, most) {
				break
			}
			c.Exclude(choices.FromBytes(b))
		}
		for c.Draws < seedsToDraw && c.Len() < seedsToTry && !isOver(&spent, most) && c.Draw() {
		}
		if len(examples) == 0 && c.Draws >= fewestDraws && c.Rejected == c.Draws {
			x.fault = fmt.Sprintf("the generator rejects all %d values that it has begun: the test of a "+
				"SuchThat, or rules that exclude each other, pass none (bigen.ErrRejected)", c.Draws)
		}
	}()
	return c.Choose(chosenSeeds, false)
}

// fewestDraws is from how many draws on a generator that rejects all of them is a fault.
const fewestDraws = 20

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
