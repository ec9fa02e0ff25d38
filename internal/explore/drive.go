package explore

import (
	"bytes"
	"math"
	"slices"
	"time"

	"github.com/espalier-go/espalier/choices"
)

// An engine that makes one input after the other, and keeps a corpus of its own, such as
// libFuzzer, asks the explorer for each input (see [engine.Driver]). A switch from the engine to
// a run of the property and back takes longer than most runs. So the explorer first runs other
// inputs itself, and answers with what it has found. The engine's own execution of the answer
// then shows that the input is worth keeping, or that it fails.

// slot is how long the explorer looks for something new before it answers.
const slot = 5 * time.Millisecond

// Mutate returns another input, of at most most bytes: one that has something new or fails, if it
// finds any in time. Otherwise, it is made from the value of b, or from an entry of the pool. If a
// failing input takes more bytes, Mutate reports it itself, because the engine would never run it.
func (e *Explorer) Mutate(b []byte, most int) []byte {
	const tries = 4
	out := e.search()
	switch {
	case out != nil && len(out) <= most:
		return out
	case e.out.over:
		e.link.Offer(out)
		e.subject.Report(e.out.outcome)
		return out[:most]
	}
	e.offerNothing()
	out = nil
	for range tries {
		_, tree, err := e.make(e.propose(b))
		if err != nil {
			continue // it would be rejected
		}
		if out = choices.Encode(tree); len(out) <= most && !bytes.Equal(out, b) {
			e.now.bytes = out
			e.proposed = e.now
			return out
		}
	}
	if out == nil || bytes.Equal(out, b) {
		out = e.editBytes(slices.Clone(b))
	}
	return out[:min(len(out), most)]
}

// search runs inputs until one of them has something new or fails, and returns that one, or nil
// when the time is up.
func (e *Explorer) search() []byte {
	e.heap.adjust()
	e.begin()
	e.link.Exploring, e.link.Ran, e.link.Left = true, 0, math.MaxInt64
	e.link.Until = time.Now().Add(slot)
	e.subject.Each(e.next, func(o Outcome) bool {
		ok := e.ran(o)
		return e.another() && ok
	})
	e.link.Exploring = false
	clear(e.link.Counters)
	switch {
	case e.out.over:
		return choices.Encode(e.out.outcome.Tree)
	case e.out.found:
		return slices.Clone(e.now.bytes)
	}
	return nil
}

// offerNothing tells an engine with an [engine.Driver] that the generator makes a value next. If
// the process ends then, the input that was offered last is not the cause.
func (e *Explorer) offerNothing() {
	if e.link.Driver != nil {
		e.link.Driver.Exploring(true)
	}
}

// ownShare is how many mutations there are for each mutation of an entry of the explorer's own
// pool: when the engine chooses an entry, it knows only the new coverage of the explorer's finds.
const ownShare = 2

// propose returns the source of a value.
func (e *Explorer) propose(b []byte) choices.Source {
	e.now = attempt{entry: -1, nearer: e.now.nearer}
	if e.pool.Len() > 0 && e.r.IntN(ownShare) == 0 {
		return e.nextSource()
	}
	e.now.way = e.ways.Choose(e.r.Uint64())
	switch e.now.way {
	case fromNothing:
		return e.subject.Make(e.r)
	case byBytes:
		return e.subject.Decode(e.editBytes(slices.Clone(b)))
	case byGuess:
		e.now.way = e.r.IntN(len(operators))
	}
	if _, t, err := e.make(e.subject.Decode(b)); err == nil {
		most := max(e.most, len(t))
		if t, ok := e.mutate(t); ok && len(t) <= most {
			return choices.Replay(t, e.r)
		}
	}
	e.now.way = fromNothing
	return e.subject.Make(e.r)
}
