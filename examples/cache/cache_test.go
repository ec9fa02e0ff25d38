package cache_test

import (
	"slices"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/examples/cache"
	"github.com/espalier-go/espalier/fuzzext"
	"github.com/espalier-go/espalier/internal/testing/long"
)

var (
	keys   = bigen.OneOf("a", "b", "c", "d", "e")
	values = bigen.IntRange(0, 99)
)

// model is a slow cache: keys and values, the last used one at the end.
type model struct {
	size   int
	keys   []string
	values []int
}

func (m *model) Get(k string) (v int, ok bool) {
	i := slices.Index(m.keys, k)
	if i < 0 {
		return 0, false
	}
	v = m.values[i]
	m.Delete(k)
	m.keys, m.values = append(m.keys, k), append(m.values, v)
	return v, true
}

func (m *model) Put(k string, v int) {
	if !m.Delete(k) && len(m.keys) == m.size {
		m.Delete(m.keys[0])
	}
	m.keys, m.values = append(m.keys, k), append(m.values, v)
}

func (m *model) Delete(k string) bool {
	i := slices.Index(m.keys, k)
	if i < 0 {
		return false
	}
	m.keys, m.values = slices.Delete(m.keys, i, i+1), slices.Delete(m.values, i, i+1)
	return true
}

// cacheCalls describes the cache: each operation draws its arguments, says what the model
// wants, and calls the cache within Do.
var cacheCalls = callseq.New(func(c *callseq.C) {
	size := callseq.Arg(c, "size", bigen.IntRange(1, 4))
	m := model{size: size}
	var lru *cache.Cache
	c.Code("lru := cache.New(%v)", size)
	c.Do(func() { lru = cache.New(size) })

	c.Op("lru.Put", func() {
		k, v := callseq.Arg(c, "k", keys), callseq.Arg(c, "v", values)
		m.Put(k, v)
		c.Do(func() { lru.Put(k, v) })
	})
	c.Op("lru.Get", func() {
		k := callseq.Arg(c, "k", keys)
		c.Want(m.Get(k))
		c.Do(func() { c.Got(lru.Get(k)) })
	})
	c.Op("lru.Delete", func() {
		k := callseq.Arg(c, "k", keys)
		c.Want(m.Delete(k))
		c.Do(func() { c.Got(lru.Delete(k)) })
	})
	c.Invariant(func() {
		if lru.Len() != len(m.keys) {
			c.Errorf("Len is %d, want %d", lru.Len(), len(m.keys))
		}
	})
})

func TestCache(t *testing.T) { fuzzext.Sequence(t, cacheCalls) }
func FuzzCache(f *testing.F) { fuzzext.Sequence(f, cacheCalls) }

func TestCacheLaws(t *testing.T) {
	bigentest.Laws(t, cacheCalls.Gen(), bigentest.Runs(long.Count(3, 100)))
}

// methodCalls says the same with less: the model has methods as the cache does.
var methodCalls = callseq.New(func(c *callseq.C) {
	size := callseq.Arg(c, "size", bigen.IntRange(1, 4))
	var lru *cache.Cache
	c.Code("lru := cache.New(%v)", size)
	c.Do(func() { lru = cache.New(size) })
	callseq.Methods(c, "lru", &lru, &model{size: size},
		callseq.Draw(keys), callseq.Draw(values), callseq.Without("Clone", "Len"))
})

func TestMethods(t *testing.T) { fuzzext.Sequence(t, methodCalls) }

// both is a cache with its model.
type both struct {
	model
	cache *cache.Cache
}

// cloneCalls has several caches at once: a clone must not share anything with the original.
var cloneCalls = callseq.New(func(c *callseq.C) {
	caches := callseq.NewPool[*both](c, "lru")
	c.Op("cache.New", func() {
		size := callseq.Arg(c, "size", bigen.IntRange(1, 4))
		b := caches.Add(&both{model: model{size: size}})
		c.Do(func() { b.cache = cache.New(size) })
	})
	c.Op("lru.Clone", func() {
		b := caches.Draw("lru")
		clone := caches.Add(&both{model: model{b.size, slices.Clone(b.keys), slices.Clone(b.values)}})
		c.Do(func() { clone.cache = b.cache.Clone() })
	}).When(caches.Any)
	c.Op("lru.Put", func() {
		b := caches.Draw("lru")
		k, v := callseq.Arg(c, "k", keys), callseq.Arg(c, "v", values)
		b.Put(k, v)
		c.Do(func() { b.cache.Put(k, v) })
	}).When(caches.Any).Weight(4)
	c.Op("lru.Get", func() {
		b := caches.Draw("lru")
		k := callseq.Arg(c, "k", keys)
		c.Want(b.Get(k))
		c.Do(func() { c.Got(b.cache.Get(k)) })
	}).When(caches.Any).Weight(4)
	c.Invariant(func() {
		for _, b := range caches.All() {
			if b.cache.Len() != len(b.keys) {
				c.Errorf("%s: Len is %d, want %d", caches.Name(b), b.cache.Len(), len(b.keys))
			}
		}
	})
})

func TestClones(t *testing.T) { fuzzext.Sequence(t, cloneCalls) }
