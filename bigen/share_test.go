package bigen_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

const (
	exactShare = iota
	boundedShare
	sampledShare
)

// requireShare requires that the share is found, as precisely as a kind says.
func requireShare[A any](
	t *testing.T, want float64, kind int, width float64, g bigen.Gen[A], ok func(A) bool, n int,
) {
	t.Helper()
	p := bigen.Share(g, ok, n)
	require.Equal(t, kind == exactShare, p.Exact, "%v", p)
	require.Equal(t, kind == sampledShare, p.Sampled, "%v", p)
	require.LessOrEqual(t, p.Lo, want+1e-12)
	require.GreaterOrEqual(t, p.Hi, want-1e-12)
	require.LessOrEqual(t, p.Hi-p.Lo, width, "%v", p)
	require.Equal(t, p, bigen.Share(g, ok, n), "again")
}

func TestShare(t *testing.T) {
	even := func(n int) bool { return n%2 == 0 }
	all := func(v []bool) bool {
		for _, b := range v {
			if !b {
				return false
			}
		}
		return true
	}
	requireShare(t, 0.6, exactShare, 0, bigen.IntRange(-2, 2), even, 100)
	requireShare(t, 1, exactShare, 0, bigen.Just(3), func(int) bool { return true }, 1)
	requireShare(t, 0, exactShare, 0, bigen.Bool(), func(bool) bool { return false }, 2)

	// Values that are made in two ways, with weights.
	twice := bigen.Pick(
		bigen.Tag("one", bigen.Just(1)), bigen.Tag("both", bigen.IntRange(0, 1)).Weight(3),
	)
	requireShare(t, 1./4+3./8, exactShare, 0, twice, func(n int) bool { return n == 1 }, 9)
	never := bigen.Pick(bigen.Tag("a", bigen.Just(1)), bigen.Tag("b", bigen.Just(2)).Weight(0))
	requireShare(t, 0, exactShare, 0, never, func(n int) bool { return n == 2 }, 9)

	// Of infinitely many values: a list ends with probability 1/9 before each element.
	lists := bigen.SliceOf(bigen.Bool(), 0, math.MaxInt)
	requireShare(t, (1./9)/(1-4./9), boundedShare, 0.7, lists, all, 8)
	requireShare(t, (1./9)/(1-4./9), sampledShare, 0.08, lists, all, 2000)
	requireShare(
		t, 1./9, sampledShare, 0.06, lists, func(v []bool) bool { return len(v) == 0 }, 2000,
	)
	units := bigen.SliceOf(bigen.Just(1), 0, math.MaxInt)
	requireShare(
		t, math.Pow(8./9, 10), boundedShare, 1e-8, units,
		func(v []int) bool { return len(v) >= 10 }, 160,
	)
	requireShare(
		t, math.Pow(8./9, 10), exactShare, 0, units, func(v []int) bool { return len(v) >= 10 },
		1000,
	)

	// A search tree is a leaf in one of six cases, and a node without children in 5/6 of
	// the square of that, except where its bounds leave no room.
	requireShare(
		t, 1./6, exactShare, 0, bsttest.Gen(0, 3), func(v *bsttest.Tree) bool { return v == nil },
		1000,
	)

	// Filters make probabilities inexact.
	low := bigen.SuchThat(bigen.IntRange(0, 9), even)
	requireShare(t, 0.6, sampledShare, 0.12, low, func(n int) bool { return n < 5 }, 2000)
	distinct := bigen.Distinct(bigen.IntRange(0, 2), 2, 2)
	requireShare(
		t, 1./3, sampledShare, 0.12, distinct, func(v []int) bool { return v[0]+v[1] == 2 }, 2000,
	)

	require.Panics(t, func() { bigen.Share(bigen.Bool(), func(bool) bool { return true }, 0) })
	nothing := bigen.SuchThat(bigen.Bool(), func(bool) bool { return false })
	require.Panics(t, func() { bigen.Share(nothing, func(bool) bool { return true }, 10) })
}

// A sampled interval has the share in it, whatever the share is.
func TestShareSampled(t *testing.T) {
	bits := bigen.ArrayOf[[20]bool](bigen.Bool())
	number := func(v [20]bool) (n int) {
		for i := range v {
			if v[i] {
				n |= 1 << i
			}
		}
		return n
	}
	for i := range long.Count(2, 50) {
		below := (1 << 20) * i / 300
		requireShare(
			t, float64(below)/(1<<20), sampledShare, 0.3, bits,
			func(v [20]bool) bool { return number(v) < below }, 400,
		)
	}
}

func ExampleShare() {
	g := bigen.SliceOf(bigen.IntRange(1, 6), 2, 3)
	sum := func(v []int) (n int) {
		for _, x := range v {
			n += x
		}
		return n
	}
	fmt.Println(bigen.Share(g, func(v []int) bool { return sum(v) >= 10 }, 1000))
	fmt.Println(bigen.Share(bigen.String(100), func(s string) bool { return len(s) > 10 }, 1000))
	// Output:
	// 0.3958
	// 0.236 to 0.3784 (sampled)
}
