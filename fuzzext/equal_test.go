package fuzzext

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/stretchr/testify/require"
)

// messages is a test that keeps its errors.
type messages struct {
	testing.TB
	errors []string
}

func (m *messages) Helper() {}

func (m *messages) Error(args ...any) { m.errors = append(m.errors, args[0].(string)) }

func TestEqual(t *testing.T) {
	type doc struct {
		Name string
		rate float64
		Kids []*doc
		Tags map[string]int
		More any
	}
	long := strings.Repeat("x", 200)
	now := time.Now()
	cyclic := &doc{}
	cyclic.Kids = []*doc{cyclic}
	for _, c := range []struct {
		got, want any
		message   string // "" if they are equal
	}{
		{1, 1, ""},
		{1, 2, "got 1, want 2"},
		{1, "1", `got 1, want "1"`},
		{nil, 1, "got nil, want 1"},
		{math.NaN(), math.NaN(), ""},
		{0.0, math.Copysign(0, -1), ""},
		{[]byte("ab"), []byte("ac"), `got []byte("ab"), want []byte("ac")`},
		{[]int(nil), []int{}, "got []int(nil), want []int{}"},
		{map[int]int(nil), map[int]int{}, "got map[int]int(nil), want map[int]int{}"},
		{now, now.Round(0), ""},
		{cyclic, cyclic, ""},
		{&doc{Name: "a", rate: 1}, &doc{Name: "a", rate: 1}, ""},
		{&doc{Name: "a", rate: 1}, &doc{Name: "b", rate: 2},
			"Name: got \"a\", want \"b\"\nrate: got 1, want 2"},
		{&doc{Kids: []*doc{{}, {Tags: map[string]int{"x": 1}}}},
			&doc{Kids: []*doc{{}, {Tags: map[string]int{"x": 2}}}}, `Kids[1].Tags["x"]: got 1, want 2`},
		{&doc{Kids: []*doc{nil}}, &doc{Kids: []*doc{{}}}, "Kids[0]: got nil, want &fuzzext.doc{}"},
		{doc{More: 1}, doc{More: int8(1)}, "More: got 1, want int8(1)"},
		{[]int{1, 2}, []int{1, 2, 3}, "got []int{1, 2}, want []int{1, 2, 3}"},
		{doc{Kids: make([]*doc, 50)}, doc{Kids: make([]*doc, 51)},
			"len(Kids): got 50, want 51\nKids[50]: got nothing, want nil"},
		{repeated(7, 50), repeated(8, 51), "len: got 50, want 51\n[0]: got 7, want 8"},
		{map[string]int{"a": 1, "b": 2}, map[string]int{"a": 2, "c": 3},
			"[\"a\"]: got 1, want 2\n[\"b\"]: got 2, want nothing\n[\"c\"]: got nothing, want 3"},
		{map[float64]int{math.NaN(): 1}, map[float64]int{math.NaN(): 1}, ""},
		{map[*int]int{new(int): 1}, map[*int]int{new(int): 2}, "[new(int)]: got 1, want 2"},
		{[7]bool{}, [7]bool{true, true, true, true, true, true, true},
			"[0]: got false, want true\n[1]: got false, want true\n[2]: got false, want true\n" +
				"[3]: got false, want true\n[4]: got false, want true\nand 2 more differences"},
		{long + "a" + long, long + "b" + long,
			`got ... ` + strings.Repeat("x", 30) + "a" + strings.Repeat("x", 89) +
				` ..., want ... ` + strings.Repeat("x", 30) + "b" + strings.Repeat("x", 89) + " ..."},
	} {
		m := &messages{TB: t}
		require.Equal(t, c.message == "", Equal(m, c.got, c.want))
		require.Equal(t, c.message, strings.Join(m.errors, "\n"))
	}
}

// In a property, failures that differ in other fields first are of other classes.
func TestEqualClasses(t *testing.T) {
	type pair struct {
		A int
		B []int
	}
	classOf := func(got pair) string {
		tr := trialOf(t, bigen.Just(pair{}), func(t *T, want pair) { Equal(t, got, want) })
		defer tr.end()
		run := tr.run(pair{B: []int{0, 0}}, tr.hangAt, minimizing)
		require.True(t, run.Failed())
		class, _ := run.classOf(nil)
		return class
	}
	a := classOf(pair{A: 1, B: []int{0, 0}})
	require.Equal(t, a, classOf(pair{A: 2, B: []int{5, 0}}))
	b := classOf(pair{B: []int{5, 0}})
	require.NotEqual(t, a, b)
	require.Equal(t, b, classOf(pair{B: []int{0, 7}}))
}

// repeated returns n times the same number.
func repeated(number, n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = number
	}
	return all
}
