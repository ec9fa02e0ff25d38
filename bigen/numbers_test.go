package bigen_test

import (
	"math"
	"math/big"
	"net/netip"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// reaches checks that random values pass each test, some seldom, and others often.
func reaches[A any](
	t *testing.T, g bigen.Gen[A], draws int, least map[string]int, tests map[string]func(A) bool,
) {
	t.Helper()
	r, passed := rng(21), map[string]int{}
	for range draws {
		v := bigen.Sample(g, r)
		for name, test := range tests {
			if test(v) {
				passed[name]++
			}
		}
	}
	for name := range tests {
		require.GreaterOrEqual(t, passed[name], max(1, least[name]), name)
	}
}

func TestRandomNumbers(t *testing.T) {
	is := func(want float64) func(float64) bool {
		return func(f float64) bool { return math.Float64bits(f) == math.Float64bits(want) }
	}
	reaches(t, bigen.Float[float64](), 5000, map[string]int{
		"integer": 500, "tenths": 500, "below 1": 500, "above 1e100": 200, "moderate": 300,
		"NaN": 20, "Inf": 20, "-Inf": 20, "-0": 20, "max": 20,
	},
		map[string]func(float64) bool{
			"NaN": func(f float64) bool { return f != f }, "Inf": is(
				math.Inf(1),
			), "-Inf": is(math.Inf(-1)), "-0": is(math.Copysign(0, -1)), "0": is(0),
			"max": is(math.MaxFloat64), "smallest": is(
				math.SmallestNonzeroFloat64,
			), "1+eps": is(math.Nextafter(1, 2)), "0.1": is(0.1), "-1": is(-1),
			"integer": func(f float64) bool {
				return f == math.Floor(f) && math.Abs(f) < 1<<53
			},
			"tenths": func(f float64) bool {
				return f != math.Floor(f) && f*10 == math.Floor(f*10) && math.Abs(f) < 1e15
			},
			"below 1":     func(f float64) bool { return math.Abs(f) < 1 },
			"above 1e100": func(f float64) bool { return math.Abs(f) > 1e100 },
			"moderate": func(f float64) bool {
				return f*1000 != math.Floor(f*1000) && 0.001 < math.Abs(f) && math.Abs(f) < 1e8
			},
		})
	reaches(t, bigen.FloatRange(0, 1.), 5000, map[string]int{
		"upper half": 350, "second tenth": 100, "tiny": 100, "0": 100, "1": 100,
	},
		map[string]func(float64) bool{
			"0": is(0), "1": is(1), "0.5": is(
				0.5,
			), "almost 1": is(math.Nextafter(1, 0)), "smallest": is(math.SmallestNonzeroFloat64),
			"tiny": func(f float64) bool { return 0 < f && f < 1e-20 },
			"upper half": func(f float64) bool {
				return 0.5 < f && f < 1 && f*1000 != math.Floor(f*1000)
			},
			"second tenth": func(f float64) bool { return 0.1 < f && f < 0.2 },
		})
	reaches(t, bigen.Int[int32](), 5000, map[string]int{
		"min": 20, "max": 20, "0": 5, "small": 200, "large": 200,
	},
		map[string]func(int32) bool{
			"min": func(n int32) bool { return n == math.MinInt32 }, "max": func(n int32) bool {
				return n == math.MaxInt32
			},
			"0": func(n int32) bool { return n == 0 }, "-1": func(n int32) bool {
				return n == -1
			}, "about 256": func(n int32) bool { return 255 <= n && n <= 257 },
			"small": func(n int32) bool { return -100 < n && n < 100 },
			"large": func(n int32) bool { return n > 1<<29 || n < -1<<29 },
		})
	reaches(t, bigen.BigInt(200), 2000, map[string]int{"small": 100, "large": 100},
		map[string]func(*big.Int) bool{
			"small": func(n *big.Int) bool { return n.BitLen() < 10 },
			"large": func(n *big.Int) bool { return n.BitLen() > 100 },
			"top":   func(n *big.Int) bool { return n.BitLen() == 200 },
			"power": func(n *big.Int) bool {
				return n.BitLen() > 64 && int(n.TrailingZeroBits()) == n.BitLen()-1
			},
		})
}

func TestRandomTimesAndAddresses(t *testing.T) {
	clock := func(h, m, s, ns int) func(time.Time) bool {
		return func(t time.Time) bool {
			return t.Hour() == h && t.Minute() == m && t.Second() == s && t.Nanosecond() == ns
		}
	}
	reaches(t, bigen.Time(yearOne, lastDay), 5000, map[string]int{
		"midnight": 1000, "last of month": 120, "whole second": 2000, "arbitrary": 200,
	},
		map[string]func(time.Time) bool{
			"midnight": clock(
				0, 0, 0, 0,
			), "first": yearOne.Equal, "leap day": func(t time.Time) bool {
				return t.Month() == 2 && t.Day() == 29
			},
			"last of month":  func(t time.Time) bool { return t.AddDate(0, 0, 1).Day() == 1 },
			"last of hour":   func(t time.Time) bool { return t.Minute() == 59 },
			"whole second":   func(t time.Time) bool { return t.Nanosecond() == 0 },
			"arbitrary":      func(t time.Time) bool { return t.Nanosecond()%1000 != 0 },
			"far future":     func(t time.Time) bool { return t.Year() > 9000 },
			"this century":   func(t time.Time) bool { return 2000 <= t.Year() && t.Year() < 2100 },
			"last of second": func(t time.Time) bool { return t.Nanosecond()/1e6 == 999 },
		})
	reaches(t, bigen.Duration(), 2000, map[string]int{
		"hours": 100,
	}, map[string]func(time.Duration) bool{
		"min": func(d time.Duration) bool {
			return d == math.MinInt64
		}, "max": func(d time.Duration) bool { return d == math.MaxInt64 },
		"second": func(d time.Duration) bool { return d == time.Second },
		"hours":  func(d time.Duration) bool { return d%time.Hour == 0 },
		"short":  func(d time.Duration) bool { return 0 < d && d < time.Microsecond },
	})
	reaches(t, bigen.Addr(), 2000, map[string]int{
		"v4": 400, "mapped": 200, "v6": 200, "zone": 50, "private": 50,
	}, map[string]func(netip.Addr) bool{
		"v4": netip.Addr.Is4, "mapped": netip.Addr.Is4In6, "v6": netip.Addr.Is6, "private": netip.Addr.IsPrivate, "loopback": netip.Addr.IsLoopback,
		"zone": func(a netip.Addr) bool {
			return a.Zone() != ""
		}, "unspecified": netip.Addr.IsUnspecified, "link-local": netip.Addr.IsLinkLocalUnicast,
	})
	reaches(t, bigen.Prefix(), 1000, map[string]int{
		"network": 400, "host": 200,
	}, map[string]func(netip.Prefix) bool{
		"network": func(p netip.Prefix) bool {
			return p == p.Masked()
		}, "host": func(p netip.Prefix) bool { return p != p.Masked() },
		"all": func(p netip.Prefix) bool {
			return p.Bits() == 0
		}, "single": netip.Prefix.IsSingleIP,
	})
}

// Favored values come up, one in eight, and are recorded as if by chance.
func TestFavor(t *testing.T) {
	g := bigen.Favor(bigen.IntRange(0, 1<<30), 12345, 54321)
	r, favored := rng(1), map[int]int{}
	for range 4000 {
		v, tree, err := bigen.Run(g, choices.Random(r))
		require.NoError(t, err)
		if v == 12345 || v == 54321 {
			favored[v]++
			same, err := bigen.Choices(g, v)
			require.NoError(t, err)
			require.Equal(t, same, tree)
		}
	}
	require.InDelta(t, 250, favored[12345], 70)
	require.InDelta(t, 250, favored[54321], 70)

	// What is made is new, not what was given.
	given := []int{1, 2, 3}
	slices := bigen.Favor(bigen.SliceOf(bigen.IntRange(0, 9), 3, 3), given)
	for range 100 {
		bigen.Sample(slices, r)[0] = 9
	}
	require.Equal(t, []int{1, 2, 3}, given)
}

func TestBackwardOfNumbers(t *testing.T) {
	eastern := time.FixedZone("EST", -5*3600)
	range2024 := bigen.Time(utc("2024-01-01T00:00:00Z"), utc("2024-12-31T23:59:59Z"))
	tests := []struct {
		name string
		err  error
		want string // "" if the value is made
	}{
		{"NaN", bigen.Check(bigen.Float[float64](), math.NaN()), ""},
		{
			"signalling NaN", bigen.Check(bigen.Float[float32](), math.Float32frombits(0x7F800001)),
			"",
		},
		{
			"no NaN", bigen.Check(bigen.Float[float64](bigen.NoNaN), math.NaN()),
			"is NaN, which the option NoNaN leaves out",
		},
		{
			"no Inf", bigen.Check(bigen.Float[float64](bigen.NoInf), math.Inf(-1)),
			"is -Inf, which the option NoInf leaves out",
		},
		{"float out of range", bigen.Check(bigen.FloatRange(0, 1.), 1.5), "1.5 not in [0,1]"},
		{
			"-0 out of range", bigen.Check(bigen.FloatRange(0, 1.), math.Copysign(0, -1)),
			"-0 not in [0,1]",
		},
		{"NaN out of range", bigen.Check(bigen.FloatRange(0, 1.), math.NaN()), "NaN not in [0,1]"},
		{
			"complex", bigen.Check(bigen.Complex[complex128](bigen.NoInf), complex(1, math.Inf(1))),
			"at /imag: is +Inf, which the option NoInf leaves out",
		},
		{
			"local time", bigen.Check(range2024, utc("2024-05-05T00:00:00Z").In(eastern)),
			"2024-05-04 19:00:00 -0500 EST is not in UTC: use its UTC()",
		},
		{
			"monotonic time", bigen.Check(bigen.Time(yearOne, lastDay), time.Now()),
			"is not in UTC: use its UTC()",
		},
		{"monotonic time in UTC", bigen.Check(bigen.Time(yearOne, lastDay), time.Now().UTC()), ""},
		{
			"time out of range", bigen.Check(range2024, utc("2025-01-01T00:00:00Z")),
			"2025-01-01 00:00:00 +0000 UTC not in [2024-01-01 00:00:00 +0000 UTC,2024-12-31 23:59:59 +0000 UTC]",
		},
		{"last time", bigen.Check(range2024, utc("2024-12-31T23:59:59Z")), ""},
		{
			"after the last time", bigen.Check(range2024, utc("2024-12-31T23:59:59.000000001Z")),
			"not in",
		},
		{"least duration", bigen.Check(bigen.Duration(), math.MinInt64), ""},
		{"zero Addr", bigen.Check(bigen.Addr(), netip.Addr{}), "invalid IP is not an IP"},
		{
			"long zone", bigen.Check(bigen.Addr(), netip.MustParseAddr("::1%12345678901234567")),
			"at /zoned/Zone: 17 runes, more than 16",
		},
		{"zero Prefix", bigen.Check(bigen.Prefix(), netip.Prefix{}), "is not a valid prefix"},
		{
			"big", bigen.Check(bigen.BigInt(100), new(big.Int).Lsh(big.NewInt(1), 100)),
			"101 bits, more than 100",
		},
		{"nil", bigen.Check(bigen.BigInt(100), nil), "is nil"},
		{"long", bigen.Check(bigen.BigInt(1<<20), new(big.Int).Lsh(big.NewInt(-3), 1<<20-2)), ""},
		{
			"none of few", bigen.Check(bigen.OneOf(1, 2), 3),
			"none of the alternatives 1, 2 makes it",
		},
		{
			"none of many", bigen.Check(bigen.OneOf(manyWords()...), "word"),
			`"word" is none of the 1000 values`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.want == "" {
				require.NoError(t, tt.err)
				return
			}
			require.ErrorIs(t, tt.err, bigen.ErrNotProduced)
			require.Contains(t, tt.err.Error(), tt.want)
		})
	}
}

func TestMisuseOfNumbers(t *testing.T) {
	tests := []struct {
		name string
		f    func()
		want string
	}{
		{
			"empty float range", func() { bigen.FloatRange(2.5, 1) },
			"bigen.FloatRange: no finite float from 2.5 to 1",
		},
		{
			"infinite float range", func() { bigen.FloatRange(math.Inf(1), math.Inf(1)) },
			"bigen.FloatRange: no finite float from +Inf to +Inf",
		},
		{
			"zeros", func() { bigen.FloatRange(0, math.Copysign(0, -1)) },
			"bigen.FloatRange: no finite float from 0 to -0",
		},
		{"NaN", func() { bigen.FloatRange(math.NaN(), 1) }, "bigen.FloatRange: a bound is NaN"},
		{
			"empty time range", func() { bigen.Time(lastDay, yearOne) },
			"bigen.Time: 9999-12-31 23:59:59.999999999 +0000 UTC is after 0001-01-01 00:00:00 +0000 UTC",
		},
		{
			"far time", func() { bigen.Time(yearOne, time.Unix(1<<55, 0)) },
			"bigen.Time: the year of 1141709097-06-13 06:26:08 +0000 UTC has more than nine digits",
		},
		{"bits", func() { bigen.BigInt(-1) }, "bigen.BigInt: -1 bits, want 0 to 1<<20"},
		{"no values", func() { bigen.OneOf[int]() }, "bigen.OneOf: no values"},
		{
			"favored", func() { bigen.Sample(bigen.Favor(bigen.IntRange(0, 9), 3, 10), rng(1)) },
			"bigen.Favor: 10: not produced by the generator: at /: 10 not in [0,9]",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.PanicsWithValue(t, tt.want, tt.f) })
	}
}

// Answers of any kind give a value.
func TestAnySourceGivesANumber(t *testing.T) {
	tests := map[string]func(t *testing.T){
		"Int":        func(t *testing.T) { madeBy(t, bigen.Int[int8](), wrong{}) },
		"Float":      func(t *testing.T) { madeBy(t, bigen.Float[float32](bigen.NoNaN), wrong{}) },
		"FloatRange": func(t *testing.T) { madeBy(t, bigen.FloatRange(0.1, 0.2), wrong{}) },
		"Duration":   func(t *testing.T) { madeBy(t, bigen.Duration(), wrong{}) },
		"Time":       func(t *testing.T) { madeBy(t, bigen.Time(yearOne, lastDay), wrong{}) },
		"Addr":       func(t *testing.T) { madeBy(t, bigen.Addr(), wrong{}) },
		"Prefix":     func(t *testing.T) { madeBy(t, bigen.Prefix(), wrong{}) },
		"BigInt":     func(t *testing.T) { madeBy(t, bigen.BigInt(1000), wrong{}) },
		"OneOf":      func(t *testing.T) { madeBy(t, bigen.OneOf(manyWords()...), wrong{}) },
		"Favor": func(t *testing.T) {
			madeBy(t, bigen.Favor(bigen.IntRange(0, 9), 5), wrong{})
		},
	}
	for name, f := range tests {
		t.Run(name, f)
	}
}

// madeBy checks the value that a source makes.
func madeBy[A any](t *testing.T, g bigen.Gen[A], src choices.Source) {
	v, _, err := bigen.Run(g, src)
	require.NoError(t, err)
	checkValue(t, g, v, always)
}

// Where a value has become too large, numbers have their simplest value.
func TestLimitsOfNumbers(t *testing.T) {
	type all struct {
		F float64
		R float32
		C complex64
		D time.Duration
		T time.Time
		A netip.Addr
		P netip.Prefix
		B *big.Int
		O string
		V int
	}
	g := bigen.Struct(func(c *bigen.C, v *all) {
		bigen.At(c, &v.F, bigen.Float[float64](bigen.NoNaN))
		bigen.At(c, &v.R, bigen.FloatRange[float32](0.25, 0.5))
		bigen.At(c, &v.C, bigen.Complex[complex64](bigen.NoNaN))
		bigen.At(c, &v.D, bigen.Duration())
		bigen.At(c, &v.T, bigen.Time(utc("2024-06-01T12:00:00Z"), lastDay))
		bigen.At(c, &v.A, bigen.Addr())
		bigen.At(c, &v.P, bigen.Prefix())
		bigen.At(c, &v.B, bigen.BigInt(200))
		bigen.At(c, &v.O, bigen.OneOf(manyWords()...))
		bigen.At(c, &v.V, bigen.Favor(bigen.IntRange(5, 10), 7))
	})
	type padded struct {
		Pad []int
		Odd bool
		All all
	}
	rooms := []int{0, 1, 2, 3, 4, 5, 6, 8, 11, 15, 20, 26, 33} // choices left for the numbers
	if !long.Enabled() {
		rooms = []int{0, 8}
	}
	for _, room := range rooms {
		g := bigen.Struct(func(c *bigen.C, v *padded) {
			n := (1<<16 - room) / 2 // elements, of two choices
			bigen.At(c, &v.Pad, bigen.SliceOf(bigen.IntRange(0, 1), n, n))
			if room%2 == 1 {
				bigen.At(c, &v.Odd, bigen.Bool())
			}
			bigen.At(c, &v.All, g)
		})
		v, tree, err := bigen.Run(g, choices.Random(rng(uint64(room))))
		require.NoError(t, err)
		if room == 0 {
			require.Equal(t, all{
				R: 0.3, T: utc("2024-06-01T12:00:00Z"), A: netip.IPv4Unspecified(),
				P: netip.MustParsePrefix("0.0.0.0/0"), B: new(big.Int), O: "word0", V: 5,
			}, v.All)
		}
		again, same, err := bigen.Run(g, choices.Replay(tree, nil))
		require.NoError(t, err)
		require.Equal(t, tree, same)
		require.Equal(t, v, again)
		back, err := bigen.Choices(g, v)
		require.NoError(t, err)
		again, _, err = bigen.Run(g, choices.Replay(back, nil))
		require.NoError(t, err)
		require.Equal(t, v, again)
	}
}
