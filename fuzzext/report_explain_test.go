package fuzzext

import (
	"fmt"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext/internal/explain"
	"github.com/espalier-go/espalier/internal/literal"
	"github.com/stretchr/testify/require"
)

type purchase struct {
	Item   string
	Count  int
	Gift   bool
	Prices []int
	Length int // of Prices
}

var genOrder = bigen.Struct(func(c *bigen.C, o *purchase) {
	bigen.At(c, &o.Item, bigen.String(10))
	bigen.At(c, &o.Count, bigen.IntRange(0, 100))
	bigen.At(c, &o.Gift, bigen.Bool())
	bigen.At(c, &o.Length, bigen.IntRange(0, 3))
	bigen.At(c, &o.Prices, bigen.SliceOf(bigen.IntRange(0, 100), o.Length, o.Length))
})

// A part is marked if all other values that were tried there fail in the same place, and the
// text says how many those were.
func TestExplain(t *testing.T) {
	const all20, all1 = "any value fails (20 of 20 tried)", "any value fails (1 of 1 tried)"
	tests := []struct {
		name   string
		value  purchase
		prop   func(t *T, o purchase)
		marks  literal.Marks
		passes string
	}{
		{"one field", purchase{Count: 10}, func(t *T, o purchase) {
			if o.Count >= 10 {
				t.Error()
			}
		}, literal.Marks{"Item": all20, "Gift": all1}, "Count: 9"},
		{"two fields", purchase{Count: 10, Gift: true}, func(t *T, o purchase) {
			if o.Count >= 10 && o.Gift {
				t.Error()
			}
		}, literal.Marks{"Item": all20}, "Count: 9"},
		{"an element", purchase{Length: 2, Prices: []int{0, 50}}, func(t *T, o purchase) {
			if o.Length == 2 && o.Prices[1] >= 50 {
				t.Error()
			}
		}, literal.Marks{"Item": all20, "Count": all20, "Gift": all1, "Prices[0]": all20},
			"Prices[1]: 49"},
		{"another place", purchase{}, func(t *T, o purchase) {
			if o.Gift {
				t.Class("gift") // in this package, all places are the same
			}
			t.Error()
		}, literal.Marks{"Item": all20, "Count": all20}, ""},
		{"an invalid value is none", purchase{}, func(t *T, o purchase) {
			t.Assume(o.Item == "" && o.Count <= 2)
			t.Error()
		}, literal.Marks{"Count": all1, "Gift": all1}, ""},
		{"the property changes the value", purchase{Length: 1, Prices: []int{50}},
			func(t *T, o purchase) {
				failed := o.Length == 1 && o.Prices[0] >= 50
				for i := range o.Prices {
					o.Prices[i] = -1
				}
				if failed {
					t.Error()
				}
			}, literal.Marks{"Item": all20, "Count": all20, "Gift": all1}, "Prices[0]: 49"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := explained(t, genOrder, tt.value, tt.prop)
			require.Equal(t, tt.marks, got.Marks)
			require.Equal(t, tt.passes, got.Passes)
			require.Equal(t, got, explained(t, genOrder, tt.value, tt.prop), "it is deterministic")
		})
	}
}

// What is said of a part holds for all values of it, if there are few.
func TestExplainIsExact(t *testing.T) {
	gen := bigen.ArrayOf[[4]int](bigen.IntRange(0, 3))
	for mask := range 16 {
		t.Run(fmt.Sprintf("%04b", mask), func(t *testing.T) {
			prop := func(t *T, v [4]int) {
				for i, n := range v {
					if mask>>i&1 == 1 && n < 2 {
						return
					}
				}
				t.Error()
			}
			value, want := [4]int{}, literal.Marks{}
			for i := range value {
				if mask>>i&1 == 1 {
					value[i] = 2
				} else {
					want[fmt.Sprintf("[%d]", i)] = "any value fails (3 of 3 tried)"
				}
			}
			got := explained(t, gen, value, prop)
			require.Equal(t, want, got.Marks)
			require.Equal(t, mask != 0, got.Passes != "")
		})
	}
}

// A part that several choices make is not marked if one of them matters.
func TestExplainPartOfTwoChoices(t *testing.T) {
	type two struct{ A, B int }
	gen := bigen.Iso(bigen.Struct(func(c *bigen.C, v *two) {
		bigen.At(c, &v.A, bigen.IntRange(0, 100))
		bigen.At(c, &v.B, bigen.IntRange(0, 100))
	}), func(v two) string { return fmt.Sprint(v.A, "-", v.B) }, func(s string) (v two, ok bool) {
		_, err := fmt.Sscanf(s, "%d-%d", &v.A, &v.B)
		return v, err == nil
	})
	require.Empty(t, explained(t, gen, "10-0", func(t *T, s string) {
		if len(s) >= 4 {
			t.Error()
		}
	}).Marks)
}

// All parts get the same share of the runs. If there are too many, the parts that are tried are
// spread over the value, and the report says how many are not.
func TestExplainIsBounded(t *testing.T) {
	runs := 0
	fails := func(t *T, _ []int) {
		runs++
		t.Error()
	}
	bounded := func(n int) explain.Explanation {
		return explained(t, bigen.SliceOf(bigen.IntRange(0, 12), n, n), make([]int, n), fails)
	}
	got := bounded(30)
	require.Equal(t, 1+200, runs)
	require.Len(t, got.Marks, 30)
	require.Equal(t, "any value fails (7 of 7 tried)", got.Marks["[0]"])
	require.Equal(t, "any value fails (6 of 6 tried)", got.Marks["[29]"])
	require.Empty(t, got.Left)

	got = bounded(400)
	require.Len(t, got.Marks, 50/5)
	require.Contains(t, got.Marks, "[360]")
	require.Equal(t, "390 of its 400 choices", got.Left)
	require.Empty(t, bounded(16).Left)
}

// What is last in a value is explained as well as what is first.
func TestExplainIsFair(t *testing.T) {
	got := explained(t, bigen.ArrayOf[[20]int](bigen.IntRange(0, 99)), [20]int{19: 50},
		func(t *T, v [20]int) {
			if v[19] >= 50 {
				t.Error()
			}
		})
	require.Equal(t, "[19]: 49", got.Passes)
	require.Len(t, got.Marks, 19)
}

// explained returns the explanation of a value that fails.
func explained[V any](t *testing.T, gen bigen.Gen[V], v V, prop func(*T, V)) explain.Explanation {
	t.Helper()
	r := newSpec("Check", 1, subjectOf(gen, prop), nil)
	tr := newTrial(r, home{}, t)
	defer tr.end()
	tree, err := bigen.Choices(gen, v)
	require.NoError(t, err)
	again, _, err := r.remake(tree) // the property may change it
	require.NoError(t, err)
	first := tr.run(again, tr.hangAt, minimizing)
	require.True(t, first.Failed())
	return tr.explain(tree, first.className(), time.Hour)
}
