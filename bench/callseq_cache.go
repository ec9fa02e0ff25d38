package main

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bench/seqbugs"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
)

// cacheModel is a slow cache: keys with values, the one used last at the end.
type cacheModel struct {
	size  int
	pairs [][2]int
}

func (m *cacheModel) peek(k int) (int, bool) {
	for _, p := range m.pairs {
		if p[0] == k {
			return p[1], true
		}
	}
	return 0, false
}

func (m *cacheModel) remove(k int) bool {
	n := len(m.pairs)
	m.pairs = slices.DeleteFunc(m.pairs, func(p [2]int) bool { return p[0] == k })
	return len(m.pairs) < n
}

func (m *cacheModel) get(k int) (int, bool) {
	v, ok := m.peek(k)
	if ok {
		m.add(k, v)
	}
	return v, ok
}

func (m *cacheModel) add(k, v int) bool {
	m.remove(k)
	m.pairs = append(m.pairs, [2]int{k, v})
	return m.resize(m.size) > 0
}

func (m *cacheModel) resize(size int) int {
	m.size = size
	gone := max(0, len(m.pairs)-size)
	m.pairs = m.pairs[gone:]
	return gone
}

func (m *cacheModel) keys() []int {
	keys := []int{}
	for _, p := range m.pairs {
		keys = append(keys, p[0])
	}
	return keys
}

func ourSeqCache(c *callseq.C) {
	size := callseq.Arg(c, "size", bigen.IntRange(1, 4))
	model, cache := cacheModel{size: size}, seqbugs.NewCache(size)
	key := bigen.IntRange(0, 9)
	c.Code("cache := seqbugs.NewCache(%v)", size)
	c.Op("cache.Add", func() {
		k, v := callseq.Arg(c, "k", key), callseq.Arg(c, "v", key)
		c.Want(model.add(k, v))
		c.Do(func() { c.Got(cache.Add(k, v)) })
	})
	c.Op("cache.Get", func() {
		k := callseq.Arg(c, "k", key)
		c.Want(model.get(k))
		c.Do(func() { c.Got(cache.Get(k)) })
	})
	c.Op("cache.Peek", func() {
		k := callseq.Arg(c, "k", key)
		c.Want(model.peek(k))
		c.Do(func() { c.Got(cache.Peek(k)) })
	})
	c.Op("cache.Remove", func() {
		k := callseq.Arg(c, "k", key)
		c.Want(model.remove(k))
		c.Do(func() { c.Got(cache.Remove(k)) })
	})
	c.Op("cache.Resize", func() {
		size := callseq.Arg(c, "size", bigen.IntRange(1, 4))
		c.Want(model.resize(size))
		c.Do(func() { c.Got(cache.Resize(size)) })
	})
	c.Op("cache.Keys", func() {
		c.Want(model.keys())
		c.Do(func() { c.Got(cache.Keys()) })
	})
}

func rapidSeqCache(t *rapid.T) {
	size := rapid.IntRange(1, 4).Draw(t, "size")
	model, cache := cacheModel{size: size}, seqbugs.NewCache(size)
	key := rapid.IntRange(0, 9)
	t.Repeat(map[string]func(*rapid.T){
		"Add": func(t *rapid.T) {
			k, v := key.Draw(t, "k"), key.Draw(t, "v")
			if got, want := cache.Add(k, v), model.add(k, v); got != want {
				t.Fatalf("Add(%d, %d) is %t; want %t", k, v, got, want)
			}
		},
		"Get": func(t *rapid.T) {
			k := key.Draw(t, "k")
			want, found := model.get(k)
			if got, ok := cache.Get(k); got != want || ok != found {
				t.Fatalf("Get(%d) is %d, %t; want %d, %t", k, got, ok, want, found)
			}
		},
		"Peek": func(t *rapid.T) {
			k := key.Draw(t, "k")
			want, found := model.peek(k)
			if got, ok := cache.Peek(k); got != want || ok != found {
				t.Fatalf("Peek(%d) is %d, %t; want %d, %t", k, got, ok, want, found)
			}
		},
		"Remove": func(t *rapid.T) {
			k := key.Draw(t, "k")
			if got, want := cache.Remove(k), model.remove(k); got != want {
				t.Fatalf("Remove(%d) is %t; want %t", k, got, want)
			}
		},
		"Resize": func(t *rapid.T) {
			size := rapid.IntRange(1, 4).Draw(t, "size")
			if got, want := cache.Resize(size), model.resize(size); got != want {
				t.Fatalf("Resize(%d) is %d; want %d", size, got, want)
			}
		},
		"Keys": func(t *rapid.T) {
			if got, want := cache.Keys(), model.keys(); !slices.Equal(got, want) {
				t.Fatalf("Keys is %v; want %v", got, want)
			}
		},
	})
}
