package bigen

import (
	"reflect"
	"strconv"
	"unsafe"

	"github.com/espalier-go/espalier/internal/hash"
)

// The ops of types whose values all have the same parts.

type dynStruct struct {
	fields []dynField
	zero   []zeroField
}

// dynField is a field that is made, zeroField one that stays zero.
type (
	dynField struct {
		offset uintptr
		slot   uint32 // as At knows it
		name   string
		gen    *typeNode
	}
	zeroField struct {
		offset uintptr
		name   string
		typ    reflect.Type
	}
)

func (g *dynStruct) forward(c *C, p unsafe.Pointer) {
	at := c.at
	c.nest()
	for i := range g.fields {
		f := &g.fields[i]
		c.at.slot = hash.SubSlot(at.slot, f.slot)
		f.gen.forward(c, unsafe.Add(p, f.offset))
	}
	c.unnest()
	c.at = at
}

func (g *dynStruct) backward(c *C, p unsafe.Pointer) bool {
	at, ok := c.at, true
	c.nest()
	for i := 0; i < len(g.fields) && ok; i++ {
		f := &g.fields[i]
		c.at.slot = hash.SubSlot(at.slot, f.slot)
		c.push(f.name, i)
		ok = f.gen.backward(c, unsafe.Add(p, f.offset))
		c.pop()
	}
	c.unnest()
	c.at = at
	for i := 0; i < len(g.zero) && ok; i++ {
		f := &g.zero[i]
		if v := reflect.NewAt(f.typ, unsafe.Add(p, f.offset)).Elem(); !v.IsZero() {
			c.push(f.name, len(g.fields))
			ok = c.explain != nil && c.fail(byValue, "is %s; the generator leaves it zero", show(v))
			c.pop()
		}
	}
	return ok
}

type dynArray struct {
	elem *typeNode
	len  int
	size uintptr // of an element
}

func (g *dynArray) forward(c *C, p unsafe.Pointer) {
	at := c.at
	for i := range g.len {
		c.at.slot = hash.SubSlot(at.slot, uint32(i))
		g.elem.forward(c, unsafe.Add(p, uintptr(i)*g.size))
	}
	c.at = at
}

func (g *dynArray) backward(c *C, p unsafe.Pointer) bool {
	at, ok := c.at, true
	for i := 0; i < g.len && ok; i++ {
		c.at.slot = hash.SubSlot(at.slot, uint32(i))
		if c.explain != nil {
			c.push(strconv.Itoa(i), i)
		}
		ok = g.elem.backward(c, unsafe.Add(p, uintptr(i)*g.size))
		c.pop()
	}
	c.at = at
	return ok
}

// dynNew makes pointers that are not nil.
type dynNew struct{ elem *typeNode }

func (g *dynNew) forward(c *C, p unsafe.Pointer) {
	v := reflect.New(g.elem.typ).UnsafePointer()
	*(*unsafe.Pointer)(p) = v
	g.elem.forward(c, v)
}

func (g *dynNew) backward(c *C, p unsafe.Pointer) bool {
	v := *(*unsafe.Pointer)(p)
	if v == nil {
		return c.fail(byNil, "is nil")
	}
	return g.elem.backward(c, v)
}

// dynNothing leaves a value zero.
type dynNothing struct{}

func (dynNothing) forward(*C, unsafe.Pointer)       {}
func (dynNothing) backward(*C, unsafe.Pointer) bool { return true }
