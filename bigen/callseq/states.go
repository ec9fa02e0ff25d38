package callseq

import (
	"fmt"
	"reflect"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
)

// States holds all states in which what is tested may be, for a model that does not decide what it
// does: which entry a cache evicts, or in which order it lists its keys. Results tell: a state
// stays as long as some result in it is the one returned, and the test fails if none does.
//
//	bags := callseq.NewStates(c, "")
//	c.Op("b.Take", func() {
//		bags.Step(func(bag string, next func(bag string, results ...any)) {
//			for i := range bag { // each element may be the one that is taken
//				next(bag[:i]+bag[i+1:], bag[i:i+1])
//			}
//		})
//		c.Do(func() { c.Got(b.Take()) })
//	})
//
// A state is a value: a step copies slices and maps that it changes. Arguments and preconditions
// cannot depend on it, since no results are known when a sequence is made.
type States[S any] struct{ all states }

// NewStates returns the states at the start, usually one.
func NewStates[S any](c *C, start ...S) *States[S] {
	s := &States[S]{states{c: c}}
	for _, state := range start {
		s.all.now = append(s.all.now, state)
	}
	return s
}

// Step is called in place of [C.Want]. It calls step with each state, which calls next with every
// state that may follow, and with what the call returns then. A state that must allow nothing
// calls next never. In [C.Invariant] and [C.End], the states that next is called with are those
// that fit what is seen of what is tested.
func (s *States[S]) Step(step func(state S, next func(state S, results ...any))) {
	fail := s.all.step(func(state any, next func(any, []any)) {
		now, _ := state.(S) // which may be a nil interface
		step(now, func(to S, results ...any) { next(to, results) })
	})
	if fail != nil {
		s.all.c.TB.Helper()
		fail()
	}
}

// states is [States] of any type.
type states struct {
	c   *C
	now []any
}

// maxStates bounds the states of a model.
const maxStates = 1000

// step is Step. It returns a function that fails the test, if the test must fail.
func (s *states) step(step func(state any, next func(state any, results []any))) (fail func()) {
	c := s.c
	now, known := s.awaited()
	if !known {
		return nil
	}
	to, results := s.outcomes(step)
	if c.runner.verify && !c.runner.imagined {
		if again, same := s.outcomes(step); !sameResult(again, to) || !sameResult(same, results) {
			c.misuse("has a Step that does something else the second time: " +
				"it must copy slices and maps of a state before it changes them, " +
				"and depend on nothing but the state and arguments")
		}
	}
	if now == nil {
		return s.mustSettle(to)
	}
	now.want, now.settle = results, func(fits []int) { s.settle(to, fits) }
	if !c.differs(now) {
		return nil
	}
	return func() {
		c.TB.Helper()
		c.failResults(now)
	}
}

// awaited returns the call whose results a step says, or nil in an invariant. It reports false if
// nothing is known of results.
func (s *states) awaited() (now *traced, known bool) {
	if s.c.phase == inDo {
		s.c.misuse("calls Step within Do: call it before or after Do")
	}
	if s.c.phase == checking {
		return nil, true
	}
	now = s.c.wanting("Step", nil)
	return now, now != nil && (!s.c.runner.held || s.c.runner.imagined)
}

// outcomes returns the states that a step leads to, and the results that the call has with each.
func (s *states) outcomes(
	step func(state any, next func(state any, results []any)),
) (to []any, results [][]any) {
	for _, state := range s.now {
		if len(to) > 10*maxStates {
			s.tooMany()
		}
		step(state, func(state any, r []any) {
			to, results = append(to, state), append(results, append([]any{}, r...))
		})
	}
	return to, results
}

// settle leaves the states whose indexes fit, or all if fits is nil.
func (s *states) settle(to []any, fits []int) {
	s.now = nil
	for i, state := range to {
		if fits != nil && !slices.Contains(fits, i) {
			continue
		}
		same := func(other any) bool { return reflect.DeepEqual(other, state) }
		if !slices.ContainsFunc(s.now, same) {
			s.now = append(s.now, state)
		}
		if len(s.now) > maxStates {
			s.tooMany()
		}
	}
}

// mustSettle leaves all of the states. If there is none, it returns a function that fails the test.
func (s *states) mustSettle(to []any) (fail func()) {
	before := s.now
	if s.settle(to, nil); len(s.now) > 0 {
		return nil
	}
	c := s.c
	text, _ := list(before, func(state any) string { return gocode.Flat(c.runner.literal(state)) })
	return func() {
		c.TB.Helper()
		c.Errorf("no state of the model fits: %s", text)
	}
}

func (s *states) tooMany() {
	s.c.misuse("has more than %d States at once: let states differ less, or calls return more",
		maxStates)
}

// list writes what is different in a list, by or, and not too much of it. It returns how many there
// are.
func list[V any](all []V, text func(v V) string) (s string, n int) {
	const most = 5
	var texts []string
	for _, v := range all {
		if t := text(v); !slices.Contains(texts, t) {
			texts = append(texts, t)
		}
	}
	if n = len(texts); n > most {
		texts = append(texts[:most], fmt.Sprintf("one of %d others", n-most))
	}
	return strings.Join(texts, " or "), n
}
