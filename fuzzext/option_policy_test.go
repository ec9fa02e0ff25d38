package fuzzext

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/espalier-go/espalier/rl"
	"github.com/stretchr/testify/require"
)

type tree = bsttest.Tree

// genTree makes trees of digits in any order. Few are search trees.
func genTree(depth int) bigen.Gen[*tree] {
	if depth == 0 {
		return bigen.Nil[tree]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *tree) {
			bigen.At(c, &t.X, bigen.IntRange(0, 9))
			bigen.At(c, &t.L, genTree(depth-1))
			bigen.At(c, &t.R, genTree(depth-1))
		})).Weight(3),
	)
}

func isSearchTree(t *tree) bool { return t.Valid(0, 9) && len(t.Keys()) >= 3 }

// treeGuide returns a guide that has learned what leads to search trees.
func treeGuide(tb testing.TB) *rl.Guide {
	tb.Helper()
	guide := rl.New(rand.New(rand.NewPCG(1, 2)))
	for range 5000 {
		v, err := bigen.Value(genTree(4), guide.Begin())
		require.NoError(tb, err)
		if isSearchTree(v) {
			guide.Valid(guide.Input())
		} else {
			guide.Invalid()
		}
	}
	return guide
}

// treePolicy returns a file with what it has learned.
func treePolicy(tb testing.TB) string {
	tb.Helper()
	p, err := treeGuide(tb).Policy()
	require.NoError(tb, err)
	file := filepath.Join(tb.TempDir(), "tree.policy")
	require.NoError(tb, p.Save(file))
	return file
}

func withPolicy(tb testing.TB, file string) options {
	tb.Helper()
	o := newOptions([]Option{WithPolicy(file)})
	require.NoError(tb, o.loadPrior())
	return o
}

// An input, and every fourth of its variants, is by the policy; what fails stands for the
// same value without it.
func TestVariantsByPolicy(t *testing.T) {
	of := func(o options, b []byte) (vs []*tree) {
		require.True(t, executes(t, genTree(4), o, b, func(t *T, v *tree) { vs = append(vs, v) }))
		return vs
	}
	file := treePolicy(t)
	o := withPolicy(t, file)
	// search trees: of the inputs, their mutants, and those made from nothing
	var plain, byPolicy [3]int
	inputs := long.Count(20, 100)
	for i := range inputs {
		b := []byte{byte(i), byte(i * i)}
		vs := of(o, b)
		require.Equal(t, vs, of(o, b))
		require.Equal(t, vs, of(withPolicy(t, file), b), "the runs before do not matter")
		count := func(vs []*tree, n *[3]int) {
			for i, v := range vs {
				if isSearchTree(v) {
					n[min(i, 1)+min(i, 1)*(1-i%2)]++
				}
			}
		}
		count(vs, &byPolicy)
		count(of(newOptions(nil), b), &plain)
	}
	t.Log(plain, byPolicy)
	require.Less(t, plain[0], inputs/10)
	require.Greater(t, byPolicy[0], inputs/4)
	require.Greater(t, byPolicy[1], 3*plain[1]/2)
	require.Greater(t, byPolicy[2], plain[2]+inputs)
}

func TestFailureByPolicy(t *testing.T) {
	o := withPolicy(t, treePolicy(t))
	found := 0
	inputs := long.Count(8, 20)
	for i := range inputs {
		var last *tree
		tb := &failing{TB: t}
		if !executes(tb, genTree(4), o, []byte{byte(i)}, func(t *T, v *tree) {
			if t.Assume(isSearchTree(v)); v.X > 2 {
				last = v
				t.Error("a failure")
			}
		}) {
			found++
			require.Contains(t, tb.out.String(), "minimal failing value")
			require.NotEmpty(t, last)
			b, err := bigen.Encode(genTree(4), last)
			require.NoError(t, err)
			for _, source := range []choices.Source{choices.FromBytes(b), o.decode(b)} {
				w, err := bigen.Value(genTree(4), source)
				require.NoError(t, err)
				require.Equal(t, last, w)
			}
		}
	}
	require.Greater(t, found, inputs/2)
}

// An exploration by a policy makes more valid values from nothing. What it keeps stands
// for the same values without the policy.
func TestExploredByPolicy(t *testing.T) {
	explored := func(o options) (made int, kept [][]byte) {
		w := newWorker(genTree(4), func(w *worker[*tree], t *T, v *tree) {
			t.Assume(isSearchTree(v))
			for i, x := range v.Keys() {
				w.link.Counters[10*i+x] = 1
			}
		})
		w.exploration.spec.options = o
		w.explore(t, 1000)
		r := rand.New(rand.NewPCG(1, 2))
		for range 2000 {
			v, err := bigen.Value(genTree(4), w.Make(r))
			require.NoError(t, err)
			if isSearchTree(v) {
				made++
			}
		}
		return made, w.kept
	}
	plain, _ := explored(newOptions(nil))
	o := withPolicy(t, treePolicy(t))
	made, kept := explored(o)
	require.Greater(t, made, plain+2000/20)
	require.NotEmpty(t, kept)
	for _, b := range kept {
		v, err := bigen.Value(genTree(4), choices.FromBytes(b))
		require.NoError(t, err)
		w, err := bigen.Value(genTree(4), o.decode(b))
		require.NoError(t, err)
		require.Equal(t, v, w)
		require.True(t, isSearchTree(v))
	}
}

// Without the fuzzer, the executions of a target may be parallel.
func TestPolicyInParallel(t *testing.T) {
	f := Valid(genTree(4), func(t *T, v *tree) { t.Assume(isSearchTree(v)) },
		WithPolicy(treePolicy(t)))
	for i := range 30 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			f(t, []byte{byte(i), 1, 2, 3})
		})
	}
}

func TestUnreadablePolicy(t *testing.T) {
	old := packageDir
	defer func() { packageDir = old }()
	packageDir = t.TempDir()
	damaged := filepath.Join(packageDir, "damaged")
	require.NoError(t, os.WriteFile(damaged, []byte(`{"format":"espalier policy",`), 0o666))
	for _, test := range []struct{ file, err string }{
		{"none", "no such file or directory: learn one by a Check of the same generator, with " +
			"-fuzzext.savepolicy=none"},
		{"damaged", damaged + ": the policy is damaged, unexpected end of JSON input: restore " +
			"it, or learn and save it again"},
		{damaged, damaged + ": the policy is damaged, unexpected end of JSON input: restore it, " +
			"or learn and save it again"},
		{".", packageDir},
	} {
		o := newOptions([]Option{WithPolicy(test.file)})
		err := o.loadPrior()
		require.ErrorContains(t, err, "fuzzext.WithPolicy: ")
		require.ErrorContains(t, err, test.err)
		require.PanicsWithValue(t, err.Error(), func() {
			Valid(genTree(4), func(*T, *tree) {}, WithPolicy(test.file))
		})
	}
}

func TestSavePolicyFlag(t *testing.T) {
	old := packageDir
	defer func() { packageDir = old }()
	packageDir = t.TempDir()
	learner := treeGuide(t)
	var s policySaver
	require.EqualError(t, s.savePolicy("TestA", "p", nil, inPackage),
		"TestA has learned nothing, for no value was invalid")
	require.ErrorContains(t, s.savePolicy("TestA", "p", rl.New(rand.New(rand.NewPCG(1, 2)),
		rl.MonteCarlo(0.25, rl.Tree(4), rl.Rewards{Unique: 20})), inPackage), "only the default policy")
	require.NoError(t, s.savePolicy("TestA", "p", learner, inPackage))
	require.NoError(t, s.savePolicy("TestA", "p", learner, inPackage), "as by -count=2")
	require.EqualError(t, s.savePolicy("TestB", "p", learner, inPackage),
		"p has the policy of TestA, which the policy of TestB would replace: choose one test by -run")
	o := withPolicy(t, "p")
	require.NotNil(t, o.policy)
	require.Len(t, (&spec{subject: &subject{}, options: o}).subjectOfGuide().Options, 1)
	require.FileExists(t, filepath.Join(packageDir, "p"))
}
