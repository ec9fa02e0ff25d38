package engine

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// A ladder is a simulated target: an input stands on some rung, and has some of a few
// hundred features that have nothing to do with the ladder. A mutant of it falls to
// a lower rung in half of the cases, reaches the next one once in thousands, and
// gains or loses other features.
type ladder struct {
	rungs, others int
	climb         float64 // the probability of the next rung
	seen          []bool
}

type climber struct {
	rung   int
	others []bool
}

func (l *ladder) features(c climber) (out []uint32) {
	for i := range c.rung + 1 {
		out = append(out, uint32(i))
	}
	for i, has := range c.others {
		if has {
			out = append(out, uint32(l.rungs+1+i))
		}
	}
	return out
}

func (l *ladder) mutate(r *rand.Rand, c climber) climber {
	out := climber{c.rung, slices.Clone(c.others)}
	switch {
	case r.Float64() < l.climb:
		out.rung++
	case r.IntN(2) == 0:
		out.rung = r.IntN(c.rung + 1)
	}
	for i := range out.others {
		// Some of them are easy to gain, some are not.
		if p := 0.1 / float64(1+i*i); r.Float64() < p {
			out.others[i] = true
		} else if r.IntN(10) == 0 {
			out.others[i] = false
		}
	}
	return out
}

// A scheduler is a [Pool], or what it is compared with.
type scheduler interface {
	Add(Entry) int
	Pick(uint64) int
	Spent(int, int)
	Found(int)
	Observe([]uint32)
}

// A queue gives all entries the same time.
type uniformQueue struct{ n, at int }

func (q *uniformQueue) Add(Entry) int {
	q.n++
	return q.n - 1
}
func (q *uniformQueue) Pick(uint64) int  { q.at = (q.at + 1) % q.n; return q.at }
func (q *uniformQueue) Spent(int, int)   {}
func (q *uniformQueue) Found(int)        {}
func (q *uniformQueue) Observe([]uint32) {}

// climb returns the executions until the ladder is climbed, at most limit.
func climb(s scheduler, l ladder, seed uint64, limit int) int {
	r := rand.New(rand.NewPCG(seed, 0))
	l.seen = make([]bool, l.rungs+1+l.others)
	corpus := []climber{{others: make([]bool, l.others)}}
	s.Add(Entry{Features: l.features(corpus[0]), Fresh: 1, Parent: -1})
	const batch = 4
	for n := 0; n < limit; n += batch {
		i := s.Pick(r.Uint64())
		for range batch {
			c := l.mutate(r, corpus[i])
			if c.rung >= l.rungs {
				return n
			}
			features := l.features(c)
			fresh := 0
			for _, f := range features {
				if !l.seen[f] {
					l.seen[f] = true
					fresh++
				}
			}
			if fresh > 0 {
				s.Found(i)
				k := s.Add(Entry{Features: features, Fresh: fresh, Parent: i})
				corpus = append(corpus[:k], c)
			} else if r.IntN(8) == 0 {
				s.Observe(features)
			}
		}
		s.Spent(i, batch)
	}
	return limit
}

// TestPoolLadder: the pool climbs a ladder, among entries that do not, with a
// fraction of the executions that a queue needs.
func TestPoolLadder(t *testing.T) {
	l := ladder{rungs: 10, others: 120, climb: 1.0 / 500}
	median := func(s func() scheduler) int {
		var all []int
		for seed := range uint64(5) {
			all = append(all, climb(s(), l, seed, 1_000_000))
		}
		slices.Sort(all)
		t.Log(all)
		return all[len(all)/2]
	}
	stock := median(func() scheduler { return &uniformQueue{} })
	pool := median(func() scheduler { return NewPool(1000) })
	require.Less(t, 3*pool, stock)
}
