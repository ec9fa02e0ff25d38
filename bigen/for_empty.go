package bigen

import (
	"reflect"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// emptyOp makes slices or maps. The empty ones are not nil, or either nil or not, by a choice.
// The choice comes after the choices of the collection, so that corpora outlive a change of it.
type emptyOp struct {
	node  *typeNode // makes empty ones as nil
	orNil bool
}

var (
	emptySlot = hash.FNV32("empty")
	emptyAlts = choices.NewAltSet([]choices.Alt{NewAlt("nil", 1), NewAlt("empty", 1)})
)

func (g *emptyOp) forward(c *C, _, _ int64, p unsafe.Pointer) {
	g.node.forward(c, p)
	v := reflect.NewAt(g.node.typ, p).Elem()
	if v.Len() > 0 {
		return
	}
	if g.orNil {
		at := c.at
		c.at.slot = hash.SubSlot(at.slot, emptySlot)
		n := c.pickLeaf(emptyAlts)
		if c.at = at; n == 0 {
			return
		}
	}
	if v.Kind() == reflect.Map {
		v.Set(reflect.MakeMap(v.Type()))
	} else {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	}
}

func (g *emptyOp) backward(c *C, _, _ int64, p unsafe.Pointer) bool {
	v := reflect.NewAt(g.node.typ, p).Elem()
	if !g.orNil && v.IsNil() {
		return c.fail(byNil, "is nil; the generator makes it empty")
	}
	if ok := g.node.backward(c, p); !ok || !g.orNil || v.Len() > 0 {
		return ok
	}
	n := 0
	if !v.IsNil() {
		n = 1
	}
	at := c.at
	c.at.slot = hash.SubSlot(at.slot, emptySlot)
	ok := c.readPick(emptyAlts.Alts, n, nil)
	c.at = at
	return ok
}
