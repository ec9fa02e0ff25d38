package literal_test

import (
	"testing"
	"time"

	"github.com/espalier-go/espalier/internal/literal"
	"github.com/stretchr/testify/require"
)

type leafPart struct {
	X, Y int
	Text string
}

type whole struct {
	A    leafPart
	P    *leafPart
	List []leafPart
	Any  any
	Map  map[string]int
	Time time.Time
	Next *whole
}

func made(edit func(w *whole)) whole {
	w := whole{
		P:    &leafPart{X: 1},
		List: []leafPart{{}, {Y: 2}},
		Any:  []int{1, 2},
		Map:  map[string]int{"a": 1, "b": 2},
		Time: time.Unix(5, 0),
	}
	edit(&w)
	return w
}

// A difference is the path of the smallest part that has everything that differs.
func TestDifference(t *testing.T) {
	tests := []struct {
		edit       func(w *whole)
		path, part string
	}{
		{func(w *whole) { w.A.X = 7 }, "A.X", "7"},
		{func(w *whole) { w.A.X, w.A.Text = 7, "b" }, "A", `leafPart{X: 7, Text: "b"}`},
		{func(w *whole) { w.P.X = 0 }, "P.X", "0"},
		{func(w *whole) { w.P = nil }, "P", "nil"},
		{func(w *whole) { w.List[1].Y = 3 }, "List[1].Y", "3"},
		{func(w *whole) { w.List[1].Y, w.List[0].Y = 3, 3 }, "List", "[]leafPart{{Y: 3}, {Y: 3}}"},
		{func(w *whole) { w.List = w.List[:1] }, "List", "[]leafPart{{}}"},
		{func(w *whole) { w.Any = []int{1, 3} }, "Any[1]", "3"},
		{func(w *whole) { w.Any = "x" }, "Any", `"x"`},
		{func(w *whole) { w.Map["b"] = 5 }, `Map["b"]`, "5"},
		{func(w *whole) { delete(w.Map, "a") }, "Map", `map[string]int{"b": 2}`},
		{func(w *whole) { w.Time = time.Unix(6, 0) }, "Time", "time.Unix(6, 0)"},
		{func(w *whole) { w.A.X, w.P = 1, nil }, "", ""},
	}
	pkg := "github.com/espalier-go/espalier/internal/literal_test"
	a := made(func(*whole) {})
	for _, tt := range tests {
		b := made(tt.edit)
		at, differ := literal.Difference(a, b)
		require.True(t, differ, tt.path)
		require.Equal(t, tt.path, at.String())
		if tt.path != "" {
			part, ok := literal.Part(1<<10, b, at, pkg)
			require.True(t, ok)
			require.Equal(t, tt.part, part)
			line, ok := literal.Line(1<<10, b, at, pkg)
			require.True(t, ok)
			require.Equal(t, tt.part, line)
		}
	}
	_, differ := literal.Difference(a, made(func(*whole) {}))
	require.False(t, differ)

	cyclic := func(x int) whole {
		w := &whole{A: leafPart{X: x}}
		w.Next = &whole{Next: w}
		return *w
	}
	at, differ := literal.Difference(cyclic(1), cyclic(2))
	require.True(t, differ)
	require.NotContains(t, at.String(), "List")
}

// Comments are at the end of the line of their part, or of a short part around it.
func TestMarked(t *testing.T) {
	pkg := "github.com/espalier-go/espalier/internal/literal_test"
	text, all := literal.Marked(1000, made(func(w *whole) { w.Time = time.Time{} }), pkg,
		literal.Marks{
			"A.Y": "zero", "P.X": "one", "P.Text": "one", "List[1]": "whole", "Any[0]": "first",
			`Map["b"]`: "b", "Next": "nil", "Map.X": "nowhere",
		})
	require.True(t, all)
	require.Equal(t, `whole{
	A:    leafPart{Y: 0},                 // Y: zero
	P:    &leafPart{X: 1, Text: ""},      // X, Text: one
	List: []leafPart{{}, {Y: 2}},         // [1]: whole
	Any:  []int{1, 2},                    // [0]: first
	Map:  map[string]int{"a": 1, "b": 2}, // ["b"]: b
	Next: nil,                            // nil
}`, text)

	tests := []struct {
		v     any
		marks literal.Marks
		want  string
	}{
		{[]int{1, 2, 3}, literal.Marks{"[1]": "x"}, "[]int{1, 2, 3} // [1]: x"},
		{[]int{1, 2, 3}, literal.Marks{"[0]": "x", "[1]": "y", "[2]": "x"},
			"[]int{1, 2, 3} // [0], [2]: x; [1]: y"},
		{[]int{1, 2, 3}, literal.Marks{"[0]": "x", "[1]": "x", "[2]": "x"},
			"[]int{1, 2, 3} // [0] to [2]: x"},
		{[]int{1, 2, 3}, literal.Marks{"": "x"}, "[]int{1, 2, 3} // x"},
		{[2]int{}, literal.Marks{"[1]": "x"}, "[2]int{0, 0} // [1]: x"},
	}
	for _, tt := range tests {
		text, _ := literal.Marked(1000, tt.v, pkg, tt.marks)
		require.Equal(t, tt.want, text)
	}
}
