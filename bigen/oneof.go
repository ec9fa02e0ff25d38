package bigen

import (
	"fmt"
	"reflect"
	"sync"
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
		return Gen[A]{op: newOneOf(append([]A(nil), values...))}
	}
	alts := make([]Alt[A], len(values))
	for i := range values {
		alts[i] = Tag(tagOf(&values[i]), Just(values[i]))
	}
	return Pick(alts...)
}

// tagOf returns the text of *p: that of its String method, if it has one; of other
// numbers and strings, as package fmt prints them; else a Go expression.
func tagOf[A any](p *A) string {
	v := reflect.ValueOf(p).Elem()
	k := v.Kind()
	if _, ok := any(*p).(fmt.Stringer); ok && (k != reflect.Pointer && k != reflect.Interface || !v.IsNil()) {
		return fmt.Sprint(*p)
	}
	if reflect.Bool <= k && k <= reflect.Complex128 || k == reflect.String {
		return fmt.Sprint(*p)
	}
	return show(v)
}

type oneOfOp[A any] struct {
	values []A
	first  func() map[any]int // of the values of integer and string types: their first indices
}

func newOneOf[A any](values []A) *oneOfOp[A] {
	g := &oneOfOp[A]{values: values}
	k := reflect.TypeFor[A]().Kind()
	_, custom := any(values[0]).(interface{ Equal(A) bool })
	if !custom && (reflect.Int <= k && k <= reflect.Uintptr || k == reflect.String) {
		g.first = sync.OnceValue(func() map[any]int {
			first := make(map[any]int, len(values))
			for i := len(values) - 1; i >= 0; i-- {
				first[values[i]] = i
			}
			return first
		})
	}
	return g
}

func (g *oneOfOp[A]) forward(c *C, _, _ int64, u unsafe.Pointer) {
	p := (*A)(u)
	*p = g.values[c.integer(choices.Int, 0, int64(len(g.values)-1))]
}

func (g *oneOfOp[A]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	p := (*A)(u)
	last := len(g.values) - 1
	forced := !c.free()
	if forced {
		last = 0
	}
	if i := g.index(p); i >= 0 && i <= last {
		c.addInt(choices.Int, int64(i), 0, int64(last))
		noteEqual(c, g.values, i)
		return true
	}
	if forced {
		return c.failTooLarge()
	}
	return c.explain != nil && c.fail(byValue, "%s is none of the %d values", show(reflect.ValueOf(p).Elem()), len(g.values))
}

// index returns the index of the first value that equals *p, or -1.
func (g *oneOfOp[A]) index(p *A) int {
	if g.first != nil {
		if i, ok := g.first()[*p]; ok {
			return i
		}
		return -1
	}
	for i := range g.values {
		if equal(&g.values[i], p) {
			return i
		}
	}
	return -1
}
