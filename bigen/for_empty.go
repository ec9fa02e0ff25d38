package bigen

import (
	"reflect"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// dynEmpty makes slices or maps of which the empty ones are not nil, or one or the other.
// That is a choice behind those of the collection, so that corpora outlive a change of it.
type dynEmpty struct {
	typ   reflect.Type
	node  *typeNode // makes empty ones as nil
	orNil bool
}

var (
	emptySlot = hash.FNV32("empty")
	emptyAlts = []choices.Alt{choices.MakeAlt("nil", 1), choices.MakeAlt("empty", 1)}
)

func (g *dynEmpty) forward(c *C, p unsafe.Pointer) {
	g.node.forward(c, p)
	v := reflect.NewAt(g.typ, p).Elem()
	if v.Len() > 0 || g.orNil && !g.ask(c) {
		return
	}
	if g.typ.Kind() == reflect.Map {
		v.Set(reflect.MakeMap(g.typ))
	} else {
		v.Set(reflect.MakeSlice(g.typ, 0, 0))
	}
}

// ask asks whether an empty one is not nil.
func (g *dynEmpty) ask(c *C) (made bool) {
	at := c.at
	c.at.slot = hash.SubSlot(at.slot, emptySlot)
	n, b := c.pick(emptyAlts)
	c.leavePick(b)
	c.at = at
	return n == 1
}

func (g *dynEmpty) backward(c *C, p unsafe.Pointer) bool {
	v := reflect.NewAt(g.typ, p).Elem()
	if !g.orNil && v.IsNil() {
		return c.fail(byNil, "is nil; the generator makes it empty")
	}
	if !g.node.backward(c, p) {
		return false
	}
	if v.Len() > 0 || !g.orNil {
		return true
	}
	alts, n := emptyAlts, 0
	if !v.IsNil() {
		n = 1
	}
	if !c.free() {
		alts = alts[:1]
	}
	if n >= len(alts) {
		return c.failTooLarge()
	}
	at := c.at
	c.at.slot = hash.SubSlot(at.slot, emptySlot)
	b := c.enterBranch(0)
	c.leaveBranch(b)
	c.record(b.i, alts, n)
	c.at = at
	return true
}
