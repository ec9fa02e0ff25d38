package callseq_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

func TestLaws(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]*callseq.Model{"cache": cacheModel(""), "list": listModel("")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bigentest.Laws(t, m.Gen(), bigentest.Runs(long.Count(3, 100)))
		})
	}
}

func rng(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func sample(m *callseq.Model, seed uint64) callseq.Calls { return bigen.Sample(m.Gen(), rng(seed)) }

// Sequences have 25 to 30 calls on average, from early on.
func TestLengths(t *testing.T) {
	t.Parallel()
	g := cacheModel("").Gen()
	mean := func(src func(seed int) choices.Source) float64 {
		calls := 0
		const n = 500
		for seed := range n {
			v, _, err := bigen.Run(g, src(seed))
			require.NoError(t, err)
			calls += len(v) - 1
		}
		return float64(calls) / n
	}
	random := mean(func(seed int) choices.Source { return choices.Random(rng(uint64(seed))) })
	require.InDelta(t, 28, random, 4)
	early := mean(func(seed int) choices.Source { return varied.Source(rng(uint64(seed)), seed%20) })
	require.InDelta(t, 29, early, 4)

	short := callseq.New(func(c *callseq.C) { c.Op("op", func() {}) }, callseq.Length(3, 5))
	for seed := range uint64(100) {
		require.LessOrEqual(t, len(sample(short, seed)), 5)
	}
	require.PanicsWithValue(t, "callseq.Length: a mean of 3 of up to 2 calls",
		func() { callseq.Length(3, 2) })
}

// Several goroutines may use a model at once.
func TestConcurrency(t *testing.T) {
	t.Parallel()
	m := cacheModel("")
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for seed := range uint64(50) {
				calls := sample(m, seed)
				m.Run(t, calls)
				if b, err := bigen.Encode(m.Gen(), calls); err != nil {
					t.Error(err)
				} else if again, err := bigen.Decode(m.Gen(), b); err != nil || len(again) != len(calls) {
					t.Error(err, again, calls)
				}
			}
		})
	}
	group.Wait()
}

// A call is made, read and run once, and what is tested is reached by runs only.
func TestCallsAreLinear(t *testing.T) {
	t.Parallel()
	calls, done := 0, 0
	m := callseq.New(func(c *callseq.C) {
		c.Op("op", func() {
			callseq.Arg(c, "x", bigen.IntRange(0, 9))
			calls++
			c.Do(func() { done++ })
		})
	})
	v := sample(m, 2)
	n := len(v)
	require.Greater(t, n, 5)
	calls = 0
	require.Equal(t, v, sample(m, 2))
	require.Equal(t, n, calls)
	require.NoError(t, bigen.Check(m.Gen(), v))
	require.Equal(t, 2*n, calls)
	require.Zero(t, done)
	m.Run(t, v)
	require.Equal(t, 3*n, calls)
	require.Equal(t, n, done)
}

// Slices belong to the operation: what it does to them does not change the sequence.
func TestSlicesAreCopied(t *testing.T) {
	t.Parallel()
	m := callseq.New(func(c *callseq.C) {
		c.Op("op", func() {
			x := callseq.Arg(c, "x", bigen.SliceOf(bigen.IntRange(1, 9), 1, 5))
			clear(x)
			c.Do(func() { clear(x) })
		})
	})
	v := sample(m, 3)
	m.Run(t, v)
	for _, call := range v {
		require.NotContains(t, call[1], 0)
	}
	require.NoError(t, bigen.Check(m.Gen(), v))
}
