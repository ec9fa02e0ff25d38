package values

import (
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/choices"
	"github.com/stretchr/testify/require"
)

// Guiding pays where hardly any of the larger values are valid, and nowhere else.
func TestGaugePays(t *testing.T) {
	for _, c := range []struct {
		name  string
		valid func(class int, r *rand.Rand) bool
		pays  bool
	}{
		{"all", func(int, *rand.Rand) bool { return true }, false},
		{"two thirds", func(_ int, r *rand.Rand) bool { return r.IntN(3) > 0 }, false},
		{"40 percent", func(_ int, r *rand.Rand) bool { return r.IntN(5) > 2 }, false},
		{"one in ten", func(_ int, r *rand.Rand) bool { return r.IntN(10) == 0 }, true},
		{"none", func(int, *rand.Rand) bool { return false }, true},
		{"small ones", func(class int, _ *rand.Rand) bool { return class < 4 }, true},
		{"all but the largest", func(class int, _ *rand.Rand) bool { return class < 7 }, false},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		var g gauge
		pays := false
		for range 10_000 {
			class := r.IntN(8)
			pays = g.watch(choices.Tree{{}}, class, c.valid(class, r)) || pays
		}
		require.Equal(t, c.pays, pays, c.name)
	}
}

// Of values that a generator rejects nothing is known, but that they are invalid.
func TestGaugeRejected(t *testing.T) {
	var g gauge
	pays := false
	for range gaugeLeast / 4 {
		require.False(t, pays)
		pays = g.watch(nil, 0, false)
	}
	require.True(t, pays)
}
