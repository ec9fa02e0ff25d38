package bigen

import (
	"math"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
)

// The ops of types whose values differ in their parts.

// offer returns the alternatives of a choice with their weights at this level. In a value that
// is large enough, those that go on weigh nothing.
func (n *typeNode) offer(c *C) []choices.Alt {
	if c.endsDerived() {
		return n.end
	}
	return n.levels[min(c.level, len(n.levels)-1)]
}

// endsDerived reports whether a derived value is large enough. Backward, it never is: maps may
// have been drawn in another order. Then the weights that a forest records are not exact.
func (c *C) endsDerived() bool {
	if c.back {
		if c.derived > 0 && c.pack != nil && c.pack.all && c.beyond(c.derived) {
			c.inexact()
		}
		return false
	}
	return c.derived > 0 && c.beyond(c.derived)
}

// offerMore is offer for element i: the first n.lo there must be.
func (n *typeNode) offerMore(c *C, i int) []choices.Alt {
	if i < n.lo {
		return n.alts[1:]
	}
	return n.offer(c)
}

// pick asks which of alts, which n offers, to take and enters the branch.
func (n *typeNode) pick(c *C, alts []choices.Alt) (i int, b branch) {
	i, b = c.pick(alts)
	if n.recursive {
		c.level++
	}
	return i, b
}

func (n *typeNode) leave(c *C, b branch) {
	if n.recursive {
		c.level--
	}
	c.src.Leave()
	c.leaveBranch(b)
}

// backwardAs runs backward as alternative i of alts, which n offers.
func (n *typeNode) backwardAs(c *C, alts []choices.Alt, i int, gen dyn, p unsafe.Pointer) bool {
	if !c.free() {
		alts = alts[:1]
	}
	if i >= len(alts) {
		return c.failTooLarge()
	}
	b := c.enterBranch(0)
	if n.recursive {
		c.level++
	}
	ok := gen == nil || gen.backward(c, p)
	if n.recursive {
		c.level--
	}
	c.leaveBranch(b)
	if ok {
		c.record(b.i, alts, i)
	}
	return ok
}

type dynPointer struct{ node, elem *typeNode }

func (g *dynPointer) forward(c *C, p unsafe.Pointer) {
	i, b := g.node.pick(c, g.node.offer(c))
	var v unsafe.Pointer
	if i == 1 {
		v = reflect.New(g.elem.typ).UnsafePointer()
		g.elem.forward(c, v)
	}
	*(*unsafe.Pointer)(p) = v
	g.node.leave(c, b)
}

func (g *dynPointer) backward(c *C, p unsafe.Pointer) bool {
	v := *(*unsafe.Pointer)(p)
	if v == nil {
		return g.node.backwardAs(c, g.node.offer(c), 0, nil, nil)
	}
	return g.node.backwardAs(c, g.node.offer(c), 1, g.elem, v)
}

// dynSlice asks what SliceOf asks.
type dynSlice struct {
	node, elem *typeNode
	size       uintptr // of an element
}

func (g *dynSlice) forward(c *C, p unsafe.Pointer) {
	at := c.at
	s := reflect.NewAt(g.node.typ, p).Elem()
	s.SetZero()
	for i := 0; i < g.node.hi; i++ {
		c.at.index = int32(i)
		alts := g.node.offerMore(c, i)
		n, b := g.node.pick(c, alts)
		more := n == len(alts)-1
		if more {
			s.Grow(1)
			s.SetLen(i + 1)
			g.elem.forward(c, unsafe.Add(s.UnsafePointer(), uintptr(i)*g.size))
		}
		g.node.leave(c, b)
		if !more {
			break
		}
	}
	c.at = at
}

func (g *dynSlice) backward(c *C, p unsafe.Pointer) bool {
	s := reflect.NewAt(g.node.typ, p).Elem()
	size, from := s.Len(), s.UnsafePointer()
	if size < g.node.lo || size > g.node.hi {
		return c.explain != nil && c.fail(byValue, "%d elements, not %s", size, lengthsText(g.node.lo, g.node.hi))
	}
	at, ok := c.at, true
	for i := 0; i < size && ok; i++ {
		c.at.index = int32(i)
		if c.explain != nil {
			c.push(strconv.Itoa(i), i)
		}
		alts := g.node.offerMore(c, i)
		ok = g.node.backwardAs(c, alts, len(alts)-1, g.elem, unsafe.Add(from, uintptr(i)*g.size))
		c.pop()
	}
	if ok && size < g.node.hi {
		c.at.index = int32(size)
		ok = g.node.backwardAs(c, g.node.offer(c), 0, nil, nil)
	}
	c.at = at
	return ok
}

func lengthsText(lo, hi int) string {
	if hi == math.MaxInt {
		return strconv.Itoa(lo) + " or more"
	}
	return strconv.Itoa(lo) + " to " + strconv.Itoa(hi)
}

type dynInterface struct{ node *typeNode }

func (g *dynInterface) forward(c *C, p unsafe.Pointer) {
	i, b := g.node.pick(c, g.node.offer(c))
	v := reflect.NewAt(g.node.typ, p).Elem()
	if kid := g.node.kids[i]; kid.typ == nil {
		v.SetZero()
	} else {
		held := reflect.New(kid.typ)
		kid.forward(c, held.UnsafePointer())
		v.Set(held.Elem())
	}
	g.node.leave(c, b)
}

func (g *dynInterface) backward(c *C, p unsafe.Pointer) bool {
	held := reflect.NewAt(g.node.typ, p).Elem().Elem()
	var t reflect.Type
	if held.IsValid() {
		t = held.Type()
	}
	for i, kid := range g.node.kids {
		if kid.typ != t {
			continue
		}
		var v reflect.Value
		if t == nil {
			return g.node.backwardAs(c, g.node.offer(c), i, nil, nil)
		}
		v = reflect.New(t)
		v.Elem().Set(held)
		c.pushTag(g.node.alts[i].Tag)
		ok := g.node.backwardAs(c, g.node.offer(c), i, kid, v.UnsafePointer())
		c.pop()
		return ok
	}
	if t == nil {
		return c.fail(byNil, "is nil")
	}
	return c.explain != nil && c.fail(byType, "%v is none of the variants %s", t, g.names())
}

// names lists the variants.
func (g *dynInterface) names() string {
	var names []string
	for i := range g.node.alts {
		names = append(names, g.node.alts[i].Tag)
	}
	return strings.Join(names, ", ")
}
