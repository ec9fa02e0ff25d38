package user

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
	"golang.org/x/exp/slices"
)

func TestWeakSize(t *testing.T) {
	fuzzext.Check(t, genList, func(t *fuzzext.T, v []int) { t.Assume(len(v) <= 2) })
}

var genKind = bigen.Pick(bigen.Tag("red", bigen.Just(1)), bigen.Tag("green", bigen.IntRange(2, 100)), bigen.Tag("blue", bigen.Just(101)))

func TestWeakTag(t *testing.T) {
	fuzzext.Check(t, bigen.SliceOf(genKind, 0, 9), func(t *fuzzext.T, v []int) { t.Assume(!slices.Contains(v, 101)) })
}

func TestWeakFew(t *testing.T) {
	fuzzext.Check(t, bigen.IntRange(1, 100_000), func(t *fuzzext.T, n int) { t.Assume(n%97 == 5) })
}

func TestWeakNot(t *testing.T) {
	fuzzext.Check(t, genList, func(t *fuzzext.T, v []int) { t.Assume(slices.IsSorted(v)) })
}
