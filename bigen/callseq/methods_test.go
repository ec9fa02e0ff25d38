package callseq_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// A numbers is a list. With a bug, Pop does not look beyond 3 elements.
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
	require.ErrorContains(t, bigen.Check(m.Gen(), calls{{"n.Set", uint(1), 2}}),
		"at /0: n.Set is not possible here")
	require.Equal(t, `call 4: n.Pop() returns 3, true; want 4, true (n.Pop of methods_test.go:50)
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

// other has methods that do not fit the methods of numbers.
type other struct{ slow }

func (*other) Pop() int { return 0 }

// unsure has a precondition that is none.
type unsure struct{ slow }

func (*unsure) CanPop() int { return 0 }

// silent has a method without results that does not say what it wants.
type silent struct{}

func (silent) Pop() {}

// says has a method without results that does.
type says struct {
	c *callseq.C
	numbers
}

func (s *says) Pop() {
	x, ok := s.numbers.Pop()
	s.c.Want(x, ok)
}

// A popper is one of many implementations.
type popper interface {
	Pop() (int, bool)
	Add(x ...int)
	hidden()
}

func (*numbers) hidden() {}

// The variable may have the type of an interface, and methods of the model may have no results.
func TestMethodsOfInterface(t *testing.T) {
	t.Parallel()
	m := callseq.New(func(c *callseq.C) {
		var p popper
		c.Do(func() { p = &numbers{bug: true} })
		callseq.Methods(c, "p", &p, &says{c: c}, drawInt, callseq.Only("Add", "Pop"))
	})
	require.Contains(t, output(m, calls{{"p.Add", []int{1, 2}}, {"p.Add", []int{3, 4}}, {"p.Pop"}}),
		"call 3: p.Pop() returns 3, true; want 4, true (p.Pop of methods_test.go:")
}

func TestMethodsMisuse(t *testing.T) {
	t.Parallel()
	var n *numbers
	for want, declare := range map[string]func(c *callseq.C){
		`lacks methods in <nil>, which must say what the methods of *callseq_test.numbers return: add them, or leave them out by callseq.Without("Add", "Close", "Pop", "Set") (methods_test.go:127)`: func(c *callseq.C) {
			callseq.Methods(c, "n", &n, nil)
		},
		"does not call Want in the method Pop of *callseq_test.silent, which has no results to say": func(c *callseq.C) {
			c.Do(func() { n = &numbers{} })
			callseq.Methods(c, "n", &n, &silent{}, callseq.Only("Pop"))
		},
		"has a method Pop of type func() int in *callseq_test.other, but func() (int, bool) in *callseq_test.numbers": func(c *callseq.C) {
			callseq.Methods(c, "n", &n, &other{}, drawInt, drawUint)
		},
		"has a method CanPop of type func() int in *callseq_test.unsure: want func() bool": func(c *callseq.C) {
			callseq.Methods(c, "n", &n, &unsure{}, drawInt, drawUint)
		},
		"does not know what these arguments are: uint of n.Set: give Methods a callseq.Draw of a generator of each type": func(c *callseq.C) {
			callseq.Methods(c, "n", &n, &slow{}, drawInt)
		},
		"does not know what these arguments are: int of n.Add, uint of n.Set, int of n.Set: give": func(c *callseq.C) {
			callseq.Methods(c, "n", &n, &slow{}, callseq.Without("Close"))
		},
		"gives Only or Without the method Stop, which *callseq_test.numbers does not have": func(c *callseq.C) {
			callseq.Methods(c, "n", &n, &slow{}, drawInt, drawUint, callseq.Without("Stop"))
		},
		"has no methods of int to call": func(c *callseq.C) {
			callseq.Methods(c, "n", new(int), &slow{})
		},
	} {
		m := callseq.New(declare)
		panics(t, want, func() { m.Run(&recorder{}, append(sample(m, 1), call{"n.Pop"})) })
	}
}
