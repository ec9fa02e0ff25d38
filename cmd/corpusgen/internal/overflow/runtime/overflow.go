// Package overflow is what `corpusgen test -overflow` and `corpusgen fuzz -overflow` compile into a
// module. The functions do what the operators do, and fail if a signed result loses bits. The code
// of the user calls them in place of the operators:
//
//	x + y   overflow.Add(x, y)
//	x / y   x / overflow.Divisor(x, y)
//	int8(x) overflow.Narrow[int8](x)
//
// A failure is a panic. The code under test may recover it. So it is kept, too, and a test fails
// when the next function with a parameter such as t *testing.T returns, which calls [Ended].
//
// Each module that is tested gets a copy: it need not require Espalier.
package overflow

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
)

// Integer are the types of operands. Unsigned ones are there for generic code: their operations
// never fail.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Names of types that declarations of the user cannot hide.
type (
	Int   = int
	Int8  = int8
	Int16 = int16
	Int32 = int32
	Int64 = int64
)

// The functions are as short as the compiler's inliner wants them: a call of another one takes most
// of what it allows.

// Add returns x + y.
func Add[T Integer](x, y T) (z T) {
	if z = x + y; (z < x) != (y < 0) {
		added(x, y)
	}
	return
}

//go:noinline
func added[T Integer](x, y T) { fail("+", x, y) }

// Sub returns x - y.
func Sub[T Integer](x, y T) (z T) {
	if z = x - y; (z > x) != (y < 0) {
		subtracted(x, y)
	}
	return
}

//go:noinline
func subtracted[T Integer](x, y T) { fail("-", x, y) }

// Mul returns x * y, for types of 64 bits.
func Mul[T Integer](x, y T) T {
	if uint64(x)|uint64(y) < 1<<31 {
		return x * y
	}
	return MulAny(x, y)
}

// MulSmall returns x * y, for types of fewer bits.
func MulSmall[T Integer](x, y T) (z T) {
	if z = x * y; int64(x)*int64(y) != int64(z) {
		multiplied(x, y)
	}
	return
}

//go:noinline
func multiplied[T Integer](x, y T) { fail("*", x, y) }

// MulAny returns x * y.
//
//go:noinline
func MulAny[T Integer](x, y T) T {
	z := x * y
	small := int64(int32(x)) == int64(x) && int64(int32(y)) == int64(y)
	if small && int64(x)*int64(y) == int64(z) {
		return z
	}
	if x != 0 && (z/x != y || x+1 == 0 && y != 0 && y == -y) {
		fail("*", x, y)
	}
	return z
}

// Neg returns -x.
func Neg[T Integer](x T) T {
	if x&-x < 0 { // only of the least number
		negated(x)
	}
	return -x
}

//go:noinline
func negated[T Integer](x T) {
	if signed[T]() {
		failed("-", fmt.Sprintf("%T", x), "", fmt.Sprintf("%d", x))
	}
}

// Divisor returns y, by which x is divided.
func Divisor[T Integer](x, y T) T {
	if y+1 == 0 && x&-x < 0 {
		divided(x, y)
	}
	return y
}

//go:noinline
func divided[T Integer](x, y T) { fail("/", x, y) }

// Shl returns x << n.
func Shl[T, N Integer](x T, n N) T {
	z := x << n
	if z>>n != x {
		lost(x, uint64(n))
	}
	return z
}

// ShlBy returns x << n for a constant n.
func ShlBy[T Integer](x T, n uint) T {
	z := x << n
	if z>>n != x {
		lost(x, uint64(n))
	}
	return z
}

// lost is called if bits are lost to the left.
//
//go:noinline
func lost[T Integer](x T, n uint64) {
	if signed[T]() {
		failed("<<", fmt.Sprintf("%T", x), fmt.Sprintf("%d", x), fmt.Sprintf("%d", n))
	}
}

// Narrow returns x as a T.
func Narrow[T, S Integer](x S) T {
	z := T(x)
	if S(z) != x {
		narrowed[T](x)
	}
	return z
}

//go:noinline
func narrowed[T, S Integer](x S) {
	if signed[T]() && signed[S]() {
		var z T
		failed("conversion", fmt.Sprintf("%T", z), fmt.Sprintf("%T", x), fmt.Sprintf("%d", x))
	}
}

func signed[T Integer]() bool {
	var zero T
	return zero-1 < 0
}

// fail fails unless the type is unsigned.
func fail[T Integer](op string, x, y T) {
	if signed[T]() {
		failed(op, fmt.Sprintf("%T", x), fmt.Sprintf("%d", x), fmt.Sprintf("%d", y))
	}
}

// An Error is an overflow.
type Error struct {
	File string // the path of the source
	Line int
	Func string
	Op   string // an operator, or "conversion"
	Type string // of the result
	X, Y string // operands, X is empty for a negation; for a conversion, the old type and the value

	caught bool // by Caught
}

// Error says what has overflowed, where, and what to do if it may.
func (e *Error) Error() string {
	y := e.Y
	if strings.HasPrefix(y, "-") && e.Op != "conversion" {
		y = "(" + y + ")"
	}
	what := e.X + " " + e.Op + " " + y
	switch {
	case e.Op == "conversion":
		what = e.X + "(" + y + ")"
	case e.X == "":
		what = e.Op + y
	}
	return fmt.Sprintf("overflow at %s:%d in %s: %s does not fit into %s (if it may wrap around, end "+
		"the line with //espalier:wrap)", filepath.Base(e.File), e.Line, e.Func, what, e.Type)
}

// pending is the first failure since the last Ended. Only Ended tells whether it was recovered.
var pending atomic.Pointer[Error]

// failed panics, at the innermost function outside of this package.
func failed(op, typ, x, y string) {
	e := &Error{Op: op, Type: typ, X: x, Y: y}
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if _, name, _ := strings.Cut(f.Function, "/_espalier/overflow."); name == "" {
			e.File, e.Line = f.File, f.Line
			e.Func = f.Function[strings.LastIndexByte(f.Function, '/')+1:]
			break
		}
	}
	pending.CompareAndSwap(nil, e)
	panic(e)
}

// A T is what functions of tests have as a parameter: a *testing.T, for example.
type T interface {
	Errorf(format string, args ...any)
	FailNow()
}

// Caught is deferred by functions with a parameter t, after [Ended]. It recovers the panic of an
// overflow, so that t fails as tests fail that do not panic: other tests run. If t can tell where a
// panic comes from, as a *fuzzext.T can, Ended recovers it.
func Caught(t T) {
	if e := pending.Load(); e != nil && !tellsPlace(t) {
		r := recover()
		if own, is := r.(*Error); is {
			own.caught = true
			pending.Store(own)
		} else if r != nil {
			panic(r)
		}
	}
}

func tellsPlace(t T) bool {
	_, tells := t.(interface{ Assume(bool) })
	return tells
}

// Ended is deferred by functions with a parameter t. It fails t if something has overflowed.
func Ended(t T) {
	if pending.Load() == nil {
		return
	}
	if h, ok := t.(interface{ Helper() }); ok {
		h.Helper()
	}
	var r any
	if tellsPlace(t) {
		r = recover()
	}
	e := pending.Swap(nil)
	_, own := r.(*Error)
	switch {
	case e == nil: // another goroutine has told
	case own || e.caught:
		t.Errorf("%v", e)
		own = true
	default:
		t.Errorf("%v\nthis panic has been recovered", e)
	}
	if own {
		t.FailNow()
	} else if r != nil {
		panic(r)
	}
}
