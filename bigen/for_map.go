package bigen

import (
	"cmp"
	"reflect"
	"strconv"
	"unsafe"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// dynMap makes maps. Below the "more" of each element it asks first for the key,
// then for the value. An element whose key is there already, or does not equal
// itself, is dropped.
type dynMap struct{ node, key, elem *typeNode }

var (
	mapKeySlot   = choices.SubSlot(0, 0)
	mapValueSlot = choices.SubSlot(0, 1)
)

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
		c.at.slot = mapKeySlot
		g.key.forward(c, k.UnsafePointer())
		if !usableKey(key) || m.Len() > 0 && m.MapIndex(key).IsValid() {
			return false
		}
		c.at.slot = mapValueSlot
		g.elem.forward(c, v.UnsafePointer())
		return true
	}
	keep := func() {
		if m.IsNil() {
			m.Set(reflect.MakeMap(g.node.typ))
		}
		m.SetMapIndex(key, value)
	}
	e := mapElements{g.node, g.node.offer(c)}
	e.gather(c, draw, keep)
}

func (g *dynMap) backward(c *C, p unsafe.Pointer) bool {
	m := reflect.NewAt(g.node.typ, p).Elem()
	var keys []mapKey
	if m.Len() <= min(g.node.hi, maxChoices) {
		keys = g.keys(c, m)
	}
	e := mapElements{g.node, g.node.offer(c)}
	return e.scatter(c, m.Len(), func(i int) bool {
		key := keys[i]
		if !usableKey(key.Value) {
			return c.explain != nil && c.fail(byValue, "the key %s does not equal itself", key.text)
		}
		k, v := reflect.New(g.key.typ), reflect.New(g.elem.typ)
		k.Elem().Set(key.Value)
		v.Elem().Set(m.MapIndex(key.Value))
		if g.node.recursive {
			c.level++
			defer func() { c.level-- }()
		}
		c.at.slot = mapKeySlot
		c.push("key " + key.text)
		ok := g.key.backward(c, k.UnsafePointer())
		c.pop()
		if !ok {
			return false
		}
		c.at.slot = mapValueSlot
		c.push("[" + key.text + "]")
		ok = g.elem.backward(c, v.UnsafePointer())
		c.pop()
		return ok
	})
}

// mapKey is a key, with its text if the run has to explain.
type mapKey struct {
	reflect.Value
	text string
}

// keys returns the keys of m. Where a reason is wanted, they have always the same
// order, so that it is always the same, too.
func (g *dynMap) keys(c *C, m reflect.Value) []mapKey {
	keys := make([]mapKey, m.Len())
	for i, k := range m.MapKeys() {
		keys[i].Value = k
		switch {
		case c.explain == nil:
		case k.Kind() == reflect.String:
			keys[i].text = strconv.Quote(k.String())
		default:
			keys[i].text = show(k)
		}
	}
	if c.explain != nil {
		slices.SortFunc(keys, func(a, b mapKey) int { return cmp.Compare(a.text, b.text) })
	}
	return keys
}

// usableKey reports whether a map can look k up again.
func usableKey(k reflect.Value) bool { return k.Comparable() && k.Equal(k) }

// mapElements asks for the elements of a map, which has no order, while its tree must
// have one:
//
//  1. The elements stand in the order of the choices that make them. What has been
//     recorded, in any order, is put into this one.
//  2. An element that is dropped leaves no choices, and is asked for again. After
//     maxTries and more for those that are there, the map ends.
//  3. What an element is asked must not depend on where it stands. So one that ends
//     beyond mapRoom is dropped, unless it is the only one, and the map ends;
//     backward, a map that does not end there is too large.
//  4. Elements that are dropped must not use up the run. So once it has asked much
//     more than the value has choices, maps end.
//
// A map that ends with too few elements is rejected.
type mapElements struct {
	node *typeNode
	alts []choices.Alt // stop, more
}

// mapRoom is how many choices a value may have up to the end of a map of several
// elements: so many that all of them are free, and no filter takes its fallback.
const mapRoom = maxChoices - fallbackRoom

// more returns the alternatives for element i.
func (e mapElements) more(c *C, i int) []choices.Alt {
	switch {
	case i < e.node.lo:
		return e.alts[1:]
	case i > 0 && c.size() > mapRoom:
		return e.alts[:1]
	}
	return e.alts
}

// gather asks for elements. draw makes one and reports whether it is a new one; if
// so, keep adds it to the map.
func (e mapElements) gather(c *C, draw func() bool, keep func()) {
	at, start := c.at, len(c.tree)
	size, lost, full := 0, 0, false // lost: since the last that was kept
	for size < e.node.hi {
		c.at = at
		c.at.index = int32(size)
		tired := c.work > maxWork/2 && c.size() <= mapRoom
		if full || tired || lost > maxTries+20*size {
			if size < e.node.lo {
				c.unwind()
			}
			b := c.enterBranch(0)
			c.leaveBranch(b)
			c.record(b.i, e.alts, 0)
			break
		}
		if lost > 0 {
			c.at.retry = choices.SubSlot(at.retry, uint32(lost))
		}
		alts := e.more(c, size)
		n, b := c.pick(alts)
		more := alts[n].Tag == "more"
		isNew := more && draw()
		c.src.Leave()
		c.leaveBranch(b)
		if !more {
			break
		}
		if full = size > 0 && c.size() > mapRoom; !full && isNew {
			keep()
			size++
			lost = 0
			continue
		}
		c.tree = c.tree[:b.i]
		lost++
	}
	c.at = at
	e.sort(c, start, size)
}

// scatter recovers the choices of size elements. element runs the generators
// backward on one of them.
func (e mapElements) scatter(c *C, size int, element func(i int) bool) bool {
	if size < e.node.lo || size > e.node.hi {
		return c.explain != nil && c.fail(byValue, "%d elements, not %s", size, lengths(e.node.lo, e.node.hi))
	}
	at, start, ok := c.at, len(c.tree), true
	for i := 0; i <= size && i < e.node.hi && ok; i++ {
		c.at.index = int32(i)
		alts := e.more(c, i)
		if !c.free() {
			alts = alts[:1]
		}
		n := len(alts) - 1
		if i == size {
			n = 0
		} else if alts[n].Tag == "stop" {
			ok = c.failTooLarge()
			break
		}
		b := c.enterBranch(0)
		ok = i == size || element(i)
		c.leaveBranch(b)
		c.record(b.i, alts, n)
		if ok && i < size && size > 1 && c.size() > mapRoom {
			ok = c.failTooLarge()
		}
	}
	c.at = at
	if ok {
		e.sort(c, start, size)
	}
	return ok
}

// sort puts the choices of size elements, recorded from start on, into their order.
func (e mapElements) sort(c *C, start, size int) {
	elements, end := make([]choices.Tree, size), start
	for i := range elements {
		elements[i] = c.tree.At(end)
		end = c.tree.End(end)
	}
	if slices.IsSortedFunc(elements, compareElement) {
		return
	}
	slices.SortStableFunc(elements, compareElement)
	sorted := make(choices.Tree, 0, end-start)
	for _, t := range elements {
		sorted = append(sorted, t...)
	}
	copy(c.tree[start:], sorted)
	for i, at := 0, start; i < size; i, at = i+1, c.tree.End(at) {
		c.tree[at].Index = int32(i)
		c.tree[at].Rank, c.tree[at].Peers = 0, 0
		alts := e.alts // whether it was asked for depends on the place
		if i < e.node.lo {
			alts = alts[1:]
		}
		c.record(at, alts, len(alts)-1)
	}
}

// compareElement orders the trees of elements by the first choice that differs.
func compareElement(a, b choices.Tree) int {
	for i := 1; i < len(a) && i < len(b); i++ {
		switch x, y := &a[i], &b[i]; {
		case x.N == y.N && x.Tag == y.Tag:
		case x.N == y.N:
			return cmp.Compare(x.Tag, y.Tag)
		case x.Kind.Less(x.N, y.N):
			return -1
		default:
			return 1
		}
	}
	return cmp.Compare(len(a), len(b))
}
