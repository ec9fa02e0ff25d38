package user

import (
	"os"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

type Tree struct {
	L *Tree
	X int
	R *Tree
}

func (t *Tree) valid(lo, hi int) bool {
	return t == nil || lo <= t.X && t.X <= hi && t.L.valid(lo, t.X-1) && t.R.valid(t.X+1, hi)
}

func (t *Tree) size() int {
	if t == nil {
		return 0
	}
	return t.L.size() + 1 + t.R.size()
}

func genTree(depth int) bigen.Gen[*Tree] {
	if depth == 0 {
		return bigen.Nil[Tree]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[Tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *Tree) {
			bigen.At(c, &t.X, bigen.IntRange(0, 9))
			bigen.At(c, &t.L, genTree(depth-1))
			bigen.At(c, &t.R, genTree(depth-1))
		})).Weight(3))
}

func search(t *Tree) bool { return t.valid(0, 9) && t.size() > 2 }

func policy() []fuzzext.Option {
	file := os.Getenv("POLICY")
	if file == "" {
		return nil
	}
	return []fuzzext.Option{fuzzext.WithPolicy(file), fuzzext.Variants(0)}
}

func FuzzTree(f *testing.F) {
	valid := 0
	for i := range 100 {
		f.Add([]byte{byte(i)})
	}
	f.Cleanup(func() {
		if valid < 20 {
			panic(valid)
		}
	})
	f.Fuzz(fuzzext.Valid(genTree(4), func(t *fuzzext.T, v *Tree) {
		t.Assume(search(v))
		valid++
	}, policy()...))
}

func TestTree(t *testing.T) {
	fuzzext.Check(t, genTree(4), func(t *fuzzext.T, v *Tree) { t.Assume(search(v)) }, policy()...)
}

func TestOther(t *testing.T) {
	fuzzext.Check(t, genTree(4), func(t *fuzzext.T, v *Tree) { t.Assume(search(v)) })
}

func TestAll(t *testing.T) {
	fuzzext.Check(t, genTree(4), func(t *fuzzext.T, v *Tree) {})
}

func FuzzFewTrees(f *testing.F) {
	fuzzext.Fuzz(f, genTree(4), func(t *fuzzext.T, v *Tree) {
		t.Assume(search(v))
		if v.size() > 4 {
			t.Error("lost")
		}
	}, policy()...)
}

func FuzzFind(f *testing.F) {
	f.Fuzz(fuzzext.Valid(genTree(4), func(t *fuzzext.T, v *Tree) {
		t.Assume(search(v))
		if v.L.size() > 2 && v.R.size() > 1 {
			t.Error("lost")
		}
	}, policy()...))
}
