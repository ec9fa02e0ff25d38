package api

import (
	"math/rand/v2"
	"time"
)

// A generator is one run of [API.Generate].
type generator struct {
	*machine
	quiet *quiet
	opts  Options
	rand  *rand.Rand
	begun time.Time
	stats Stats

	known  map[uint64]bool // hashes of the texts of sequences
	fatal  map[uint64]bool // those that are never to run
	states map[uint64]bool // fingerprints of values
	joints map[uint64]bool // of all values of a sequence
	print  fingerprint
	flat   []opCall // the sequence that runs
	turn   int      // the call of it that runs

	fresh    []bool // by result: its state is new
	relevant relevance
	jointly  bool // all values together have a new state

	kept   []*sequence
	errors []*found
	draft  draft
	guide
	watch
}

// found is an error of one class.
type found struct {
	class, op, message, place string
	contract                  string // if one is violated
	calls                     []opCall
	count                     int
}

// together returns the fingerprint of some values, without those that have no parts.
func (g *generator) together(which func(i int) bool) uint64 {
	f := &g.print
	f.begin()
	for i, x := range g.cells {
		if of := x.of(); which(i) && !flat(of.typ) && !x.isNil() {
			f.mix(uint64(of.index))
			x.walk(f)
		}
	}
	return f.hash
}
