package targets

import (
	"encoding/json"
	"testing"

	"github.com/espalier-go/espalier/examples/planted"
)

// Raw bytes, parsed by hand; what is no search tree is skipped.

func operationOf(t *testing.T, b []byte) operation {
	var o operation
	var rest []byte
	o.Tree, rest = parse(b)
	if len(rest) > 1 {
		o.X = int(rest[0])<<8 | int(rest[1])
	}
	if !valid(o.Tree, lo, hi) || o.X < lo || o.X > hi {
		t.Skip()
	}
	return o
}

func FuzzInsertRaw(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) { planted.CheckInsert(t, operationOf(t, b)) })
}

func FuzzDeleteRaw(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) { planted.CheckDelete(t, operationOf(t, b)) })
}

func FuzzUnionRaw(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		var p pair
		p.A, b = parse(b)
		p.B, _ = parse(b)
		if !valid(p.A, lo, hi) || !valid(p.B, lo, hi) {
			t.Skip()
		}
		planted.CheckUnion(t, p)
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
	addJSON(f, operation{Tree: seed, X: 4})
	f.Fuzz(func(t *testing.T, b []byte) {
		var o operation
		unmarshal(t, b, &o)
		if !valid(o.Tree, lo, hi) || o.X < lo || o.X > hi {
			t.Skip()
		}
		prop(t, o)
	})
}

func FuzzInsertJSON(f *testing.F) { fuzzOperationJSON(f, planted.CheckInsert) }
func FuzzDeleteJSON(f *testing.F) { fuzzOperationJSON(f, planted.CheckDelete) }

func FuzzUnionJSON(f *testing.F) {
	addJSON(f, pair{A: seed, B: seed})
	f.Fuzz(func(t *testing.T, b []byte) {
		var p pair
		unmarshal(t, b, &p)
		if !valid(p.A, lo, hi) || !valid(p.B, lo, hi) {
			t.Skip()
		}
		planted.CheckUnion(t, p)
	})
}
