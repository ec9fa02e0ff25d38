package engine

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// A ladder is a simulated target: an input is on some rung, and has some of a few
// hundred features that have nothing to do with the ladder. A mutant of it falls to a
// lower rung in half of the cases, reaches the next rung once in thousands, and gains
// or loses other features.
type ladder struct {
	rungs, others int
	climb         float64 // the probability of the next rung
	changed       int     // the first rung that a change touches; 0 for none
	seen          []bool
}

type climber struct {
	rung   int
	others []bool
}

func (l *ladder) features(c climber) (out []uint32) {
	for i := range c.rung + 1 {
		out = append(out, uint32(8*i))
	}
	for i, has := range c.others {
		if has {
			out = append(out, uint32(8*(l.rungs+1+i)))
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

// A scheduler is a [Pool], or what a Pool is compared with.
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
	s.Add(Entry{Features: l.features(corpus[0]), Fresh: 1})
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
				if !l.seen[f/8] {
					l.seen[f/8] = true
					fresh++
				}
			}
			if fresh > 0 {
				s.Found(i)
				k := s.Add(Entry{
					Features: features,
					Fresh:    fresh,
					Changed:  l.changed > 0 && c.rung >= l.changed,
				})
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
	if !long.Enabled() {
		t.Skip("takes a second")
	}
	l := ladder{rungs: 10, others: 120, climb: 1.0 / 500}
	median := func(s func() scheduler) int {
		var all []int
		for seed := range uint64(long.Count(1, 3)) {
			all = append(all, climb(s(), l, seed, 1_000_000))
		}
		slices.Sort(all)
		t.Log(all)
		return all[len(all)/2]
	}
	stock := median(func() scheduler { return &uniformQueue{} })
	pool := median(func() scheduler { return NewPool(1000, 1<<18) })
	require.Less(t, 3*pool, stock)
}

// Favoring entries that reach what has changed, the pool comes sooner to the end of a ladder
// that begins there, among hundreds of entries that have nothing to do with it.
func TestPoolFavorsChange(t *testing.T) {
	l := ladder{rungs: 4, others: 200, climb: 1.0 / 200}
	total := func(changed int) (sum int) {
		l.changed = changed
		for seed := range uint64(long.Count(1, 40)) {
			sum += climb(NewPool(1000, 1<<18), l, seed, 100_000)
		}
		return sum
	}
	with, without := total(1), total(0)
	t.Logf("%d executions instead of %d", with, without)
	require.Less(t, 4*with, 3*without)
}

// The entries that reach what has changed are chosen most of the time, in any number, and all
// entries now and then.
func TestPoolChanged(t *testing.T) {
	for _, changed := range []int{0, 1, 30, 60} {
		p := NewPool(64, 1<<18)
		for i := range 60 {
			p.Add(Entry{Features: []uint32{8}, Covers: true, Changed: i < changed})
		}
		require.Equal(t, changed, p.Changed())
		r := rand.New(rand.NewPCG(1, 1))
		hits, all := 0, map[int]bool{}
		for range 10_000 {
			i := p.Pick(r.Uint64())
			all[i] = true
			if i < changed {
				hits++
			}
		}
		require.Len(t, all, 60)
		if changed > 0 {
			require.Greater(t, hits, 6500)
		}
	}
	p := NewPool(1, 1<<18)
	p.Add(Entry{Features: []uint32{8}, Covers: true, Changed: true})
	p.Add(Entry{Features: []uint32{8}, Covers: true})
	require.Zero(t, p.Changed(), "it is forgotten")
}

func TestPoolFull(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	p := NewPool(50, 1<<18)
	for n := range 1000 {
		var features []uint32
		for range r.IntN(200) {
			features = append(features, r.Uint32()>>r.IntN(32))
		}
		slices.Sort(features)
		var nearer []Nearer
		for site := range uint32(r.IntN(3)) {
			nearer = append(nearer, Nearer{Site: 5*site + uint32(r.IntN(5)), Distance: uint32(r.IntN(3))})
		}
		i := p.Add(Entry{
			Features: features,
			Covers:   r.IntN(2) == 0,
			Nearer:   nearer,
			Fresh:    r.IntN(3),
			Time:     r.Float64() * 10,
			Size:     r.IntN(100),
		})
		if n < 50 {
			require.Equal(t, n, i)
		}
		require.Equal(t, min(n+1, 50), p.Len())
		for range r.IntN(100) {
			k := p.Pick(r.Uint64())
			require.Less(t, k, p.Len())
			p.Spent(k, 1)
			if r.IntN(100) == 0 {
				p.Found(k)
			}
		}
		held := make([]int, p.Len())
		for _, holder := range p.holders {
			held[holder]++
		}
		for k, e := range p.entries {
			require.Equal(t, held[k], e.holds, "entry %d", k)
		}
	}
}

// An entry that is kept for how near it has come is retired when others have come nearer:
// it is forgotten first when the pool is full. An entry that is kept for its coverage
// stays, but only for the coverage.
func TestPoolRetires(t *testing.T) {
	p := NewPool(20, 1<<18)
	for i := range 10 {
		e := Entry{Features: []uint32{uint32(8 * i)}, Covers: true}
		if i == 7 || i == 8 {
			e.Covers = i == 8
			e.Nearer = []Nearer{{Site: uint32(2 * i), Distance: 5}, {Site: uint32(2*i + 1), Distance: 5}}
		}
		p.Add(e)
	}
	require.Len(t, p.Near(7), 2)
	require.Len(t, p.entries[8].rare, 3)
	nearer := func(site uint32) int {
		return p.Add(Entry{
			Features: []uint32{800},
			Covers:   true,
			Nearer:   []Nearer{{Site: site, Distance: 4}},
		})
	}
	nearer(16)
	nearer(17)
	require.Equal(t, []uint32{8}, p.entries[8].rare, "its coverage only")
	nearer(14)
	require.False(t, p.entries[7].retired, "it is nearest to one place still")
	p.Limit()
	require.Equal(t, 7, nearer(15))
	require.NotEqual(t, 7, p.Add(Entry{Features: []uint32{808}, Covers: true}))
}

// Once the operands have been equal, no entry is kept for them.
func TestPoolEqualOperands(t *testing.T) {
	p := NewPool(10, 1<<18)
	p.Add(Entry{Nearer: []Nearer{{Site: 1, Distance: 1}}})
	p.Add(Entry{Nearer: []Nearer{{Site: 1, Distance: 0}}})
	require.Empty(t, p.Near(1))
	require.Empty(t, p.holders)
	require.True(t, p.entries[0].retired)
}

// A retired entry is chosen less than all others, even when their blocks are seen often.
func TestPoolRetiredShare(t *testing.T) {
	p := NewPool(10, 1<<18)
	p.Add(Entry{Features: []uint32{8}, Covers: true})
	p.Add(Entry{Features: []uint32{8}, Nearer: []Nearer{{Site: 1, Distance: 2}}})
	p.Add(Entry{Features: []uint32{8}, Nearer: []Nearer{{Site: 1, Distance: 1}}})
	for range 100_000 {
		p.Observe([]uint32{8})
		p.Observe(p.Near(2))
	}
	r := rand.New(rand.NewPCG(1, 1))
	chosen := make([]int, 3)
	for range 10_000 {
		chosen[p.Pick(r.Uint64())]++
	}
	require.Less(t, chosen[1], 10_000/poolUniform)
	require.Greater(t, chosen[0], 10_000/4)
	require.Greater(t, chosen[2], 10_000/4)
}

// TestPoolLimit: a pool may be made smaller than announced.
func TestPoolLimit(t *testing.T) {
	p := NewPool(10, 1<<18)
	for range 4 {
		p.Add(Entry{Features: []uint32{8}})
	}
	p.Limit()
	require.Less(t, p.Add(Entry{Features: []uint32{16}}), 4)
	require.Equal(t, 4, p.Len())
}

// TestPoolShares: which entries are preferred, and that all are chosen.
func TestPoolShares(t *testing.T) {
	const n, perEntry = 100, 2000
	for _, c := range []struct {
		name  string
		entry Entry // what entry 0 is like; the others have feature 1, size and time 10
		more  float64
	}{
		{"rare", Entry{Features: []uint32{8, 16}, Size: 10, Time: 10}, 900},
		{"small", Entry{Features: []uint32{8}, Size: 1, Time: 10}, 1.4},
		{"large", Entry{Features: []uint32{8}, Size: 1000, Time: 10}, 0.09},
		{"fast", Entry{Features: []uint32{8}, Size: 10, Time: 1}, 1.4},
		{"slow", Entry{Features: []uint32{8}, Size: 10, Time: 1000}, 0.09},
		{"alike", Entry{Features: []uint32{8}, Size: 10, Time: 10}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := NewPool(n, 1<<18)
			p.Add(c.entry)
			for range n - 1 {
				p.Add(Entry{Features: []uint32{8}, Size: 10, Time: 10})
			}
			r := rand.New(rand.NewPCG(1, 1))
			chosen := make([]int, n)
			for range n * perEntry {
				chosen[p.Pick(r.Uint64())]++
			}
			require.InEpsilon(t, c.more, float64(chosen[0])/float64(chosen[1]), 0.25)
			for _, k := range chosen {
				require.Greater(t, k, perEntry/20)
			}
		})
	}
}

// TestPoolBurst: a new entry with news gets half of the choices for a while.
func TestPoolBurst(t *testing.T) {
	p := NewPool(1000, 1<<18)
	for i := range 500 {
		p.Add(Entry{Features: []uint32{uint32(8 * i)}})
	}
	i := p.Add(Entry{Features: []uint32{8e6}, Fresh: 1})
	r := rand.New(rand.NewPCG(1, 1))
	count := func(n int) (k int) {
		for range n {
			if p.Pick(r.Uint64()) == i {
				k++
				p.Spent(i, 1)
			}
		}
		return k
	}
	require.InDelta(t, 200, count(400), 40)
	count(1000)
	require.Less(t, count(400), 40)
}

func BenchmarkPool(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	p := NewPool(1000, 1<<18)
	for range 1000 {
		var features []uint32
		for range 100 {
			features = append(features, uint32(r.IntN(8000)))
		}
		p.Add(Entry{Features: features, Fresh: 1})
	}
	for b.Loop() {
		p.Spent(p.Pick(r.Uint64()), 1)
	}
}
