package fuzzext

import (
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext/internal/stack"
	"github.com/stretchr/testify/require"
)

// specOf returns a spec without options.
// noTarget is the target of a spec that no test has called for.
func noTarget() target { return target{} }

// noCall is its call.
func noCall() stack.Call { return stack.Call{} }

func specOf[V any](gen bigen.Gen[V], prop func(*T, V)) *spec {
	return &spec{subject: subjectOf(gen, prop), target: noTarget, call: noCall}
}

// However slow a property is, its seeds are chosen in bounded time: from those found by
// then.
func TestSeedsOfSlowProperty(t *testing.T) {
	for _, valid := range []bool{true, false} {
		runs := 0
		x := specOf(bigen.IntRange(0, 1_000_000), func(t *T, _ int) {
			runs++
			time.Sleep(50 * time.Millisecond)
			t.Assume(valid)
		})
		seeds := chooseSeeds(x, nil, 50*time.Millisecond)
		require.NotZero(t, runs)
		require.LessOrEqual(t, runs, 11)
		require.Equal(t, valid, len(seeds) > 0)
	}
}

// A generator that asks one question has no pairs of choices to cover, but seeds.
func TestSeedsWithoutPairs(t *testing.T) {
	for _, assumes := range []bool{false, true} {
		x := specOf(bigen.IntRange(0, 1000), func(t *T, n int) { t.Assume(!assumes || n%3 == 0) })
		require.Len(t, chooseSeeds(x, nil, time.Hour), chosenSeeds)
	}
}

// trialOf returns a trial of a property.
func trialOf[V any](tb testing.TB, gen bigen.Gen[V], prop func(*T, V)) *trial {
	return newTrial(specOf(gen, prop), home{}, tb)
}
