package bigen_test

import (
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/espalier-go/espalier/mutate"
	"github.com/stretchr/testify/require"
)

// minimum says what the values that fail come down to.
type minimum struct {
	name string
	find func(t *testing.T) map[string]bool
	want []string // one of them, as package fmt prints it
}

// least finds, from random values that fail, what they come down to.
func least[A any](name string, g bigen.Gen[A], fails func(A) bool, want ...string) minimum {
	return minimum{name, func(t *testing.T) map[string]bool {
		r, found := rng(11), map[string]bool{}
		remake := func(t choices.Tree) (A, choices.Tree, error) {
			return bigen.Run(g, choices.Replay(t, nil))
		}
		for n, runs := 0, long.Count(2, 50); n < runs; {
			v, tree, err := bigen.Run(g, choices.Random(r))
			require.NoError(t, err)
			if !fails(v) {
				continue
			}
			n++
			simplest, _, _ := mutate.Minimize(tree, remake, fails, 5000)
			v, _, err = remake(simplest)
			require.NoError(t, err)
			require.True(t, fails(v))
			found[fmt.Sprint(v)] = true
		}
		return found
	}, want}
}

func above(n *big.Int) func(*big.Int) bool { return func(m *big.Int) bool { return m.Cmp(n) > 0 } }

func TestMinimum(t *testing.T) {
	float, times := bigen.Float[float64](), bigen.Time(yearOne, lastDay)
	tenTo30 := new(big.Int).Exp(big.NewInt(10), big.NewInt(30), nil)
	tests := []minimum{
		least("Int/far", bigen.Int[int](), func(n int) bool { return n > 31 || n < -31 }, "32"),
		least("Int/negative", bigen.Int[int](), func(n int) bool { return n < -77 }, "-78"),
		least("Int/unsigned", bigen.Int[uint8](), func(n uint8) bool { return n+100 < 100 }, "156"),

		least("Float/any", float, always[float64], "0"),
		least("Float/above", float, func(f float64) bool { return f >= 1000.5 }, "1001"),
		least("Float/below", float, func(f float64) bool { return f < -0.1 }, "-1"),
		least("Float/fraction", float, func(f float64) bool { return f != math.Floor(f) }, "0.1"),
		least(
			"Float/between", float, func(f float64) bool { return 1000 < f && f < 2000 }, "1001",
			"1000.1", "1000.001",
		),
		least(
			"Float/between fractions", float, func(f float64) bool { return 0.1 < f && f < 0.4 },
			"0.2", "0.101", "0.25",
		),
		least(
			"Float/small", float, func(f float64) bool { return 0 < f && f < 1e-5 },
			"7.62939453125e-06", "3.814697265625e-06",
		),
		least(
			"Float/absorbs 1", float, func(f float64) bool { return f+1 == f },
			"9.007199254740992e+15",
		),
		least(
			"Float/NaN", bits64(float), func(b uint64) bool { return b<<1 > 0x7FF<<53 },
			fmt.Sprint(uint64(0x7FF8<<48)),
		),
		least(
			"Float/32 bits", bigen.Float[float32](), func(f float32) bool { return f > 1000.5 },
			"1001",
		),
		least(
			"FloatRange", bigen.FloatRange(0.25, 0.9), func(f float64) bool { return f > 0.7 },
			"0.8",
		),
		least("FloatRange/simplest", bigen.FloatRange(-0.2, -0.1), always[float64], "-0.1"),

		least(
			"Duration", bigen.Duration(),
			func(d time.Duration) bool { return d > 1500*time.Millisecond }, "2s", "1m0s", "1h0m0s",
		),
		least(
			"Duration/short", bigen.Duration(),
			func(d time.Duration) bool { return 1500*time.Microsecond < d && d < time.Second },
			"2ms", "1.501ms", "1.500001ms",
		),
		least("Time/any", times, always[time.Time], "2000-01-01 00:00:00 +0000 UTC"),
		least(
			"Time/after", times, utc("2024-05-17T13:45:12Z").Before,
			"2025-01-01 00:00:00 +0000 UTC",
		),
		least(
			"Time/before", times, utc("1970-01-01T00:00:00Z").After,
			"1969-01-01 00:00:00 +0000 UTC",
		),
		least(
			"Time/leap day", times,
			func(t time.Time) bool { return t.Month() == 2 && t.Day() == 29 },
			"2000-02-29 00:00:00 +0000 UTC",
		),
		least(
			"Time/hour", times, func(t time.Time) bool { return t.Hour() == 3 && t.Minute() > 30 },
			"2000-01-01 03:31:00 +0000 UTC",
		),

		least("Addr/any", bigen.Addr(), always[netip.Addr], "0.0.0.0"),
		least(
			"Addr/private", bigen.Addr(), netip.Addr.IsPrivate, "10.0.0.0", "172.16.0.0",
			"192.168.0.0", "fc00::",
		),
		least("Addr/zone", bigen.Addr(), func(a netip.Addr) bool { return a.Zone() != "" }, "::%a"),
		least(
			"Prefix", bigen.Prefix(), func(p netip.Prefix) bool { return p.Bits() > 8 },
			"0.0.0.0/9",
		),

		least("BigInt", bigen.BigInt(500), above(big.NewInt(1000)), "1001", "1024"),
		least(
			"BigInt/large", bigen.BigInt(500),
			func(n *big.Int) bool { return n.BitLen() > 70 && n.Sign() < 0 },
			"-"+new(big.Int).Lsh(big.NewInt(1), 70).String(),
		),
		least(
			"BigInt/huge", bigen.BigInt(500),
			func(n *big.Int) bool { return above(tenTo30)(n) && n.TrailingZeroBits() >= 100 },
			new(big.Int).Lsh(big.NewInt(1), 100).String(),
			new(big.Int).Lsh(big.NewInt(1), 128).String(),
		),

		least("OneOf", bigen.OneOf("a", "b", "c"), always[string], "a"),
		least(
			"OneOf/many", bigen.OneOf(manyWords()...), func(s string) bool { return len(s) > 5 },
			"word10",
		),
		least(
			"Favor", bigen.Favor(bigen.IntRange(0, 1<<30), 123456789),
			func(n int) bool { return n > 1000 }, "1001",
		),
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for v := range tt.find(t) {
				require.Contains(t, tt.want, v)
			}
		})
	}
}
