package fuzzext

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/mutate"
)

// fuzz is the fuzz function of a target. It runs the property on the value that b
// stands for and on the variants of that value.
//
// The engine keeps an input for the code that it reaches until the fuzz function
// returns. Variants would blur that: what one of them reaches, the engine's mutations
// of b do not. So while fuzzing they run as a cleanup, which the engine does not
// watch; there they cost little and find what chance finds, while the engine follows
// the value itself.
func (x *execution[V]) fuzz(t *testing.T, b []byte) {
	if x.policy != nil && !fuzzing() { // executions may be parallel
		own := *x
		own.prior = x.policy.Prior()
		x = &own
	}
	s := newTrial(t)
	n := &neighbours[V]{execution: x, b: b}
	s.keep = n.variants > 0
	base, ok := n.run(s, 0, 1, never)
	s.keep, n.tree = false, s.tree
	if !fuzzing() {
		ok = ok && n.variantsOf(s, never)
		s.end()
		switch {
		case !ok:
		case base == nil:
			t.Skipf("invalid input: %v", bigen.ErrRejected)
		case base.Skipped():
			t.Skip("invalid input: the property does not assume it")
		}
		return
	}
	t.Cleanup(func() {
		defer s.end()
		if ok {
			now := time.Now()
			n.variantsOf(s, now.Add(now.Sub(x.since(s.start))))
		}
		x.ended = time.Now()
	})
}

// since returns from when on the time of an execution that began at start is counted: the
// engine's own part, before it, included. What it takes beyond a millisecond it
// spends waiting.
func (x *execution[V]) since(start time.Time) time.Time {
	if earliest := start.Add(-time.Millisecond); x.ended.Before(earliest) {
		return earliest
	}
	return x.ended
}

// neighbours are the value of an input and its variants: half of them mutants of the
// value, half values of their own. They are a function of the input alone, so that
// the input reproduces a failure of any of them.
type neighbours[V any] struct {
	*execution[V]
	b    []byte
	seed uint64
	tree choices.Tree // of the value, for its mutants
}

// never is a time that is no limit.
var never time.Time

// run runs the property on the neighbours first to end-1, at least one, and none after
// the time until. It reports false, and fails the test, if one
// of them fails. It returns the last run, nil if the generator has rejected the value.
func (n *neighbours[V]) run(s *trial, first, end int, until time.Time) (last *T, ok bool) {
	source := func(i int) choices.Source { return n.source(first + i) }
	if !n.each(s, source, func(i int, r *T) (more bool) {
		if last != nil {
			s.recycle(last)
		}
		last = r
		return !(r != nil && r.Failed()) && first+i+1 < end && (until.IsZero() || time.Now().Before(until))
	}) {
		return nil, false
	}
	if last == nil || !last.Failed() {
		return last, true
	}
	_, tree, err := bigen.Run(n.gen, source(last.index))
	if err != nil {
		panic(fmt.Sprintf("fuzzext: a value that failed is not made again: %v: the generator is not deterministic", err))
	}
	n.fail(s, tree, last)
	return last, false
}

// variantsOf runs the property on the variants.
func (n *neighbours[V]) variantsOf(s *trial, until time.Time) bool {
	if n.variants == 0 {
		return true
	}
	n.seed = hash.FNV64(n.b)
	s.variants = true
	_, ok := n.run(s, 1, 1+n.variants, until)
	return ok
}

// source returns the source of the i-th neighbour; 0 is the value itself.
func (n *neighbours[V]) source(i int) choices.Source {
	if i == 0 {
		return n.decode(n.b)
	}
	r := rand.New(rand.NewPCG(n.seed, uint64(i)))
	if i%2 == 1 {
		var m mutate.Mutator
		if edited, ok := m.Havoc(n.tree, r); ok {
			return choices.Replay(edited, r)
		}
	}
	return n.anew(r)
}
