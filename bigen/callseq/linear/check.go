package linear

import (
	"cmp"
	"math"

	"github.com/anishathalye/porcupine"
	"github.com/espalier-go/espalier/bigen/callseq/internal/live"
	"github.com/espalier-go/espalier/bigen/schedule/point"
	"golang.org/x/exp/slices"
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
	calls    int      // how many there are
	call     int      // the last
	next     []*state // by call
	model    live.Imagined
	want     [][]any // the alternatives of the last call
	wanted   bool
	possible bool

	fits []int    // the alternatives that the results may be, if before has several
	kept []*state // by these
}

// start returns the state before the calls.
func (x *trial) start() *state {
	return &state{call: -1, possible: true, model: x.imagine()}
}

func (x *trial) imagine() live.Imagined {
	if x.m.serial != nil {
		return x.m.serial.Foresee(x.seen, x.turns)
	}
	return x.m.live.Imagine(x.first)
}

// step returns the state after a call that has returned what a history says. It reports false if
// the model does not want that.
func (x *trial) step(s *state, call int, h history) (after *state, ok bool) {
	s = x.after(s, call)
	e := &h[call]
	switch {
	case !s.possible:
		return s, false
	case !s.wanted:
		return s, true
	}
	var fits []int
	for i, want := range s.want {
		if !e.ended || !e.has || x.m.live.Same(x.calls[call].call, e.got, want) {
			fits = append(fits, i)
		}
	}
	if len(s.want) <= 1 || fits == nil {
		return s, fits != nil
	}
	k := slices.IndexFunc(s.kept, func(kept *state) bool { return slices.Equal(kept.fits, fits) })
	if k < 0 {
		k = len(s.kept)
		n := &state{before: s, calls: s.calls, call: call, possible: true, fits: fits, model: x.take(s)}
		n.model.Keep(fits)
		s.kept = append(s.kept, n)
	}
	return s.kept[k], true
}

// after returns the state after one more call.
func (x *trial) after(s *state, call int) *state {
	if s.next == nil {
		s.next = make([]*state, len(x.calls))
	}
	if known := s.next[call]; known != nil {
		return known
	}
	n := &state{before: s, calls: s.calls + 1, call: call, model: x.take(s)}
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
		return x.imagine()
	}
	if m = x.take(s.before); s.fits != nil {
		m.Keep(s.fits)
	} else {
		m.Again(x.calls[s.call].call)
	}
	return m
}

// How many states are tried to explain one run, at most. For a [live.Serial], calls run for each.
const (
	maxStates = 20_000
	maxSerial = 500
)

// judge looks for an order of the calls that explains what they have returned.
func (x *trial) judge(h history) verdict {
	for {
		switch o := x.orders(h, x.operations(h)); {
		case o.explained:
			return passed
		case !o.complete:
			return undecided
		case o.unsure:
			return impossible
		case x.m.serial == nil || !x.varies():
			return unexplained
		}
	}
}

// firstUnexplained returns the first call, in the order of their returns, whose results no order
// explains, and the last state of an order that explains the results of all calls that returned
// before. It looks at what had happened until each return: what has no order cannot get one later,
// and fewer calls have fewer orders. It returns -1 if it finds no such call.
func (x *trial) firstUnexplained(h history) (call int, explained *state) {
	then := slices.Clone(h)
	for i := x.prefix; i < len(h); i++ {
		then[i].ended = false
	}
	for _, i := range x.returns(h) {
		for j := x.prefix; j < len(h); j++ {
			then[j].hasBegun = h[j].hasBegun && h[j].began <= h[i].returned
		}
		then[i].ended = true
		o := x.orders(then, x.operations(then))
		if o.explained {
			continue
		}
		if !o.complete || o.unsure {
			break
		}
		if s := x.explainedBefore(then, i); s != nil {
			return i, s
		}
		break
	}
	return -1, nil
}

// returns lists the calls after the prefix that have returned, in the order of their returns.
func (x *trial) returns(h history) (calls []int) {
	for i := x.prefix; i < len(h); i++ {
		if h[i].ended {
			calls = append(calls, i)
		}
	}
	slices.SortStableFunc(calls, func(i, j int) int {
		return cmp.Compare(h[i].returned, h[j].returned)
	})
	return calls
}

// explainedBefore returns the last state of an order that explains the calls that returned before
// call i, or nil.
func (x *trial) explainedBefore(then history, i int) *state {
	then[i].ended, then[i].hasBegun = false, false
	if before := x.orders(then, x.operations(then)); before.explained {
		if s := x.after(before.longest, i); s.possible {
			return s
		}
	}
	then[i].hasBegun = true // its effect explains others
	if before := x.orders(then, x.operations(then)); before.explained {
		return before.longest
	}
	return nil
}

// judgeFailure judges a run in which a call has failed or not returned: whether one may have
// run where the model does not allow it. Then nothing is known. A call that nothing explains comes
// last, so that all orders are tried.
func (x *trial) judgeFailure(h history, failure verdict) verdict {
	if x.m.serial != nil {
		return x.judgeHangs(h, failure)
	}
	last := porcupine.Operation{Input: -1, Call: math.MaxInt64, Return: math.MaxInt64}
	switch o := x.orders(h, append(x.operations(h), last)); {
	case o.unsure:
		return impossible
	case !o.complete:
		return undecided
	}
	return failure
}

// orders is what has come of trying orders of calls.
type orders struct {
	explained bool   // one explains what they have returned
	complete  bool   // or all have been tried
	unsure    bool   // in one, a call is where the model does not allow it
	longest   *state // the last of the longest that explains what its calls have returned
}

// orders tries orders of calls, until one explains what they have returned.
func (x *trial) orders(h history, calls []porcupine.Operation) (o orders) {
	left := maxStates
	if x.m.serial != nil {
		left = maxSerial
	}
	var root *state
	model := porcupine.Model{
		Init: func() any { return root },
		Step: func(from, call, _ any) (bool, any) {
			i := call.(int)
			if left--; left < 0 || i < 0 {
				return false, from
			}
			s, fits := x.step(from.(*state), i, h)
			if o.unsure = o.unsure || !s.possible; !s.possible && x.m.serial != nil {
				left -= maxSerial / 5 // it has taken long
			}
			if fits && s.calls > o.longest.calls {
				o.longest = s
			}
			return fits, s
		},
	}
	point.Apart(func() {
		if x.root == nil {
			x.foresee(h)
			x.root = x.start()
		}
		root = x.root
		for i := range x.prefix {
			root, _ = x.step(root, i, h)
		}
		o.longest = root
		o.explained = porcupine.CheckOperations(model, calls)
	})
	o.complete = left >= 0
	return o
}

// order returns the calls after the prefix that have led to a state, and what the model wanted of
// one.
func (x *trial) order(s *state, call int) (order []int, want [][]any) {
	for ; s.before != nil; s = s.before {
		if s.fits == nil && s.call >= x.prefix {
			order = append(order, s.call)
		}
		if s.call == call {
			want = s.want
		}
	}
	slices.Reverse(order)
	return order, want
}

// A history is what is known of the calls in a run.
type history []event

// An event is a call in a run.
type event struct {
	began, returned int64 // times; those before the first of a thread do not count
	hasBegun, ended bool  // it has returned
	got             []any
	has             bool // it has given results
	goroutine       int  // that runs it, in a schedule
}

// operations returns the calls after the prefix that have begun.
func (x *trial) operations(h history) (ops []porcupine.Operation) {
	for i := x.prefix; i < len(h); i++ {
		if e := &h[i]; e.hasBegun {
			op := porcupine.Operation{
				ClientId: x.calls[i].thread,
				Input:    i,
				Call:     e.began,
				Return:   math.MaxInt64,
			}
			if e.ended {
				op.Return = e.returned
			}
			ops = append(ops, op)
		}
	}
	return ops
}
