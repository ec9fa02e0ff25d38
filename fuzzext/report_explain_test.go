package fuzzext

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/internal/literal"
)

type order struct {
	Item   string
	Count  int
	Gift   bool
	Prices []int
	Length int // of Prices
}

var genOrder = bigen.Struct(func(c *bigen.C, o *order) {
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
	runs := 0
	tests := []struct {
		name   string
		value  order
		prop   func(t *T, o order)
		marks  literal.Marks
		passes string
	}{
		{"one field", order{Count: 10}, func(t *T, o order) {
			if o.Count >= 10 {
				t.Error()
			}
		}, literal.Marks{"Item": all20, "Gift": all1, "Length": "", "Prices": ""}, "Count: 9"},
		{"two fields", order{Count: 10, Gift: true}, func(t *T, o order) {
			if o.Count >= 10 && o.Gift {
				t.Error()
			}
		}, literal.Marks{"Item": all20}, "Count: 9"},
		{"an element", order{Length: 2, Prices: []int{0, 50}}, func(t *T, o order) {
			if o.Length == 2 && o.Prices[1] >= 50 {
				t.Error()
			}
		}, literal.Marks{"Item": all20, "Count": all20, "Gift": all1, "Prices[0]": all20}, "Prices[1]: 49"},
		{"another place", order{}, func(t *T, o order) {
			if o.Gift {
				t.Error("gift")
			} else {
				t.Error("no gift")
			}
		}, literal.Marks{"Item": all20, "Count": all20}, ""},
		{"an invalid value is none", order{}, func(t *T, o order) {
			t.Assume(o.Item == "" && o.Count <= 2)
			t.Error()
		}, literal.Marks{"Count": all1, "Gift": all1}, ""},
		{"not more runs than that", order{}, func(t *T, o order) {
			runs++
			t.Error()
		}, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newSpec("Check", 1, genOrder, tt.prop, nil)
			s := newTrial(t)
			defer s.end()
			tree, err := bigen.Choices(genOrder, tt.value)
			require.NoError(t, err)
			first := r.run(s, tt.value, s.hangAt, minimizing)
			require.True(t, first.Failed())
			got := r.explain(s, minimized{tree: tree, run: first})
			for path, want := range tt.marks {
				require.Equal(t, want, got.marks[path], path)
			}
			require.Equal(t, tt.passes, got.passes)
			require.Equal(t, got, r.explain(s, minimized{tree: tree, run: first}), "it is deterministic")
		})
	}
	require.LessOrEqual(t, runs, 2*maxExplain+1)
}

// What is said of a part holds for all values of it, if there are few.
func TestExplainIsExact(t *testing.T) {
	gen := bigen.ArrayOf[[4]int](bigen.IntRange(0, 3))
	for mask := range 16 {
		t.Run(fmt.Sprintf("%04b", mask), func(t *testing.T) {
			r := newSpec("Check", 1, gen, func(t *T, v [4]int) {
				for i, n := range v {
					if mask>>i&1 == 1 && n < 2 {
						return
					}
				}
				t.Error()
			}, nil)
			s := newTrial(t)
			defer s.end()
			value, want := [4]int{}, literal.Marks{}
			for i := range value {
				if mask>>i&1 == 1 {
					value[i] = 2
				} else {
					want[fmt.Sprintf("[%d]", i)] = "any value fails (3 of 3 tried)"
				}
			}
			tree, err := bigen.Choices(gen, value)
			require.NoError(t, err)
			got := r.explain(s, minimized{tree: tree, run: r.run(s, value, s.hangAt, minimizing)})
			require.Equal(t, want, got.marks)
			require.Equal(t, mask != 0, got.passes != "")
		})
	}
}
