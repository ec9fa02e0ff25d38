package callseq_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/espalier-go/espalier/internal/testing/require"
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
		runs, longEnough, full, reset := long.Count(1000, 20000), 0, 0, 0
		for i := range runs {
			v := sample(m, uint64(i))
			if len(v) < 8 {
				continue
			}
			longEnough++
			pushes := 0
			for _, call := range v[:8] {
				if call[0] == "push" {
					pushes++
				}
			}
			if pushes == 8 {
				full++
			}
			if v[0][0] == "reset" {
				reset++
			}
		}
		n := float64(longEnough)
		require.InDelta(t, c.fill, float64(full)/n, 0.05)
		require.InDelta(t, c.reset, float64(reset)/n, 0.05)
	}
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
