// Package containers has a queue. Its tests have no model: corpusgen api has written them.
package containers

import (
	"fmt"
	"slices"
)

// A Queue holds values in a ring that grows. The zero value is an empty queue ready to use.
type Queue[T comparable] struct {
	ring  []T // its length is 0 or a power of 2
	first int
	n     int
}

// NewQueue returns a queue of values.
func NewQueue[T comparable](values ...T) *Queue[T] {
	q := &Queue[T]{}
	for _, v := range values {
		q.Push(v)
	}
	return q
}

// Len returns the number of values.
func (q *Queue[T]) Len() int { return q.n }

// Push adds a value at the end.
func (q *Queue[T]) Push(v T) {
	if q.n == len(q.ring) {
		ring := make([]T, max(4, 2*q.n))
		copy(ring[copy(ring, q.ring[q.first:]):], q.ring[:q.first])
		q.ring, q.first = ring, 0
	}
	q.ring[q.at(q.n)] = v
	q.n++
}

// Pop removes the first value. It reports false if the queue is empty.
func (q *Queue[T]) Pop() (v T, ok bool) {
	if q.n == 0 {
		return v, false
	}
	var none T
	v, q.ring[q.first] = q.ring[q.first], none
	q.first = q.at(1)
	q.n--
	return v, true
}

// at returns the index of the i-th value in the ring.
func (q *Queue[T]) at(i int) int { return (q.first + i) & (len(q.ring) - 1) }

// Clear removes all values, and frees the ring.
func (q *Queue[T]) Clear() { *q = Queue[T]{} }

// Clone returns a copy of the queue.
func (q *Queue[T]) Clone() *Queue[T] {
	return &Queue[T]{ring: slices.Clone(q.ring), first: q.first, n: q.n}
}

// Equal reports whether the queues hold equal values.
func (q *Queue[T]) Equal(r *Queue[T]) bool {
	if q.n != r.n {
		return false
	}
	for i := range q.n {
		if q.ring[q.at(i)] != r.ring[r.at(i)] {
			return false
		}
	}
	return true
}

func (q *Queue[T]) String() string { return fmt.Sprint(q.Values()) }

// Values returns the values in order.
func (q *Queue[T]) Values() []T {
	values := make([]T, q.n)
	for i := range values {
		values[i] = q.ring[q.at(i)]
	}
	return values
}

// Cursor returns a cursor at the first value.
func (q *Queue[T]) Cursor() *Cursor[T] { return &Cursor[T]{q: q} }

// A Cursor goes through a queue.
type Cursor[T comparable] struct {
	q *Queue[T]
	i int
}

// Next moves the cursor to the next value. It reports false if there is none.
func (c *Cursor[T]) Next() bool {
	if c.i+1 >= c.q.n {
		return false
	}
	c.i++
	return true
}

// Value returns the value at the cursor. It reports false if the queue is shorter now.
func (c *Cursor[T]) Value() (v T, ok bool) {
	if c.i >= c.q.n && !planted { // values have been removed
		return v, false
	}
	return c.q.ring[c.q.at(c.i)], true
}
