package callseq_test

import (
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
)

// A cache keeps the values of the keys used last.
type cache struct {
	size    int
	keys    []string // the one used last comes last
	values  map[string]int
	planted string // a bug
}

func newCache(size int, planted string) *cache {
	return &cache{size: size, values: map[string]int{}, planted: planted}
}

func (c *cache) use(k string) {
	for i, old := range c.keys {
		if old == k {
			c.keys = append(c.keys[:i], c.keys[i+1:]...)
			break
		}
	}
	c.keys = append(c.keys, k)
}

func (c *cache) Get(k string) (int, bool) {
	v, ok := c.values[k]
	if ok && c.planted != "get is not a use" {
		c.use(k)
	}
	return v, ok
}

func (c *cache) Put(k string, v int) {
	if _, ok := c.values[k]; !ok && len(c.keys) == c.size {
		delete(c.values, c.keys[0])
		c.keys = c.keys[1:]
	}
	c.values[k] = v
	c.use(k)
}

func (c *cache) Delete(k string) bool {
	if _, ok := c.values[k]; !ok {
		return false
	}
	delete(c.values, k)
	c.use(k)
	if c.planted == "" {
		c.keys = c.keys[:len(c.keys)-1]
	}
	return true
}

// cacheModel describes a cache with a planted bug, or none.
func cacheModel(planted string) *callseq.Model {
	key := bigen.OneOf("a", "b", "c", "d", "e")
	return callseq.New(func(c *callseq.C) {
		size := callseq.Arg(c, "size", bigen.IntRange(1, 4))
		var impl *cache
		c.Code("impl := newCache(%v, %v)", size, planted)
		c.Do(func() { impl = newCache(size, planted) })
		type entry struct {
			k string
			v int
		}
		var model []entry // the one used last comes last
		take := func(k string) (v int, ok bool) {
			for i, e := range model {
				if e.k == k {
					model = append(model[:i:i], model[i+1:]...)
					return e.v, true
				}
			}
			return 0, false
		}
		c.Op("impl.Get", func() {
			k := callseq.Arg(c, "k", key)
			v, ok := take(k)
			if ok {
				model = append(model, entry{k, v})
			}
			c.Want(v, ok)
			c.Do(func() { c.Got(impl.Get(k)) })
		})
		c.Op("impl.Put", func() {
			k, v := callseq.Arg(c, "k", key), callseq.Arg(c, "v", bigen.IntRange(0, 99))
			if _, ok := take(k); !ok && len(model) == size {
				model = model[1:]
			}
			model = append(model, entry{k, v})
			c.Do(func() { impl.Put(k, v) })
		})
		c.Op("impl.Delete", func() {
			k := callseq.Arg(c, "k", key)
			_, ok := take(k)
			c.Want(ok)
			c.Do(func() { c.Got(impl.Delete(k)) })
		})
		c.Invariant(func() {
			if len(impl.keys) > size {
				c.Errorf("%d keys in a cache of %d", len(impl.keys), size)
			}
		})
	})
}
