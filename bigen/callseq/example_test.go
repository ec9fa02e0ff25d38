package callseq_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"golang.org/x/exp/slices"
)

// A stack is what the examples test.
type stack struct{ items []int }

func (s *stack) Push(x int) { s.items = append(s.items, x) }
func (s *stack) Pop() int {
	last := len(s.items) - 1
	x := s.items[last]
	s.items = s.items[:last]
	return x
}

var stackCalls = callseq.New(func(c *callseq.C) {
	s := &stack{}
	var model []int
	c.Op("s.Push", func() {
		x := callseq.Arg(c, "x", bigen.IntRange(0, 9))
		model = append(model, x)
		c.Do(func() { s.Push(x) })
	})
	c.Op("s.Pop", func() {
		last := len(model) - 1
		c.Want(model[last])
		model = model[:last]
		c.Do(func() { c.Got(s.Pop()) })
	}).When(func() bool { return len(model) > 0 })
}, callseq.Length(5, 100))

func ExampleNew() {
	r := rand.New(rand.NewPCG(6, 0))
	for _, call := range bigen.Sample(stackCalls.Gen(), r) {
		fmt.Println(call)
	}
	// Output:
	// [s.Push 8]
	// [s.Pop]
	// [s.Push 8]
	// [s.Push 9]
}

func ExampleModel_Gen() {
	fmt.Println(bigen.Check(stackCalls.Gen(), callseq.Calls{{"s.Push", 1}, {"s.Pop"}}))
	fmt.Println(bigen.Check(stackCalls.Gen(), callseq.Calls{{"s.Push", 1}, {"s.Pop"}, {"s.Pop"}}))
	// Output:
	// <nil>
	// not produced by the generator: at /2: s.Pop is not possible here
}

// setOfKeys adds keys to a set. The scenario draws those that the set does not have.
var setOfKeys = callseq.New(func(c *callseq.C) {
	set, absent := map[int]bool{}, []int{0, 1, 2, 3}
	add := func(k int) {
		c.Code("set[%v] = true", k)
		absent = slices.DeleteFunc(absent, func(x int) bool { return x == k })
		c.Do(func() { set[k] = true })
	}
	c.Op("add", func() { add(callseq.Arg(c, "k", bigen.IntRange(0, 3))) })
	fill := c.Op("fill", func() {
		add(callseq.Arg(c, "k", bigen.OneOf(absent...)))
	}).Weight(0).When(func() bool { return len(absent) > 0 })
	c.Scenario(1, func() *callseq.Op { return fill })
}, callseq.Length(2, 100))

func ExampleC_Scenario() {
	for _, call := range bigen.Sample(setOfKeys.Gen(), rand.New(rand.NewPCG(1, 0))) {
		fmt.Println(call)
	}
	// Output:
	// [fill 2]
	// [fill 1]
	// [fill 0]
	// [fill 3]
	// [add 3]
}

// A bag gives its elements back in any order.
type bag map[string]bool

func (b bag) Put(x string) { b[x] = true }
func (b bag) Take() string {
	for x := range b {
		delete(b, x)
		return x
	}
	return ""
}

var bagCalls = callseq.New(func(c *callseq.C) {
	b := bag{}
	bags := callseq.NewStates(c, "")
	c.Op("b.Put", func() {
		x := callseq.Arg(c, "x", bigen.OneOf("a", "b", "c"))
		bags.Step(func(bag string, next func(bag string, results ...any)) {
			next(strings.ReplaceAll(bag, x, "") + x)
		})
		c.Do(func() { b.Put(x) })
	})
	c.Op("b.Take", func() {
		bags.Step(func(bag string, next func(bag string, results ...any)) {
			if bag == "" {
				next("", "")
			}
			for i := range bag {
				next(bag[:i]+bag[i+1:], bag[i:i+1])
			}
		})
		c.Do(func() { c.Got(b.Take()) })
	})
	c.Invariant(func() {
		bags.Step(func(bag string, next func(bag string, results ...any)) {
			if len(bag) == len(b) {
				next(bag)
			}
		})
		if c.Failed() {
			c.Logf("the bag has %d elements", len(b))
		}
	})
}, callseq.Length(5, 100))

func ExampleStates() {
	for _, call := range bigen.Sample(bagCalls.Gen(), rand.New(rand.NewPCG(6, 0))) {
		fmt.Println(call)
	}
	// Output:
	// [b.Put c]
	// [b.Take]
	// [b.Put c]
	// [b.Put c]
}
