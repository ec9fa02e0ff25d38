package callseq_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// scenarioCalls describes a stack of 8, which a share of sequences fill first. Another share begins
// with a reset.
func scenarioCalls(fill, reset float64) *callseq.Model {
	return callseq.New(func(c *callseq.C) {
		n := 0
		push := c.Op("push", func() { n++ }).When(func() bool { return n < 8 })
		c.Op("pop", func() { n-- }).When(func() bool { return n > 0 })
		resetting := c.Op("reset", func() { n = 0 }).Weight(0)
		c.Op("len", func() {
			c.Want(n != 8)
			c.Do(func() { c.Got(true) })
		})
		if fill > 0 {
			c.Scenario(fill, func() *callseq.Op { return push })
		}
		begun := false
		if reset > 0 {
			c.Scenario(reset, func() *callseq.Op {
				if begun {
					return nil
				}
				begun = true
				return resetting
			})
		}
	}, callseq.Length(20, 100))
}

// The shares of sequences are those given, whatever else sequences begin with.
func TestScenario(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ fill, reset float64 }{{0, 0}, {0.5, 0}, {0.25, 0.5}} {
		m := scenarioCalls(c.fill, c.reset)
		bigentest.Laws(t, m.Gen(), bigentest.Runs(long.Count(3, 100)))
		runs, full, reset := long.Count(1000, 20000), 0, 0
		for i := range runs {
			v := sample(m, uint64(i))
			if pushes(v) == 8 {
				full++
			}
			if len(v) > 0 && v[0][0] == "reset" {
				reset++
			}
		}
		n := float64(runs)
		require.InDelta(t, c.fill, float64(full)/n, 0.05)
		require.InDelta(t, c.reset, float64(reset)/n, 0.05)
	}
}

// pushes returns how many calls a sequence begins with that push.
func pushes(v callseq.Calls) (n int) {
	for n < len(v) && v[n][0] == "push" {
		n++
	}
	return n
}

// A scenario is followed to its end, however long it is. As many calls come after it as otherwise.
func TestScenarioEnds(t *testing.T) {
	t.Parallel()
	for _, source := range []func(seed int) choices.Source{
		func(seed int) choices.Source { return choices.Random(rng(uint64(seed))) },
		func(seed int) choices.Source { return varied.Source(rng(uint64(seed)), seed) },
	} {
		for size, share := range map[int]float64{8: 1, 20: 0.25, 50: 1} {
			m := callseq.New(func(c *callseq.C) {
				n := 0
				push := c.Op("push", func() { n++ }).When(func() bool { return n < size })
				c.Op("pop", func() { n-- }).When(func() bool { return n > 0 })
				c.Op("flush", func() { n = 0 })
				c.Scenario(share, func() *callseq.Op { return push })
			})
			full, after := 0, 0
			const runs = 400
			for i := range runs {
				v, _, err := bigen.Run(m.Gen(), source(i))
				require.NoError(t, err)
				if pushes(v) == size {
					full++
					after += len(v) - size
				}
			}
			require.InDelta(t, share, float64(full)/runs, 0.05)
			require.InDelta(t, 28, float64(after)/float64(full), 4)
		}
	}
	endless := callseq.New(func(c *callseq.C) {
		push := c.Op("push", func() {})
		c.Scenario(1, func() *callseq.Op { return push })
	}, callseq.Length(10, 40))
	require.Len(t, sample(endless, 1), 40)
}

// A scenario changes no more than probabilities: all other sequences remain, and shrinking is free.
func TestScenarioShrinks(t *testing.T) {
	t.Parallel()
	m := scenarioCalls(0.5, 0)
	for seed := range uint64(20) {
		v, tree, err := bigen.Run(m.Gen(), choices.Random(rng(seed)))
		require.NoError(t, err)
		if output(m, v) != "" {
			require.Len(t, minimal(t, m, tree), 9)
		}
	}
	for _, v := range []calls{{{"reset"}, {"push"}, {"reset"}}, {{"len"}, {"push"}}} {
		require.NoError(t, bigen.Check(m.Gen(), v))
	}
}
