package api_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/espalier-go/espalier/internal/testing/require"
)

// parse returns the sequence that a line stands for.
func parse(t *testing.T, line []byte) (v calls) {
	require.NoError(t, json.Unmarshal(line, &v), string(line))
	return v
}

// Sequences are told before they run, and can be run again. A run that is restored continues
// where the other has ended, and does not run what it is to skip.
func TestRestore(t *testing.T) {
	t.Parallel()
	a := shelfAPI("")
	var before, kept []string
	opts := api.Options{
		Seed: 3, Sequences: 300, MaxRegressions: -1,
		Before: func(line []byte) { before = append(before, string(line)) },
		Kept:   func(line []byte) { kept = append(kept, string(line)) },
	}
	first := a.Generate(opts)
	require.GreaterOrEqual(t, len(before), 300)
	require.Len(t, kept, first.Stats.Kept+len(first.Errors)) // each class of errors is told, too
	require.Contains(t, strings.Join(kept, "\n"), `[["newShelf","cmp.Compare[int]","shelf1"]]`)
	for _, line := range before[:300] {
		out := output(a, parse(t, []byte(line)))
		require.NotContains(t, out, "api:", line)
	}

	for _, line := range kept {
		opts.Restore = append(opts.Restore, parse(t, []byte(line)))
	}
	i := slices.IndexFunc(before, func(line string) bool { return !slices.Contains(kept, line) })
	opts.Skip = []calls{parse(t, []byte(before[i]))}
	opts.Sequences, opts.Seed = 600, 4
	old, oldKept := before, kept
	before, kept = nil, nil
	again := a.Generate(opts)
	require.Equal(t, oldKept, before[:len(oldKept)])
	require.Equal(t, oldKept, kept[:len(oldKept)])
	require.Greater(t, again.Stats.Kept, first.Stats.Kept)
	require.NotContains(t, before[:again.Stats.Sequences], old[i])

	opts.Restore = []calls{{{"gone"}}, {{"shelf.Put", name("shelf1"), 1}}, {}, {{"newShelf"}}, {{"newShelf", "x", "y", "z"}}}
	opts.Skip = opts.Restore
	a.Generate(opts) // what the API does not have any more is left out
}

// A literal that JSON cannot express is told, too.
func TestRestoreLiterals(t *testing.T) {
	t.Parallel()
	seen := map[float64]bool{}
	a := api.New(func(c *api.C) {
		floats := api.Type(c, "float", api.Literals(bigen.OneOf(1.5, inf, -inf)))
		maps := api.Type(c, "map", api.Literals(bigen.MapOf(bigen.OneOf("a", "b"), bigen.IntRange(0, 3), 0, 2)))
		c.Op("f", func() {
			x, m, r := floats.Arg("x"), maps.Arg("m"), maps.Result()
			c.Do(func() { seen[x.V] = true; r.V = m.V; c.Got(r) })
		})
	})
	var kept []calls
	s := a.Generate(api.Options{Sequences: 200, Kept: func(line []byte) { kept = append(kept, parse(t, line)) }})
	require.Empty(t, s.Errors)
	require.Len(t, seen, 3)
	clear(seen)
	n := 0
	a.Generate(api.Options{Sequences: 1, Restore: kept, Kept: func([]byte) { n++ }})
	require.Equal(t, len(kept), n)
	require.Len(t, seen, 3)
}

// A sequence that does not end is told.
func TestHung(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	a := api.New(func(c *api.C) {
		ints := api.Type(c, "int", api.Literals(bigen.IntRange(1, 3)))
		c.Op("wait", func() {
			n := ints.Arg("n")
			c.Do(func() {
				if n.V == 3 {
					<-release
				}
			})
		})
	})
	var hung []string
	a.Generate(api.Options{Sequences: 10, Patience: time.Millisecond, Length: 1, Hung: func(line []byte) {
		hung = append(hung, string(line))
		close(release)
	}})
	require.Equal(t, []string{`[["wait",3]]`}, hung)
}

var inf = math.Inf(1)
