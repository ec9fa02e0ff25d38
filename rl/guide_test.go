package rl

import (
	"fmt"
	"math"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// little limits a guide to fewer bytes than by default.
func little(memory int) Option { return func(o *options) { o.memory = memory } }

type policy struct {
	name string
	opts []Option
}

// policies returns a policy of each kind, and extreme ones.
func policies() []policy {
	paper := Rewards{Unique: 20, Valid: 0, Invalid: -1}
	custom := func(p *Path) uint64 { return uint64(len(p.frames)) }
	return []policy{
		{"default", nil},
		{"Sequence", []Option{MonteCarlo(0.25, Sequence(4), paper)}},
		{"Tree", []Option{MonteCarlo(0.25, Tree(4), paper)}},
		{"TreeLR", []Option{MonteCarlo(0.25, TreeLR(4), paper)}},
		{"custom abstraction", []Option{MonteCarlo(0.1, custom, paper)}},
		{"window 0", []Option{MonteCarlo(0.25, TreeLR(0), paper)}},
		{"window without end", []Option{MonteCarlo(0.25, Tree(math.MaxInt), paper)}},
		{"greedy", []Option{MonteCarlo(0, Sequence(4), paper)}},
		{"random", []Option{MonteCarlo(1, Sequence(4), paper)}},
		{"infinite rewards",
			[]Option{MonteCarlo(0.25, Sequence(1), Rewards{math.Inf(1), math.Inf(-1), math.NaN()})}},
		{"little memory", []Option{little(20000)}},
		{"no memory", []Option{little(0)}},
		{"no memory either", []Option{MonteCarlo(0.25, Tree(4), paper), little(0)}},
	}
}

// episode makes one input with a guide and tells the guide whether it is valid.
func (s subject) episode(g *Guide) (v any, tree choices.Tree, err error) {
	v, tree, err = s.run(g.Begin())
	s.end(g, v, err)
	return v, tree, err
}

func (s subject) end(g *Guide, v any, err error) (unique bool) {
	if err != nil || s.valid != nil && !s.valid(v) {
		g.Invalid()
		return false
	}
	return g.Valid(g.Input())
}

// With every policy, generators run to their end, a replay of a tree makes the same input
// again, and the same seed makes the same inputs.
func TestPolicies(t *testing.T) {
	t.Parallel()
	all := subjects()
	for seed := range uint64(long.Count(1, 15)) {
		all = append(all, composed(seed))
	}
	for _, p := range policies() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			runs := long.Count(2, 40)
			for _, s := range all {
				g, same := New(seeded(9), p.opts...), New(seeded(9), p.opts...)
				var trees []choices.Tree
				for i := range runs {
					v, tree, err := s.episode(g)
					w, treeToo, errToo := s.episode(same)
					require.Equal(t, err, errToo, s.name)
					require.True(t, slices.Equal(tree, treeToo), "%s: %v and %v", s.name, tree, treeToo)
					if err != nil {
						require.ErrorIs(t, err, bigen.ErrRejected)
						continue
					}
					require.Equal(t, fmt.Sprintf("%T", v), fmt.Sprintf("%T", w))
					require.Equal(t, g.Input(), same.Input())
					trees = append(trees, tree)
					if i%4 > 0 {
						continue
					}
					for _, guide := range []*Guide{g, same} {
						tree := trees[(i*7)%len(trees)]
						v, again, err := s.run(guide.Replay(tree))
						require.NoError(t, err, "%s: %v", s.name, tree)
						require.True(t, slices.Equal(tree, again), "%s: %v became %v", s.name, tree, again)
						s.end(guide, v, err)
					}
				}
			}
		})
	}
}

// The default policy makes no input twice and gives no two inputs the same answers. If
// there are few inputs, it makes all of them.
func TestNothingTwice(t *testing.T) {
	t.Parallel()
	all := subjects()
	for seed := range uint64(60) {
		all = append(all, composed(seed))
	}
	exhausted := 0
	for _, s := range all {
		runs := long.Count(30, 1500)
		if s.valid != nil {
			runs = long.Count(400, 20000)
		}
		g := New(seeded(4))
		inputs, answers := map[uint64]bool{}, map[uint64]bool{}
		for range runs {
			if g.trie.exhausted() {
				exhausted++
				break
			}
			r := &recorder{g.Begin(), 1 << 40}
			v, tree, err := s.run(r)
			s.end(g, v, err)
			if g.Input() == 0 {
				break // nothing to decide
			}
			if inputs[g.Input()] || answers[r.hash] {
				t.Fatalf("%s: %v again (by other decisions: %t)", s.name, tree, !inputs[g.Input()])
			}
			inputs[g.Input()], answers[r.hash] = true, true
		}
	}
	require.Greater(t, exhausted, 15)
}

// A generator may panic at any moment. The guide continues.
func TestPanicInGenerator(t *testing.T) {
	t.Parallel()
	runs := long.Count(100, 300)
	for _, p := range policies() {
		g := New(seeded(2), p.opts...)
		n := 0
		gen := bigen.SliceOf(bigen.Pick(bigen.Tag("a", bigen.Just(1)),
			bigen.Tag("b", bigen.Struct(func(c *bigen.C, v *int) {
				bigen.At(c, v, bigen.IntRange(0, 100))
				if n++; n%5 == 0 {
					panic("user")
				}
			}))), 0, 6)
		panicked := 0
		for range runs {
			func() {
				defer func() {
					if r := recover(); r != nil {
						require.Equal(t, "user", r)
						panicked++
						if panicked%2 == 0 {
							g.Valid(g.Input())
						}
					}
				}()
				src := g.Begin()
				require.Equal(t, []int{0, 0, 1},
					[]int{len(g.path.answers), len(g.path.influences), len(g.path.frames)})
				_, _, err := bigen.Run(gen, src)
				require.NoError(t, err)
				g.Invalid()
			}()
		}
		require.NotZero(t, panicked, p.name)
		require.Less(t, panicked, runs, p.name)
	}
}

// Dropped episodes leave no trace: a guide that replays inputs now and then, but never
// ends these episodes, makes the same inputs as one that does not.
func TestDropped(t *testing.T) {
	t.Parallel()
	for _, p := range policies()[:5] {
		for _, s := range subjects() {
			g, plain := New(seeded(3), p.opts...), New(seeded(3), p.opts...)
			var trees []choices.Tree
			for i := range long.Count(2, 150) {
				_, tree, err := s.episode(g)
				_, treeToo, _ := s.episode(plain)
				require.True(t, slices.Equal(tree, treeToo), "%s, %s: run %d is another", p.name, s.name, i)
				if err != nil {
					continue
				}
				trees = append(trees, tree)
				for j := range i % 4 {
					_, _, err := s.run(g.Replay(trees[(i+j*11)%len(trees)]))
					require.NoError(t, err)
				}
			}
		}
	}
}

// Nor do dropped revisits, or runs after the end of an episode.
func TestDroppedRevisits(t *testing.T) {
	t.Parallel()
	s := subjects()[0]
	g, plain := New(seeded(3)), New(seeded(3))
	for range 100 {
		_, _, err := s.episode(g)
		_, _, errToo := s.episode(plain)
		require.Equal(t, err, errToo)
	}
	for range 100 {
		src := g.Begin()
		_, _, err := s.run(src)
		require.NoError(t, err)
	}
	require.NotZero(t, plain.archive.Len())
	require.Equal(t, plain.archive, g.archive)
	_, tree, err := s.run(g.Begin())
	require.NoError(t, err)
	src := g.Replay(tree)
	_, _, err = s.run(src)
	require.NoError(t, err)
	g.Invalid()
	_, _, err = s.run(src) // by mistake
	require.NoError(t, err)
	g.Begin()
	require.Empty(t, g.trie.steps)
	require.Zero(t, g.trie.node)
}

// An end without a beginning, or a second end, has no effect.
func TestEndTwice(t *testing.T) {
	t.Parallel()
	s := subjects()[0]
	g, plain := New(seeded(3)), New(seeded(3))
	g.Invalid()
	g.Valid(17)
	for range 300 {
		_, tree, _ := s.episode(g)
		_, treeToo, _ := s.episode(plain)
		require.True(t, slices.Equal(tree, treeToo))
		runs := g.trie.runs
		g.Invalid()
		g.Valid(g.Input())
		g.Invalid()
		require.Equal(t, runs, g.trie.runs)
	}
}

// Equal choices are the same input, in every episode of every guide.
func TestSameInput(t *testing.T) {
	t.Parallel()
	g, other := New(seeded(1)), New(seeded(2), policies()[1].opts...)
	for _, s := range subjects() {
		_, tree, err := s.run(g.Begin())
		for err != nil {
			_, tree, err = s.run(g.Begin())
		}
		var inputs []uint64
		for _, guide := range []*Guide{g, g, other} {
			_, _, err := s.run(guide.Replay(tree))
			require.NoError(t, err)
			inputs = append(inputs, guide.Input())
			guide.Valid(guide.Input())
		}
		require.Equal(t, inputs[0], inputs[1], s.name)
		require.Equal(t, inputs[0], inputs[2], s.name)
	}
}

// Filters may reject 1000 values in an episode.
func TestReject(t *testing.T) {
	t.Parallel()
	g := New(seeded(1))
	for range 3 {
		src := g.Begin().(choices.Rejecter)
		for range maxRejects {
			require.False(t, src.Reject())
		}
		require.True(t, src.Reject())
		g.Invalid()
	}
}

// Valid decides by its argument what is unique.
func TestUnique(t *testing.T) {
	t.Parallel()
	g := New(seeded(1))
	s := of("", bigen.Int[int]())
	for i, want := range []bool{true, false, true, false, false, true} {
		_, _, err := s.run(g.Begin())
		require.NoError(t, err)
		require.Equal(t, want, g.Valid([]uint64{5, 5, 6, 5, 6, 0}[i]))
	}
}

// If hardly any input is valid, one replayed example leads to more valid inputs.
func TestExampleHelps(t *testing.T) {
	t.Parallel()
	gen := bigen.SliceOf(bigen.Int[uint8](), 0, 12)
	s := of("magic", gen)
	s.valid = func(v any) bool {
		xs := v.([]uint8)
		return len(xs) >= 2 && xs[0] == 0x7f && xs[1] == 'E'
	}
	example, err := bigen.Choices(gen, []uint8{0x7f, 'E', 'L', 'F', 2, 1, 1})
	require.NoError(t, err)
	n := long.Count(1000, 5000)
	for _, p := range policies()[:2] {
		for seed := range uint64(long.Count(1, 3)) {
			count := func(examples int) (valid int) {
				g := New(seeded(seed), p.opts...)
				for range examples {
					v, _, err := s.run(g.Replay(example))
					require.True(t, s.valid(v))
					s.end(g, v, err)
				}
				for range n {
					v, _, _ := s.episode(g)
					if s.valid(v) {
						valid++
					}
				}
				return valid
			}
			require.LessOrEqual(t, count(0), n/1000, "%s, seed %d", p.name, seed)
			require.GreaterOrEqual(t, count(1), n*6/100, "%s, seed %d", p.name, seed)
		}
	}
}

// The default policy makes more unique valid inputs than chance.
func TestLearns(t *testing.T) {
	t.Parallel()
	for i, s := range subjects()[:2] {
		count := func(opts ...Option) (unique int) {
			g := New(seeded(1), opts...)
			for range long.Count(1000, 4000) {
				v, _, err := s.run(g.Begin())
				if s.end(g, v, err) {
					unique++
				}
			}
			return unique
		}
		chance, learned := count(pure()), count()
		require.Greater(t, float64(learned), []float64{5, 1.5}[i]*float64(chance), s.name)
	}
}

// A valid input that is not unique does not count against its choices.
func TestValidButNotUnique(t *testing.T) {
	t.Parallel()
	s := subjects()[0]
	count := func(opts ...Option) (valid int) {
		g := New(seeded(1), opts...)
		for range long.Count(1000, 3000) {
			if v, _, _ := s.run(g.Begin()); s.valid(v) {
				g.Valid(1)
				valid++
			} else {
				g.Invalid()
			}
		}
		return valid
	}
	require.Greater(t, count(), count(pure())/2)
}

// recorder hashes the answers of a source.
type recorder struct {
	choices.Source
	hash uint64
}

func (r *recorder) Pick(q *choices.Question) int {
	n := r.Source.Pick(q)
	r.hash = hash.Mix(r.hash, uint64(n)+1)
	return n
}

func (r *recorder) Int(q *choices.Question) int64 {
	n := r.Source.Int(q)
	r.hash = hash.Mix(r.hash, uint64(n))
	return n
}

func (r *recorder) Text(q *choices.Question) string {
	text := r.Source.Text(q)
	r.hash = hash.Mix(r.hash, hash.FNV64(text))
	return text
}

func (r *recorder) Reject() bool { return r.Source.(choices.Rejecter).Reject() }
