package mutate_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/bias"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/espalier-go/espalier/mutate"
	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"
)

// A subject is a generator on whose values operators are tried.
type subject struct {
	name   string
	trees  []choices.Tree
	replay func(t choices.Tree, r *rand.Rand) (choices.Tree, error)
}

func newSubject[A any](
	name string, g bigen.Gen[A], valid func(A) bool, sample func(r *rand.Rand) A,
) subject {
	var pool []choices.Tree
	r := rng(10)
	for range 100 {
		c, err := bigen.Choices(g, sample(r))
		if err != nil {
			panic(err)
		}
		pool = append(pool, c)
	}
	return subject{name, pool, func(t choices.Tree, r *rand.Rand) (choices.Tree, error) {
		v, made, err := bigen.Run(g, choices.Replay(t, r))
		if err == nil && !valid(v) {
			err = fmt.Errorf("%v is not valid", v)
		}
		return made, err
	}}
}

// A JSON document is nil, a bool, an int, a string, a []any or a map[string]any.
var genJSON = bigen.Recursive(
	bigen.Pick(
		bigen.Case[any]("null", bigen.Just[any](nil)),
		bigen.Case[any]("bool", bigen.Bool()),
		bigen.Case[any]("number", bigen.IntRange(-1000, 1000)),
		bigen.Case[any]("string", bigen.String(20)),
	),
	func(self bigen.Gen[any]) bigen.Gen[any] {
		return bigen.Pick(
			bigen.Case[any]("array", bigen.SliceOf(self, 0, 20)),
			bigen.Case[any]("object",
				bigen.MapOf(bigen.StringOf(choices.RuneRanges('a', 'z'), 1, 6), self, 0, 20)),
		)
	}, 10)

// genExpr makes expressions, each nested at most depth deep.
func genExpr(depth int) bigen.Gen[expr] {
	number := bigen.Case[expr]("num", bigen.IntRange[num](0, 99))
	if depth == 0 {
		return bigen.Pick(number)
	}
	return bigen.Pick(number,
		bigen.Case[expr]("neg",
			bigen.Struct(func(c *bigen.C, e *neg) { bigen.At(c, &e.X, genExpr(depth-1)) })),
		bigen.Case[expr]("plus", bigen.Struct(func(c *bigen.C, e *plus) {
			bigen.At(c, &e.X, genExpr(depth-1))
			bigen.At(c, &e.Y, genExpr(depth-1))
		})).Weight(3))
}

type plus struct{ X, Y expr }

func (plus) isExpr() {}

func (e num) String() string  { return fmt.Sprint(int(e)) }
func (e neg) String() string  { return fmt.Sprintf("-%v", e.X) }
func (e plus) String() string { return fmt.Sprintf("(%v + %v)", e.X, e.Y) }

var genInts = bigen.SliceOf(bigen.IntRange(-1000, 1000), 0, 40)

// large samples g until a tree has from 15 to 200 choices.
func large[A any](g bigen.Gen[A]) func(r *rand.Rand) A {
	return func(r *rand.Rand) A {
		for {
			v, c, err := bigen.Run(g, choices.Random(r))
			if err == nil && len(c) >= 15 && len(c) <= 200 {
				return v
			}
		}
	}
}

func always[A any](A) bool { return true }

func subjects() []subject {
	return []subject{
		newSubject("bst", bsttest.Gen(lo, hi), func(v *bsttest.Tree) bool { return v.Valid(lo, hi) },
			func(r *rand.Rand) *bsttest.Tree { return bsttest.Random(r, 20, lo, hi) }),
		newSubject("ints", genInts, always, large(genInts)),
		newSubject("json", genJSON, always, large(genJSON)),
		newSubject("expr", genExpr(8), always, large(genExpr(8))),
	}
}

// mutatorFor returns a mutator with a corpus of the subject and a dictionary.
func mutatorFor(s subject) *mutate.Mutator {
	return &mutate.Mutator{
		Corpus:     s.trees[:10],
		Dictionary: choices.Marks(42, -7, uint64(1<<63), "magic"),
	}
}

var operators = append(append(mutate.Operators(), mutate.Agreeing()...), mutate.Operator{
	Name:  "havoc",
	Apply: (*mutate.Mutator).Havoc,
})

// consistent reports whether sizes nest.
func consistent(t choices.Tree) bool {
	for i := 0; i < len(t); i = t.End(i) {
		if t[i].Size < 1 || i+int(t[i].Size) > len(t) || !consistent(t[i+1:t.End(i)]) {
			return false
		}
	}
	return true
}

// kept returns the share of what a's choices say that b's choices say, too.
func kept(a, b choices.Tree) float64 {
	f := bias.Frequencies{}
	f.Add(b)
	n, all := 0, 0
	for i := range a {
		if a[i].Asked() {
			all++
			if f[a[i].Mark()] > 0 {
				f[a[i].Mark()]--
				n++
			}
		}
	}
	return float64(n) / float64(all)
}

// What is measured of an operator: how often it finds something to do, and how many
// values it makes from one. Of the edits that find something, how many change the
// value, which share of the choices is kept, and what becomes of the size.
type figures struct {
	found, changed, kept, size float64
	distinct                   int
}

// Most edits find something to do, change the value, and keep most of its parts.
func TestOperators(t *testing.T) {
	n := long.Count(50, 200)
	least := figures{found: 0.85, changed: 0.85, kept: 0.7, distinct: 20}
	exceptions := map[string]figures{
		"bst/duplicate": {}, "bst/delete": {}, "bst/permute": {}, "bst/crossover": {}, // no sequences
		"expr/duplicate": {}, "expr/delete": {}, "expr/permute": {}, "expr/crossover": {},
		"ints/shrink": {}, "ints/nest": {}, // nothing is below a pick that could replace it
		"ints/recolor": {}, "json/recolor": {}, "expr/recolor": {}, // nothing to agree on
		"json/duplicate": {found: 0.85, kept: 0.9}, "json/permute": {found: 0.85, kept: 0.9}, // maps
		"json/shrink":    {found: 0.9, changed: 0.9, kept: 0.4},
		"json/nest":      {found: 0.9, changed: 0.9, kept: 0.9},
		"ints/extend":    {found: 0.5, changed: 0.9, kept: 0.9, distinct: 20},
		"ints/crossover": {found: 0.9, changed: 0.9, kept: 0.55, distinct: 20},
	}
	for _, s := range subjects() {
		for _, op := range operators {
			name := s.name + "/" + op.Name
			t.Run(name, func(t *testing.T) {
				got := measure(t, s, op, n)
				t.Logf("%+.2v", got)
				want, ok := exceptions[name]
				if !ok {
					want = least
				}
				if got.found == 0 && want != (figures{}) {
					t.Fatalf("it finds nothing to do: if that is right, add %q: {} to the exceptions", name)
				}
				if want == (figures{}) {
					require.Zero(t, got.found)
					require.Equal(t, 1, got.distinct)
					return
				}
				require.GreaterOrEqual(t, got.found, want.found)
				require.GreaterOrEqual(t, got.changed, want.changed)
				require.GreaterOrEqual(t, got.kept, want.kept)
				require.GreaterOrEqual(t, got.distinct, want.distinct)
				switch op.Name {
				case "grow", "nest":
					require.Greater(t, got.size, 1.02)
				case "extend":
					require.Greater(t, got.size, 1.)
				case "shrink", "delete":
					require.Less(t, got.size, 0.95)
				}
			})
		}
	}
}

func measure(t *testing.T, s subject, op mutate.Operator, n int) (f figures) {
	r := rng(11)
	m := mutatorFor(s)
	for k := range n {
		before := s.trees[k%len(s.trees)]
		edited, ok := op.Apply(m, before, r)
		require.True(t, consistent(edited), "%v", edited)
		if !ok {
			require.Equal(t, before, edited)
			continue
		}
		made, err := s.replay(edited, r)
		require.NoError(t, err)
		f.found++
		if made.String() != before.String() {
			f.changed++
		}
		f.kept += kept(before, made)
		f.size += float64(len(made)) / float64(len(before))
	}
	f.changed /= f.found
	f.kept /= f.found
	f.size /= f.found
	f.found /= float64(n)

	distinct := map[string]bool{}
	for range n {
		edited, _ := op.Apply(m, s.trees[0], r)
		made, err := s.replay(edited, r)
		require.NoError(t, err)
		distinct[made.String()] = true
	}
	f.distinct = len(distinct)
	return f
}

// apply applies the operator of a name, and reports what it did to c.
func apply(
	t *testing.T, m *mutate.Mutator, name string, c choices.Tree, r *rand.Rand,
) (choices.Tree, bool) {
	t.Helper()
	for _, op := range operators {
		if op.Name == name {
			before := slices.Clone(c)
			edited, ok := op.Apply(m, c, r)
			require.Equal(t, before, c, "an edit leaves its tree alone")
			return edited, ok
		}
	}
	require.Fail(t, "no such operator", name)
	return nil, false
}

// On slices, each operator does what its name says.
func TestOperatorsOnSlices(t *testing.T) {
	isRun := func(v, w []int) bool { // w repeats some elements of v right after them
		for i := range v {
			for j := i + 1; j <= len(v); j++ {
				if slices.Equal(w, concat(v[:j], v[i:j], v[j:])) {
					return true
				}
			}
		}
		return false
	}
	lacksRun := func(v, w []int) bool {
		for i := range v {
			for j := i + 1; j <= len(v); j++ {
				if slices.Equal(w, concat(v[:i], v[j:])) {
					return true
				}
			}
		}
		return false
	}
	sorted := func(v []int) []int { v = slices.Clone(v); slices.Sort(v); return v }
	others := [][]int{{901, 902, 903}, {904, 905, 906, 907}}
	differ := func(v, w []int) (n, at int) {
		for i := range v {
			if v[i] != w[i] {
				n, at = n+1, i
			}
		}
		return n, at
	}
	one := func(v, w []int) (i int, ok bool) { // w differs from v in one element
		if len(v) != len(w) {
			return 0, false
		}
		n, i := differ(v, w)
		return i, n == 1
	}
	tests := map[string]func(v, w []int) bool{
		"nudge": func(v, w []int) bool {
			_, ok := one(v, w)
			return ok || len(w) == len(v)+1 && lacksRun(w, v) || len(w) == len(v)-1 && lacksRun(v, w)
		},
		"equalize": func(v, w []int) bool { i, ok := one(v, w); return ok && slices.Contains(v, w[i]) },
		"constant": func(v, w []int) bool {
			i, ok := one(v, w)
			return ok && (w[i] == 42 || w[i] == -7)
		},
		"grow": func(v, w []int) bool { return len(w) > len(v) && slices.Equal(v, w[:len(v)]) },
		"copy": func(v, w []int) bool { i, ok := one(v, w); return ok && slices.Contains(v, w[i]) },
		"splice": func(v, w []int) bool {
			i, ok := one(v, w)
			return ok && w[i] > 900 || slices.Equal(v, w[:len(w)-1])
		},
		"duplicate": isRun,
		"delete":    lacksRun,
		"permute":   func(v, w []int) bool { return slices.Equal(sorted(v), sorted(w)) },
		"crossover": func(v, w []int) bool {
			for _, u := range others {
				for i := range v {
					for j := range u {
						if slices.Equal(w, concat(v[:i], u[j:])) {
							return true
						}
					}
				}
			}
			return false
		},
	}
	m := &mutate.Mutator{Compat: mutate.SameTag, Dictionary: choices.Marks(42, -7, 5000)}
	for _, v := range others {
		c, err := bigen.Choices(genInts, v)
		require.NoError(t, err)
		m.Corpus = append(m.Corpus, c)
	}
	for name, ok := range tests {
		t.Run(name, func(t *testing.T) {
			r := rng(12)
			for range 500 {
				v := make([]int, 3+r.IntN(8))
				for i := range v {
					v[i] = r.IntN(900)
				}
				c, err := bigen.Choices(genInts, v)
				require.NoError(t, err)
				edited, done := apply(t, m, name, c, r)
				require.True(t, done)
				w, _, err := bigen.Run(genInts, choices.Replay(edited, r))
				require.NoError(t, err)
				require.NotEqual(t, v, w)
				require.True(t, ok(v, w), "%v became %v", v, w)
			}
		})
	}
}

// On trees of expressions, too.
func TestOperatorsOnExpressions(t *testing.T) {
	g := genExpr(9)
	var parts func(e expr) []string
	parts = func(e expr) []string {
		all := []string{fmt.Sprint(e)}
		switch e := e.(type) {
		case neg:
			all = append(all, parts(e.X)...)
		case plus:
			all = append(append(all, parts(e.X)...), parts(e.Y)...)
		}
		return all
	}
	other := expr(plus{neg{num(77)}, num(78)})
	// renumber numbers the numbers from n on.
	var renumber func(e expr, n *num) expr
	renumber = func(e expr, n *num) expr {
		switch e := e.(type) {
		case neg:
			return neg{renumber(e.X, n)}
		case plus:
			x := renumber(e.X, n)
			return plus{x, renumber(e.Y, n)}
		}
		*n++
		return *n - 1
	}
	tests := map[string]func(v, w expr) bool{
		"copy": func(v, w expr) bool { // numbers are different in v
			after := parts(w)
			slices.Sort(after)
			return len(slices.Compact(slices.Clone(after))) < len(after)
		},
		"nest": func(v, w expr) bool {
			after := parts(w)
			return slices.ContainsFunc(parts(v), func(s string) bool {
				return slices.ContainsFunc(after, func(big string) bool {
					return len(big) > len(s) && strings.Contains(big, s)
				})
			})
		},
		"splice": func(v, w expr) bool {
			return slices.ContainsFunc(parts(w), func(s string) bool { return s == "77" || s == "78" })
		},
		"shrink": func(v, w expr) bool { return len(parts(w)) < len(parts(v)) },
		"grow":   func(v, w expr) bool { return len(parts(w)) > len(parts(v)) },
		"extend": func(v, w expr) bool { return len(parts(w)) > len(parts(v)) },
	}
	c, err := bigen.Choices(g, other)
	require.NoError(t, err)
	m := &mutate.Mutator{Corpus: []choices.Tree{c}}
	for name, ok := range tests {
		t.Run(name, func(t *testing.T) {
			r := rng(13)
			for range long.Count(10, 500) {
				v := renumber(bigen.Sample(genExpr(4), r), new(num))
				c, err := bigen.Choices(g, v)
				require.NoError(t, err)
				edited, done := apply(t, m, name, c, r)
				if len(parts(v)) < 6 && !done {
					continue
				}
				require.True(t, done, "%v", v)
				w, _, err := bigen.Run(g, choices.Replay(edited, r))
				require.NoError(t, err)
				require.True(t, ok(v, w), "%v became %v", v, w)
			}
		})
	}
}

// A nudged number stays in its range and differs, whatever the range, and all
// ways to move a number are taken.
func TestNudgeNumbers(t *testing.T) {
	const least, greatest = math.MinInt64, math.MaxInt64
	r := rng(14)
	for _, k := range []choices.Kind{choices.Int, choices.Uint} {
		for range long.Count(500, 50_000) {
			c := choices.Choice{Kind: k, Size: 1, Lo: r.Int64() >> r.IntN(64), Hi: r.Int64() >> r.IntN(64)}
			switch r.IntN(6) {
			case 0:
				c.Hi = c.Lo + 1
			case 1:
				c.Lo, c.Hi = least, greatest
			case 2:
				c.Lo, c.Hi = 0, -1 // all, as Uint
			}
			if k.Less(c.Hi, c.Lo) {
				c.Lo, c.Hi = c.Hi, c.Lo
			}
			c.N = k.Clamp(r.Int64()>>r.IntN(64), c.Lo, c.Hi)
			edited, ok := apply(t, new(mutate.Mutator), "nudge",
				choices.Tree{c, {Kind: k, Size: 1, N: r.Int64()}}, r)
			require.Equal(t, c.Lo != c.Hi, ok)
			if ok {
				require.NotEqual(t, c.N, edited[0].N)
				require.Equal(t, edited[0].N, k.Clamp(edited[0].N, c.Lo, c.Hi))
			}
		}
	}
	seen := map[int64]bool{}
	for range 5_000 {
		edited, _ := apply(t, new(mutate.Mutator), "nudge", choices.Tree{
			{Kind: choices.Int, Size: 1, N: 1000, Lo: -5000, Hi: 8000},
			{Kind: choices.Int, Size: 1, N: 3333, Lo: 3333, Hi: 3333},
		}, r)
		seen[edited[0].N] = true
	}
	for _, n := range []int64{999, 1001, 1016, 984, 1000 + 2048, 1000 - 4096, -1000, -5000, -4999,
		7999, 8000, 3332, 3333, 3334} {
		require.True(t, seen[n], "%d", n)
	}
}

// A nudged text is one rune longer, shorter or different, and valid.
func TestNudgeTexts(t *testing.T) {
	r := rng(15)
	longer, shorter, others, borrowed := 0, 0, 0, 0
	for range 5_000 {
		s := []string{"", "a", "ä€", "hello", "日本\x00語"}[r.IntN(5)]
		edited, ok := apply(t, new(mutate.Mutator), "nudge",
			choices.Tree{{Kind: choices.Text, Tag: s, Size: 1}, {Kind: choices.Text, Tag: "🌱", Size: 1}}, r)
		require.True(t, ok)
		if edited[0].Tag == s {
			require.NotEqual(t, "🌱", edited[1].Tag)
			continue
		}
		old, got := []rune(s), []rune(edited[0].Tag)
		require.True(t, utf8.ValidString(edited[0].Tag))
		prefix := 0
		for prefix < min(len(old), len(got)) && old[prefix] == got[prefix] {
			prefix++
		}
		switch len(got) - len(old) {
		case 1:
			longer++
			require.Equal(t, string(old[prefix:]), string(got[prefix+1:]))
		case -1:
			shorter++
			require.Equal(t, string(old[prefix+1:]), string(got[prefix:]))
		case 0:
			others++
			require.Equal(t, string(old[prefix+1:]), string(got[prefix+1:]))
		default:
			require.Fail(t, "too different", "%q became %q", s, edited[0].Tag)
		}
		if strings.Contains(edited[0].Tag, "🌱") {
			borrowed++
		}
	}
	for _, n := range []int{longer, shorter, others, borrowed} {
		require.Greater(t, n, 100)
	}
}

// Texts of the dictionary get into other texts, and replace them.
func TestConstantTexts(t *testing.T) {
	m := mutate.Mutator{Dictionary: choices.Marks("<!--", 7)}
	tree := choices.Tree{{Kind: choices.Text, Tag: "aä", Size: 1},
		{Kind: choices.Int, N: 0, Lo: 0, Hi: 6, Size: 1}}
	seen := map[string]int{}
	for seed := range uint64(300) {
		edited, ok := apply(t, &m, "constant", tree, rng(seed))
		require.True(t, ok)
		require.Zero(t, edited[1].N, "7 is out of range")
		seen[edited[0].Tag]++
	}
	require.Len(t, seen, 3)
	for _, want := range []string{"<!--", "<!--aä", "a<!--ä"} {
		require.Greater(t, seen[want], 20, want)
	}
	_, ok := apply(t, &m, "constant", tree[1:], rng(1))
	require.False(t, ok)
}

// An operator that has nothing to do says so. Slices that are not trees do no harm.
func TestOperatorsOnAnything(t *testing.T) {
	r := rng(16)
	var trees []choices.Tree
	for range long.Count(40, 4000) {
		junk := make(choices.Tree, r.IntN(20))
		for i := range junk {
			junk[i] = choices.Choice{
				Kind: choices.Kind(r.IntN(6)), Reroll: r.IntN(2) == 0, Slot: r.Uint32N(2),
				Index: int32(r.IntN(3) - 1), Size: int32(r.IntN(9)) - 3,
				Tag: []string{"", "leaf", "node", "\xff"}[r.IntN(4)], N: r.Int64() >> r.IntN(64),
				Lo: r.Int64() >> r.IntN(64), Hi: r.Int64() >> r.IntN(64),
			}
		}
		trees = append(trees, junk)
	}
	m := &mutate.Mutator{Corpus: trees, Dictionary: choices.Marks(0, 1, "\xff", "")}
	for _, c := range append(trees, nil) {
		for _, op := range operators {
			before := slices.Clone(c)
			edited, ok := op.Apply(m, c, r)
			require.Equal(t, before, c)
			if !ok {
				require.Equal(t, c, edited)
			}
			_, _, err := bigen.Run(bsttest.Gen(1, 9), choices.Replay(edited, r))
			require.NoError(t, err)
		}
	}
	for _, op := range operators {
		_, ok := op.Apply(new(mutate.Mutator), nil, r)
		require.False(t, ok, op.Name)
	}
	deep := make(choices.Tree, 20_000) // a tree as deep as it is large
	for i := range deep {
		deep[i] = choices.Choice{Slot: uint32(i), Size: int32(len(deep) - i), N: int64(i % 2), Hi: 1}
	}
	for _, op := range operators {
		for range long.Count(6, 20) {
			edited, _ := op.Apply(m, deep, r)
			require.LessOrEqual(t, len(edited), 1<<16)
		}
	}
}

// Edits depend only on the tree, the random source and the mutator, and are the
// same on machines of 32 and 64 bits.
func TestOperatorsAreDeterministic(t *testing.T) {
	documents := []any{
		map[string]any{
			"id":   7,
			"name": "ann",
			"tags": []any{"a", "b", "c", nil},
			"at":   []any{[]any{1, -2}, []any{3, 4}},
		},
		[]any{true, map[string]any{"id": 8, "list": []any{"x", "y"}}},
	}
	m := &mutate.Mutator{Dictionary: choices.Marks(42, "magic")}
	for _, v := range documents {
		c, err := bigen.Choices(genJSON, v)
		require.NoError(t, err)
		m.Corpus = append(m.Corpus, c)
	}
	run := func() string {
		var s strings.Builder
		for _, op := range operators {
			h, r := fnv.New32a(), rng(17)
			fmt.Fprintf(&s, "== %s\n", op.Name)
			for i := range 20 {
				edited, _ := op.Apply(m, m.Corpus[0], r)
				fmt.Fprintln(h, edited)
				if i < 2 {
					s.WriteString(difference(m.Corpus[0].String(), edited.String()) + "\n")
				}
			}
			fmt.Fprintf(&s, "sum of twenty edits: %08x\n", h.Sum32())
		}
		return s.String()
	}
	got, golden := run(), filepath.Join("testdata", "operators.golden")
	require.Equal(t, got, run())
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got,
		"the edits are not those made on other machines: has an operator been changed? If so, "+
			"run go test -update")
}

// difference returns where two texts differ, with a little of the surrounding text.
func difference(a, b string) string {
	const around = 12
	from := 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	same := 0
	for same < min(len(a), len(b))-from && a[len(a)-1-same] == b[len(b)-1-same] {
		same++
	}
	cut := func(s string) string { return s[max(0, from-around):min(len(s), len(s)-same+around)] }
	return cut(a) + "\n\t-> " + cut(b)
}

var update = flag.Bool("update", false, "rewrite the golden file")

// Havoc makes one edit or more, and uses all operators.
func TestHavoc(t *testing.T) {
	names := map[string]bool{}
	for _, op := range mutate.Operators() {
		require.False(t, names[op.Name], "two operators called %s", op.Name)
		names[op.Name] = true
	}
	v := make([]int, 30)
	for i := range v {
		v[i] = i
	}
	c, err := bigen.Choices(genInts, v)
	require.NoError(t, err)
	m := &mutate.Mutator{}
	r := rng(18)
	few, many := 0, 0
	for range 1_000 {
		edited, ok := m.Havoc(c, r)
		require.True(t, ok)
		w, _, err := bigen.Run(genInts, choices.Replay(edited, r))
		require.NoError(t, err)
		n := 0
		for _, x := range v {
			if slices.Contains(w, x) {
				n++
			}
		}
		switch {
		case n >= 29:
			few++
		case n < 26:
			many++
		}
	}
	require.Greater(t, few, 300)
	require.Greater(t, many, 100)
}
