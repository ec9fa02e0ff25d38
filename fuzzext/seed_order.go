package fuzzext

import (
	"fmt"
	"path/filepath"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/internal/corpus"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/job"
)

// takeOrder carries out the order of corpusgen for seeds of the target, which has some
// already. It reports false if this process has no such order.
func takeOrder[V any](x *spec[V], seeds [][]byte) (taken bool) {
	o, err := job.Current()
	if err != nil {
		panic(fmt.Sprintf("fuzzext: %v", err))
	}
	if o == nil || x.target.name != o.Target {
		return false
	}
	if err := o.Reply(answer(x, o, seeds)); err != nil {
		panic(fmt.Sprintf("fuzzext: answering corpusgen: %v", err))
	}
	return true
}

const (
	// patience is how many values in a row may be old or invalid before the search ends;
	// fewPatience, once there are as many as ordered.
	patience    = 10_000
	fewPatience = 200

	// To choose from, so many times as many values are made in addition, at most
	// mostToChoose.
	moreToChoose = 3
	mostToChoose = 1000
)

// answer makes corpus entries whose values are valid and differ from each other, from those
// in the corpus and from the seeds.
func answer[V any](x *spec[V], o *job.Order, seeds [][]byte) *job.Answer {
	c := newSeeding(x, o.Seed, hash.FNV64(o.Target))
	defer c.end()
	c.blind = o.Blind
	// The engine reports entries that cannot be read.
	old, _ := corpus.Read(filepath.Join("testdata", "fuzz", o.Target))
	for _, e := range old {
		c.exclude(x.decode(e.Data))
	}
	for _, b := range seeds {
		c.exclude(x.decode(b))
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
	case x.fault != "":
		a.Error = x.fault
	case len(a.Entries) == o.N:
	case c.hangs:
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
