package rl_test

import (
	"encoding/hex"
	"flag"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/espalier-go/espalier/rl"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite golden files")

// entry asks every kind of question.
type entry struct {
	Kind  string
	N     int64
	U     uint64
	Name  string
	Even  int
	Set   []int8
	Index *bsttest.Tree
}

func anyTree(depth int) bigen.Gen[*bsttest.Tree] {
	if depth == 0 {
		return bigen.Nil[bsttest.Tree]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[bsttest.Tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *bsttest.Tree) {
			bigen.At(c, &t.X, bigen.IntRange(0, 10))
			bigen.At(c, &t.L, anyTree(depth-1))
			bigen.At(c, &t.R, anyTree(depth-1))
		})),
	)
}

var genEntry = bigen.Struct(func(c *bigen.C, e *entry) {
	var kinds []bigen.Alt[string]
	for i := range 40 {
		kind := fmt.Sprint("kind", i)
		kinds = append(kinds, bigen.Tag(kind, bigen.Just(kind)).Weight(float64(i+1)))
	}
	bigen.At(c, &e.Kind, bigen.Pick(kinds...))
	bigen.At(c, &e.N, bigen.IntRange[int64](math.MinInt64, math.MaxInt64))
	bigen.At(c, &e.U, bigen.IntRange[uint64](0, math.MaxUint64))
	bigen.At(c, &e.Name, bigen.String(20))
	bigen.At(c, &e.Even, bigen.SuchThat(bigen.IntRange(0, 1000), func(n int) bool { return n%2 == 0 }))
	bigen.At(c, &e.Set, bigen.SliceOf(bigen.IntRange[int8](-128, 127), 0, 6))
	bigen.At(c, &e.Index, anyTree(3))
})

func (e *entry) valid() bool {
	return e.Kind < "kind3" && e.N > 0 && len(e.Set) > 0 && e.Index != nil && e.Index.Valid(0, 10)
}

// train makes n entries with a guide. It returns the numbers of valid and of unique ones.
func train(guide *rl.Guide, n int) (valid, unique int) {
	for range n {
		e, err := bigen.Value(genEntry, guide.Begin())
		if err != nil || !e.valid() {
			guide.Invalid()
			continue
		}
		valid++
		if guide.Valid(guide.Input()) {
			unique++
		}
	}
	return valid, unique
}

func newGuide(opts ...rl.Option) *rl.Guide { return rl.New(rand.New(rand.NewPCG(1, 2)), opts...) }

// learned returns what a guide learns from n entries.
func learned(t *testing.T, n int) *rl.Policy {
	t.Helper()
	guide := newGuide()
	train(guide, n)
	p, err := guide.Policy()
	require.NoError(t, err)
	return p
}

// randomInputs returns random bytes, encodings, and mutants of encodings.
func randomInputs(n int) (inputs [][]byte) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range n {
		b := make([]byte, r.IntN(24))
		for j := range b {
			b[j] = byte(r.Uint32())
		}
		if i%3 != 0 {
			_, tree, err := bigen.Run(genEntry, choices.Random(r))
			if err == nil {
				b = choices.Encode(tree)
			}
			for range i % 5 {
				b[r.IntN(len(b))] = byte(r.Uint32())
			}
			if i%2 == 0 {
				b = b[:r.IntN(len(b))]
			}
		}
		inputs = append(inputs, b)
	}
	return inputs
}

// decode returns the choices that bytes stand for.
func decode(t *testing.T, b []byte, p choices.Prior) (entry, choices.Tree) {
	t.Helper()
	e, tree, err := bigen.Run(genEntry, choices.FromBytesBy(b, p))
	require.NoError(t, err)
	return e, tree
}

// A policy that was saved and loaded is the same, and it helps.
func TestPolicyRoundTrip(t *testing.T) {
	t.Parallel()
	n, least := long.Count(300, 2000), 15 // percent that are valid
	if long.Enabled() {
		least = 22
	}
	_, before := train(newGuide(rl.ReadOnly()), n)
	require.Less(t, before, n*6/100)
	guide := newGuide()
	train(guide, long.Count(1500, 5000))
	p, err := guide.Policy()
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "testdata", "entry.policy")
	require.NoError(t, p.Save(file))
	loaded, err := rl.LoadPolicy(file)
	require.NoError(t, err)
	require.Equal(t, p.Marshal(), loaded.Marshal())
	require.LessOrEqual(t, len(p.Marshal()), 1<<22)

	valid, _ := train(newGuide(rl.FromPolicy(loaded), rl.ReadOnly()), n)
	require.Greater(t, valid, n*least/100)
	same, _ := train(newGuide(rl.FromPolicy(p), rl.ReadOnly()), n)
	require.Equal(t, same, valid)
	prior, decoded := loaded.Prior(), 0
	for i := range n {
		if e, _ := decode(t, fmt.Appendf(nil, "%d", i), prior); e.valid() {
			decoded++
		}
	}
	require.InDelta(t, valid, decoded, float64(n)*8/100)

	// Guides that start from it continue to learn.
	var again *rl.Guide
	var fromPolicy, fromNothing int
	for seed := range uint64(long.Count(4, 10)) {
		r := rand.New(rand.NewPCG(seed, 9))
		again = rl.New(r, rl.FromPolicy(loaded))
		early, unique := train(again, 150)
		require.Equal(t, early, unique)
		fromPolicy += unique
		_, unique = train(rl.New(r), 150)
		fromNothing += unique
	}
	require.Greater(t, 4*fromPolicy, 5*fromNothing)
	further, err := again.Policy()
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(further.Marshal()), len(p.Marshal())*95/100,
		"the guide keeps what it started from")
	require.Equal(t, p.Marshal(), loaded.Marshal(), "the policy does not change")
}

// Decoding depends only on the bytes and the policy, not on what was decoded before.
func TestPolicyDecodes(t *testing.T) {
	t.Parallel()
	n := long.Count(40, 300)
	p := learned(t, 10*n)
	prior, different := p.Prior(), 0
	for _, b := range randomInputs(n) {
		v, tree := decode(t, b, prior)
		w, again := decode(t, b, p.Prior())
		require.Equal(t, v, w)
		require.Equal(t, tree, again)

		e := choices.Encode(tree)
		plain, plainTree, err := bigen.Run(genEntry, choices.FromBytes(e))
		require.NoError(t, err)
		require.Equal(t, v, plain, "without the policy")
		require.Equal(t, tree, plainTree)
		w, again = decode(t, e, prior)
		require.Equal(t, v, w)
		require.Equal(t, tree, again)
		w, _ = decode(t, e, new(rl.Policy).Prior())
		require.Equal(t, v, w, "with another")

		if unbiased, err := bigen.Decode(genEntry, b); err != nil || !reflect.DeepEqual(v, unbiased) {
			different++
		}
	}
	require.Greater(t, different, n/3)
}

// Neither a guide that reads a policy nor one that starts from it changes the policy.
func TestPolicyIsReadOnly(t *testing.T) {
	t.Parallel()
	p := learned(t, long.Count(300, 1000))
	choicesOf := func(guide *rl.Guide) (all string) {
		for range 50 {
			_, tree, err := bigen.Run(genEntry, guide.Begin())
			all += fmt.Sprint(tree, err, "\n")
		}
		return all
	}
	before := choicesOf(newGuide(rl.FromPolicy(p), rl.ReadOnly()))
	reader := newGuide(rl.FromPolicy(p), rl.ReadOnly())
	valid, _ := train(reader, 300)
	require.Greater(t, valid, 10)
	_, tree, err := bigen.Run(genEntry, choices.Random(rand.New(rand.NewPCG(1, 2))))
	require.NoError(t, err)
	for range 10 {
		_, _, err := bigen.Run(genEntry, reader.Replay(tree))
		require.NoError(t, err)
		reader.Invalid()
	}
	train(newGuide(rl.FromPolicy(p)), 500)
	require.Equal(t, before, choicesOf(newGuide(rl.FromPolicy(p), rl.ReadOnly())))
}

func TestPolicyIsShared(t *testing.T) {
	t.Parallel()
	p := learned(t, long.Count(200, 1000))
	inputs := randomInputs(50)
	var all [4]string
	var wg sync.WaitGroup
	for i := range all {
		wg.Go(func() {
			prior := p.Prior()
			for _, b := range inputs {
				_, tree, err := bigen.Run(genEntry, choices.FromBytesBy(b, prior))
				all[i] += fmt.Sprint(tree, err, "\n")
			}
			train(rl.New(rand.New(rand.NewPCG(uint64(i), 0)), rl.FromPolicy(p)), 100)
		})
	}
	wg.Wait()
	for i := range all {
		require.Equal(t, all[0], all[i])
	}
}

// Saved policies must stay readable, and decode as before on every platform. If this fails
// because features have changed, increment policyFeatures and run with -update.
func TestPolicyGolden(t *testing.T) {
	t.Parallel()
	file := filepath.Join("testdata", "entry_v2.policy")
	if *update {
		require.NoError(t, learned(t, 60).Save(file))
	}
	p, err := rl.LoadPolicy(file)
	require.NoError(t, err)
	var out strings.Builder
	prior := p.Prior()
	golden := filepath.Join("testdata", "entry_v2.golden")
	for _, b := range inputsOf(t, golden) { // some are in older byte formats
		_, tree := decode(t, b, prior)
		fmt.Fprintf(&out, "% x\n\t%s\n", b, tree)
	}
	guide := newGuide(rl.FromPolicy(p), rl.ReadOnly())
	for range 20 {
		_, tree, err := bigen.Run(genEntry, guide.Begin())
		fmt.Fprintf(&out, "%s %v\n", tree, err)
	}
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(out.String()), 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
	sum := crc32.ChecksumIEEE(learned(t, 300).Marshal())
	require.Equal(t, uint32(0x402a2e12), sum,
		"learning is deterministic, too: if it was meant to change, put the new sum here")
}

// inputsOf returns the inputs of a golden file.
func inputsOf(t *testing.T, golden string) (inputs [][]byte) {
	text, err := os.ReadFile(golden)
	require.NoError(t, err)
	for _, m := range regexp.MustCompile(`(?m)^(.*)\n\t`).FindAllSubmatch(text, -1) {
		b, err := hex.DecodeString(strings.ReplaceAll(string(m[1]), " ", ""))
		require.NoError(t, err)
		inputs = append(inputs, b)
	}
	require.Len(t, inputs, 60)
	return inputs
}

func TestPolicyOfMonteCarlo(t *testing.T) {
	t.Parallel()
	monteCarlo := rl.MonteCarlo(0.25, rl.TreeLR(4), rl.Rewards{Unique: 20, Invalid: -1})
	_, err := newGuide(monteCarlo).Policy()
	require.ErrorContains(t, err, "only the default policy")
	require.PanicsWithValue(t, "rl.New: FromPolicy is about the default policy, and another "+
		"option replaces that",
		func() { newGuide(rl.FromPolicy(new(rl.Policy)), monteCarlo) })
}

func TestNoPolicy(t *testing.T) {
	t.Parallel()
	var zero rl.Policy
	b := zero.Marshal()
	require.Equal(t, learned(t, 0).Marshal(), b)
	p, err := rl.ParsePolicy(b)
	require.NoError(t, err)
	require.Equal(t, b, p.Marshal())
}
