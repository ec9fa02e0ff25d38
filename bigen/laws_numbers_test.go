package bigen_test

import (
	"fmt"
	"math"
	"math/big"
	"math/cmplx"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
)

type celsius float64

type color uint8

func (c color) String() string { return [...]string{"red", "green", "blue"}[c] }

func utc(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	return t.UTC()
}

var (
	yearOne = utc("0001-01-01T00:00:00Z")
	lastDay = utc("9999-12-31T23:59:59.999999999Z")
)

// bits64 and bits32 show floats by their bits, since NaN is not equal to itself.
func bits64(g bigen.Gen[float64]) bigen.Gen[uint64] {
	return bigen.Iso(g, math.Float64bits, func(b uint64) (float64, bool) {
		return math.Float64frombits(b), true
	})
}

func bits32(g bigen.Gen[float32]) bigen.Gen[uint32] {
	return bigen.Iso(g, math.Float32bits, func(b uint32) (float32, bool) {
		return math.Float32frombits(b), true
	})
}

func within[F ~float32 | ~float64](lo, hi F) func(F) bool {
	return func(f F) bool { return lo <= f && f <= hi }
}

func lawfulFloatRange(lo, hi float64) law {
	return lawful(
		fmt.Sprintf("FloatRange/%v to %v", lo, hi), bigen.FloatRange(lo, hi), within(lo, hi),
	)
}

func lawfulTime(from, to string) law {
	return lawful("Time/"+from+" to "+to, bigen.Time(utc(from), utc(to)), func(t time.Time) bool {
		return !t.Before(utc(from)) && !t.After(utc(to)) && t.Location() == time.UTC
	})
}

func manyWords() (words []string) {
	for i := range 1000 {
		words = append(words, "word"+strconv.Itoa(i))
	}
	return words
}

func init() {
	laws = append(laws,
		lawful("Int/int8", bigen.Int[int8](), always),
		lawful("Int/int64", bigen.Int[int64](), always),
		lawful("Int/uint", bigen.Int[uint](), always),
		lawful("Int/uintptr", bigen.Int[uintptr](), always),
		lawful("Int/named", bigen.Int[time.Month](), always),

		lawful("Float/64 bits", bits64(bigen.Float[float64]()), always),
		lawful("Float/32 bits", bits32(bigen.Float[float32]()), always),
		lawful("Float/named", bigen.Float[celsius](bigen.NoNaN), func(f celsius) bool {
			return f == f
		}),
		lawful(
			"Float/finite", bigen.Float[float32](bigen.NoNaN, bigen.NoInf),
			within(float32(-math.MaxFloat32), math.MaxFloat32),
		),
		lawful(
			"Float/NaN, but not Inf", bits64(bigen.Float[float64](bigen.NoInf)),
			func(b uint64) bool { return !math.IsInf(math.Float64frombits(b), 0) },
		),
		lawfulFloatRange(0, 1),
		lawfulFloatRange(-1, 1),
		lawfulFloatRange(0.1, 0.2),
		lawfulFloatRange(-1e300, -1e299),
		lawfulFloatRange(1e15, math.Inf(1)),
		lawfulFloatRange(-math.MaxFloat64, math.MaxFloat64),
		lawfulFloatRange(2.5, 2.5),
		lawfulFloatRange(math.Copysign(0, -1), 0),
		lawfulFloatRange(0, math.SmallestNonzeroFloat64),
		lawfulFloatRange(math.Nextafter(1, 0), 1),
		lawfulFloatRange(1e-5, 2e-5),
		lawful("FloatRange/float32", bigen.FloatRange[float32](-0.3, 7), within[float32](-0.3, 7)),
		lawful("Complex/128", bigen.Complex[complex128](bigen.NoNaN), func(c complex128) bool {
			return !cmplx.IsNaN(c)
		}),
		lawful(
			"Complex/64", bigen.Complex[complex64](bigen.NoNaN, bigen.NoInf),
			func(c complex64) bool { return !cmplx.IsNaN(complex128(c)) },
		),

		lawful("Duration", bigen.Duration(), always),
		lawfulTime("0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z"),
		lawfulTime("2024-02-28T23:59:59.5Z", "2024-03-01T00:00:00.000001Z"),
		lawfulTime("2024-02-29T12:00:00Z", "2024-02-29T12:00:00Z"),
		lawfulTime("1969-12-31T23:59:59.999999998Z", "1970-01-01T00:00:00.000000001Z"),
		lawfulTime("1999-06-15T12:30:00Z", "2031-01-15T08:00:00Z"),

		lawful("Addr", bigen.Addr(), netip.Addr.IsValid),
		lawful("Prefix", bigen.Prefix(), netip.Prefix.IsValid),
		lawful("AddrPort", bigen.AddrPort(), netip.AddrPort.IsValid),

		lawful("BigInt/0", bigen.BigInt(0), func(n *big.Int) bool { return n.Sign() == 0 }),
		lawful("BigInt/10", bigen.BigInt(10), func(n *big.Int) bool { return n.BitLen() <= 10 }),
		lawful("BigInt/64", bigen.BigInt(64), func(n *big.Int) bool { return n.BitLen() <= 64 }),
		lawful("BigInt/1000", bigen.BigInt(1000), func(n *big.Int) bool {
			return n.BitLen() <= 1000
		}),

		lawful("OneOf", bigen.OneOf("a", "b", "b", ""), func(s string) bool {
			return strings.Contains("ab", s)
		}),
		lawful("OneOf/one", bigen.OneOf(color(2)), func(c color) bool { return c == 2 }),
		lawful(
			"OneOf/pointers", bigen.OneOf(&bsttest.Tree{X: 1}, nil, &bsttest.Tree{X: 2}), always,
		),
		lawful("OneOf/many", bigen.OneOf(manyWords()...), func(s string) bool {
			return strings.HasPrefix(s, "word")
		}),
		lawful("OneOf/many structs", bigen.OneOf(make([]span, 100)...), func(s span) bool {
			return s == span{}
		}),

		lawful("Favor", bigen.Favor(bigen.IntRange(0, 1<<30), 12345, 1<<29), func(n int) bool {
			return n >= 0
		}),
		lawful("Prefer", bigen.Prefer(bigen.IntRange(0, 1<<30), 12345, 1<<29), func(n int) bool {
			return n >= 0
		}),
		lawful("Favor/none", bigen.Favor(bigen.Bool()), always),
		lawful(
			"Favor/tree",
			bigen.Favor(bsttest.Gen(-100, 100), node(nil, 5, node(nil, 99, nil)), nil),
			func(t *bsttest.Tree) bool { return t.Valid(-100, 100) },
		),
		lawful("Favor/filter", bigen.SuchThat(bigen.Favor(
			bigen.SuchThat(bigen.IntRange(0, 99), even), 42, 40,
		), func(n int) bool { return n != 40 }), func(n int) bool { return even(n) && n != 40 }),
		lawful(
			"Favor/slice", bigen.SliceOf(bigen.Favor(bigen.String(9), "select", "from"), 0, 9),
			always,
		),
	)
}
