package bigen

import (
	"encoding/binary"
	"math"
	"reflect"
	"strconv"
	"unsafe"

	"golang.org/x/exp/slices"
)

// contextOf returns a number for where the run stands within Recursives.
func (x *packer) contextOf(within []recursion) int {
	n := 0
	for _, r := range within {
		k := context{n, r.of, r.nesting, r.start}
		if n = x.contexts[k]; n == 0 {
			n = len(x.contexts) + 1
			x.contexts[k] = n
		}
	}
	return n
}

// paramKey is the parameter of a family, with those of the families before it in a list.
type paramKey struct {
	others int
	of     *family
	value  string // see appendContent
}

// paramContext returns a number for what [Family.Param] returns, for any Family, within p, where
// outer is the number outside.
func (x *packer) paramContext(outer int, p *param) (n int) {
	x.buf = appendContent(x.buf[:0], p.of.value(&p.args))
	k := paramKey{of: p.of, value: string(x.buf)}
	set := slices.Clone(x.paramSets[outer])
	if i := slices.IndexFunc(set, func(k paramKey) bool { return k.of == p.of }); i >= 0 {
		set[i] = k
	} else {
		set = append(set, k)
	}
	for _, k := range set {
		k.others = n
		if n = x.params[k]; n == 0 {
			n = len(x.params) + 1
			x.params[k] = n
			x.alive = append(x.alive, p.args)
		}
	}
	x.paramSets[n] = set
	return n
}

// appendContent appends what distinguishes a parameter, which has an address, from others of its
// type. Numbers count bit by
// bit. Texts, slices, arrays, structs and what interfaces hold count by their contents; pointers,
// maps, channels and functions by where they are.
func appendContent(b []byte, v reflect.Value) []byte {
	number := func(n uint64) { b = binary.LittleEndian.AppendUint64(b, n) }
	switch k := v.Kind(); {
	case k == reflect.Bool:
		return strconv.AppendBool(b, v.Bool())
	case v.CanInt():
		number(uint64(v.Int()))
	case v.CanUint():
		number(v.Uint())
	case v.CanFloat():
		number(math.Float64bits(v.Float()))
	case v.CanComplex():
		number(math.Float64bits(real(v.Complex())))
		number(math.Float64bits(imag(v.Complex())))
	case k == reflect.String:
		number(uint64(v.Len()))
		return append(b, v.String()...)
	case k == reflect.Struct:
		for i := range v.NumField() {
			b = appendContent(b, v.Field(i))
		}
	case k == reflect.Slice && v.IsNil():
		number(math.MaxUint64)
	case k == reflect.Slice, k == reflect.Array:
		number(uint64(v.Len()))
		for i := 0; i < v.Len() && v.Type().Elem().Size() > 0; i++ {
			b = appendContent(b, v.Index(i))
		}
	case k == reflect.Interface && v.IsNil():
		number(0)
	case k == reflect.Interface:
		t, held := v.Elem().Type(), *(*[2]unsafe.Pointer)(v.Addr().UnsafePointer())
		number(uint64(uintptr(interfaceWords(&t)[1])))
		if t.Size() == wordSize && pointerWords(t)[0] { // the interface has it, not where it is
			number(uint64(uintptr(held[1])))
			break
		}
		return appendContent(b, reflect.NewAt(t, held[1]).Elem())
	default: // of a function, v.Pointer is not enough
		number(uint64(*(*uintptr)(v.Addr().UnsafePointer())))
	}
	return b
}

// packing packs what run records.
func (c *C) packing(run func() bool) *packed {
	x, start, size := c.pack, c.mark(), c.size()
	limited, room, deepest := x.limited, x.room, x.deepest
	x.limited, x.room, x.deepest = false, math.MaxInt, c.depth
	best := c.explain.save()
	c.explain.restore(fault{})

	e := &packed{ok: run()}
	if e.ok {
		e.points, e.size = x.fold(c.tree, start.tree, len(c.tree)), c.size()-size
	}
	e.fault = c.explain.save()
	if c.explain != nil {
		e.base = c.explain.path.len()
	}
	e.limited, e.below, e.height = x.limited, math.MaxInt, x.deepest-c.depth
	if x.room < math.MaxInt {
		e.below = size + x.room
	}

	c.reset(start)
	c.explain.restore(best)
	c.failAgain(e.fault)
	x.limited, x.room, x.deepest = x.limited || limited, min(x.room, room), max(x.deepest, deepest)
	return e
}

// holds reports whether e also holds where the run stands now.
func (e *packed) holds(c *C) bool {
	if c.size() >= e.below || c.depth+e.height > maxDepth-fallbackRoom {
		return false
	}
	x := c.pack
	if e.below < math.MaxInt {
		x.room = min(x.room, e.below-c.size())
	}
	x.deepest = max(x.deepest, c.depth+e.height)
	return true
}

// addPacked records what e stands for.
func (c *C) addPacked(e *packed) {
	c.pack.nodes = append(c.pack.nodes, e)
	c.add(packedKind).N = int64(len(c.pack.nodes) - 1)
	c.before += e.size - 1
}

// way adds the pick at i, the last choice of the tree, to the ways found.
func (x *packer) way(c *C, start mark) {
	i := start.tree
	x.found = append(
		x.found, foundWay{x.wayAt(c.tree, i), x.questions[i], c.size() - start.before - i},
	)
}

// ways records, as one point, the ways found since start; it reports whether there
// are any.
func (x *packer) ways(c *C, start mark) bool {
	found := x.found[start.ways:]
	if len(found) == 0 {
		return false
	}
	p := &point{question: found[0].question}
	for _, w := range found {
		p.ways = append(p.ways, w.way)
	}
	e := &packed{ok: true, points: []*point{p}, size: found[0].size}
	x.found = x.found[:start.ways]
	c.addPacked(e)
	return true
}
