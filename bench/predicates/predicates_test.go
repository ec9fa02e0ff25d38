package main

import (
	"slices"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/stretchr/testify/require"
)

func named(t *testing.T, name string) *predicate {
	all := slices.Concat(foreign, own)
	i := slices.IndexFunc(all, func(p predicate) bool { return p.name == name })
	require.GreaterOrEqual(t, i, 0, name)
	return &all[i]
}

// At least half of the predicates are other people's.
func TestForeign(t *testing.T) {
	require.GreaterOrEqual(t, len(foreign), len(own)+len(ownTrees))
	for _, p := range foreign {
		require.NotEmpty(t, p.from)
	}
}

// What the search finds for some predicates, and why it finds nothing for others.
func TestSearch(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"lo.IsSorted", "ranges: before[0].."},
		{"LatLng.IsValid", "ranges: 0: -90..90, 1: -180..180"},
		{"Date.IsValid", "ranges, last field filtered: 0: .., 1: 1..12, 2: 1..31"},
		{"strictly increasing", "ranges: before[0]+1.."},
		{"disjoint intervals", "ranges: 0: before[1]+1.., 1: here[0].."},
		{"balanced parentheses", "counter: needs [0 0], adds [1 -1], ends at 0"},
		{"checksum by 10", "automaton: 10 states"},
		{"palindrome", "no template agrees with the short values"},
		{"uuid.Validate", "no valid value of up to 7 elements"},
	} {
		d, _, why := named(t, c.name).search()
		if d != nil {
			why = d.kind + ": " + d.text
		}
		require.Equal(t, c.want, why, c.name)
	}
	d, _, why := searchTrees(ownTrees[0].valid)
	require.Empty(t, why)
	require.Equal(t, "keys: left lo..key-1, right key+1..hi", d.text)
}

// A generator that makes an invalid value, or lacks a valid one, does not pass.
func TestPasses(t *testing.T) {
	wide := bigen.SliceOf(bigen.IntRange(-1, 3), 0, 4)
	digits := func(lo, hi int) string {
		valid := func(v []int) bool {
			return !slices.ContainsFunc(v, func(x int) bool { return x < 0 || x > 2 })
		}
		return passes(bigen.SliceOf(bigen.IntRange(lo, hi), 0, 9), valid, wide)
	}
	require.Empty(t, digits(0, 2))
	require.Contains(t, digits(-1, 2), "not sound")
	require.Contains(t, digits(0, 1), "not complete")
}
