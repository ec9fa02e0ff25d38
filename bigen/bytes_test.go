package bigen_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// checkBytes checks that b decodes to a search tree and that its encoding is
// canonical.
func checkBytes(t *testing.T, b []byte) (size int) {
	const lo, hi = -20, 20
	g := bsttest.Gen(lo, hi)
	v, tree, err := bigen.Run(g, choices.FromBytes(b))
	if err != nil || !v.Valid(lo, hi) {
		t.Fatalf("% x: %v, %v", b, v, err)
	}
	e := choices.Encode(tree)
	w, again, err := bigen.Run(g, choices.FromBytes(e))
	if err != nil || !reflect.DeepEqual(v, w) || !reflect.DeepEqual(tree, again) {
		t.Fatalf("% x decodes to %v, its encoding % x to %v, %v", b, tree, e, again, err)
	}
	if f, err := bigen.Encode(g, v); err != nil || !bytes.Equal(e, f) {
		t.Fatalf("% x: run backward, the value gives % x, not % x, %v", b, f, e, err)
	}
	return len(v.Keys())
}

func TestRandomBytes(t *testing.T) {
	t.Parallel()
	n := long.Count(1_000, 12_000)
	r := rng(4)
	b := make([]byte, long.Count(1024, 4096))
	decoded, sampled := 0, 0
	for range n {
		b := b[:r.IntN(len(b)+1)]
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		decoded += checkBytes(t, b)
		sampled += len(bigen.Sample(bsttest.Gen(-20, 20), r).Keys())
	}
	t.Logf(
		"mean size: %.3f of random bytes, %.3f of random choices", float64(decoded)/float64(n),
		float64(sampled)/float64(n),
	)
	// The distribution is nearly the generator's own: bytes that are, by accident, a tag's
	// or an edit change it a little.
	if ratio := float64(decoded) / float64(sampled); ratio < 0.9 || ratio > 1.1 {
		t.Errorf(
			"random bytes decode to trees of mean size %.2f, random choices make %.2f",
			float64(decoded)/float64(n), float64(sampled)/float64(n),
		)
	}
}

func FuzzBytes(f *testing.F) {
	f.Add([]byte(nil))
	f.Add([]byte("not an encoding"))
	r := rng(1)
	for range 10 {
		b, err := bigen.Encode(bsttest.Gen(-20, 20), bigen.Sample(bsttest.Gen(-20, 20), r))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkBytes(t, b) })
}

// FuzzRose does the same for strings, slices and computed fields.
func FuzzRose(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) { fromBytes(t, genRose(3), b) })
}

// Bytes without records answer each try of a filter differently.
func TestTriesDiffer(t *testing.T) {
	g := bigen.SuchThat(bigen.IntRange(0, 1<<20), func(n int) bool { return n%8 == 0 })
	for i := range byte(50) {
		_, err := bigen.Decode(g, []byte{i})
		require.NoError(t, err)
	}
}

// Bytes without records answer each Let differently.
func TestLetsDiffer(t *testing.T) {
	g := bigen.Struct(func(c *bigen.C, s *span) {
		s.From = bigen.Let(
			c, s, func(s *span) (int, bool) { return s.From, true }, bigen.IntRange(0, 1<<30),
		)
		s.To = bigen.Let(
			c, s, func(s *span) (int, bool) { return s.To, true }, bigen.IntRange(0, 1<<30),
		)
	})
	for i := range byte(5) {
		s, err := bigen.Decode(g, []byte{i})
		require.NoError(t, err)
		require.NotEqual(t, s.From, s.To)
	}
}
