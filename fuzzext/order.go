package fuzzext

import (
	"fmt"
	"path/filepath"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/job"
)

// takeOrder carries out the order that corpusgen has given this process, if it has
// and if it is for the target.
func (x *execution[V]) takeOrder() (taken bool) {
	o, err := job.Current()
	if err != nil {
		panic(fmt.Sprintf("fuzzext: %v", err))
	}
	if o == nil || x.target.name != o.Target {
		return false
	}
	if err := o.Reply(x.answer(o)); err != nil {
		panic(fmt.Sprintf("fuzzext: answering corpusgen: %v", err))
	}
	return true
}

const (
	// patience is how many values in a row may be old or invalid before corpusgen's
	// order is given up; fewPatience, once there are as many as ordered.
	patience    = 10_000
	fewPatience = 200

	moreToChoose = 3    // times as many values are made as are ordered
	mostToChoose = 1000 // but no more than so many in addition
)

// answer makes corpus entries with values that are valid and differ from each other and
// from those in the corpus.
func (x *execution[V]) answer(o *job.Order) *job.Answer {
	c := newSeeding(x, o.Seed, hash.FNV64(o.Target))
	defer c.end()
	c.blind = o.Blind
	// What cannot be read, the engine reports.
	old, _ := corpus.Read(filepath.Join("testdata", "fuzz", o.Target))
	for _, e := range old {
		_ = c.had(x.decode(e.Data))
	}
	for _, b := range added[x.target] {
		_ = c.had(x.decode(b))
	}
	for _, t := range x.taught {
		_ = c.had(choices.Replay(t, nil))
	}
	want := o.N + min(moreToChoose*o.N, mostToChoose)
	for idle := 0; len(c.seeds) < want && idle < patience && (len(c.seeds) < o.N || idle < fewPatience); {
		if !c.draw() {
			break
		}
		if idle++; !c.old {
			idle = 0
		}
	}
	a := &job.Answer{Entries: c.choose(o.N, true), Draws: c.draws}
	switch {
	case x.broken != "":
		a.Error = x.broken
	case len(a.Entries) == o.N:
	case c.stuck:
		a.Note = fmt.Sprintf("the property has not returned after %v on one of them", runLimit)
	case c.rejected >= patience:
		a.Error = fmt.Sprintf("the generator rejected %d of %d draws: %v", c.rejected, c.draws, bigen.ErrRejected)
	case c.invalid > 0:
		a.Note = fmt.Sprintf("of %d more values tried none was valid and new, T.Assume has rejected %d: give valid ones to fuzzext.Add or Examples, from which corpusgen learns", c.draws, c.invalid)
	default:
		a.Note = fmt.Sprintf("the generator seems to have no other values: it made %d", c.draws)
	}
	return a
}
