package archive_test

import (
	"math"
	"testing"

	"github.com/espalier-go/espalier/internal/archive"
	"github.com/stretchr/testify/require"
)

func TestClassOf(t *testing.T) {
	last := 0
	for size := range 1 << 16 {
		class := archive.ClassOf(size)
		require.True(t, class == last || class == last+1, size)
		last = class
	}
	var classes []int
	for size := range 13 {
		classes = append(classes, archive.ClassOf(size))
	}
	require.Equal(t, []int{0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 7}, classes)
	require.Less(t, archive.ClassOf(math.MaxInt), archive.Classes)
}
