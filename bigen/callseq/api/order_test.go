package api_test

import (
	"bytes"
	"fmt"
	"math"
	"runtime"
	"sync"
	"testing"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// Sequences are told before they run, and can be run again. A run that is restored continues
// where the other has ended, and does not run what it is to skip.
func TestRestore(t *testing.T) {
	t.Parallel()
	a, n := shelfAPI(""), long.Count(60, 300)
	decode := a.Decoder()
	var before, kept [][]byte
	opts := api.Options{
		Seed: 3, Sequences: n, MaxRegressions: -1,
		Before: func(v calls, entry []byte) {
			require.Equal(t, v, decode(entry))
			before = append(before, bytes.Clone(entry))
		},
		Kept: func(_ calls, entry []byte) { kept = append(kept, bytes.Clone(entry)) },
	}
	first := a.Generate(opts)
	require.GreaterOrEqual(t, len(before), n)
	// Each class of errors is told, too, and why calls refuse their arguments.
	require.GreaterOrEqual(t, len(kept), first.Stats.Kept+len(first.Errors))
	for _, entry := range before[:n] {
		out := output(a, decode(entry))
		require.NotContains(t, out, "api:", out)
	}

	opts.Restore = kept
	has := func(list [][]byte, entry []byte) bool {
		return slices.ContainsFunc(list, func(b []byte) bool { return bytes.Equal(b, entry) })
	}
	restored := map[string]bool{}
	for _, entry := range kept {
		restored[fmt.Sprint(decode(entry))] = true
	}
	i := slices.IndexFunc(before, func(entry []byte) bool { return !restored[fmt.Sprint(decode(entry))] })
	opts.Skip = [][]byte{before[i]}
	opts.Sequences, opts.Seed = 2*n, 4
	old, oldKept := before, kept
	before, kept = nil, nil
	again := a.Generate(opts)
	require.Equal(t, oldKept, before[:len(oldKept)])
	require.Equal(t, oldKept, kept[:len(oldKept)])
	require.Greater(t, again.Stats.Kept, first.Stats.Kept)
	require.False(t, has(before[:again.Stats.Sequences], old[i]))

	before = nil
	a.Generate(api.Options{Seed: 3, Sequences: n, MaxRegressions: -1, Before: opts.Before, Skip: [][]byte{old[n/2]}})
	require.True(t, has(before, old[0]))
	require.False(t, has(before, old[n/2]))

	opts.Restore = [][]byte{nil, {0}, []byte("gone"), {255, 255}}
	opts.Skip = opts.Restore
	a.Generate(opts) // any bytes will do
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
	var kept [][]byte
	s := a.Generate(api.Options{Sequences: 200, Kept: func(_ calls, entry []byte) { kept = append(kept, bytes.Clone(entry)) }})
	require.Empty(t, s.Errors)
	require.Len(t, seen, 3)
	clear(seen)
	n := 0
	a.Generate(api.Options{Sequences: 1, Restore: kept, Kept: func(calls, []byte) { n++ }})
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
	var hung []calls
	a.Generate(api.Options{Sequences: 10, Patience: time.Second, Length: 1, Hung: func(v calls) {
		hung = append(hung, v)
		close(release)
	}})
	require.Equal(t, []calls{{{"wait", 3}}}, hung)
}

var inf = math.Inf(1)

// What ends the process is minimized by processes, each of which tries until one sequence ends it.
func TestAutopsy(t *testing.T) {
	t.Parallel()
	a := methodAPI(func() *sums { return &sums{} }, map[string]any{
		"Add": func(s *sums, n int) { s.calls++ },
		"End": func(s *sums, n int) {
			if s.calls == 2 {
				runtime.Goexit()
			}
		},
	})
	x, y := name("x1"), name("x2")
	last, ended := a.Autopsy(calls{{"make", x}, {"x.Add", x, 2}, {"make", y}, {"x.End", x, 1}, {"x.Add", y, 1}, {"x.Add", x, 1}, {"x.End", x, 2}})
	require.Equal(t, calls{{"make", x}, {"x.Add", x, 0}, {"x.Add", x, 0}, {"x.End", x, 0}}, last)
	require.LessOrEqual(t, ended, 10)
	last, ended = a.Autopsy(calls{{"make", x}, {"x.End", x, 1}})
	require.Zero(t, ended)
	require.Empty(t, last)
}

// A contract that waits is told like a call that does.
func TestHungContract(t *testing.T) {
	t.Parallel()
	release, hung := make(chan struct{}), 0
	a := api.New(func(c *api.C) {
		xs := api.Type(c, "x", api.Holds("waits", func(*int) error { <-release; return nil }))
		c.Op("make", func() {
			x := xs.Result()
			c.Do(func() { x.V = new(int); c.Got(x) })
		})
	})
	a.Generate(api.Options{Sequences: 1, Patience: time.Second, MaxRegressions: -1, Hung: func(calls) {
		hung++
		close(release)
	}})
	require.Equal(t, 1, hung)
}

// A call that has passed before may hang as well.
func TestHungLater(t *testing.T) {
	t.Parallel()
	armed, told, hung := false, false, make(chan bool)
	a := api.New(func(c *api.C) {
		xs := api.Type[*int](c, "x")
		c.Op("a", func() {
			x := xs.Result()
			c.Do(func() {
				if armed && !told {
					<-hung
				}
				told = false
				x.V = new(int)
				c.Got(x)
			})
		})
		c.Op("b", func() {
			x := xs.Arg("x")
			c.Do(func() { armed, told, *x.V = true, false, *x.V+1 })
		}).When(xs.Any)
	})
	once := sync.OnceFunc(func() { close(hung) })
	a.Generate(api.Options{Sequences: 100, Patience: time.Second, MaxRegressions: -1, Before: func(calls, []byte) { told = true }, Hung: func(calls) { once() }})
	<-hung
}

// A process that takes over restores errors first.
func TestEntriesOf(t *testing.T) {
	t.Parallel()
	kept := []job.Told{{Entry: []byte("a")}, {Entry: []byte("b"), Fails: true}, {Entry: []byte("c")}, {Entry: []byte("d"), Fails: true}}
	require.Equal(t, "bdac", string(bytes.Join(api.EntriesOf(kept), nil)))
}
