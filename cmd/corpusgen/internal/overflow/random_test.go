package overflow

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/internal/testing/long"
)

// A term is an expression: a variable with a value, or an operation with one or two operands.
type term struct {
	Op    string
	Value int64
	X, Y  *term
}

var genTerm = bigen.Recursive(
	bigen.NonNil(bigen.Struct(func(c *bigen.C, t *term) { bigen.At(c, &t.Value, bigen.Int[int64]()) })),
	func(self bigen.Gen[*term]) bigen.Gen[*term] {
		return bigen.NonNil(bigen.Struct(func(c *bigen.C, t *term) {
			bigen.At(c, &t.Op, bigen.OneOf("+", "-", "*", "/", "<<", "neg", "++", "*="))
			bigen.At(c, &t.X, self)
			bigen.At(c, &t.Y, self)
			bigen.At(c, &t.Value, bigen.IntRange[int64](0, 9))
		}))
	}, 3)

// A program is the source of functions that compute terms of a type.
type program struct {
	strings.Builder
	names int
}

// emit writes statements that compute a term, and returns an expression, and its value by math/big,
// which is nil if bits are lost. The expression is "" if it divides by zero.
func (p *program) emit(t *term, typ string, bits uint) (string, *big.Int) {
	fits := func(z *big.Int) *big.Int {
		if z.Cmp(new(big.Int).Lsh(big.NewInt(-1), bits-1)) < 0 || z.BitLen() > int(bits)-1 && z.Sign() > 0 {
			return nil
		}
		return z
	}
	variable := func(value string) string {
		p.names++
		fmt.Fprintf(p, "\tv%[1]d := %s\n\t_ = v%[1]d\n", p.names, value)
		return fmt.Sprint("v", p.names)
	}
	if t.Op == "" {
		value := t.Value >> (64 - bits)
		return variable(fmt.Sprintf("%s(number(%d))", typ, value)), big.NewInt(value)
	}
	x, a := p.emit(t.X, typ, bits)
	if a == nil {
		return x, nil
	}
	z := new(big.Int)
	switch t.Op {
	case "<<":
		return fmt.Sprintf("(%s << %d)", x, t.Value), fits(z.Lsh(a, uint(t.Value)))
	case "neg":
		return "(-" + x + ")", fits(z.Neg(a))
	}
	if t.Op == "++" {
		v := variable(x)
		fmt.Fprintf(p, "\t%s++\n", v)
		return v, fits(z.Add(a, big.NewInt(1)))
	}
	y, b := p.emit(t.Y, typ, bits)
	if b == nil {
		return y, nil
	}
	switch t.Op {
	case "+":
		z.Add(a, b)
	case "-":
		z.Sub(a, b)
	case "*":
		z.Mul(a, b)
	case "*=":
		v := variable(x)
		fmt.Fprintf(p, "\t%s *= %s\n", v, y)
		return v, fits(z.Mul(a, b))
	case "/":
		if b.Sign() == 0 {
			return "", nil
		}
		z.Quo(a, b)
	}
	return fmt.Sprintf("(%s %s %s)", x, t.Op, y), fits(z)
}

const mainSource = `package main

import "fmt"

//go:noinline
func number(x int64) int64 { return x }

func try(i int, f func() int64) {
	defer func() {
		if recover() != nil {
			fmt.Println(i, "overflow")
		}
	}()
	fmt.Println(i, f())
}

func main() {
`

// A program of random expressions says that bits are lost exactly if math/big says so.
func TestRandomExpressions(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	var calls, functions, want strings.Builder
	overflows := 0
	for i := range long.Count(200, 5000) {
		bits := []uint{8, 16, 32, 64}[i%4]
		typ := fmt.Sprint("int", bits)
		p := &program{}
		x, value := p.emit(bigen.Sample(genTerm, r), typ, bits)
		if x == "" {
			continue
		}
		fmt.Fprintf(&functions, "\nfunc f%d() int64 {\n%s\treturn int64(%s)\n}\n", i, p, x)
		fmt.Fprintf(&calls, "\ttry(%d, f%[1]d)\n", i)
		if value == nil {
			overflows++
			fmt.Fprintln(&want, i, "overflow")
		} else {
			fmt.Fprintln(&want, i, value)
		}
	}
	require.Greater(t, overflows, 10)
	text, _ := edit(t, mainSource+calls.String()+"}\n"+functions.String())
	require.Equal(t, want.String(), run(t, text, "run"))
}
