package callseq

import (
	"fmt"
	"math/rand/v2"
	"reflect"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// examine makes some sequences twice, and reads them, to find out early whether the model
// breaks a rule. Then it panics.
func (m *Model) examine() {
	stuck, names := true, []string(nil)
	for seed := range uint64(3) {
		a, b := m.sample(seed), m.sample(seed)
		if a.err != nil || b.err != nil {
			return // a filter
		}
		if !slices.Equal(a.tree, b.tree) || !slices.Equal(a.wants, b.wants) {
			panic(
				misused("the model makes another sequence the second time of the same choices, " +
					"or wants other results: it must depend on nothing that outlives a " +
					"sequence: declare its variables in the function given to New, and use no " +
					"random numbers, clock, or order of a map"))
		}
		if err := bigen.Check(a.gen, a.calls); err != nil {
			panic(
				misused(
					fmt.Sprintf("the model does not read the sequence that it has made: %v: it "+
						"must depend on nothing that outlives a sequence, and must not change "+
						"arguments other than slices", err)))
		}
		stuck, names = stuck && a.stuck, a.names
	}
	if stuck {
		panic(
			misused(
				fmt.Sprintf("no call is possible at the beginning: the preconditions of the "+
					"operations do not hold: %q", names)))
	}
}

// A sample is a sequence that examine has made.
type sample struct {
	gen   bigen.Gen[[]Call]
	calls []Call
	tree  choices.Tree
	wants []string // those that can be compared
	stuck bool     // no call was possible at the beginning
	names []string
	err   error
}

func (m *Model) sample(seed uint64) (s sample) {
	var c *C
	s.gen = bigen.Steps(func(gen *bigen.C, calls []Call) (bigen.Machine[Call], []Call) {
		x, head := m.begin(gen, calls)
		c = (*C)(x)
		c.examined = true
		if !gen.Backward() {
			s.stuck = len(x.Offer()) == 0 && !x.ended
		}
		return x, head
	}, m.mean, m.most)
	s.calls, s.tree, s.err = bigen.Run(s.gen, choices.Random(rand.New(rand.NewPCG(seed, 0))))
	for _, o := range c.ops {
		s.names = append(s.names, o.name)
	}
	for _, w := range c.wants {
		if k := reflect.ValueOf(w).Kind(); k == reflect.Invalid || k <= reflect.Complex128 ||
			k == reflect.String {
			s.wants = append(s.wants, fmt.Sprint(w))
		}
	}
	return s
}
