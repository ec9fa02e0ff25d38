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
	return Gen[T]{op: &arrayOp[T, A]{g}}
}

type arrayOp[T, A any] struct{ gen Gen[A] }

// elements returns the array as a slice that shares its memory.
func (*arrayOp[T, A]) elements(p *T) []A {
	v := reflect.ValueOf(p).Elem()
	return v.Slice(0, v.Len()).Interface().([]A)
}

// Elements do not move up as those of a slice do: each has a slot of its own.

func (g *arrayOp[T, A]) forward(c *C, _, _ int64, u unsafe.Pointer) {
	p := (*T)(u)
	at := c.at
	s := g.elements(p)
	for i := range s {
		c.at.slot = hash.SubSlot(at.slot, uint32(i))
		makeBy(c, &g.gen, &s[i])
	}
	c.at = at
}

func (g *arrayOp[T, A]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	p := (*T)(u)
	at := c.at
	defer func() { c.at = at }()
	s := g.elements(p)
	for i := range s {
		c.at.slot = hash.SubSlot(at.slot, uint32(i))
		c.pushIndex(i)
		if !readBy(c, &g.gen, &s[i]) {
			c.pop()
			return false
		}
		c.pop()
	}
	return true
}
