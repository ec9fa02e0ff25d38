package api_test

import (
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// A hunt finds each change that can show, by a test of its own or another one's. What it does not
// find, it has tried many times.
func TestHunt(t *testing.T) {
	t.Parallel()
	changes := api.NewChanges()
	suite := changes.Hunt(meterAPI(changes), 8, api.Options{Seed: 1, Sequences: long.Count(500, 2000)})
	var noticed []int
	for _, test := range suite.Regressions {
		noticed = append(noticed, test.Notices...)
		require.LessOrEqual(t, len(test.Calls), 5, test.Code)
	}
	slices.Sort(noticed)
	require.Equal(t, []int{1, 2, 3, 4, 5}, noticed) // 6 shows in nothing, 7 in what differs
	require.Equal(t, noticed, suite.Found)
	require.Greater(t, suite.Tries[6], 100)
	require.NotContains(t, codeOf(suite), "meter1.one()")
}

// If a process ends, the next one makes tests of what was found, also if no time is left. It has no
// call that has ended a process.
func TestHuntResumes(t *testing.T) {
	t.Parallel()
	changes := api.NewChanges()
	first, told := changes.HuntOn(meterAPI(changes), 8, nil, api.Options{Seed: 1, Sequences: 500})
	next, _ := changes.HuntOn(meterAPI(changes), 8, told, api.Options{Seed: 1, Time: 1})
	require.Equal(t, []int{1, 2, 3, 4, 5}, next.Found)
	require.Len(t, next.Regressions, len(first.Regressions))
	require.Zero(t, next.Stats.Sequences)
	require.GreaterOrEqual(t, 2*next.Tries[6], first.Tries[6])
	without, _ := changes.HuntOn(meterAPI(changes), 8, told,
		api.Options{Seed: 1, Time: 1, Never: []string{"meter.reset"}})
	require.Contains(t, codeOf(next), ".reset()")
	require.NotContains(t, codeOf(without), ".reset()")
	require.Less(t, len(without.Found), len(next.Found))
}

// A change that one argument in thousands shows is found, since it is tried on many.
func TestHuntRare(t *testing.T) {
	t.Parallel()
	changes := api.NewChanges()
	a := api.New(func(c *api.C) {
		numbers := api.Type(c, "n", api.Literals(bigen.IntRange(0, 300)))
		c.Op("less", func() {
			a, b := numbers.Arg("a"), numbers.Arg("b")
			c.Do(func() { c.Got(a.V < b.V || changes.Made(1) && a.V == b.V) })
		})
	})
	suite := changes.Hunt(a, 2, api.Options{Seed: 1, Sequences: 20000})
	require.Len(t, suite.Regressions, 1)
	require.Less(t, suite.Stats.Sequences, 20000)
	require.Contains(t, codeOf(suite), "got1 := less(")
}

func codeOf(s api.Suite) string {
	var all []string
	for _, test := range s.Regressions {
		all = append(all, test.Code)
	}
	return strings.Join(all, "\n")
}
