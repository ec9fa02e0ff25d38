package targets

import (
	"encoding/json"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

func genBST(lo, hi int) bigen.Gen[*tree] {
	if lo > hi {
		return bigen.Nil[tree]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *tree) {
			bigen.At(c, &t.X, bigen.IntRange(lo, hi))
			bigen.At(c, &t.L, genBST(lo, t.X-1))
			bigen.At(c, &t.R, genBST(t.X+1, hi))
		})).Weight(5),
	)
}

var genOperation = bigen.Struct(func(c *bigen.C, o *operation) {
	bigen.At(c, &o.Tree, genBST(lo, hi))
	bigen.At(c, &o.X, bigen.IntRange(lo, hi))
})

var genPair = bigen.Struct(func(c *bigen.C, p *pair) {
	bigen.At(c, &p.A, genBST(lo, hi))
	bigen.At(c, &p.B, genBST(lo, hi))
})

func FuzzInsertValid(f *testing.F) {
	f.Fuzz(fuzzext.Valid(genOperation, func(t *fuzzext.T, o operation) { insert(t, o) }))
}

func FuzzDeleteValid(f *testing.F) {
	f.Fuzz(fuzzext.Valid(genOperation, func(t *fuzzext.T, o operation) { del(t, o) }))
}

func FuzzUnionValid(f *testing.F) {
	f.Fuzz(fuzzext.Valid(genPair, func(t *fuzzext.T, p pair) { union(t, p) }))
}

// Raw bytes, parsed by hand; what is no search tree is skipped.

func operationOf(t *testing.T, b []byte) operation {
	var o operation
	var rest []byte
	o.Tree, rest = parse(b)
	if len(rest) > 0 {
		o.X = int(rest[0])
	}
	if !valid(o.Tree, lo, hi) || o.X < lo || o.X > hi {
		t.Skip()
	}
	return o
}

func FuzzInsertRaw(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) { insert(t, operationOf(t, b)) })
}

func FuzzDeleteRaw(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) { del(t, operationOf(t, b)) })
}

func FuzzUnionRaw(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		var p pair
		p.A, b = parse(b)
		p.B, _ = parse(b)
		if !valid(p.A, lo, hi) || !valid(p.B, lo, hi) {
			t.Skip()
		}
		union(t, p)
	})
}

// Raw bytes as JSON, with one seed that shows the format.

func unmarshal(t *testing.T, b []byte, v any) {
	if json.Unmarshal(b, v) != nil {
		t.Skip()
	}
}

func addJSON(f *testing.F, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
}

var seed = &tree{L: &tree{X: 3}, X: 5, R: &tree{X: 8}}

func fuzzOperationJSON(f *testing.F, prop func(testing.TB, operation)) {
	addJSON(f, operation{seed, 4})
	f.Fuzz(func(t *testing.T, b []byte) {
		var o operation
		unmarshal(t, b, &o)
		if !valid(o.Tree, lo, hi) || o.X < lo || o.X > hi {
			t.Skip()
		}
		prop(t, o)
	})
}

func FuzzInsertJSON(f *testing.F) { fuzzOperationJSON(f, insert) }
func FuzzDeleteJSON(f *testing.F) { fuzzOperationJSON(f, del) }

func FuzzUnionJSON(f *testing.F) {
	addJSON(f, pair{seed, seed})
	f.Fuzz(func(t *testing.T, b []byte) {
		var p pair
		unmarshal(t, b, &p)
		if !valid(p.A, lo, hi) || !valid(p.B, lo, hi) {
			t.Skip()
		}
		union(t, p)
	})
}
