package bigen

import (
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/internal/hash"
)

// MapOf makes a map of minLen to maxLen entries. It asks for entries as [SliceOf]
// asks for elements, and drops an entry whose key the map already has: so random maps
// have fewer entries than slices have elements. It also drops a key that no map can
// look up again: one that does not equal itself, such as NaN, or an interface whose
// value cannot be compared. Trees hold the entries in the order of the choices that
// make the keys, integers by their value, texts by their bytes: so equal maps have
// equal trees.
//
// An empty map is made as nil; backward, an empty map that is not nil counts as nil.
// A run is rejected ([ErrRejected]) if it does not find minLen different keys, in 100
// tries or more for each. A map of two entries or more lies within the first 64,536
// choices of a value. MapOf panics unless 0 <= minLen <= maxLen.
func MapOf[K comparable, V any](key Gen[K], value Gen[V], minLen, maxLen int) Gen[map[K]V] {
	return newMap("MapOf", "map", key, func(K) Gen[V] { return value }, minLen, maxLen)
}

// MapBy is a [MapOf] whose values depend on their keys: value(k) returns the
// generator of the value for the key k, and must be a function of k.
func MapBy[K comparable, V any](key Gen[K], value func(k K) Gen[V], minLen, maxLen int) Gen[map[K]V] {
	return newMap("MapBy", "map", key, value, minLen, maxLen)
}

// SetOf makes a set: a [MapOf] without values.
func SetOf[K comparable](key Gen[K], minLen, maxLen int) Gen[map[K]struct{}] {
	return newMap("SetOf", "set", key, func(K) Gen[struct{}] { return nothing }, minLen, maxLen)
}

var nothing = Just(struct{}{})

func newMap[K comparable, V any](function, collection string, key Gen[K], value func(K) Gen[V], minLen, maxLen int) Gen[map[K]V] {
	op := &mapOp[K, V]{newElements(function, collection, minLen, maxLen), key, value, keysOf[K]()}
	op.sorted = true
	return Gen[map[K]V]{op: op, lo: int64(minLen), hi: int64(maxLen)}
}

type mapOp[K comparable, V any] struct {
	elements
	key   Gen[K]
	value func(K) Gen[V]
	keys  keys[K]
}

// The slots of an entry's key and value.
var (
	keySlot   = hash.SubSlot(0, 0)
	valueSlot = hash.SubSlot(0, 1)
)

func (g *mapOp[K, V]) forward(c *C, lo, hi int64, u unsafe.Pointer) {
	p := (*map[K]V)(u)
	var m map[K]V
	var k K
	var v V
	draw := func() bool {
		var noKey K
		var noValue V
		k, v = noKey, noValue
		c.at.slot = keySlot
		makeBy(c, &g.key, &k)
		if !g.keys.usable(&k) {
			return false
		}
		if _, ok := m[k]; ok {
			return false
		}
		c.at.slot = valueSlot
		value := g.value(k)
		makeBy(c, &value, &v)
		return true
	}
	g.gather(c, lo, hi, draw, func() {
		if m == nil {
			m = make(map[K]V)
		}
		m[k] = v
	})
	*p = m
}

func (g *mapOp[K, V]) backward(c *C, lo, hi int64, u unsafe.Pointer) bool {
	p := (*map[K]V)(u)
	m := *p
	type entry struct {
		key   K
		value V
		text  string // of the key, if the reason is wanted
	}
	var entries []entry
	return g.scatter(c, lo, hi, len(m), func(i int) bool {
		if entries == nil {
			entries = make([]entry, 0, len(m))
			for k, v := range m {
				e := entry{key: k, value: v}
				if c.explain != nil {
					e.text = keyText(reflect.ValueOf(&k).Elem())
				}
				entries = append(entries, e)
			}
			if c.explain != nil { // so that the reason is always the same
				slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.text, b.text) })
			}
		}
		e := &entries[i]
		k, v := &e.key, &e.value
		if !g.keys.usable(k) {
			return c.explain != nil && c.fail(byValue, "the key %s is not equal to itself", e.text)
		}
		c.at.slot = keySlot
		if c.explain != nil {
			c.push("key "+e.text, i)
		}
		ok := readBy(c, &g.key, k)
		c.pop()
		if !ok {
			return false
		}
		c.at.slot = valueSlot
		if c.explain != nil {
			c.push("["+e.text+"]", i)
		}
		value := g.value(*k)
		ok = readBy(c, &value, v)
		c.pop()
		return ok
	}, nil)
}

// keys tells which values of K can be keys.
type keys[K comparable] struct{ dynamic bool }

func keysOf[K comparable]() keys[K] { return keys[K]{hasInterface(reflect.TypeFor[K]())} }

// usable reports whether k can be compared, and is equal to itself.
func (x keys[K]) usable(k *K) bool {
	return (!x.dynamic || reflect.ValueOf(k).Elem().Comparable()) && *k == *k
}

// hasInterface reports whether comparing values of type t compares interfaces,
// which panics if they hold a slice, say.
func hasInterface(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Array:
		return hasInterface(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasInterface(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// keyText returns the text of a key in a path.
func keyText(k reflect.Value) string {
	if k.Kind() == reflect.String {
		return strconv.Quote(k.String())
	}
	return show(k)
}
