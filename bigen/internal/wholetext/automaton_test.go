package wholetext_test

import (
	"math"
	"math/rand/v2"
	"regexp"
	"testing"
	"unicode/utf8"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/internal/wholetext"
	"github.com/espalier-go/espalier/choices"
	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"
)

// An intersection makes the texts that match all expressions and no other, and reads no others.
func TestIntersection(t *testing.T) {
	whole := func(expr string) string {
		text, err := wholetext.Of(expr)
		require.NoError(t, err)
		return text
	}
	made, empty := 0, 0
	compiled := map[string]*regexp.Regexp{"": regexp.MustCompile("a^")}
	for _, expr := range append(slices.Clone(expressions), "bb") {
		if expr != "" {
			compiled[expr] = regexp.MustCompile(expr)
		}
	}
	matches := func(expr, s string) bool { return compiled[expr].MatchString(s) }
	for i, one := range expressions {
		for _, two := range expressions[i:] {
			for _, not := range []string{"", "bb", "^a"} {
				for _, bounds := range [][2]int{{0, math.MaxInt32}, {2, 3}, {4, 4}} {
					all, none := []string{whole(one), whole(two)}, []string{}
					if not != "" {
						none = append(none, whole(not))
					}
					fits := func(s string) bool {
						n := utf8.RuneCountInString(s)
						return (one == "" || matches(one, s)) && (two == "" || matches(two, s)) && !matches(not, s) &&
							bounds[0] <= n && n <= bounds[1]
					}
					g, some, known := wholetext.Intersection(all, none, bounds[0], bounds[1])
					require.True(t, known)
					for _, s := range texts() {
						if !some {
							require.False(t, fits(s), "%v %v %v: %q", all, none, bounds, s)
						} else {
							require.Equal(t, fits(s), bigen.Check(g, s) == nil, "%v %v %v: %q", all, none, bounds, s)
						}
					}
					if !some {
						empty++
						continue
					}
					for seed := range uint64(3) {
						v, err := bigen.Value(g, choices.Random(rand.New(rand.NewPCG(seed, 0))))
						require.NoError(t, err)
						require.True(t, fits(v), "%v %v %v: %q", all, none, bounds, v)
						made++
					}
				}
			}
		}
	}
	require.Greater(t, made, 500)
	require.Greater(t, empty, 100)
}

// What an automaton cannot say is not known.
func TestIntersectionUnknown(t *testing.T) {
	for _, expr := range []string{`a\b`, "(?m)^a", "(", "(a{1000}){100}"} {
		_, _, known := wholetext.Intersection([]string{expr, "a*"}, nil, 0, math.MaxInt32)
		require.False(t, known, expr)
	}
}

func TestIntersectionLaws(t *testing.T) {
	g, some, known := wholetext.Intersection([]string{"(?i)[a-z]+", "(?s:.*)[é\U0001F600x](?s:.*)"}, []string{"(?s:.*)q(?s:.*)"}, 3, 9)
	require.True(t, some && known)
	for seed := range uint64(100) {
		v, tree, err := bigen.Run(g, choices.Random(rand.New(rand.NewPCG(seed, 0))))
		require.NoError(t, err)
		w, err := bigen.Decode(g, choices.Encode(tree))
		require.NoError(t, err)
		require.Equal(t, v, w)
		b, err := bigen.Encode(g, v)
		require.NoError(t, err)
		w, err = bigen.Decode(g, b)
		require.NoError(t, err)
		require.Equal(t, v, w)
	}
}
