package linear_test

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/linear"
)

// counterCalls describes a counter that several goroutines use.
var counterCalls = linear.New(func(c *callseq.C) {
	var counter atomic.Int64
	total := int64(0)
	c.Op("counter.Add", func() {
		n := callseq.Arg(c, "n", bigen.IntRange[int64](1, 9))
		total += n
		c.Want(total)
		c.Do(func() { c.Got(counter.Add(n)) })
	})
	c.Op("counter.Load", func() {
		c.Want(total)
		c.Do(func() { c.Got(counter.Load()) })
	})
}, linear.Length(4, 100))

// In a test, fuzzext.Sequence(t, counterCalls) runs many sequences.
func ExampleNew() {
	for _, call := range bigen.Sample(counterCalls.Gen(), rand.New(rand.NewPCG(1, 0))) {
		fmt.Println(call)
	}
	fmt.Println(bigen.Check(counterCalls.Gen(),
		linear.Calls{{1, "counter.Add", int64(2)}, {2, "counter.Load"}}))
	// Output:
	// [0 counter.Add 7]
	// [1 counter.Load]
	// [2 counter.Add 2]
	// <nil>
}
