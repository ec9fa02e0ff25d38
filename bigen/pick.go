package bigen

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
)

// An Alt is one alternative of a [Pick]. It is made by [Tag] or [Case].
type Alt[A any] struct{ untypedAlt }

type untypedAlt struct {
	tag    string
	weight float64
	op     op
	given  *given // what depends on a parameter, or nil
}

// Tag makes an alternative. Trees, corpora and mutations know it by the tag, which
// should say what the alternative means, and remain when the generator changes.
// Alternatives that differ in nothing a reader would name, such as one for each
// variable in scope, may share a tag ("Bigenerators, Exposed!", section 5.2.1).
// Mutations then know them by their order: if a reference must keep its meaning when
// another alternative disappears, use its name as the tag.
func Tag[A any](tag string, g Gen[A]) Alt[A] {
	return Alt[A]{untypedAlt{tag: tag, weight: 1, op: opOf(g)}}
}

// Weight returns the alternative with weight w instead of 1. Random sources take
// alternatives in proportion to their weights. An alternative of weight 0 does not
// occur in random values, but can be decoded and read backward. Weight panics if w is
// negative, NaN or above 1e100.
func (a Alt[A]) Weight(w float64) Alt[A] {
	a.weight = checkWeight(w, a.tag)
	return a
}

func checkWeight(w float64, tag string) float64 {
	if !(w >= 0 && w <= 1e100) {
		panic(fmt.Sprintf(
			"bigen: weight %v of alternative %q is not a number from 0 to 1e100", w, tag,
		))
	}
	return w
}

// Pick makes a value by one of several alternatives: the pick of "Bigenerators,
// Exposed!", section 3. The first alternative must not recurse: where a value has
// become too large, it is the only one. Backward, Pick takes the first alternative
// that makes the value. Pick panics if there is no alternative.
func Pick[A any](alts ...Alt[A]) Gen[A] {
	switch {
	case len(alts) == 1 && alts[0].given == nil:
		return Gen[A]{u: pickOfTwo(&alts[0].untypedAlt, nil)}
	case len(alts) == 2 && alts[0].given == nil && alts[1].given == nil:
		return Gen[A]{u: pickOfTwo(&alts[0].untypedAlt, &alts[1].untypedAlt)}
	}
	return pickOf(alts)
}

//go:noinline
func pickOf[A any](alts []Alt[A]) Gen[A] {
	if len(alts) == 0 {
		panic("bigen.Pick: no alternatives")
	}
	all := *(*[]untypedAlt)(unsafe.Pointer(&alts))
	for i := range all {
		if all[i].given != nil {
			return Gen[A]{u: untyped{op: newGuardedPick(all, reflect.TypeFor[A]())}}
		}
	}
	return Gen[A]{u: untyped{op: newPick(all, reflect.TypeFor[A]())}}
}

// pickOp is a pick of any number of alternatives. A pick of one or two
// alternatives that [Pick] makes does not need one.
type pickOp struct {
	alts []choices.Alt
	ops  []op
	typ  reflect.Type
}

func newPick(alts []untypedAlt, typ reflect.Type) *pickOp {
	m := newPickOp(len(alts))
	m.typ = typ
	for i := range alts {
		a := &alts[i]
		m.alts[i], m.ops[i] = NewAlt(a.tag, a.weight), a.op
	}
	return m
}

// newPickOp returns a pick of n alternatives, mostly by one allocation: some generators make a pick
// for each node of a value.
func newPickOp(n int) *pickOp {
	switch n {
	case 3:
		return pickIn[[3]choices.Alt, [3]op](n)
	case 4:
		return pickIn[[4]choices.Alt, [4]op](n)
	case 5:
		return pickIn[[5]choices.Alt, [5]op](n)
	case 6:
		return pickIn[[6]choices.Alt, [6]op](n)
	case 7:
		return pickIn[[7]choices.Alt, [7]op](n)
	case 8:
		return pickIn[[8]choices.Alt, [8]op](n)
	}
	return &pickOp{alts: make([]choices.Alt, n), ops: make([]op, n)}
}

// pickIn returns a pick whose alternatives are in arrays beside it, of type Alts and Ops.
func pickIn[Alts, Ops any](n int) *pickOp {
	room := new(struct {
		pickOp
		alts Alts
		ops  Ops
	})
	room.pickOp.alts = unsafe.Slice((*choices.Alt)(unsafe.Pointer(&room.alts)), n)
	room.pickOp.ops = unsafe.Slice((*op)(unsafe.Pointer(&room.ops)), n)
	return &room.pickOp
}

func (m *pickOp) forward(c *C, _, _ int64, u unsafe.Pointer) {
	c.below(m.ops[c.ask(m.alts, nil)], u)
}

func (m *pickOp) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	return backwardPick(c, m.ops, u, m.typ, func() []choices.Alt { return m.alts }, nil)
}
