// Package linearbugs has structures that several goroutines use, each with a bug to plant
// that only some schedules reveal.
package linearbugs

import (
	"sync"
	"sync/atomic"
)

// Planted is the bug that the structures have, or "".
var Planted string

// A Stack is a lock-free stack of records. Its nodes are used again, the last freed first. A count
// in the head, which each change increments, tells whether a node was used again meanwhile.
//
// "aba": there is no such count.
type Stack struct {
	head, free atomic.Uint64 // a count, and the number of a node from 1
	nodes      [1 + 128]node
	used       atomic.Uint32 // nodes
}

type node struct {
	record [24]atomic.Int64
	next   atomic.Uint32
}

// Push adds a record whose words are all v. It panics if there were more than 128 elements.
func (s *Stack) Push(v int) {
	i, _, ok := s.take(&s.free, 1)
	if !ok {
		i = s.used.Add(1)
	}
	for k := range s.nodes[i].record {
		s.nodes[i].record[k].Store(int64(v))
	}
	s.put(&s.head, i, s.step())
}

// Pop removes the record added last, and reports whether there was one. It returns what all of
// its words have in common.
func (s *Stack) Pop() (int, bool) {
	i, v, ok := s.take(&s.head, s.step())
	if !ok {
		return 0, false
	}
	s.put(&s.free, i, 1)
	return int(v), true
}

func (s *Stack) step() uint64 {
	if Planted == "aba" {
		return 0
	}
	return 1
}

func (s *Stack) take(list *atomic.Uint64, step uint64) (i uint32, v int64, ok bool) {
	for {
		old := list.Load()
		if i = uint32(old); i == 0 {
			return 0, 0, false
		}
		next := s.nodes[i].next.Load()
		v = s.nodes[i].record[0].Load()
		for k := range s.nodes[i].record { // the caller's copy
			v &= s.nodes[i].record[k].Load()
		}
		if list.CompareAndSwap(old, (old>>32+step)<<32|uint64(next)) {
			return i, v, true
		}
	}
}

func (s *Stack) put(list *atomic.Uint64, i uint32, step uint64) {
	for {
		old := list.Load()
		s.nodes[i].next.Store(uint32(old))
		if list.CompareAndSwap(old, (old>>32+step)<<32|uint64(i)) {
			return
		}
	}
}

// A Map is a hash table with lists of entries.
//
// "map": Delete does not lock.
type Map struct {
	mu      sync.Mutex
	buckets [2]*entry
	size    int
}

type entry struct {
	key, value int
	next       *entry
}

// NewMap returns an empty table.
func NewMap() *Map { return &Map{} }

// Get returns the value of a key.
func (m *Map) Get(k int) (int, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for e := m.buckets[k%2]; e != nil; e = e.next {
		if e.key == k {
			return e.value, true
		}
	}
	return 0, false
}

// Set sets the value of a key, and reports whether it is new.
func (m *Map) Set(k, v int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for e := m.buckets[k%2]; e != nil; e = e.next {
		if e.key == k {
			e.value = v
			return false
		}
	}
	m.buckets[k%2] = &entry{k, v, m.buckets[k%2]}
	m.size++
	return true
}

// Delete removes a key, and reports whether it was there.
func (m *Map) Delete(k int) bool {
	if Planted != "map" {
		m.mu.Lock()
		defer m.mu.Unlock()
	}
	for p := &m.buckets[k%2]; *p != nil; p = &(*p).next {
		if (*p).key == k {
			*p = (*p).next
			m.size--
			return true
		}
	}
	return false
}

// Len returns how many keys there are.
func (m *Map) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.size
}

// A Counter counts.
//
// "counter": Add reads, and writes afterwards.
type Counter struct{ n atomic.Int64 }

// Add adds d, and returns the sum.
func (c *Counter) Add(d int) int {
	if Planted == "counter" {
		n := c.n.Load() + int64(d)
		c.n.Store(n)
		return int(n)
	}
	return int(c.n.Add(int64(d)))
}

// Get returns the sum.
func (c *Counter) Get() int { return int(c.n.Load()) }

// A Cache makes values on demand.
//
// "cache": Get locks once to look, and again to add.
type Cache struct {
	mu     sync.Mutex
	values map[int]int
	made   int
}

// NewCache returns an empty cache.
func NewCache() *Cache { return &Cache{values: map[int]int{}} }

// Get returns the value of a key. The first call, and each after Forget, makes a new one.
func (c *Cache) Get(k int) int {
	c.mu.Lock()
	v, ok := c.values[k]
	if ok {
		c.mu.Unlock()
		return v
	}
	if Planted == "cache" {
		c.mu.Unlock()
		c.mu.Lock()
	}
	defer c.mu.Unlock()
	c.made++
	c.values[k] = c.made
	return c.made
}

// Forget removes a key.
func (c *Cache) Forget(k int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.values, k)
}
