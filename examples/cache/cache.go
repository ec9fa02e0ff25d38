// Package cache has a cache of limited size. Its tests describe the cache by a model, from
// which package callseq makes sequences of calls.
package cache

import (
	"container/list"
	"os"
)

// A Cache holds values by their keys. When it is full, it drops the least recently used
// key.
type Cache struct {
	size  int
	order *list.List // of entries, the one used last first
	byKey map[string]*list.Element
}

type entry struct {
	key   string
	value int
}

// New returns an empty cache for size keys, at least 1.
func New(size int) *Cache {
	return &Cache{size: size, order: list.New(), byKey: map[string]*list.Element{}}
}

// planted says that the cache has a bug.
var planted = os.Getenv("ESPALIER_PLANT") == "lru-put"

// Put makes v the value of k.
func (c *Cache) Put(k string, v int) {
	if e, ok := c.byKey[k]; ok {
		e.Value = entry{k, v}
		if !planted { // Put uses the key
			c.order.MoveToFront(e)
		}
		return
	}
	if c.order.Len() == c.size {
		oldest := c.order.Back()
		delete(c.byKey, oldest.Value.(entry).key)
		c.order.Remove(oldest)
	}
	c.byKey[k] = c.order.PushFront(entry{k, v})
}

// Get returns the value of k, and whether there is one.
func (c *Cache) Get(k string) (v int, ok bool) {
	e, ok := c.byKey[k]
	if !ok {
		return 0, false
	}
	c.order.MoveToFront(e)
	return e.Value.(entry).value, true
}

// Delete removes k, and reports whether it was there.
func (c *Cache) Delete(k string) bool {
	e, ok := c.byKey[k]
	if ok {
		delete(c.byKey, k)
		c.order.Remove(e)
	}
	return ok
}

// Len returns how many keys there are.
func (c *Cache) Len() int { return c.order.Len() }

// Clone returns a cache with a copy of the keys and values.
func (c *Cache) Clone() *Cache {
	clone := New(c.size)
	for e := c.order.Back(); e != nil; e = e.Prev() {
		clone.byKey[e.Value.(entry).key] = clone.order.PushFront(e.Value)
	}
	return clone
}
