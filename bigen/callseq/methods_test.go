package callseq_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/espalier-go/espalier/internal/testing/require"
)

// A numbers is a list. With a bug, Pop does not look behind 3 elements.
type numbers struct {
	list []int
	bug  bool
}

func (n *numbers) Add(x ...int)      { n.list = append(n.list, x...) }
func (n *numbers) Set(i uint, x int) { n.list[int(i)%len(n.list)] = x }
func (n *numbers) Pop() (int, bool) {
	last := len(n.list) - 1
	if n.bug {
		last = min(last, 2)
	}
	if last < 0 {
		return 0, false
	}
	x := n.list[last]
	n.list = append(n.list[:last], n.list[last+1:]...)
	return x, true
}
func (n *numbers) Close() {}

// slow says what numbers do.
type slow struct{ numbers }

func (s *slow) CanSet() bool { return len(s.list) > 0 }

var (
	drawInt  = callseq.Draw(bigen.IntRange(0, 9))
	drawUint = callseq.Draw(bigen.IntRange[uint](0, 9))
)

func numbersModel(bug bool) *callseq.Model {
	return callseq.New(func(c *callseq.C) {
		var n *numbers
		c.Code("n := &numbers{}")
		c.Do(func() { n = &numbers{bug: bug} })
		callseq.Methods(c, "n", &n, &slow{}, drawInt, drawUint, callseq.Without("Close"))
	})
}

func TestMethods(t *testing.T) {
	t.Parallel()
	m := numbersModel(false)
	bigentest.Laws(t, m.Gen(), bigentest.Runs(long.Count(3, 100)))
	for seed := range uint64(50) {
		require.Empty(t, output(m, sample(m, seed)))
	}
	require.ErrorContains(t, bigen.Check(m.Gen(), calls{{"n.Set", uint(1), 2}}), "at /0: n.Set is not possible here")
	require.Equal(t, `call 4: n.Pop() returns 3, true; want 4, true
calls:
    n := &numbers{}
    n.Add([]int{1, 2}...)
    n.Add([]int{3, 4}...)
    n.Set(uint(0), 5)
    if got1, got2 := n.Pop(); got1 != 4 || !got2 { // 3, true; want 4, true
    	t.Error(got1, got2)
    }
`, output(numbersModel(true), calls{{"n.Add", []int{1, 2}}, {"n.Add", []int{3, 4}}, {"n.Set", uint(0), 5}, {"n.Pop"}}))
}

// other has methods that do not fit those of numbers.
type other struct{ slow }

func (*other) Pop() int { return 0 }

// unsure has a precondition that is none.
type unsure struct{ slow }

func (*unsure) CanPop() int { return 0 }

func TestMethodsMisuse(t *testing.T) {
	t.Parallel()
	var n *numbers
	for want, declare := range map[string]func(c *callseq.C){
		"has no method Add in <nil>, which is to say what *callseq_test.numbers.Add returns": func(c *callseq.C) {
			callseq.Methods(c, "n", &n, nil)
		},
		"has a method Pop of type func() int in *callseq_test.other, but func() (int, bool) in *callseq_test.numbers": func(c *callseq.C) {
			callseq.Methods(c, "n", &n, &other{}, drawInt, drawUint)
		},
		"has a method CanPop of type func() int in *callseq_test.unsure: want func() bool": func(c *callseq.C) {
			callseq.Methods(c, "n", &n, &unsure{}, drawInt, drawUint)
		},
		"does not know what the arguments of n.Set are: give Methods callseq.Draw of a generator of uint": func(c *callseq.C) {
			callseq.Methods(c, "n", &n, &slow{}, drawInt)
		},
		"does not know what the arguments of n.Add are: give Methods callseq.Draw of a generator of int": func(c *callseq.C) {
			callseq.Methods(c, "n", &n, &slow{}, drawUint)
		},
		"leaves out the method Stop, which *callseq_test.numbers does not have": func(c *callseq.C) {
			callseq.Methods(c, "n", &n, &slow{}, drawInt, drawUint, callseq.Without("Stop"))
		},
		"has no methods of int to call": func(c *callseq.C) { callseq.Methods(c, "n", new(int), &slow{}) },
	} {
		panics(t, "callseq: the model "+want, func() { sample(callseq.New(declare), 1) })
	}
}
