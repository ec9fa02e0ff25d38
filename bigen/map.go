package bigen

import (
	"reflect"
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
	return newMap[K, V]("MapOf", "map", key, typedOf(&value), nil, minLen, maxLen)
}

// MapBy is a [MapOf] whose values depend on their keys: value(k) returns the
// generator of the value for the key k, and must be a function of k.
func MapBy[K comparable, V any](
	key Gen[K], value func(k K) Gen[V], minLen, maxLen int,
) Gen[map[K]V] {
	by := func(k unsafe.Pointer) untyped {
		g := value(*(*K)(k))
		return *untypedOf(&g)
	}
	return newMap[K, V]("MapBy", "map", key, &typed{typ: reflect.TypeFor[V]()}, by, minLen, maxLen)
}

// SetOf makes a set: a [MapOf] without values.
func SetOf[K comparable](key Gen[K], minLen, maxLen int) Gen[map[K]struct{}] {
	return newMap[K, struct{}]("SetOf", "set", key, typedOf(&nothing), nil, minLen, maxLen)
}

var nothing = Just(struct{}{})

func newMap[K comparable, V any](
	function, collection string, key Gen[K], elem *typed, by func(unsafe.Pointer) untyped,
	minLen, maxLen int,
) Gen[map[K]V] {
	g := &mapOp{
		newElements(function, collection, minLen, maxLen), reflect.TypeFor[map[K]V](),
		typedOf(&key), elem, by,
	}
	g.sorted = true
	return Gen[map[K]V]{u: rangeOf(g, int64(minLen), int64(maxLen))}
}

// mapOp makes maps. Below the "more" of each element it asks first for the key, then for the
// value.
type mapOp struct {
	elements
	typ       reflect.Type
	key, elem *typed
	by        func(k unsafe.Pointer) untyped // of MapBy: makes elem; else nil
}

// The slots of an entry's key and value.
var (
	keySlot   = hash.SubSlot(0, 0)
	valueSlot = hash.SubSlot(0, 1)
)

// value returns the generator of the value for a key.
func (g *mapOp) value(k reflect.Value) *untyped {
	if g.by == nil {
		return &g.elem.untyped
	}
	value := g.by(k.UnsafePointer())
	return &value
}

func (g *mapOp) forward(c *C, lo, hi int64, p unsafe.Pointer) {
	m := reflect.NewAt(g.typ, p).Elem()
	m.SetZero()
	k, v := reflect.New(g.key.typ), reflect.New(g.elem.typ) // the entry that is being drawn
	g.gather(c, lo, hi, func() bool {
		k.Elem().SetZero()
		v.Elem().SetZero()
		c.at.slot = keySlot
		g.key.forward(c, k.UnsafePointer())
		if !usableKey(k.Elem()) || m.Len() > 0 && m.MapIndex(k.Elem()).IsValid() {
			return false
		}
		c.at.slot = valueSlot
		g.value(k).forward(c, v.UnsafePointer())
		return true
	}, func() {
		if m.IsNil() {
			m.Set(reflect.MakeMap(g.typ))
		}
		m.SetMapIndex(k.Elem(), v.Elem())
	})
}

func (g *mapOp) backward(c *C, lo, hi int64, p unsafe.Pointer) bool {
	m := reflect.NewAt(g.typ, p).Elem()
	var entries []mapEntry
	return g.scatter(c, lo, hi, m.Len(), func(i int) bool {
		if entries == nil {
			entries = g.entries(c, m)
		}
		e := &entries[i]
		if !usableKey(e.key.Elem()) {
			return c.explain != nil && c.fail(byValue, "the key %s is not equal to itself", e.text)
		}
		c.at.slot = keySlot
		if c.explain != nil {
			c.push("key "+e.text, i)
		}
		ok := g.key.backward(c, e.key.UnsafePointer())
		c.pop()
		if !ok {
			return false
		}
		c.at.slot = valueSlot
		if c.explain != nil {
			c.push("["+e.text+"]", i)
		}
		ok = g.value(e.key).backward(c, e.value.UnsafePointer(), g.elem.typ)
		c.pop()
		return ok
	}, nil)
}

// mapEntry is an entry, by pointers to copies, with the key's text if the run has to explain.
type mapEntry struct {
	key, value reflect.Value
	text       string
}

// entries returns the entries of m. If a reason is wanted, their order is always the same, and so
// is the reason.
func (g *mapOp) entries(c *C, m reflect.Value) []mapEntry {
	entries := make([]mapEntry, 0, m.Len())
	for i := m.MapRange(); i.Next(); {
		e := mapEntry{key: reflect.New(g.key.typ), value: reflect.New(g.elem.typ)}
		e.key.Elem().SetIterKey(i)
		e.value.Elem().SetIterValue(i)
		if c.explain != nil {
			e.text = keyText(e.key.Elem())
		}
		entries = append(entries, e)
	}
	if c.explain != nil {
		slices.SortFunc(entries, func(a, b mapEntry) int { return strings.Compare(a.text, b.text) })
	}
	return entries
}
