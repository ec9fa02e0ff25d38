package rl

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/stretchr/testify/require"
)

// asked is a choice of RLCheck's figure 1, with the states before it.
type asked struct {
	sequence, tree, treeLR uint64
	point                  uint64
}

// observe replays a value of a generator and returns the states before each choice.
func observe[A any](t *testing.T, gen bigen.Gen[A], value A, w int) []asked {
	t.Helper()
	tree, err := bigen.Choices(gen, value)
	require.NoError(t, err)
	var all []asked
	g := New(seeded(1))
	for range 50 { // to see which picks have choices below
		_, _, err := bigen.Run(gen, g.Begin())
		require.NoError(t, err)
	}
	g.learner = watcher(func(p *Path, d *decision) {
		all = append(all, asked{
			sequence: Sequence(w)(p),
			tree:     Tree(w)(p),
			treeLR:   TreeLR(w)(p),
			point:    d.point,
		})
	})
	v, _, err := bigen.Run(gen, g.Replay(tree))
	require.NoError(t, err)
	require.Equal(t, value, v)
	return all
}

// watcher is a learner that only watches.
type watcher func(p *Path, d *decision)

func (f watcher) choose(*Path, *decision) int            { panic("nothing to choose") }
func (f watcher) observe(p *Path, d *decision, slot int) { f(p, d) }
func (f watcher) mark() mark                             { return mark{} }
func (f watcher) reject(mark)                            {}
func (f watcher) end(outcome)                            {}

func tree(l *bsttest.Tree, x int, r *bsttest.Tree) *bsttest.Tree {
	return &bsttest.Tree{L: l, X: x, R: r}
}

// The states before c7 of RLCheck's figure 2 are the states in section 4.3.1.
func TestFigure2(t *testing.T) {
	t.Parallel()
	leaf := (*bsttest.Tree)(nil)
	// The choices before the key of the right child: c1 to c6, so that c7 is the 7th.
	c7 := func(v *bsttest.Tree, i int) asked { return observe(t, naive(4), v, 4)[i] }
	figure := c7(tree(tree(leaf, 1, leaf), 2, tree(leaf, 3, leaf)), 6)

	otherLeft := c7(tree(tree(leaf, 9, leaf), 2, tree(leaf, 3, leaf)), 6) // c3 = 9
	noLeft := c7(tree(leaf, 2, tree(leaf, 3, leaf)), 3)                   // c2 = False
	deepLeft := c7(tree(tree(leaf, 1, tree(leaf, 5, leaf)), 2, tree(leaf, 3, leaf)), 9)
	otherRoot := c7(tree(tree(leaf, 1, leaf), 3, tree(leaf, 3, leaf)), 6) // c1 = 3
	left := c7(tree(tree(leaf, 1, leaf), 2, leaf), 2)                     // c3, after c1 and c2 = True
	zeroRoot := c7(tree(tree(leaf, 1, leaf), 0, tree(leaf, 3, leaf)), 6)

	// Sequence: [1, False, False, True].
	require.Equal(t, figure.sequence, otherRoot.sequence, "c1 is out of the window")
	require.Equal(t, figure.sequence, zeroRoot.sequence, "c1 is out of the window")
	require.NotEqual(t, figure.sequence, otherLeft.sequence)
	require.NotEqual(t, figure.sequence, noLeft.sequence)
	require.NotEqual(t, figure.sequence, deepLeft.sequence)
	// Tree: [2, True].
	require.Equal(t, figure.tree, otherLeft.tree)
	require.Equal(t, figure.tree, noLeft.tree)
	require.Equal(t, figure.tree, deepLeft.tree)
	require.Equal(t, figure.tree, left.tree, "left and right are the same to it")
	require.NotEqual(t, figure.tree, otherRoot.tree)
	require.NotEqual(t, figure.tree, zeroRoot.tree)
	// Tree L/R: [2, "R"].
	require.Equal(t, figure.treeLR, otherLeft.treeLR)
	require.Equal(t, figure.treeLR, noLeft.treeLR)
	require.Equal(t, figure.treeLR, deepLeft.treeLR)
	require.NotEqual(t, figure.treeLR, left.treeLR)
	require.NotEqual(t, figure.treeLR, otherRoot.treeLR)
	require.NotEqual(t, figure.treeLR, zeroRoot.treeLR)
}

// The other states of figure 2: S1 to S5, by Tree L/R, before c2 to c6.
func TestFigure2States(t *testing.T) {
	t.Parallel()
	leaf := (*bsttest.Tree)(nil)
	all := observe(t, naive(4), tree(tree(leaf, 1, leaf), 2, tree(leaf, 3, leaf)), 4)
	require.Len(t, all, 9)
	s1, s2, s3, s4, s5, s6 := all[1], all[2], all[3], all[4], all[5], all[6]
	require.Equal(t, s3.treeLR, s4.treeLR, "S3 = S4 = 2, L, 1")
	require.Equal(t, s1.treeLR, s5.treeLR, "S1 = S5 = 2")
	distinct := map[uint64]bool{
		all[0].treeLR: true,
		s1.treeLR:     true,
		s2.treeLR:     true,
		s3.treeLR:     true,
		s6.treeLR:     true,
	}
	require.Len(t, distinct, 5)
	points := map[uint64]bool{}
	for _, a := range all {
		points[a.point] = true
	}
	require.Equal(t, all[3].point, all[7].point, "left children of a left and a right child")
}

// Windows count answers: the last w answers matter, and no earlier ones.
func TestWindow(t *testing.T) {
	t.Parallel()
	gen := bigen.ArrayOf[[9]int](bigen.IntRange(0, 3))
	base := [9]int{3, 0, 1, 2, 3, 0, 1, 2, 0}
	for w := range 12 {
		a := observe(t, gen, base, w)[8] // before the last
		for i := range 8 {
			v := base
			v[i] = 3 - v[i]
			b := observe(t, gen, v, w)[8]
			ago := 8 - i
			require.Equal(t, ago > w, a.sequence == b.sequence,
				"Sequence(%d), another answer %d ago", w, ago)
			require.Equal(t, ago > w, a.tree == b.tree, "Tree(%d), another answer %d ago", w, ago)
			require.Equal(t, ago > w, a.treeLR == b.treeLR, "TreeLR(%d), another answer %d ago", w, ago)
		}
	}
}

// A pick of one alternative is not a choice, and is not among the last answers.
func TestWindowOfChoices(t *testing.T) {
	t.Parallel()
	type three struct{ A, B, C int }
	n := bigen.IntRange(0, 3)
	gen := bigen.Struct(func(c *bigen.C, v *three) {
		bigen.At(c, &v.A, n)
		bigen.At(c, &v.B, bigen.Pick(bigen.Tag("only", n)))
		bigen.At(c, &v.C, n)
	})
	sequence := func(v three) uint64 { return observe(t, gen, v, 2)[2].sequence }
	require.NotEqual(t, sequence(three{1, 1, 1}), sequence(three{2, 1, 1}))
	require.NotEqual(t, sequence(three{1, 1, 1}), sequence(three{1, 2, 1}))
	require.Equal(t, sequence(three{1, 1, 1}), sequence(three{1, 1, 2}))

	pair := bigen.ArrayOf[[2]string](bigen.StringOf(choices.Chars("abc"), 1, 1))
	last := func(v [2]string) asked { return observe(t, pair, v, 1)[1] }
	require.NotEqual(t, last([2]string{"a", "b"}).sequence, last([2]string{"c", "b"}).sequence)
	require.NotEqual(t, last([2]string{"a", "b"}).tree, last([2]string{"c", "b"}).tree)
}

// Alternatives are distinguished by their tags, however many there are.
func TestAnswersOfManyAlternatives(t *testing.T) {
	t.Parallel()
	q := alternatives(100, even)
	g := New(seeded(1), pure())
	answers := map[uint64]bool{}
	for i := range q.Alts {
		src := g.Replay(choices.Tree{{Kind: choices.Pick, Slot: 1, Tag: q.Alts[i].Tag, N: int64(i)}})
		src.Pick(q)
		answers[g.path.Influences()[0].Answer] = true
		require.Len(t, g.path.Answers(), 1)
		src.Leave()
	}
	require.Len(t, answers, len(q.Alts))
}

// A sequence shorter than the window differs from one that starts with zeros.
func TestZerosCount(t *testing.T) {
	t.Parallel()
	all := observe(t, bigen.ArrayOf[[4]int](bigen.IntRange(0, 3)), [4]int{}, 9)
	sequences, trees, sides := map[uint64]bool{}, map[uint64]bool{}, map[uint64]bool{}
	for _, a := range all {
		sequences[a.sequence], trees[a.tree], sides[a.treeLR] = true, true, true
	}
	require.Len(t, sequences, 4)
	require.Len(t, trees, 4)
	require.Len(t, sides, 4)
}

// A choice point is the place of a question. The bounds of integers are not part of it.
func TestPoints(t *testing.T) {
	t.Parallel()
	gen := func(a, b int) bigen.Gen[any] {
		return bigen.Pick(bigen.Tag("a", erase(bigen.IntRange(0, a))),
			bigen.Tag("b", erase(bigen.IntRange(100, b))))
	}
	point := func(a, b int, v any) uint64 { return observe(t, gen(a, b), v, 1)[1].point }
	require.NotEqual(t, point(3, 110, 1), point(3, 110, 101), "in another branch")
	require.Equal(t, point(3, 110, 1), point(9, 110, 1))
	require.Equal(t, point(3, 110, 1), point(3, 109, 1))
	require.Equal(t, point(3, 110, 1), point(3, 110, 2))
}

// The same answer in two slots is in two places, and so are two answers.
func TestPlaces(t *testing.T) {
	t.Parallel()
	places := map[uint64]bool{}
	for slot := range uint32(8) {
		for n := range uint64(20) {
			var p Path
			p.reset()
			p.answer(&choices.Question{Kind: choices.Int, Slot: slot, Hi: 19}, n)
			places[p.influences[0].Place] = true
		}
	}
	require.Len(t, places, 8*20)
}

func TestWindowPanics(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]func(int) Abstraction{
		"Sequence": Sequence,
		"Tree":     Tree,
		"TreeLR":   TreeLR,
	} {
		require.PanicsWithValue(t, "rl."+name+": a window of -1 answers", func() { f(-1) })
	}
}
