package bias_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/bias"
	"github.com/espalier-go/espalier/choices/internal/subjects"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/stretchr/testify/require"
)

func TestFrequencies(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		tree choices.Tree
		want string
	}{
		{"none", nil, ""},
		{
			"paper",
			subjects.TreeOf(t, bsttest.Gen(-10, 10), &bsttest.Tree{X: 5, L: &bsttest.Tree{X: 4}}),
			"2 leaf\n2 node\n1 4\n1 5\n",
		},
		{
			"forced", subjects.TreeOf(t, bigen.SliceOf(bigen.IntRange(7, 7), 1, 3), []int{7, 7}),
			"2 7\n1 more\n1 stop\n",
		},
		{"kinds apart", choices.Tree{
			{Tag: "5", Hi: 1, Size: 1},
			{Kind: choices.Text, Tag: "5", Size: 1},
			{Kind: choices.Int, N: 5, Size: 1},
			{Kind: choices.Uint, N: 5, Size: 1},
			{Kind: choices.Uint, N: -1, Size: 1},
			{Kind: choices.Int, N: -1, Size: 1},
			{Kind: choices.Int, N: -1, Lo: -9, Hi: 3, Size: 1},
		}, "2 -1\n1 \"5\"\n1 \"5\"\n1 18446744073709551615\n1 5\n1 5\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := bias.Frequencies{}
			f.Add(tt.tree)
			require.Equal(t, tt.want, f.String())
		})
	}
}

func TestFrequenciesOfSuite(t *testing.T) {
	t.Parallel()
	r := subjects.Rand(1)
	total := bias.Frequencies{}
	for i := range 20 {
		total.Add(subjects.TreeOf(t, bsttest.Gen(0, 99), bsttest.Random(r, 10+i, 0, 99)))
	}
	n := 0
	for _, m := range total.Marks() {
		if m.Kind == choices.Int {
			n += total[m]
		}
	}
	require.Equal(t, total[choices.Mark{Tag: "node"}], n, "each node has an integer")
	for i, m := range total.Marks()[1:] {
		require.GreaterOrEqual(t, total[total.Marks()[i]], total[m])
	}
}
