package guidebugs

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/espalier-go/espalier/bigen"
)

// Without a bug, edits of all trees reached by edits find none. With each bug, some do.
func TestBugs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	found := map[string]bool{}
	var tree *RedBlack
	for i := range 20000 {
		e := Edit{tree, r.IntN(16), i}
		if e.Finds("") {
			t.Fatalf("%+v", e)
		}
		for _, bug := range slices.Concat(Bugs(), Rare()) {
			found[bug] = found[bug] || e.Finds(bug)
		}
		if tree = mutant("").insert(tree, r.IntN(16), i); r.IntN(3) > 0 {
			tree = mutant("").delete(tree, r.IntN(16))
		}
	}
	for _, bug := range slices.Concat(Bugs(), Rare()) {
		if !found[bug] {
			t.Errorf("nothing finds %q", bug)
		}
	}
	if len(Bugs()) != 58 {
		t.Errorf("%d bugs", len(Bugs()))
	}
}

// Examples are valid, and Gen makes them.
func TestExample(t *testing.T) {
	for nodes := range 10 {
		e := Example(nodes)
		if err := bigen.Check(Gen, e); err != nil || !e.Tree.Valid() || e.Tree.Size() != nodes {
			t.Errorf("%d nodes: %v, %v", nodes, e.Tree, err)
		}
	}
}
