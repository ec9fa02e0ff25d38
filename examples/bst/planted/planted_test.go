package planted

import (
	"flag"
	"slices"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

const lo, hi = 0, 99

func genBST(lo, hi int) bigen.Gen[*Tree] {
	if lo > hi {
		return bigen.Nil[Tree]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[Tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *Tree) {
			bigen.At(c, &t.X, bigen.IntRange(lo, hi))
			bigen.At(c, &t.L, genBST(lo, t.X-1))
			bigen.At(c, &t.R, genBST(t.X+1, hi))
		})).Weight(5),
	)
}

type operation struct {
	Tree *Tree
	X    int
}

var genOperation = bigen.Struct(func(c *bigen.C, o *operation) {
	bigen.At(c, &o.Tree, genBST(lo, hi))
	bigen.At(c, &o.X, bigen.IntRange(lo, hi))
})

type pair struct{ A, B *Tree }

var genPair = bigen.Struct(func(c *bigen.C, p *pair) {
	bigen.At(c, &p.A, genBST(lo, hi))
	bigen.At(c, &p.B, genBST(lo, hi))
})

func insert(t testing.TB, o operation) {
	isSet(t, o.Tree.Insert(o.X), append(o.Tree.Keys(), o.X))
}

func del(t testing.TB, o operation) {
	isSet(t, o.Tree.Delete(o.X), slices.DeleteFunc(o.Tree.Keys(), func(x int) bool { return x == o.X }))
}

func union(t testing.TB, p pair) {
	isSet(t, p.A.Union(p.B), append(p.A.Keys(), p.B.Keys()...))
}

func isSet(t testing.TB, got *Tree, want []int) {
	t.Helper()
	slices.Sort(want)
	if want = slices.Compact(want); !slices.Equal(got.Keys(), want) {
		t.Errorf("the set is %v, want %v", got.Keys(), want)
	}
}

func FuzzInsert(f *testing.F) {
	onlyIfNamed(f)
	f.Fuzz(fuzzext.Valid(genOperation, func(t *fuzzext.T, o operation) { insert(t, o) }))
}

func FuzzDelete(f *testing.F) {
	onlyIfNamed(f)
	f.Fuzz(fuzzext.Valid(genOperation, func(t *fuzzext.T, o operation) { del(t, o) }))
}

func FuzzUnion(f *testing.F) {
	onlyIfNamed(f)
	f.Fuzz(fuzzext.Valid(genPair, func(t *fuzzext.T, p pair) { union(t, p) }))
}

// onlyIfNamed keeps a plain `go test ./...` green after a bug has been found, and
// its input saved: the bugs are meant to be there.
func onlyIfNamed(f *testing.F) {
	if flag.Lookup("test.fuzz").Value.String() == "" && flag.Lookup("test.run").Value.String() == "" {
		f.Skip("has a planted bug: name it by -fuzz or -run")
	}
}
