package bigen

import (
	"reflect"
	"unsafe"

	"github.com/espalier-go/espalier/internal/hash"
)

// fieldsOp makes structs field by field.
type fieldsOp struct {
	typ    reflect.Type // nil unless it is a struct type
	fields []fieldOf
	zero   []fieldOf // that stay zero
}

type fieldOf struct {
	field
	gen *typeNode // nil if it stays zero
}

func (g *fieldsOp) forward(c *C, _, _ int64, p unsafe.Pointer) {
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

func (g *fieldsOp) backward(c *C, _, _ int64, p unsafe.Pointer) bool {
	if c.filling != nil {
		c.filling.structs[location{p, g.typ}] = true
	}
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
			ok = c.explain != nil && c.fail(byValue, "is %s; the generator leaves it zero", shown{v})
			c.pop()
		}
	}
	return ok
}

// byOp makes a field by a generator that depends on the fields before it.
type byOp struct {
	of, typ reflect.Type // of the struct and of the field
	offset  uintptr      // of the field
	by      func(p unsafe.Pointer) untyped
}

func (g *byOp) forward(c *C, _, _ int64, p unsafe.Pointer) {
	gen := g.gen(p)
	gen.forward(c, p)
}

func (g *byOp) backward(c *C, _, _ int64, p unsafe.Pointer) bool {
	gen := g.gen(p)
	return gen.backward(c, p, g.typ)
}

// gen returns the generator for the field at p. What it depends on is the same in
// both directions: a struct in which the field and all after it are zero.
func (g *byOp) gen(p unsafe.Pointer) untyped {
	soFar := reflect.New(g.of)
	given := reflect.NewAt(g.of, unsafe.Add(p, -int(g.offset))).Elem()
	soFar.Elem().Set(given)
	for i := range g.of.NumField() {
		if f := g.of.Field(i); f.Offset >= g.offset {
			reflect.NewAt(f.Type, unsafe.Add(soFar.UnsafePointer(), f.Offset)).Elem().SetZero()
		}
	}
	return g.by(soFar.UnsafePointer())
}
