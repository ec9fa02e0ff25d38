package tune_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/espalier-go/espalier/choices"
)

// enumerated returns up to 2000 values within a model, with their sizes.
func enumerated[A any](t *testing.T, m *tune.Model, g bigen.Gen[A]) map[string]int {
	t.Helper()
	all := map[string]int{}
	size, n := 0, 0
	for s, v := range tune.Enumerate(m, g) {
		require.GreaterOrEqual(t, s, size)
		key := fmt.Sprintf("%#v", shown(v))
		require.NotContains(t, all, key, "twice")
		all[key], size = s, s
		if n++; n == 2000 {
			break
		}
	}
	return all
}

func shown(v any) any {
	if x, ok := v.(*tree); ok {
		return x.text()
	}
	return v
}

func (t *tree) text() string {
	if t == nil {
		return "."
	}
	return fmt.Sprintf("(%s%d%s)", t.Left.text(), t.Key, t.Right.text())
}

// The values within a model are those that it makes at random, no more and no less.
func TestEnumerate(t *testing.T) {
	t.Parallel()
	depth := func(levels int) *tune.Table {
		table := &tune.Table{Given: []tune.Given{{Feature: tune.Depth, Width: 1, Cells: levels + 1}}, N: 2, Rest: []float64{1, 0}, Rows: map[int][]float64{}}
		for i := range levels {
			table.Rows[i] = []float64{.5, .5}
		}
		return table
	}
	shallow := tune.New()
	for _, p := range tune.Inspect(genTree, rng(1), 200, 1, 1000).Points {
		switch p.Kind {
		case choices.Pick:
			shallow.Set(p.Point, depth(2))
		default:
			shallow.Set(p.Point, tune.Truncated{Sampler: tune.Geometric{P: .5}, Lo: 3, Hi: 4})
		}
	}
	all := enumerated(t, shallow, genTree)
	// A tree of one level has 2 keys; of two levels, each of the 3 subtrees on either side.
	require.Len(t, all, 1+2*3*3)
	r, seen := rng(5), map[string]bool{}
	for range 2000 {
		v, err := tune.Sample(shallow, genTree, r)
		require.NoError(t, err)
		key := fmt.Sprintf("%#v", v.text())
		require.Contains(t, all, key)
		seen[key] = true
	}
	require.Len(t, seen, len(all))

	ints := bigen.ArrayOf[[2]int](bigen.IntRange(-4, 5))
	parts, one := tune.New(), tune.New()
	for _, p := range tune.Inspect(ints, rng(1), 10, 1, 1000).Points {
		parts.Set(p.Point, tune.Histogram{0, 1, 0, 1, 0}) // -2, -1, 2 and 3
		one.Set(p.Point, tune.Histogram{0, 0, 0, 0, 0, 0, 1, 0, 0, 0})
	}
	require.Len(t, enumerated(t, parts, ints), 16)
	require.Equal(t, map[string]int{"[2]int{2, 2}": 0}, enumerated(t, one, ints))

	free := enumerated(t, tune.New(), bigen.SliceOf(bigen.Bool(), 0, 4))
	require.Len(t, free, 1+2+4+8+16)

	odd := bigen.SuchThat(bigen.IntRange(0, 9), func(n int) bool { return n%2 == 1 })
	few := tune.New()
	few.Set(point(t, odd, "an integer"), tune.Histogram{1, 1, 1, 1, 0, 0, 0, 0, 0, 0})
	require.Len(t, enumerated(t, few, odd), 2)
}
