package choices_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"
)

// headers returns where the records of an encoding begin.
func headers(b []byte) (at []int) {
	for i := 0; i < len(b); i++ {
		if b[i] >= 0x80 {
			at = append(at, i)
			i++ // the rest of the address
		}
	}
	return at
}

// insert returns b with a record inserted at i.
func insert(
	b []byte, i int, rec ...byte,
) []byte {
	return slices.Insert(slices.Clone(b), i, rec...)
}

// genRecords asks a pick, an integer and a text, each in a record of its own.
var genRecords = bigen.Struct(func(c *bigen.C, a *flat) {
	bigen.At(c, &a.On, bigen.Pick(
		bigen.Tag("off", bigen.Just(false)), bigen.Tag("on", bigen.Just(true)).Weight(100),
	))
	bigen.At(c, &a.N, bigen.IntRange(-1000, 1000))
	bigen.At(c, &a.Bit, bigen.IntRange(0, 1))
	bigen.At(c, &a.Name, bigen.String(20))
})

type flat struct {
	On     bool
	N, Bit int
	Name   string
}

func changed(v, w flat) []bool {
	return []bool{v.On != w.On, v.N != w.N, v.Bit != w.Bit, v.Name != w.Name}
}

func TestEditsChangeTheNextAnswer(t *testing.T) {
	t.Parallel()
	r := rng(21)
	for range 200 {
		v := flat{r.IntN(2) == 0, r.IntN(2001) - 1000, r.IntN(2), "name"}
		b, err := bigen.Encode(genRecords, v)
		require.NoError(t, err)
		at := headers(b)
		require.Len(t, at, 4)
		for field, i := range at {
			for _, rec := range [][]byte{
				{0xc0}, {0xff}, {byte(0xc0 + r.IntN(64)), byte(r.IntN(128))}, {
					0xc0, 1, 2, 3, 4, 5, 6, 7, 8, 9, byte(r.IntN(128)),
				},
				{0x80}, {0xbf}, {byte(0x80 + r.IntN(64))},
			} {
				w, err := bigen.Decode(genRecords, insert(b, i, rec...))
				require.NoError(t, err)
				want := make([]bool, 4)
				want[field] = true
				require.Equal(
					t, want, changed(v, w), "% x before the record at %d of % x: %v becomes %v",
					rec, i, b, v, w,
				)
			}
		}
	}
}

type side struct {
	Left bool
	A, B int
}

// genSides asks two picks, whose branches ask the same questions.
var genSides = bigen.Struct(func(c *bigen.C, v *[2]side) {
	for i := range v {
		branch := func(left bool) bigen.Gen[side] {
			return bigen.Struct(func(c *bigen.C, s *side) {
				bigen.At(c, &s.A, bigen.IntRange(0, 1_000_000))
				bigen.At(c, &s.B, bigen.IntRange(0, 1_000_000))
				bigen.At(c, &s.Left, bigen.Just(left))
			})
		}
		bigen.At(c, &v[i], bigen.Pick(
			bigen.Tag("left", branch(true)), bigen.Tag("right", branch(false)),
		))
	}
})

// An edit with the bit 0x20 regenerates all below a pick, one without it only the pick.
func TestEditsOfSubtrees(t *testing.T) {
	t.Parallel()
	r := rng(24)
	for range 5 {
		var v [2]side
		for i := range v {
			v[i] = side{r.IntN(2) == 0, r.IntN(1_000_001), r.IntN(1_000_001)}
		}
		b, err := bigen.Encode(genSides, v)
		require.NoError(t, err)
		at := headers(b)
		require.Len(t, at, 4)
		for i := range v {
			for rec := 0x80; rec < 0x100; rec++ {
				w, err := bigen.Decode(genSides, insert(b, at[2*i], byte(rec)))
				require.NoError(t, err)
				require.Equal(t, v[1-i], w[1-i])
				require.Equal(t, !v[i].Left, w[i].Left)
				if rec&0x20 == 0 {
					require.Equal(t, v[i].A, w[i].A)
					require.Equal(t, v[i].B, w[i].B)
				} else {
					require.NotEqual(t, v[i].A, w[i].A)
					require.NotEqual(t, v[i].B, w[i].B)
				}
			}
		}
	}
}

// Digits of a pick's record that nothing below the pick reads edit the next answer.
func TestDigitsToSpare(t *testing.T) {
	t.Parallel()
	v := flat{On: true, N: 77, Bit: 1, Name: "name"}
	b, err := bigen.Encode(genRecords, v)
	require.NoError(t, err)
	at := headers(b)
	for x := range byte(128) {
		w, err := bigen.Decode(genRecords, insert(b, at[1], x))
		require.NoError(t, err)
		require.Equal(t, []bool{false, true, false, false}, changed(v, w), "%#x: %v", x, w)
	}
}

// Whatever is inserted, the encoding of the result is canonical and has no edits.
func TestEditsLeaveNoTrace(t *testing.T) {
	t.Parallel()
	t.Run("tree", func(t *testing.T) { leavesNoTrace(t, bsttest.Gen(-100, 100)) })
	t.Run("slice", func(t *testing.T) {
		leavesNoTrace(t, bigen.SliceOf(bigen.IntRange[uint16](0, 999), 0, 50))
	})
	t.Run("text", func(t *testing.T) { leavesNoTrace(t, bigen.SliceOf(bigen.String(30), 1, 4)) })
	t.Run("all", func(t *testing.T) { leavesNoTrace(t, genAll) })
}

func leavesNoTrace[A any](t *testing.T, g bigen.Gen[A]) {
	r := rng(22)
	for range long.Count(8, 150) {
		b := make([]byte, r.IntN(60))
		if r.IntN(3) == 0 {
			var err error
			b, err = bigen.Encode(g, bigen.Sample(g, r))
			require.NoError(t, err)
		} else {
			for i := range b {
				b[i] = byte(r.Uint32())
			}
		}
		for range 6 { // mutants of mutants
			v, tree, err := bigen.Run(g, choices.FromBytes(b))
			require.NoError(t, err)
			e := choices.Encode(tree)
			for _, i := range headers(e) {
				require.Less(t, e[i], byte(0xc0), "an edit in % x", e)
				require.Less(t, e[i+1], byte(0x80), "a lone byte in % x", e)
			}
			w, again, err := bigen.Run(g, choices.FromBytes(e))
			require.NoError(t, err)
			require.Equal(t, v, w, "% x, encoded again % x", b, e)
			require.Equal(t, tree, again, "% x, encoded again % x", b, e)
			b = mutant(r, b)
		}
	}
}

// mutant returns b after a change of a few bytes.
func mutant(r *rand.Rand, b []byte) []byte {
	b = slices.Clone(b)
	switch i := r.IntN(len(b) + 1); {
	case r.IntN(2) == 0 || i == len(b):
		return slices.Insert(b, i, byte(r.Uint32()))
	case r.IntN(2) == 0:
		b[i] ^= 1 << r.IntN(8)
		return b
	case r.IntN(2) == 0:
		j := i + r.IntN(len(b)-i)
		return slices.Insert(b, r.IntN(len(b)), slices.Clone(b[i:j])...)
	default:
		return slices.Delete(b, i, min(len(b), i+1+r.IntN(8)))
	}
}

// A pick whose record has a broken address does not get the same answer.
func TestFlippedAddress(t *testing.T) {
	t.Parallel()
	for _, v := range []flat{{On: true, N: 5, Name: "a"}, {N: -5, Bit: 1, Name: "b"}} {
		b, err := bigen.Encode(genRecords, v)
		require.NoError(t, err)
		for bit := range 16 {
			if bit == 7 {
				continue // no longer the beginning of a record
			}
			flipped := slices.Clone(b)
			flipped[bit/8] ^= 1 << (bit % 8)
			w, err := bigen.Decode(genRecords, flipped)
			require.NoError(t, err)
			require.Equal(
				t, []bool{true, false, false, false}, changed(v, w), "bit %d of % x: %v", bit, b, w,
			)
		}
	}
}

// Many records of any sort take little time.
func TestManyRecords(t *testing.T) {
	t.Parallel()
	size := long.Count(26214, 1<<20) // bytes
	v := bsttest.Random(rng(23), 20, -1000, 1000)
	g := bsttest.Gen(-1000, 1000)
	b, err := bigen.Encode(g, v)
	require.NoError(t, err)
	for _, rec := range [][]byte{
		{0xe0}, {0xc0}, {0x80}, {0xff, 0x7f}, {0x80, 0x00}, b[:2], b[:4], {0}, {0x7f},
	} {
		many := bytes.Repeat(rec, size/len(rec))
		for _, b := range [][]byte{
			append(slices.Clone(many), b...), slices.Insert(slices.Clone(b), 4, many...),
		} {
			w, err := bigen.Decode(g, b)
			require.NoError(t, err)
			require.True(t, w.Valid(-1000, 1000))
		}
	}
}

type fork struct {
	X    int
	L, R *fork
}

func (f *fork) numbers() []int {
	if f == nil {
		return nil
	}
	return append(append(f.L.numbers(), f.X), f.R.numbers()...)
}

// genFork makes trees of any numbers.
func genFork(depth int) bigen.Gen[*fork] {
	if depth == 0 {
		return bigen.Nil[fork]()
	}
	node := bigen.New(func(c *bigen.C, f *fork) {
		bigen.At(c, &f.X, bigen.IntRange(0, 1_000_000))
		bigen.At(c, &f.L, genFork(depth-1))
		bigen.At(c, &f.R, genFork(depth-1))
	})
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[fork]()), bigen.Tag("node", node).Weight(9),
		bigen.Tag("other", node).Weight(9),
	)
}

// Nothing of a regenerated subtree remains, however deep. Beside it nearly everything does,
// except what by accident has an address that the old subtree had, too.
func TestEditsOfDeepSubtrees(t *testing.T) {
	t.Parallel()
	g := genFork(6)
	v := bigen.Sample(g, rng(3))
	left, right := v.L.numbers(), v.R.numbers()
	require.Greater(t, min(len(left), len(right)), 20)
	b, err := bigen.Encode(g, v)
	require.NoError(t, err)
	before := headers(b)[1] // of the left child
	in := func(all, of []int) (n int) {
		for _, x := range all {
			if slices.Contains(of, x) {
				n++
			}
		}
		return n
	}
	for x := range byte(32) {
		w, err := bigen.Decode(g, insert(b, before, 0xe0|x))
		require.NoError(t, err)
		require.LessOrEqual(t, in(left, w.L.numbers()), 1)
		require.GreaterOrEqual(t, in(right, w.R.numbers()), len(right)*8/10)
		again, err := bigen.Decode(g, insert(b, before, 0xc0|x))
		require.NoError(t, err)
		if again.L != nil { // the other alternative, with the same below
			require.Greater(t, in(left, again.L.numbers()), len(left)*8/10)
		}
	}
}
