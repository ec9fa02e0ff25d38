package sizeclass_test

import (
	"math"
	"testing"

	"github.com/espalier-go/espalier/internal/sizeclass"
	"github.com/espalier-go/espalier/internal/testing/require"
)

func TestOf(t *testing.T) {
	last := 0
	for size := range 1 << 16 {
		class := sizeclass.Of(size)
		require.True(t, class == last || class == last+1, size)
		last = class
	}
	var classes []int
	for size := range 13 {
		classes = append(classes, sizeclass.Of(size))
	}
	require.Equal(t, []int{0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7}, classes)
	require.Less(t, sizeclass.Of(math.MaxInt), sizeclass.Count)
}
