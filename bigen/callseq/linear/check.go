package linear

import (
	"math"

	"github.com/anishathalye/porcupine"

	"github.com/espalier-go/espalier/bigen/callseq/internal/live"
)

// A verdict is what a run has been found to be.
type verdict int

const (
	passed     verdict = iota
	impossible         // a call may have run where the model does not allow it
	undecided          // there are too many orders
	unexplained
	failed // a test, or a call that panics
	hangs
)

func (v verdict) fails() bool { return v >= unexplained }

// A state is what a sequence of calls has made of the model, and a node of the tree of all such
// sequences, which all runs of a value share. The functions of a model cannot be undone, so
// a state that has moved on to one call is made anew for another.
type state struct {
	before   *state
	call     int      // the last
	next     []*state // by call
	model    live.Imagined
	want     []any // from the last call
	wanted   bool
	possible bool
}

// start returns the state after the first n calls.
func (x *trial) start(n int) *state {
	s := &state{call: -1, possible: true, model: x.m.live.Imagine(x.first)}
	for i := range n {
		s = x.after(s, i)
	}
	return s
}

// after returns the state after one more call.
func (x *trial) after(s *state, call int) *state {
	if s.next == nil {
		s.next = make([]*state, len(x.calls))
	}
	if known := s.next[call]; known != nil {
		return known
	}
	x.states++
	n := &state{before: s, call: call, model: x.take(s)}
	n.want, n.wanted, n.possible = n.model.Call(x.calls[call].call)
	if !n.possible {
		n.model = nil
	}
	s.next[call] = n
	return n
}

// take returns the model in a state, for a call that changes it.
func (x *trial) take(s *state) live.Imagined {
	m := s.model
	s.model = nil
	if m != nil {
		return m
	}
	if s.before == nil {
		return x.m.live.Imagine(x.first)
	}
	m = x.take(s.before)
	m.Call(x.calls[s.call].call)
	return m
}

// maxStates bounds how many states are tried to explain one run.
const maxStates = 20_000

// judge looks for an order of the calls that explains what they have returned.
func (x *trial) judge(h history) verdict {
	for _, order := range x.orders {
		if x.explains(order, h) {
			return passed
		}
	}
	left, unsure := maxStates, false
	model := porcupine.Model{
		Init: func() any { return x.root },
		Step: func(from, call, _ any) (bool, any) {
			if left--; left < 0 {
				return false, from
			}
			i := call.(int)
			s := x.after(from.(*state), i)
			unsure = unsure || !s.possible
			return s.possible && h[i].matches(s), s
		},
	}
	result, info := porcupine.CheckOperationsVerbose(model, h.operations(x), 0)
	switch {
	case result == porcupine.Ok:
		x.remember(info.PartialLinearizations()[0][0], h)
		return passed
	case left < 0:
		return undecided
	case unsure:
		return impossible
	}
	return unexplained
}

// remember keeps an order of calls, given by positions among those of the history.
func (x *trial) remember(positions []int, h history) {
	if len(x.orders) == maxOrders {
		return
	}
	order := make([]int, len(positions))
	for i, p := range positions {
		order[i] = x.prefix + p
	}
	x.orders = append(x.orders, order)
}

// maxOrders bounds the orders that are tried first.
const maxOrders = 32

// explains reports whether the calls may have run in an order.
func (x *trial) explains(order []int, h history) bool {
	s, latest := x.root, int64(math.MinInt64)
	for _, i := range order {
		if h[i].returned < latest {
			return false
		}
		latest = max(latest, h[i].began)
		if s = x.after(s, i); !s.possible || !h[i].matches(s) {
			return false
		}
	}
	return true
}

// judgeFailure judges a run in which a call has failed or not returned: whether one may have
// run where the model does not allow it. Then nothing is known.
func (x *trial) judgeFailure(h history, failure verdict) verdict {
	left, unsure := maxStates, false
	done := make([]bool, len(x.calls))
	var search func(s *state)
	search = func(s *state) {
		for i := x.prefix; i < len(x.calls) && left > 0 && !unsure; i++ {
			if done[i] || !h[i].hasBegun || x.waits(i, h, done) {
				continue
			}
			left--
			n := x.after(s, i)
			if unsure = !n.possible; unsure {
				return
			}
			if !h[i].ended || h[i].matches(n) {
				done[i] = true
				search(n)
				done[i] = false
			}
		}
	}
	search(x.root)
	switch {
	case unsure:
		return impossible
	case left == 0:
		return undecided
	}
	return failure
}

// waits reports whether a call that is not done has returned before the i-th began.
func (x *trial) waits(i int, h history, done []bool) bool {
	for k := x.prefix; k < len(x.calls); k++ {
		if !done[k] && h[k].ended && h[k].returned < h[i].began {
			return true
		}
	}
	return false
}

// A history is what is known of the calls in a run.
type history []event

// An event is a call in a run.
type event struct {
	began, returned int64 // times; those before the first of a thread do not count
	hasBegun, ended bool  // it has returned
	got             []any
	has             bool // it has given results
}

// matches reports whether a call has returned what the model wants in a state after it.
func (e *event) matches(s *state) bool { return !s.wanted || !e.has || live.Same(e.got, s.want) }

// operations returns the calls behind the prefix.
func (h history) operations(x *trial) []porcupine.Operation {
	ops := make([]porcupine.Operation, 0, len(h)-x.prefix)
	for i := x.prefix; i < len(h); i++ {
		ops = append(ops, porcupine.Operation{ClientId: x.calls[i].thread, Input: i, Call: h[i].began, Return: h[i].returned})
	}
	return ops
}
