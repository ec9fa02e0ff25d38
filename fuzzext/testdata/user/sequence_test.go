package user_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/fuzzext"
)

// queue is a ring of two. It forgets that it is full.
type queue struct {
	items [2]int
	n     int
}

func (q *queue) Push(x int) bool {
	if q.n > 2 {
		return false
	}
	q.items[q.n%2] = x
	q.n++
	return true
}

var queueCalls = callseq.New(func(c *callseq.C) {
	q := &queue{}
	n := 0
	c.Code("q := &queue{}")
	c.Op("q.Push", func() {
		x := callseq.Arg(c, "x", bigen.IntRange(0, 9))
		ok := n < 2
		if ok {
			n++
		}
		c.Want(ok)
		c.Do(func() { c.Got(q.Push(x)) })
	})
	c.Op("check", func() {
		c.Do(func() {
			if n == 2 && q.items[0] > q.items[1] {
				panic("not sorted")
			}
		})
	})
})

var neverCalls = callseq.New(func(c *callseq.C) {
	n := 0
	c.Op("q.Push", func() { c.Do(func() { n++ }) })
	c.Op("q.Pop", func() {}).When(func() bool { return n < 0 })
})

func TestSequenceNeverCalled(t *testing.T) { fuzzext.Sequence(t, neverCalls) }

func TestSequence(t *testing.T) { fuzzext.Sequence(t, queueCalls) }

func FuzzSequence(f *testing.F) {
	fuzzext.Sequence(f, queueCalls)
}

func TestSequenceOfNothing(t *testing.T) {
	fuzzext.Sequence(t, callseq.New(func(c *callseq.C) {}))
}

func BenchmarkSequence(b *testing.B) { fuzzext.Sequence(b, queueCalls) }
