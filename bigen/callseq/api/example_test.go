package api_test

import (
	"fmt"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/api"
)

// A Ring holds the last numbers.
type Ring struct {
	items [3]int
	next  int
}

// Push adds a number. It has a bug: the fourth is out of range.
func (r *Ring) Push(x int) {
	r.items[r.next] = x
	r.next++
}

// Last returns the last number, or 0.
func (r *Ring) Last() int {
	if r.next == 0 {
		return 0
	}
	return r.items[r.next-1]
}

func NewRing() *Ring { return new(Ring) }

var ringCalls = api.New(func(c *api.C) {
	rings := api.Type[*Ring](c, "ring")
	numbers := api.Type(c, "number", api.Literals(bigen.OneOf(0, 1, 2)))

	c.Op("NewRing", func() {
		ring := rings.Result()
		c.Do(func() { ring.V = NewRing(); c.Got(ring) })
	})
	c.Op("ring.Push", func() {
		ring, x := rings.Arg("ring"), numbers.Arg("x")
		c.Do(func() { ring.V.Push(x.V) })
	}).When(rings.Any)
	c.Op("ring.Last", func() {
		ring := rings.Arg("ring")
		c.Do(func() { c.Got(ring.V.Last()) })
	}).When(rings.Any)
})

func ExampleAPI_Generate() {
	suite := ringCalls.Generate(api.Options{Seed: 1, Sequences: 500})
	for _, e := range suite.Errors {
		fmt.Println(e.Code)
	}
	fmt.Println(suite.Regressions[len(suite.Regressions)-1].Code)

	// Output:
	// ring1 := NewRing()
	// ring1.Push(0)
	// ring1.Push(0)
	// ring1.Push(0)
	// ring1.Push(0) // panic: runtime error: index out of range [3] with length 3
	// ring1 := NewRing()
	// ring1.Push(1)
	// ring1.Push(0)
	// ring1.Push(0)
	// if got1 := ring1.Last(); got1 != 0 {
	// 	t.Errorf("ring1.Last(): got %v, want 0", got1)
	// }
}
