package bigen

import (
	"fmt"
	"reflect"
	"strconv"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
)

// maxTagged is how many values a OneOf makes known by tags.
const maxTagged = 64

// OneOf makes one of the values, all equally likely; one that is given twice is twice
// as likely. Up to 64 values are known to trees and corpora by their text, so that
// values can be added and moved; more are known by their index. The values made share
// what they point to. OneOf panics if there is no value.
func OneOf[A any](values ...A) Gen[A] {
	switch {
	case len(values) == 0:
		panic("bigen.OneOf: no values")
	case len(values) > maxTagged:
		return Gen[A]{u: untyped{op: &oneOfOp[A]{append([]A(nil), values...)}}}
	}
	alts := make([]Alt[A], len(values))
	for i := range values {
		alts[i] = Tag(tagOf(&values[i]), Just(values[i]))
	}
	return Pick(alts...)
}

// tagOf returns the text of *p: the result of its String method, if it has one; of other
// numbers and strings, as package fmt prints them; else a Go expression.
func tagOf[A any](p *A) string {
	v := reflect.ValueOf(p).Elem()
	k := v.Kind()
	printed := reflect.Bool <= k && k <= reflect.Complex128 || k == reflect.String
	switch any(*p).(type) {
	case fmt.Stringer:
		printed = printed || k != reflect.Pointer && k != reflect.Interface || !v.IsNil()
	case error, fmt.Formatter:
	default: // without package fmt, since some make a OneOf for each value
		switch {
		case k == reflect.String:
			return v.String()
		case v.CanInt():
			return strconv.FormatInt(v.Int(), 10)
		}
	}
	if printed {
		return fmt.Sprint(*p)
	}
	return show(v)
}

type oneOfOp[A any] struct{ values []A }

func (g *oneOfOp[A]) forward(c *C, _, _ int64, u unsafe.Pointer) {
	*(*A)(u) = g.values[c.integer(choices.Int, 0, int64(len(g.values)-1))]
}

func (g *oneOfOp[A]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	p := (*A)(u)
	last := len(g.values) - 1
	if !c.free() {
		last = 0
	}
	i := indexOf(g.values, p)
	switch {
	case i < 0:
		return c.explain != nil && c.fail(
			byValue, "%s is none of the %d values", shown{reflect.ValueOf(p).Elem()}, len(g.values),
		)
	case i > last:
		return c.failTooLarge()
	}
	c.addInt(choices.Int, int64(i), 0, int64(last))
	noteEqual(c, g.values, i)
	return true
}
