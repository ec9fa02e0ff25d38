package choices_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"
)

var update = flag.Bool("update", false, "rewrite golden files")

// golden compares got with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "run with -update if the change is meant")
}

type all struct {
	I    int64
	U    uint64
	Name string
	On   bool
	List []int8
	Any  int
}

// genAll asks every kind of question. Its last field has many alternatives with
// each tag.
var genAll = bigen.Struct(func(c *bigen.C, a *all) {
	bigen.At(c, &a.I, bigen.IntRange[int64](math.MinInt64, math.MaxInt64))
	bigen.At(c, &a.U, bigen.IntRange[uint64](0, math.MaxUint64))
	bigen.At(c, &a.Name, bigen.String(1000))
	bigen.At(c, &a.On, bigen.Bool())
	bigen.At(c, &a.List, bigen.SliceOf(bigen.IntRange[int8](-128, 127), 0, 100))
	var alts []bigen.Alt[int]
	for i := range 200 {
		alts = append(alts, bigen.Tag(fmt.Sprint("v", i%3), bigen.Just(i)))
	}
	bigen.At(c, &a.Any, bigen.Pick(alts...))
})

// A byte that changes leaves what does not depend on it as it is.
func ExampleFromBytes() {
	c, err := bigen.Choices(
		bsttest.Gen(1, 9), &bsttest.Tree{L: &bsttest.Tree{X: 3}, X: 5, R: &bsttest.Tree{X: 7}},
	)
	b := choices.Encode(c)
	fmt.Printf("% x, %v\n", b, err)
	b[3] = 0x0c // the digit of 5
	_, c, err = bigen.Run(bsttest.Gen(1, 9), choices.FromBytes(b))
	fmt.Println(c, err)
	// Output:
	// ba 4f 0d 0a ad 27 0d 06 9f 2c 55 be 20 55 8a 6a 0d 0e 80 7d 55 88 50 55, <nil>
	// node(6, node(3, leaf, leaf), node(7, leaf)) <nil>
}

// The bytes of version 1 must never change: corpora of users hold them.
func TestFormat(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	add := func(name string, tree choices.Tree, err error) {
		require.NoError(t, err)
		fmt.Fprintf(&out, "%s\n\t%s\n\t% x\n", name, tree, choices.EncodeV1(tree))
	}
	trees := []*bsttest.Tree{
		nil,
		{X: 0},
		{X: -1},
		{X: 100},
		{X: -100},
		{L: &bsttest.Tree{X: 4}, X: 5},
		{
			L: &bsttest.Tree{L: &bsttest.Tree{X: -70}, X: 4}, X: 5,
			R: &bsttest.Tree{X: 63, R: &bsttest.Tree{X: 64}},
		},
	}
	for i, v := range trees {
		c, err := bigen.Choices(bsttest.Gen(-100, 100), v)
		add(fmt.Sprint("tree ", i), c, err)
	}
	for i, v := range []all{
		{},
		{
			I: math.MinInt64, U: math.MaxUint64, Name: "plain", On: true,
			List: []int8{0, 1, -1, 127, -128}, Any: 199,
		},
		{I: math.MaxInt64, U: 1 << 63, Name: "\x00~\x7f\u0080ä\u07ff世\ufffd🌳\U0010ffff", Any: 194},
	} {
		c, err := bigen.Choices(genAll, v)
		add(fmt.Sprint("all ", i), c, err)
	}
	golden(t, "format_v1.golden", out.String())
}

// What bytes that are not an encoding decode to may change, but not by accident.
func TestDecodeAnything(t *testing.T) {
	t.Parallel()
	c, err := bigen.Choices(bsttest.Gen(-100, 100), &bsttest.Tree{
		L: &bsttest.Tree{X: 4}, X: 5, R: &bsttest.Tree{X: 60},
	})
	require.NoError(t, err)
	e := string(choices.EncodeV1(c))
	var out strings.Builder
	for _, b := range []string{
		"", "\x00", "A", "B", "\xc0", "\xc1\x01", "\x80", "\xff\xff\xff", "hello, world",
		e, "A" + e, "\xc5" + e, e + "\x05", e[:len(
			e,
		)-1], e[1:], e[:4] + e[5:], e[:4] + "\x80" + e[4:],
		e[:4] + "\x05" + e[5:], e[:8] + "\x90" + e[8:], e + e,
	} {
		_, tree, err := bigen.Run(bsttest.Gen(-100, 100), choices.FromBytes([]byte(b)))
		require.NoError(t, err)
		text := tree.String()
		if len(text) > 300 {
			text = fmt.Sprintf("%s... (%d choices)", text[:300], len(tree))
		}
		fmt.Fprintf(&out, "% x\n\t%s\n", b, text)
	}
	golden(t, "decode_v1.golden", out.String())
}

// An encoding names alternatives by tag and questions by slot, so that a corpus
// outlives changes of its generator.
func TestChangedGenerator(t *testing.T) {
	t.Parallel()
	type conf struct {
		Level, Extra int
		Mode         string
	}
	gen := func(extra bool, modes ...string) bigen.Gen[conf] {
		return bigen.Struct(func(c *bigen.C, v *conf) {
			var alts []bigen.Alt[string]
			for _, m := range modes {
				alts = append(alts, bigen.Tag(m, bigen.Just(m)))
			}
			if extra { // a new field, before the others, which change places
				bigen.At(c, &v.Extra, bigen.IntRange(0, 9))
				bigen.At(c, &v.Level, bigen.IntRange(0, 1000))
			}
			bigen.At(c, &v.Mode, bigen.Pick(alts...))
			if !extra {
				bigen.At(c, &v.Level, bigen.IntRange(0, 1000))
			}
		})
	}
	before := gen(false, "read", "write", "append")
	after := gen(true, "none", "append", "create", "write", "read")
	for _, mode := range []string{"read", "write", "append"} {
		b, err := bigen.Encode(before, conf{Mode: mode, Level: 77})
		require.NoError(t, err)
		v, err := bigen.Decode(after, b)
		require.NoError(t, err)
		v.Extra = 0
		require.Equal(t, conf{Mode: mode, Level: 77}, v)
	}
}

// A byte that is inserted changes a part of the value.
func TestLocality(t *testing.T) {
	t.Parallel()
	const nodes = 20
	n := long.Count(2_000, 5_000)
	g := bsttest.Gen(-1000, 1000)
	r := rng(11)
	kept, same, grown := 0, 0, 0
	for range n {
		v := bsttest.Random(r, nodes, -1000, 1000)
		b, err := bigen.Encode(g, v)
		require.NoError(t, err)
		w, err := bigen.Decode(g, slices.Insert(b, r.IntN(len(b)+1), byte(r.Uint32())))
		require.NoError(t, err)
		size := len(w.Keys())
		kept += v.Kept(w)
		if v.Kept(w) == nodes && size == nodes {
			same++
		}
		if size > nodes {
			grown++
		}
	}
	t.Logf("after inserting a byte into a tree of %d nodes: %.3f of the nodes kept, %.3f of the trees the same, %.3f grown",
		nodes, float64(kept)/float64(n*nodes), float64(same)/float64(n), float64(grown)/float64(n))
	require.Greater(t, kept, n*nodes*87/100)
	require.Less(t, same, n*5/100)
	require.Greater(t, grown, n*28/100)
}

// A bit flip in the digit of a tag gives another answer to the pick.
func TestFlippedTag(t *testing.T) {
	t.Parallel()
	g := bigen.Pick(
		bigen.Tag("seldom", bigen.Just(0)), bigen.Tag("often", bigen.Just(1)).Weight(1000),
	)
	for v := range 2 {
		c, err := bigen.Choices(g, v)
		require.NoError(t, err)
		b := choices.EncodeV1(c)
		require.Len(t, b, 3)
		for bit := range 7 {
			flipped := []byte{b[0], b[1], b[2] ^ 1<<bit}
			w, err := bigen.Decode(g, flipped)
			require.NoError(t, err)
			require.NotEqual(t, v, w, "% x", flipped)
		}
	}
}
