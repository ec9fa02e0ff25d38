package bigen_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/stretchr/testify/require"
)

func TestGenString(t *testing.T) {
	tests := []struct {
		gen  any
		want string
	}{
		{bigen.IntRange(-3, 9), "bigen.Gen[int](int, -3 to 9)"},
		{
			bigen.IntRange[uint64](0, math.MaxUint64),
			"bigen.Gen[uint64](int, 0 to 18446744073709551615)",
		},
		{bigen.SliceOf(bigen.Bool(), 2, 5), "bigen.Gen[[]bool](slice, 2 to 5)"},
		{
			bigen.MapOf(bigen.Int[int](), bigen.Bool(), 1, math.MaxInt),
			"bigen.Gen[map[int]bool](map, 1 or more)",
		},
		{bigen.Bool(), "bigen.Gen[bool](pick of false, true)"},
		{bigen.OneOf("a", "b c", "\xff"), `bigen.Gen[string](pick of a, "b c", "\xff")`},
		{
			genTags(20),
			"bigen.Gen[int](pick of tag0, tag1, tag2, tag3, tag4, tag5, tag6, tag7, ...)",
		},
		{bsttest.Gen(0, 9), "bigen.Gen[*bsttest.Tree](pick of leaf, node)"},
		{genSpan, "bigen.Gen[bigen_test.span](struct)"},
		{bigen.For[tagged](variants), "bigen.Gen[bigen_test.tagged](derived)"},
		{bigen.Gen[error]{}, "bigen.Gen[error](zero: a variable that has no generator yet?)"},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, fmt.Sprint(tt.gen))
	}
}

// A path is text, whatever the tags.
func TestPathIsText(t *testing.T) {
	g := bigen.Pick(
		bigen.Tag("\xff", bigen.SliceOf(bigen.IntRange(0, 1), 0, 2)),
		bigen.Tag("none", bigen.Just([]int{})),
	)
	require.EqualError(
		t, bigen.Check(g, []int{5}), `not produced by the generator: at /"\xff"/0: 5 not in [0,1]`,
	)
}
