package bigen

import (
	"reflect"
	"strings"
	"unsafe"

	"golang.org/x/exp/slices"
)

// The ops of types whose values differ in their parts.

// optionalOp makes pointers that may be nil.
type optionalOp struct{ node *typeNode }

func (g *optionalOp) forward(c *C, _, _ int64, p unsafe.Pointer) {
	i, b := c.pick(g.node.offer(c))
	var v unsafe.Pointer
	if elem := g.node.kids[0]; i == 1 {
		v = reflect.New(elem.typ).UnsafePointer()
		g.node.makeKid(c, elem, v)
	}
	*(*unsafe.Pointer)(p) = v
	c.leavePick(b)
}

func (g *optionalOp) backward(c *C, _, _ int64, p unsafe.Pointer) bool {
	v := *(*unsafe.Pointer)(p)
	if v == nil {
		return c.readPick(g.node.offer(c), 0, nil)
	}
	return g.node.readKid(c, 1, g.node.kids[0], v)
}

// makeKid makes *p by a kid.
func (n *typeNode) makeKid(c *C, kid *typeNode, p unsafe.Pointer) {
	n.deeper(c, 1)
	kid.forward(c, p)
	n.deeper(c, -1)
}

// readKid reads *p, backward, as alternative i, which makes a kid.
func (n *typeNode) readKid(c *C, i int, kid *typeNode, p unsafe.Pointer) bool {
	return c.readPick(n.offer(c), i, func() bool {
		n.deeper(c, 1)
		ok := kid.backward(c, p)
		n.deeper(c, -1)
		return ok
	})
}

// variantsOp makes interfaces. The kids of its node are the variants.
type variantsOp struct{ node *typeNode }

func (g *variantsOp) forward(c *C, _, _ int64, p unsafe.Pointer) {
	i, b := c.pick(g.node.offer(c))
	v := reflect.NewAt(g.node.typ, p).Elem()
	if kid := g.node.kids[i]; kid.typ == nil {
		v.SetZero()
	} else {
		held := reflect.New(kid.typ)
		g.node.makeKid(c, kid, held.UnsafePointer())
		v.Set(held.Elem())
	}
	c.leavePick(b)
}

func (g *variantsOp) backward(c *C, _, _ int64, p unsafe.Pointer) bool {
	held := reflect.NewAt(g.node.typ, p).Elem().Elem()
	var t reflect.Type
	if held.IsValid() {
		t = held.Type()
	}
	i := slices.IndexFunc(g.node.kids, func(kid *typeNode) bool { return kid.typ == t })
	switch {
	case i < 0 && t == nil:
		return c.fail(byNil, "is nil")
	case i < 0:
		return c.explain != nil && c.fail(byType, "%v is none of the variants %s", t, g.names())
	case t == nil:
		return c.readPick(g.node.offer(c), i, nil)
	}
	v := reflect.New(t)
	v.Elem().Set(held)
	c.pushTag(g.node.alts[i].Tag)
	ok := g.node.readKid(c, i, g.node.kids[i], v.UnsafePointer())
	c.pop()
	return ok
}

// names lists the variants.
func (g *variantsOp) names() string {
	var names []string
	for i := range g.node.alts {
		names = append(names, g.node.alts[i].Tag)
	}
	return strings.Join(names, ", ")
}
