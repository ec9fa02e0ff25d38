// Package subjects holds generators for the tests of package choices and of the packages below it.
package subjects

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/stretchr/testify/require"
)

// Rand returns a stream of random numbers for a seed.
func Rand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// TreeOf returns the choices that make v.
func TreeOf[A any](t *testing.T, g bigen.Gen[A], v A) choices.Tree {
	t.Helper()
	c, err := bigen.Choices(g, v)
	require.NoError(t, err)
	return c
}

// Three has a tag that random values leave out.
var Three = bigen.Pick(
	bigen.Tag("a", bigen.Just(1)),
	bigen.Tag("b", bigen.Just(2)).Weight(3),
	bigen.Tag("c", bigen.Just(3)).Weight(0),
)

// Event has a bit of everything.
type Event struct {
	Kind int
	N    int8
	U    uint8
	Name string
	List []int
}

// Events makes an Event.
var Events = bigen.Struct(func(c *bigen.C, e *Event) {
	bigen.At(c, &e.Kind, Three)
	bigen.At(c, &e.N, bigen.IntRange[int8](-100, 100))
	bigen.At(c, &e.U, bigen.IntRange[uint8](0, 200))
	bigen.At(c, &e.Name, bigen.String(5))
	bigen.At(c, &e.List, bigen.SliceOf(bigen.IntRange(0, 3), 0, 9))
})

// Ops makes scripts of operations on a stack.
var Ops = bigen.SliceOf(bigen.Pick(
	bigen.Tag("top", bigen.Just("top")),
	bigen.Tag("push", bigen.Just("push")),
	bigen.Tag("pop", bigen.Just("pop")),
), 0, 50)

// Overflows reports whether a script overflows a stack that holds 12.
func Overflows(script []string) bool {
	height := 0
	for _, op := range script {
		switch op {
		case "push":
			height++
		case "pop":
			height = max(0, height-1)
		}
		if height > 12 {
			return true
		}
	}
	return false
}

// Expr is an expression of digits and operators, as in the examples of "Bigenerators, Exposed!",
// section 6.1.
type Expr struct {
	Op   string
	X, Y *Expr
	N    int
}

// Num returns a digit.
func Num(n int) *Expr { return &Expr{N: n} }

// String returns the expression in infix notation.
func (e *Expr) String() string {
	switch e.Op {
	case "":
		return fmt.Sprint(e.N)
	case "neg":
		return "-" + e.X.String()
	}
	return "(" + e.X.String() + e.Op + e.Y.String() + ")"
}

// Exprs makes expressions of limited depth.
func Exprs(depth int) bigen.Gen[*Expr] {
	digit := bigen.Tag("digit",
		bigen.New(func(c *bigen.C, e *Expr) { bigen.At(c, &e.N, bigen.IntRange(0, 9)) }))
	if depth == 0 {
		return bigen.Pick(digit)
	}
	binary := func(tag, op string) bigen.Alt[*Expr] {
		return bigen.Tag(tag, bigen.New(func(c *bigen.C, e *Expr) {
			e.Op = op
			bigen.At(c, &e.X, Exprs(depth-1))
			bigen.At(c, &e.Y, Exprs(depth-1))
		}))
	}
	neg := bigen.Tag("neg", bigen.New(func(c *bigen.C, e *Expr) {
		e.Op = "neg"
		bigen.At(c, &e.X, Exprs(depth-1))
	}))
	return bigen.Pick(digit, binary("plus", "+"), binary("minus", "-"), binary("times", "*"), neg)
}
