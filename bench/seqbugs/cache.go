package seqbugs

import lru "github.com/hashicorp/golang-lru/v2"

// A Cache is a golang-lru. Planted by "cache peek": in a full cache, to peek at a key is to use
// it. Planted by "cache resize": a cache that has been made larger remains at its old size.
type Cache struct {
	cache *lru.Cache[int, int]
	size  int
}

// NewCache returns an empty cache for size keys.
func NewCache(size int) *Cache {
	cache, err := lru.New[int, int](size)
	if err != nil {
		panic(err)
	}
	return &Cache{cache, size}
}

// Add makes v the value of k, and reports whether another key had to go.
func (c *Cache) Add(k, v int) bool {
	called("")
	return c.cache.Add(k, v)
}

// Get returns the value of k, and uses it.
func (c *Cache) Get(k int) (int, bool) {
	called("")
	return c.cache.Get(k)
}

// Peek returns the value of k.
func (c *Cache) Peek(k int) (int, bool) {
	if called("cache peek") && c.cache.Len() == c.size {
		return c.cache.Get(k)
	}
	return c.cache.Peek(k)
}

// Remove removes k, and reports whether it was there.
func (c *Cache) Remove(k int) bool {
	called("")
	return c.cache.Remove(k)
}

// Resize makes the cache one for size keys, and returns how many had to go.
func (c *Cache) Resize(size int) int {
	if called("cache resize") && size > c.size {
		return 0
	}
	c.size = size
	return c.cache.Resize(size)
}

// Keys returns the keys, the one used last at the end.
func (c *Cache) Keys() []int {
	called("")
	return c.cache.Keys()
}
