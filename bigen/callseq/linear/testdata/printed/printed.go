// Package printed is what the statements call that tests of linear compile.
package printed

import (
	"runtime"
	"sync"
)

// Planted is the name of the bug that queues have.
var Planted string

// A Queue is a queue of numbers.
type Queue struct {
	mu    sync.Mutex
	items []int
}

// New returns a queue of some numbers.
func New(items ...int) *Queue { return &Queue{items: items} }

// Put appends a number.
func (q *Queue) Put(x int) {
	q.mu.Lock()
	if Planted == "put" {
		items := q.items
		q.mu.Unlock()
		for range 20 {
			runtime.Gosched()
		}
		q.mu.Lock()
		q.items = items
	}
	q.items = append(q.items, x)
	if Planted != "lock" {
		q.mu.Unlock()
	}
}

// Len returns how many numbers there are.
func (q *Queue) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	if Planted == "len" && len(q.items) > 1 {
		return 1
	}
	return len(q.items)
}

// A Cursor stands at a place in a queue.
type Cursor struct{ at int }

// Cursor returns a cursor at the end.
func (q *Queue) Cursor() *Cursor { return &Cursor{q.Len()} }

// At returns the place.
func (c *Cursor) At() int {
	if Planted == "at" {
		panic("no place")
	}
	return c.at
}
