package stats

import (
	"strconv"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/stretchr/testify/require"
)

var ints = bigen.SliceOf(bigen.IntRange(0, 99), 0, 20)

// entries returns valid entries of values, whose names are their numbers.
func entries[V any](t *testing.T, g bigen.Gen[V], drawn bool, values ...V) (list []job.Entry) {
	for i, v := range values {
		tree, err := bigen.Choices(g, v)
		require.NoError(t, err)
		list = append(list, job.Entry{
			Number: i,
			Of:     strconv.Itoa(i),
			Drawn:  drawn,
			Status: job.Valid,
			Data:   choices.Encode(tree),
			Tree:   job.Tree(tree),
		})
	}
	return list
}

func TestSurvey(t *testing.T) {
	list := entries(t, bigen.SliceOf(bigen.IntRange(0, 9), 0, 3), false, []int{1}, []int{1, 2},
		[]int{5})
	list[2].Status = job.Invalid
	list[0].Labels = []string{"odd"}
	list = append(list, job.Entry{Of: "/dir/broken", Status: job.Rejected, Why: "no header"})
	list = append(list,
		entries(t, bigen.SliceOf(bigen.IntRange(0, 9), 0, 3), true, []int{2, 1}, []int{2}, nil,
			[]int{7})...)
	s := newSurvey(list, 2)
	require.Equal(t, 4, s.Entries)
	require.Equal(t, 3, s.Added)
	require.Equal(t, map[job.Status]int{job.Valid: 2, job.Invalid: 1, job.Rejected: 1}, s.Statuses)
	require.Equal(t,
		[]Problem{{Name: "broken", Status: job.Rejected, Why: "no header", File: "/dir/broken"}},
		s.Problems)
	require.Equal(t, Spread{3, 4, 4, 5}, s.Choices)
	require.Equal(t, Sample{4, 4, s.Random.Bytes, Spread{1, 3, 3, 5}}, s.Random)
	require.Equal(t, []Share{{Name: "odd", Values: 1}}, s.Labels)
	for _, tag := range s.Tags {
		switch tag.Name {
		case "more":
			require.Equal(t, []int{2, 3, 3, 4},
				[]int{tag.Values, tag.Choices, tag.RandomValues, tag.RandomChoices})
			require.InDelta(t, (3./8)/(4./12), tag.Ratio, 1e-9)
		case "7":
			require.Zero(t, tag.Choices+tag.Values)
			require.Empty(t, tag.Tag)
		}
	}
	one, two := s.Combinations[0], s.Combinations[1]
	// 1, 2, more, stop; also 7
	require.Equal(t, []int{4, 5, 1}, []int{one.Corpus, one.Random, one.Missing})
	require.Equal(t, []Missing{{Combination: "7", Values: 1}}, one.Examples)
	var missing []string
	for _, m := range two.Examples {
		missing = append(missing, m.Combination)
	}
	require.Contains(t, missing, "_(0: 2, 0: 1)")
	require.NotContains(t, missing, "_(0: 1, 0: 2)")
	require.Len(t, missing, two.Missing)
	require.Equal(t, []string{"0"}, s.Idle)
	require.Equal(t, "0", nameOf(smallest(s.corpus, 1)[0]))
	corpus, random := s.growth, s.drawn
	require.Equal(t, []int{two.Corpus, two.Random}, []int{corpus[1], random[3]})
}

// Without values, and without random ones, there is nothing to divide by.
func TestNewEmpty(t *testing.T) {
	for _, list := range [][]job.Entry{nil, entries(t, ints, false, []int{1}),
		entries(t, ints, true, []int{1})} {
		s := newSurvey(list, 3)
		require.Len(t, s.Combinations, 3)
		require.Len(t, s.Unusual(5), s.Values)
		require.NotContains(t, s.Bytes.String(), "NaN")
	}
}

// Entries are equal if their choices have the same marks, whatever else differs.
func TestEqual(t *testing.T) {
	list := entries(t, ints, false, []int{1, 2}, []int{1}, []int{1, 2}, []int{2, 1}, []int{1, 2})
	require.Equal(t, []Pair{{"2", "0"}, {"4", "0"}}, newSurvey(list, 1).Equal)
}

func TestUnusual(t *testing.T) {
	random := make([][]int, 50)
	for i := range random {
		random[i] = []int{1, 2, 3, 4}
	}
	random[0] = []int{9}
	list := append(entries(t, ints, false, []int{1, 2, 3}, []int{9, 9}, []int{4, 3, 2}),
		entries(t, ints, true, random...)...)
	s := newSurvey(list, 1)
	require.Equal(t, "1", nameOf(s.Unusual(3)[0]))
	require.Contains(t, []string{"9", "4"}, s.Tags[0].Name)
}

func TestRequirement(t *testing.T) {
	s := &Survey{
		Values: 8,
		Labels: []Share{{Name: "a b", Values: 2}},
		Tags:   []Share{{Name: "node", Tag: "node", Values: 4}, {Name: "5", Values: 8}},
	}
	tests := []struct{ text, want string }{
		{"node>=50%", "node>=50% is met: 4 of 8 values (50.0%)"},
		{"node > 50%", "node > 50% is missed: 4 of 8 values (50.0%)"},
		{"node<=50%", "node<=50% is met: 4 of 8 values (50.0%)"},
		{"node<50%", "node<50% is missed: 4 of 8 values (50.0%)"},
		{"label:a b>=25.5%", "label:a b>=25.5% is missed: 2 of 8 values (25.0%)"},
		{"5>=1%", "5>=1% is missed: 0 of 8 values (0.0%)"},
		{"label:node>0%", "label:node>0% is missed: 0 of 8 values (0.0%)"},
	}
	for _, test := range tests {
		r, err := ParseRequirement(test.text)
		require.NoError(t, err)
		require.Equal(t, test.want, r.Measure(s).String())
	}
	for _, bad := range []string{"", "node", "node>=20", "node>=120%", ">=2%", "node=20%",
		"node>=1.2.3%"} {
		_, err := ParseRequirement(bad)
		require.Error(t, err, bad)
	}
	empty, _ := ParseRequirement("x>=1%")
	require.False(t, empty.Measure(&Survey{}).Met)
}
