package bigen

import (
	"reflect"
	"regexp/syntax"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
)

// SetMaxInVain changes how many choices a packed run may try, and returns what changes
// it back.
func SetMaxInVain(n int) func() {
	old := maxInVain
	maxInVain = n
	return func() { maxInVain = old }
}

// ChoicesPacked is Choices by a packed run, also where another would do.
func ChoicesPacked[A any](g Gen[A], v A) (choices.Tree, bool) {
	c := newC()
	defer c.release()
	if !c.reads(typedOf(&g), unsafe.Pointer(&v), position{}, reader{pack: newPacker(false)}) {
		return nil, false
	}
	return c.forest().First(), true
}

// Derive derives a generator of a type that is known only at run time.
func Derive(t reflect.Type) { derive(t, nil) }

// Way returns the forest of the i-th way of the first point of t.
func (t *Trees) Way(i int) *Trees {
	p := *t.points[0]
	p.ways = p.ways[i : i+1]
	return &Trees{points: []*point{&p}}
}

// ExpressionText returns the text of an expression that tags and names of classes have.
func ExpressionText(re *syntax.Regexp) string { return new(regexpTexts).text(re) }
