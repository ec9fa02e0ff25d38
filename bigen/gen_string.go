package bigen

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/espalier-go/espalier/choices"
)

// String returns the type of the values and what kind of generator makes them, as in
// bigen.Gen[[]int](slice, 2 to 5) and bigen.Gen[*bst.Tree](pick of leaf, node).
func (g Gen[A]) String() string { return untypedOf(&g).describe(reflect.TypeFor[A]()) }

func (g *untyped) describe(t reflect.Type) string {
	what := opName(g.op)
	switch {
	case g.op == nil:
		what = "zero: a variable that has no generator yet?"
	case g.kind == inFamily:
		f := familyOf(g.op)
		what = "family, " + show(f.value(&g.args))
	case g.kind == pickOne:
		what = tagList(g.tag(0))
	case g.kind == pickTwo:
		what = tagList(g.tag(0), g.tag(1))
	case g.lo|g.hi != 0:
		what += ", " + boundsText(t, g.lo, g.hi)
	default:
		if o, ok := g.op.(interface{ tags() []choices.Alt }); ok {
			var tags []string
			for _, a := range o.tags() {
				tags = append(tags, a.Tag)
			}
			what = tagList(tags...)
		}
	}
	return "bigen.Gen[" + t.String() + "](" + what + ")"
}

func (m *pickOp) tags() []choices.Alt { return m.alts }

// opName returns the name of a type of ops, as in struct for structOp[T].
func opName(op any) string {
	name, _, _ := strings.Cut(fmt.Sprintf("%T", op), "[")
	return strings.TrimSuffix(name[strings.LastIndexByte(name, '.')+1:], "Op")
}

// tagList describes a pick by the first of its tags.
func tagList(tags ...string) string {
	for i, tag := range tags {
		tags[i] = choices.Mark{Tag: tag}.String()
	}
	return "pick of " + list(tags, maxTags, ", ")
}

// boundsText returns the bounds of a Gen of values of type t.
func boundsText(t reflect.Type, lo, hi int64) string {
	switch k := t.Kind(); {
	case reflect.Uint <= k && k <= reflect.Uintptr:
		return fmt.Sprintf("%d to %d", uint64(lo), uint64(hi))
	case (k < reflect.Int || k > reflect.Uintptr) && hi == math.MaxInt:
		return fmt.Sprintf("%d or more", lo)
	}
	return fmt.Sprintf("%d to %d", lo, hi)
}
