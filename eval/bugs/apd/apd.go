// Package apd has bugs of github.com/cockroachdb/apd/v3.
package apd

import (
	"fmt"
	"math/big"

	"github.com/cockroachdb/apd/v3"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/apd"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	bug.New(bug.Spec[quantize]{
		Name:   "apd/1",
		Title:  "Quantize of less than a unit is zero, whatever the direction of rounding",
		Source: source,
		Gen: bigen.Struct(func(c *bigen.C, q *quantize) {
			bigen.At(c, &q.X, genNumber)
			bigen.At(c, &q.Exponent, bigen.IntRange[int32](-6, 3))
			bigen.At(c, &q.Rounding, bigen.OneOf(roundings...))
		}),
		Rapid: func(t *rapid.T) quantize {
			return quantize{rapidNumber(t, "x"), rapid.Int32Range(-6, 3).Draw(t, "exponent"),
				rapid.SampledFrom(roundings).Draw(t, "rounding")}
		},
		Fails: func(q quantize) string {
			var got apd.Decimal
			c := context(30, q.Rounding)
			if _, err := c.Quantize(&got, q.X.decimal(), q.Exponent); err != nil {
				return err.Error()
			}
			want := round(q.X.exact(), q.X.Exponent, q.Exponent, q.Rounding)
			if got.Exponent != q.Exponent || got.Cmp(want) != 0 {
				return fmt.Sprintf("%+v: got %v, want %v", q, &got, want)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[operation]{
		Name:   "apd/2",
		Title:  "RoundCeiling and RoundFloor of a negative subnormal number take it for positive",
		Source: source,
		Gen:    genOperation("add", "sub"),
		Rapid:  rapidOperation("add", "sub"),
		Fails: func(o operation) string {
			c := context(o.Precision, o.Rounding)
			c.MinExponent = -5
			got := o.run(c)
			sum, exponent := o.sum()
			to := exponent // below it, digits are dropped
			if sum.Sign() != 0 {
				digits := int32(len(new(big.Int).Abs(sum).String()))
				lastDigit, smallest := exponent+digits-int32(o.Precision), c.MinExponent-int32(o.Precision)+1
				to = max(to, lastDigit, smallest)
			}
			if want := round(sum, exponent, to, o.Rounding); got.Cmp(want) != 0 {
				return fmt.Sprintf("%+v: got %v, want %v", o, got, want)
			}
			return ""
		},
	}),
	bug.New(bug.Spec[operation]{
		Name:   "apd/8",
		Title:  "a quotient that is rounded up to another digit has more than the precision",
		Source: source,
		Gen:    genOperation("add", "sub", "mul", "quo"),
		Rapid:  rapidOperation("add", "sub", "mul", "quo"),
		Fails: func(o operation) string {
			got := o.run(context(o.Precision, o.Rounding))
			if got.Form == apd.Finite && got.NumDigits() > int64(o.Precision) {
				return fmt.Sprintf("%+v: %v has %d digits", o, got, got.NumDigits())
			}
			return ""
		},
	}),
	bug.New(bug.Spec[unary]{
		Name:   "apd/15",
		Title:  "Floor and Ceil in place lose the step from zero",
		Source: source,
		Gen: bigen.Struct(func(c *bigen.C, u *unary) {
			bigen.At(c, &u.Op, bigen.OneOf(unaries...))
			bigen.At(c, &u.X, genNumber)
			bigen.At(c, &u.Precision, bigen.IntRange[uint32](1, 9))
			bigen.At(c, &u.Rounding, bigen.OneOf(roundings...))
		}),
		Rapid: func(t *rapid.T) unary {
			return unary{
				rapid.SampledFrom(unaries).Draw(t, "op"), rapidNumber(t, "x"),
				rapid.Uint32Range(1, 9).Draw(t, "precision"), rapid.SampledFrom(roundings).Draw(t, "rounding"),
			}
		},
		Fails: func(u unary) string {
			var apart apd.Decimal
			u.run(&apart, u.X.decimal())
			x := u.X.decimal()
			if u.run(x, x); x.Cmp(&apart) != 0 {
				return fmt.Sprintf("%+v: %v in place, else %v", u, x, &apart)
			}
			return ""
		},
	}),
}

var roundings = []apd.Rounder{
	apd.RoundDown, apd.RoundUp, apd.RoundFloor, apd.RoundCeiling,
	apd.RoundHalfDown, apd.RoundHalfUp, apd.RoundHalfEven, apd.Round05Up,
}

func context(precision uint32, rounding apd.Rounder) *apd.Context {
	return &apd.Context{
		Precision:   precision,
		Rounding:    rounding,
		MaxExponent: 1000,
		MinExponent: -1000,
	}
}

// A number is a decimal one.
type number struct {
	Coefficient int64
	Exponent    int32
}

const most = 1_000_000

var genNumber = bigen.Struct(func(c *bigen.C, n *number) {
	bigen.At(c, &n.Coefficient, bigen.IntRange[int64](-most, most))
	bigen.At(c, &n.Exponent, bigen.IntRange[int32](-12, 3))
})

func rapidNumber(t *rapid.T, name string) number {
	return number{rapid.Int64Range(-most, most).Draw(t, name+".coefficient"),
		rapid.Int32Range(-12, 3).Draw(t, name+".exponent")}
}

func (n number) decimal() *apd.Decimal { return apd.New(n.Coefficient, n.Exponent) }
func (n number) exact() *big.Int       { return big.NewInt(n.Coefficient) }

type quantize struct {
	X        number
	Exponent int32
	Rounding apd.Rounder
}

// round returns x * 10**from as a multiple of 10**to.
func round(x *big.Int, from, to int32, rounding apd.Rounder) *apd.Decimal {
	if from >= to {
		return decimal(new(big.Int).Mul(x, power(from-to)), to)
	}
	unit, rest := power(to-from), new(big.Int)
	q, _ := new(big.Int).QuoRem(new(big.Int).Abs(x), unit, rest)
	half := new(big.Int).Lsh(rest, 1).Cmp(unit)
	lastDigit := new(big.Int).Mod(q, big.NewInt(10)).Int64()
	var up bool
	switch rounding {
	case apd.RoundUp:
		up = true
	case apd.RoundFloor:
		up = x.Sign() < 0
	case apd.RoundCeiling:
		up = x.Sign() > 0
	case apd.RoundHalfDown:
		up = half > 0
	case apd.RoundHalfUp:
		up = half >= 0
	case apd.RoundHalfEven:
		up = half > 0 || half == 0 && lastDigit%2 == 1
	case apd.Round05Up:
		up = lastDigit%5 == 0
	}
	if up && rest.Sign() != 0 {
		q.Add(q, big.NewInt(1))
	}
	if x.Sign() < 0 {
		q.Neg(q)
	}
	return decimal(q, to)
}

func power(n int32) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

func decimal(x *big.Int, exponent int32) *apd.Decimal {
	return apd.NewWithBigInt(new(apd.BigInt).SetMathBigInt(x), exponent)
}

// An operation is one of two numbers, in a context.
type operation struct {
	Op        string
	X, Y      number
	Precision uint32
	Rounding  apd.Rounder
}

func genOperation(ops ...string) bigen.Gen[operation] {
	return bigen.Struct(func(c *bigen.C, o *operation) {
		bigen.At(c, &o.Op, bigen.OneOf(ops...))
		bigen.At(c, &o.X, genNumber)
		bigen.At(c, &o.Y, genNumber)
		bigen.At(c, &o.Precision, bigen.IntRange[uint32](1, 9))
		bigen.At(c, &o.Rounding, bigen.OneOf(roundings...))
	})
}

func rapidOperation(ops ...string) func(t *rapid.T) operation {
	return func(t *rapid.T) operation {
		return operation{
			rapid.SampledFrom(ops).Draw(t, "op"), rapidNumber(t, "x"), rapidNumber(t, "y"),
			rapid.Uint32Range(1, 9).Draw(t, "precision"), rapid.SampledFrom(roundings).Draw(t, "rounding"),
		}
	}
}

func (o operation) run(c *apd.Context) *apd.Decimal {
	d, x, y := new(apd.Decimal), o.X.decimal(), o.Y.decimal()
	switch o.Op {
	case "add":
		c.Add(d, x, y)
	case "sub":
		c.Sub(d, x, y)
	case "mul":
		c.Mul(d, x, y)
	case "quo":
		c.Quo(d, x, y)
	}
	return d
}

// sum returns the exact result of an addition or a subtraction.
func (o operation) sum() (sum *big.Int, exponent int32) {
	exponent = min(o.X.Exponent, o.Y.Exponent)
	x := new(big.Int).Mul(o.X.exact(), power(o.X.Exponent-exponent))
	y := new(big.Int).Mul(o.Y.exact(), power(o.Y.Exponent-exponent))
	if o.Op == "sub" {
		y.Neg(y)
	}
	return x.Add(x, y), exponent
}

var unaries = []string{"abs", "neg", "round", "reduce", "floor", "ceil", "integral"}

type unary struct {
	Op        string
	X         number
	Precision uint32
	Rounding  apd.Rounder
}

func (u unary) run(d, x *apd.Decimal) {
	c := context(u.Precision, u.Rounding)
	switch u.Op {
	case "abs":
		c.Abs(d, x)
	case "neg":
		c.Neg(d, x)
	case "round":
		c.Round(d, x)
	case "reduce":
		c.Reduce(d, x)
	case "floor":
		c.Floor(d, x)
	case "ceil":
		c.Ceil(d, x)
	case "integral":
		c.RoundToIntegralValue(d, x)
	}
}
