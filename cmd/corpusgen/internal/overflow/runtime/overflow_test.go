package overflow

import (
	"fmt"
	"math/big"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

// A step is an operation of a random expression, with the result of the last step as one operand.
type step[T Integer] struct {
	Op    string
	Value T // the other operand
	First bool
	Shift uint8
}

func steps[T Integer]() bigen.Gen[[]step[T]] {
	return bigen.SliceOf(bigen.Struct(func(c *bigen.C, s *step[T]) {
		bigen.At(c, &s.Op, bigen.OneOf("+", "-", "*", "*any", "neg", "/", "<<", "<<by"))
		bigen.At(c, &s.Value, bigen.Int[T]())
		bigen.At(c, &s.First, bigen.Bool())
		bigen.At(c, &s.Shift, bigen.IntRange[uint8](0, 70))
	}), 1, 6)
}

// by computes a step by this package. It returns nil if the step divides by zero.
func by[T Integer](op string, x, y T, shift uint8) *T {
	var z T
	switch op {
	case "+":
		z = Add(x, y)
	case "-":
		z = Sub(x, y)
	case "*":
		if unsafe.Sizeof(z) < 8 {
			z = MulSmall(x, y)
		} else {
			z = Mul(x, y)
		}
	case "*any":
		z = MulAny(x, y)
	case "neg":
		z = Neg(x)
	case "/":
		if y == 0 {
			return nil
		}
		z = x / Divisor(x, y)
	case "<<":
		z = Shl(x, shift)
	case "<<by":
		z = ShlBy(x, uint(shift))
	}
	return &z
}

// exactly computes a step by math/big.
func exactly[T Integer](op string, x, y T, shift uint8) *big.Int {
	a, b, z := value(x), value(y), new(big.Int)
	switch op {
	case "+":
		return z.Add(a, b)
	case "-":
		return z.Sub(a, b)
	case "*", "*any":
		return z.Mul(a, b)
	case "neg":
		return z.Neg(a)
	case "/":
		return z.Quo(a, b)
	}
	return z.Lsh(a, uint(shift))
}

func value[T Integer](x T) *big.Int {
	z, _ := new(big.Int).SetString(fmt.Sprint(x), 10)
	return z
}

// failure returns the overflow that f panics with, or nil.
func failure(f func()) (e *Error) {
	defer func() {
		pending.Store(nil)
		e, _ = recover().(*Error)
	}()
	f()
	return nil
}

// An overflow is reported exactly if math/big says that bits are lost.
func checkExpressions[T Integer](t *testing.T) {
	t.Run(fmt.Sprintf("%T", T(0)), func(t *testing.T) {
		fuzzext.Check(t, steps[T](), func(t *fuzzext.T, expression []step[T]) {
			var acc T
			for _, s := range expression {
				x, y := acc, s.Value
				if s.First {
					x, y = y, x
				}
				var z *T
				e := failure(func() { z = by(s.Op, x, y, s.Shift) })
				if z == nil && e == nil {
					return // a division by zero
				}
				want := exactly(s.Op, x, y, s.Shift)
				if e != nil {
					require.True(t, signed[T]())
					require.Equal(t, fmt.Sprintf("%T", x), e.Type)
					require.False(t, fits[T](want), "%v has an overflow", e)
					return
				}
				if signed[T]() {
					require.Equal(t, want.String(), fmt.Sprint(*z), "%v %s %v", x, s.Op, y)
				}
				acc = *z
			}
		})
	})
}

func fits[T Integer](z *big.Int) bool {
	return z.IsInt64() && int64(T(z.Int64())) == z.Int64()
}

type named int32

func TestExpressions(t *testing.T) {
	checkExpressions[int8](t)
	checkExpressions[int16](t)
	checkExpressions[int32](t)
	checkExpressions[int64](t)
	checkExpressions[int](t)
	checkExpressions[named](t)
	checkExpressions[uint8](t)
	checkExpressions[uint64](t)
}

// Unsigned operations do what they do without checks.
func TestUnsigned(t *testing.T) {
	fuzzext.Check(t, bigen.Int[uint64](), func(t *fuzzext.T, x uint64) {
		for _, y := range []uint64{0, 1, 3, 1 << 31, 1 << 63, 1<<64 - 1} {
			assert.Equal(t, x+y, Add(x, y))
			assert.Equal(t, x-y, Sub(x, y))
			assert.Equal(t, x*y, Mul(x, y))
			assert.Equal(t, uint16(x)*uint16(y), MulSmall(uint16(x), uint16(y)))
			assert.Equal(t, x<<(y&127), Shl(x, y&127))
		}
		assert.Equal(t, -x, Neg(x))
		assert.Equal(t, uint8(x), Narrow[uint8](x))
		assert.Equal(t, uint8(x), Narrow[uint8](int64(x)))
		assert.Equal(t, int8(x), Narrow[int8](x))
	})
}

func TestNarrow(t *testing.T) {
	fuzzext.Check(t, bigen.Int[int64](), func(t *fuzzext.T, x int64) {
		for e, want := range map[*Error]bool{
			failure(func() { assert.Equal(t, int8(x), Narrow[int8](x)) }):   x == int64(int8(x)),
			failure(func() { assert.Equal(t, int32(x), Narrow[int32](x)) }): x == int64(int32(x)),
			failure(func() { assert.Equal(t, named(x), Narrow[named](x)) }): x == int64(int32(x)),
		} {
			assert.Equal(t, want, e == nil, "%d: %v", x, e)
		}
	})
}

func TestError(t *testing.T) {
	var least int8 = -128
	for want, f := range map[string]func(){
		"-128 + (-1) does not fit into int8":                 func() { Add(least, -1) },
		"1 - (-128) does not fit into int8":                  func() { Sub(1, least) },
		"-(-128) does not fit into int8":                     func() { Neg(least) },
		"-128 * 2 does not fit into int8":                    func() { MulSmall(least, 2) },
		"-128 / (-1) does not fit into int8":                 func() { Divisor(least, -1) },
		"-128 << 1 does not fit into int8":                   func() { ShlBy(least, 1) },
		"int32(-129) does not fit into int8":                 func() { Narrow[int8](int32(-129)) },
		"int64(2147483648) does not fit into overflow.named": func() { Narrow[named](int64(1 << 31)) },
	} {
		e := failure(f)
		require.NotNil(t, e, want)
		assert.Contains(t, e.Error(), ": "+want+" (if it may wrap around, end the line with "+
			"//espalier:wrap)")
	}
}

// A fake is a T.
type fake struct {
	texts []string
	ended bool
}

func (f *fake) Errorf(format string, args ...any) {
	f.texts = append(f.texts, fmt.Sprintf(format, args...))
}
func (f *fake) FailNow() { f.ended = true }

// A teller is a T that tells where panics come from.
type teller struct{ fake }

func (*teller) Assume(bool) {}

// Each overflow fails a test, also if the code recovers it.
func TestEnded(t *testing.T) {
	overflows := func() { Add[int8](127, 1) }
	recovers := func() {
		defer func() { _ = recover() }()
		overflows()
	}
	for name, c := range map[string]struct {
		f      func()
		errors int
		ended  bool
		panics bool
		last   string
	}{
		"nothing":                  {func() {}, 0, false, false, ""},
		"overflow":                 {overflows, 1, true, false, ""},
		"recovered":                {recovers, 1, false, false, "this panic has been recovered"},
		"two recovered":            {func() { recovers(); recovers() }, 1, false, false, "been recovered"},
		"recovered, then overflow": {func() { recovers(); overflows() }, 1, true, false, ""},
		"other panic":              {func() { panic("no") }, 0, false, true, ""},
		"recovered, other panic":   {func() { recovers(); panic("no") }, 1, false, true, "recovered"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, tells := range []bool{false, true} {
				tt := &teller{}
				panicked := func() (panicked bool) {
					defer func() { panicked = recover() != nil }()
					var to T = &tt.fake
					if tells {
						to = tt
					}
					defer Ended(to)
					defer Caught(to)
					c.f()
					return false
				}()
				assert.Equal(t, c.panics, panicked)
				assert.Len(t, tt.texts, c.errors)
				assert.Equal(t, c.ended, tt.ended)
				for _, text := range tt.texts {
					assert.Contains(t, text, c.last)
				}
				assert.Nil(t, pending.Load())
			}
		})
	}
}

// Products at the limits of 32 and 64 bits.
func TestLimits(t *testing.T) {
	var near []int64
	for _, x := range []int64{0, 1 << 15, 1 << 16, 1 << 31, 1 << 32, 1<<33 - 2, 3037000499, -1 << 63} {
		for d := int64(-2); d <= 2; d++ {
			near = append(near, x+d, -x+d)
		}
	}
	for _, x := range near {
		for _, y := range near {
			for _, op := range []string{"+", "-", "*", "*any", "neg", "/"} {
				limit(t, op, x, y)
				limit(t, op, int32(x), int32(y))
				limit(t, op, int16(x), int16(y))
			}
		}
	}
}

func limit[T Integer](t *testing.T, op string, x, y T) {
	var z *T
	e := failure(func() { z = by(op, x, y, 0) })
	if z != nil || e != nil {
		require.Equal(t, fits[T](exactly(op, x, y, 0)), e == nil, "%T: %d %s %d", x, x, op, y)
	}
}
