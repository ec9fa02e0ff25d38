package engine

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// pull chooses n times with the arms paying with the given probabilities, and returns
// how often each was chosen.
func pull(b *Bandit, r *rand.Rand, n int, pays []float64) []int {
	chosen := make([]int, len(pays))
	for range n {
		i := b.Choose(r.Uint64())
		chosen[i]++
		if r.Float64() < pays[i] {
			b.Reward(i, 1)
		}
	}
	return chosen
}

func TestBandit(t *testing.T) {
	const n = 20
	pays := func(best int, p float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = p / 10
		}
		out[best] = p
		return out
	}
	for _, c := range []struct {
		name  string
		p     float64 // of the best arm; the others pay a tenth
		pulls int
		share float64 // the least share of the best arm afterward
	}{
		{"often", 0.1, 10_000, 0.4},
		{"seldom", 0.001, 500_000, 0.4},
		{"never", 0, 100_000, 0.04},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			b := NewBandit(n)
			for _, best := range []int{3, 17, 0} { // the yields change
				pull(b, r, c.pulls, pays(best, c.p))
				chosen := pull(b, r, 100_000, pays(best, c.p))
				require.Greater(t, float64(chosen[best])/100_000, c.share)
				for _, k := range chosen {
					require.Greater(t, k, 100_000/n/10)
				}
			}
		})
	}
}

func TestBanditDeterministic(t *testing.T) {
	run := func() []int {
		return pull(NewBandit(5), rand.New(rand.NewPCG(3, 4)), 10_000, []float64{0, 0.01, 0.1, 0.5, 1})
	}
	require.Equal(t, run(), run())
}

func TestBanditArms(t *testing.T) {
	one := NewBandit(1)
	require.Zero(t, one.Choose(1<<63))
	b := NewBandit(128)
	b.Reward(1, -5)
	b.Reward(2, 1e300)
	for _, k := range pull(b, rand.New(rand.NewPCG(5, 6)), 200_000, make([]float64, 128)) {
		require.NotZero(t, k)
	}
}

// With more focus, the best of arms that all pay is chosen more often.
func TestBanditFocus(t *testing.T) {
	best := func(focus int) int {
		b := NewBandit(3)
		b.Focus, b.Memory = focus, 100
		return pull(b, rand.New(rand.NewPCG(3, 4)), 20_000, []float64{0.5, 0.7, 0.3})[1]
	}
	require.InDelta(t, 11_000, best(1), 1500)
	require.Greater(t, best(3), 15_000)
}

// Arms that pay the same for what they cost share the cost, not the choices.
func TestBanditCosts(t *testing.T) {
	b := NewBandit(2)
	r := rand.New(rand.NewPCG(3, 4))
	chosen := [2]int{}
	for range 20_000 {
		i := b.Choose(r.Uint64())
		chosen[i]++
		if i == 1 {
			b.Spend(i, 9)
			b.Reward(i, .5)
		} else if r.IntN(10) == 0 {
			b.Reward(i, .5)
		}
	}
	require.InDelta(t, 10, float64(chosen[0])/float64(chosen[1]), 2)
}

func BenchmarkBandit(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	x := NewBandit(30)
	for b.Loop() {
		x.Reward(x.Choose(r.Uint64()), 0.001)
	}
}
