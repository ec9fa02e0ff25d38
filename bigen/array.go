package bigen

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/espalier-go/espalier/internal/hash"
)

// ArrayOf makes an array of type T with elements of g:
//
//	bigen.ArrayOf[[3]int](bigen.IntRange(0, 9))
//
// It panics if T is not an array type with elements of type A.
func ArrayOf[T, A any](g Gen[A]) Gen[T] {
	t, a := reflect.TypeFor[T](), reflect.TypeFor[A]()
	if t.Kind() != reflect.Array || t.Elem() != a {
		panic(fmt.Sprintf("bigen.ArrayOf: %v is not an array type with elements of type %v", t, a))
	}
	return Gen[T]{u: untyped{op: &arrayOp{elem: typedOf(&g), len: t.Len()}}}
}

// arrayOp makes elements that do not move up, unlike the elements of a slice: each has its own
// slot.
type arrayOp struct {
	elem  *typed
	len   int
	names []string // of the elements in paths, if not their indices
}

func (g *arrayOp) forward(c *C, _, _ int64, p unsafe.Pointer) {
	at, size := c.at, g.elem.typ.Size()
	for i := range g.len {
		c.at.slot = hash.SubSlot(at.slot, uint32(i))
		g.elem.forward(c, unsafe.Add(p, uintptr(i)*size))
	}
	c.at = at
}

func (g *arrayOp) backward(c *C, _, _ int64, p unsafe.Pointer) bool {
	at, size, ok := c.at, g.elem.typ.Size(), true
	for i := 0; i < g.len && ok; i++ {
		c.at.slot = hash.SubSlot(at.slot, uint32(i))
		if g.names == nil {
			c.pushIndex(i)
		} else {
			c.push(g.names[i], 0)
		}
		ok = g.elem.backward(c, unsafe.Add(p, uintptr(i)*size))
		c.pop()
	}
	c.at = at
	return ok
}
