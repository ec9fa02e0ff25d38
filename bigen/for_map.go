package bigen

import (
	"cmp"
	"reflect"
	"unsafe"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// dynMap makes maps. Below the "more" of each element it asks first for the key,
// then for the value. An element whose key is there already, or does not equal
// itself, is dropped.
type dynMap struct{ node, key, elem *typeNode }

func (g *dynMap) forward(c *C, p unsafe.Pointer) {
	m := reflect.NewAt(g.node.typ, p).Elem()
	m.SetZero()
	var key, value reflect.Value
	draw := func() bool {
		if g.node.recursive {
			c.level++
			defer func() { c.level-- }()
		}
		k, v := reflect.New(g.key.typ), reflect.New(g.elem.typ)
		key, value = k.Elem(), v.Elem()
		c.at.slot = keySlot
		g.key.forward(c, k.UnsafePointer())
		if !usableKey(key) || m.Len() > 0 && m.MapIndex(key).IsValid() {
			return false
		}
		c.at.slot = valueSlot
		g.elem.forward(c, v.UnsafePointer())
		return true
	}
	keep := func() {
		if m.IsNil() {
			m.Set(reflect.MakeMap(g.node.typ))
		}
		m.SetMapIndex(key, value)
	}
	e := g.elements(c)
	e.gather(c, int64(g.node.lo), int64(g.node.hi), draw, keep)
}

// elements returns what asks for the entries, at this level.
func (g *dynMap) elements(c *C) elements {
	return elements{alts: [2]choices.Alt(g.node.offer(c)), sorted: true, end: g.node.end}
}

func (g *dynMap) backward(c *C, p unsafe.Pointer) bool {
	m := reflect.NewAt(g.node.typ, p).Elem()
	var entries []mapEntry
	e := g.elements(c)
	return e.scatter(c, int64(g.node.lo), int64(g.node.hi), m.Len(), func(i int) bool {
		if entries == nil {
			entries = g.entries(c, m)
		}
		entry := &entries[i]
		if !usableKey(entry.key.Elem()) {
			return c.explain != nil && c.fail(byValue, "the key %s is not equal to itself", entry.text)
		}
		if g.node.recursive {
			c.level++
			defer func() { c.level-- }()
		}
		c.at.slot = keySlot
		c.push("key "+entry.text, i)
		ok := g.key.backward(c, entry.key.UnsafePointer())
		c.pop()
		if !ok {
			return false
		}
		c.at.slot = valueSlot
		c.push("["+entry.text+"]", i)
		ok = g.elem.backward(c, entry.value.UnsafePointer())
		c.pop()
		return ok
	}, nil)
}

// mapEntry is an entry, by pointers to copies, with the key's text if the run has to
// explain.
type mapEntry struct {
	key, value reflect.Value
	text       string
}

// entries returns the entries of m. Where a reason is wanted, they have always the
// same order, so that it is always the same, too.
func (g *dynMap) entries(c *C, m reflect.Value) []mapEntry {
	entries := make([]mapEntry, 0, m.Len())
	for i := m.MapRange(); i.Next(); {
		e := mapEntry{key: reflect.New(g.key.typ), value: reflect.New(g.elem.typ)}
		e.key.Elem().Set(i.Key())
		e.value.Elem().Set(i.Value())
		if c.explain != nil {
			e.text = keyText(e.key.Elem())
		}
		entries = append(entries, e)
	}
	if c.explain != nil {
		slices.SortFunc(entries, func(a, b mapEntry) int { return cmp.Compare(a.text, b.text) })
	}
	return entries
}

// usableKey reports whether a map can look k up again.
func usableKey(k reflect.Value) bool { return k.Comparable() && k.Equal(k) }
