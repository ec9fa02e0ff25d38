package bigen

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
)

// Just makes v, without a choice. The values made share what v points to.
func Just[A any](v A) Gen[A] { return Gen[A]{u: untyped{op: &justOp[A]{v}}} }

type justOp[A any] struct{ v A }

func (g *justOp[A]) forward(_ *C, _, _ int64, u unsafe.Pointer) { *(*A)(u) = g.v }

func (g *justOp[A]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	p := (*A)(u)
	switch {
	case equal(&g.v, p):
		return true
	case c.explain == nil:
		return false
	}
	return c.fail(byValue, "%s", unequal{reflect.ValueOf(p).Elem(), reflect.ValueOf(&g.v).Elem()})
}

// unequal is why a value is not the one wanted.
type unequal struct{ is, want reflect.Value }

func (u unequal) String() string {
	is, want := show(u.is), show(u.want)
	if is == want {
		return fmt.Sprintf("another %s: their bits differ, as the bits of two NaNs may, or a method Equal "+
			"tells them apart", want)
	}
	return fmt.Sprintf("%s is not %s", is, want)
}

// Integer is satisfied by all integer types.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// IntRange makes an integer from lo to hi, both included. At random, all are equally
// likely. It panics if lo > hi.
func IntRange[I Integer](lo, hi I) Gen[I] {
	if lo > hi {
		panic(fmt.Sprintf("bigen.IntRange: %d is above %d", lo, hi))
	}
	return Gen[I]{u: rangeOf(intOp[I](false), int64(lo), int64(hi))}
}

// intOp reports whether it favors edges, as [Int] does.
type intOp[I Integer] bool

func (intOp[I]) kind() choices.Kind {
	if ^I(0) > 0 {
		return choices.Uint
	}
	return choices.Int
}

func (g intOp[I]) forward(c *C, lo, hi int64, u unsafe.Pointer) {
	c.q.Edges = bool(g)
	*(*I)(u) = I(c.integer(g.kind(), lo, hi))
	c.q.Edges = false
}

func (g intOp[I]) backward(c *C, lo, hi int64, u unsafe.Pointer) bool {
	p := (*I)(u)
	k, n := g.kind(), int64(*p)
	if lo != hi && !c.free() {
		lo = k.Origin(lo, hi)
		hi = lo
		if n != lo {
			return c.failTooLarge()
		}
	}
	if k.Less(n, lo) || k.Less(hi, n) {
		return c.explain != nil && c.fail(byValue, "%v not in [%v,%v]", *p, I(lo), I(hi))
	}
	c.addInt(k, n, lo, hi)
	if c.pack != nil {
		c.pack.questions[len(c.tree)-1].Edges = bool(g)
	}
	return true
}

// Bool makes false or true, by a [Pick] with these tags.
func Bool() Gen[bool] { return boolGen }

// boolGen has a pickOp, so that an alternative of it needs no box.
var boolGen = Gen[bool]{u: untyped{op: newBoolOp()}}

// boolOp is a pick below which nothing is asked.
type boolOp struct {
	*pickOp
	set *choices.AltSet
}

func newBoolOp() *boolOp {
	p := pickOf([]Alt[bool]{Tag("false", Just(false)), Tag("true", Just(true))}).u.op.(*pickOp)
	return &boolOp{p, choices.NewAltSet(p.alts)}
}

func (g *boolOp) forward(c *C, _, _ int64, u unsafe.Pointer) {
	n := c.pickLeaf(g.set)
	*(*bool)(u) = n == 1
}
