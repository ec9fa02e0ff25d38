package guide

import (
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/require"
)

// Learning begins where hardly any of the larger values are valid, and nowhere else.
func TestGaugeLearns(t *testing.T) {
	for _, c := range []struct {
		name   string
		valid  func(class int, r *rand.Rand) bool
		learns bool
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
		for range 10_000 {
			class := r.IntN(8)
			g.watch(choices.Tree{{}}, class, c.valid(class, r))
		}
		require.Equal(t, c.learns, g.learning, c.name)
	}
}

// Of values that a generator rejects nothing is known, but that they are invalid.
func TestGaugeRejected(t *testing.T) {
	var g gauge
	for range gaugeLeast {
		g.watch(nil, 0, false)
	}
	require.True(t, g.learning)
}

// After learning has begun, more values are of the kind that is worth more.
func TestGaugeGuides(t *testing.T) {
	for _, c := range []struct {
		name          string
		plain, guided int // of 100, how many are valid
		least, most   int // of 100, how many are guided
	}{
		{"only guided ones are valid", 0, 50, 80, 90},
		{"a guide learns nothing", 10, 10, 2, 10},
		{"a guide learns much", 5, 90, 40, 60},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		var g gauge
		g.begin()
		guided := 0
		const n = 20_000
		for i := range n {
			if g.guides(i, r) {
				guided++
				g.earn(guidedKind, 10*choiceCost, 5, r.IntN(100) < c.guided)
				continue
			}
			valid := r.IntN(100) < c.plain
			g.earn(plainKind, 10, 5, valid)
			g.watch(choices.Tree{{}}, 5, valid)
		}
		require.GreaterOrEqual(t, 100*guided, c.least*n, c.name)
		require.LessOrEqual(t, 100*guided, c.most*n, c.name)
	}
}
