package bigen

import (
	"reflect"
	"unsafe"
)

// dynBy makes a field by a generator that depends on the fields before it.
type dynBy struct {
	typ   reflect.Type // of the struct
	field uintptr      // offset
	by    func(p unsafe.Pointer) dyn
}

func (g *dynBy) forward(c *C, p unsafe.Pointer)       { g.gen(p).forward(c, p) }
func (g *dynBy) backward(c *C, p unsafe.Pointer) bool { return g.gen(p).backward(c, p) }

// gen returns the generator for the field at p. What it depends on is the same in
// both directions: a struct in which the field and all behind it are zero.
func (g *dynBy) gen(p unsafe.Pointer) dyn {
	soFar := reflect.New(g.typ)
	given := reflect.NewAt(g.typ, unsafe.Add(p, -int(g.field))).Elem()
	soFar.Elem().Set(given)
	for i := range g.typ.NumField() {
		if f := g.typ.Field(i); f.Offset >= g.field {
			reflect.NewAt(f.Type, unsafe.Add(soFar.UnsafePointer(), f.Offset)).Elem().SetZero()
		}
	}
	return g.by(soFar.UnsafePointer())
}
