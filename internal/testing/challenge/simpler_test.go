package challenge

import (
	"slices"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/stretchr/testify/require"
)

func TestSimpler(t *testing.T) {
	list := bigen.SliceOf(bigen.IntRange(-100, 100), 0, 9)
	for _, test := range []struct {
		fails   func([]int) bool
		v       []int
		simpler string
	}{
		{func(v []int) bool { return len(v) > 1 }, []int{0, 0, 0}, "[0 0]"},
		{func(v []int) bool { return len(v) > 1 }, []int{0, 0}, ""},
		{func(v []int) bool { return slices.Contains(v, 7) }, []int{7, 3}, "[7]"},
		{func(v []int) bool { return len(v) > 0 && v[0] >= 7 }, []int{8}, "[7]"},
		{func(v []int) bool { return len(v) > 0 && v[0] >= 7 }, []int{70}, "[35]"},
		{func(v []int) bool { return len(v) == 2 && v[0]*v[1] == 36 }, []int{4, 9}, "[3 12]"},
		{func(v []int) bool { return len(v) == 2 && v[0]*v[1] == 36 }, []int{1, 36}, ""},
		{func(v []int) bool { return len(v) == 2 && v[0]+v[1] > 90 }, []int{50, 41}, "[0 91]"},
		{func(v []int) bool { return len(v) == 2 && v[0]*v[1] > 900 }, []int{43, 21}, "[21 43]"},
	} {
		tree, err := bigen.Choices(list, test.v)
		require.NoError(t, err)
		require.Equal(t, test.simpler, simpler(list, tree, test.fails), "%v", test.v)
	}

	text := bigen.String(9)
	tree, err := bigen.Choices(text, "x<b")
	require.NoError(t, err)
	require.Equal(t, "<b", simpler(text, tree, func(s string) bool { return strings.Contains(s, "<") }))
}
