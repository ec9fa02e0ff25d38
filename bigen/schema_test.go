package bigen_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/stretchr/testify/require"
)

// A tree is a leaf or has trees as children, by name: what a format with a schema may be read to.
type schemaTree struct {
	leaf     int
	children map[any]any // of strings to trees
	comment  string
}

func treeSchema() *bigen.Schema {
	tree := &bigen.Schema{Name: "tree"}
	leaf := &bigen.Schema{
		All: []bigen.SchemaPart{
			{Name: "number", ID: "1", Schema: &bigen.Schema{Gen: bigen.Any(bigen.IntRange(1, 9))}},
		},
		Join: func(parts []any) any { return schemaTree{leaf: parts[0].(int)} },
		Split: func(v any) ([]any, error) {
			if t, ok := v.(schemaTree); ok && t.leaf != 0 && t.children == nil && t.comment == "" {
				return []any{t.leaf}, nil
			}
			return nil, errors.New("it is not a leaf")
		},
	}
	node := &bigen.Schema{
		All: []bigen.SchemaPart{
			{Name: "children", Schema: &bigen.Schema{
				Key: &bigen.Schema{Gen: bigen.Any(bigen.Matching("[a-c]"))}, Elem: tree, Min: 1,
				Max: 3,
			}},
			{
				Name: "comment", Schema: &bigen.Schema{Gen: bigen.Any(bigen.Matching("[x-z]+"))},
				Optional: true,
			},
		},
		Join: func(parts []any) any {
			comment, _ := parts[1].(string)
			return schemaTree{children: parts[0].(map[any]any), comment: comment}
		},
		Split: func(v any) ([]any, error) {
			t, ok := v.(schemaTree)
			if !ok || t.leaf != 0 {
				return nil, errors.New("it is not a node")
			}
			if t.comment == "" {
				return []any{t.children, nil}, nil
			}
			return []any{t.children, t.comment}, nil
		},
	}
	tree.Either = []bigen.SchemaPart{{Name: "node", Schema: node}, {Name: "leaf", Schema: leaf}}
	return tree
}

// An S-expression is a name, or a list of them.
func sexprSchema() *bigen.Schema {
	s := &bigen.Schema{Name: "S-expression"}
	s.Either = []bigen.SchemaPart{
		{Name: "name", Schema: &bigen.Schema{Gen: bigen.Any(bigen.Matching("[a-z]{1,3}"))}},
		{Name: "pair", Schema: &bigen.Schema{
			All: []bigen.SchemaPart{{Name: "left", Schema: s}, {Name: "right", Schema: s}},
		}},
		{Name: "list", Schema: &bigen.Schema{Elem: s}},
	}
	return s
}

func init() {
	laws = append(laws,
		lawful("ForSchema/tree", bigen.ForSchema(treeSchema()), func(v any) bool {
			return v.(schemaTree).leaf < 10
		}),
		lawful("ForSchema/ambiguous", bigen.ForSchema(sexprSchema()), always),
	)
}

// Values end, and have moderate sizes. The first alternative that ends is the simplest.
func TestSchemaSizes(t *testing.T) {
	for _, s := range []*bigen.Schema{treeSchema(), sexprSchema()} {
		g, total := bigen.ForSchema(s), 0
		r := rng(1)
		for range 500 {
			c, err := bigen.Choices(g, bigen.Sample(g, r))
			require.NoError(t, err)
			total += len(c)
		}
		require.True(
			t, 500*5 < total && total < 500*150, "%s: %d choices of 500 values", s.Name, total,
		)
	}
	for _, v := range bigen.Enumerate(bigen.ForSchema(treeSchema())) {
		require.Equal(t, any(schemaTree{leaf: 1}), v)
		break
	}
}

func TestSchemaErrors(t *testing.T) {
	g := bigen.ForSchema(treeSchema())
	deep := schemaTree{children: map[any]any{"a": schemaTree{leaf: 1}, "b": schemaTree{leaf: 10}}}
	require.EqualError(
		t, bigen.Check(g, any(deep)),
		`not produced by the generator: at /node/children/["b"]/leaf/number: 10 not in [1,9]`,
	)
	require.ErrorContains(t, bigen.Check(g, any(5)), "none of the alternatives leaf, node makes it")
	g = bigen.ForSchema(&bigen.Schema{All: []bigen.SchemaPart{{Name: "x", Schema: sexprSchema()}}})
	require.ErrorContains(t, bigen.Check(g, any([]any{})), "it has 0 parts, not 1")
	require.ErrorContains(t, bigen.Check(g, any("a")), "it is a string, not a []any")
}

func TestSchemaMisuse(t *testing.T) {
	endless := &bigen.Schema{Name: "Node"}
	endless.All = []bigen.SchemaPart{{Name: "next", Schema: endless}}
	for want, s := range map[string]*bigen.Schema{
		"bigen.ForSchema(Node): no value of type Node is finite: Node contains Node: let a part be optional, elements be none, or give an Either an alternative that ends": endless,
		"bigen.ForSchema(S): the schema says nothing of its values: set Gen, All, Either or Elem": {
			Name: "S",
		},
		"bigen.ForSchema(S): x: the part has no schema": {
			Name: "S", All: []bigen.SchemaPart{{Name: "x"}},
		},
		"bigen.ForSchema(S): nothing has from 3 to 2 elements": {
			Name: "S", Elem: sexprSchema(), Min: 3, Max: 2,
		},
		"bigen.ForSchema(S): x[key]: the schema says nothing of its values: set Gen, All, Either or Elem": {
			Name: "S",
			All: []bigen.SchemaPart{
				{Name: "x", Schema: &bigen.Schema{Elem: sexprSchema(), Key: &bigen.Schema{}}},
			},
		},
	} {
		require.PanicsWithValue(t, want, func() { bigen.ForSchema(s) })
	}
}

// A schema that is read when the program runs: values are what a decoder makes of them.
func ExampleForSchema() {
	expr := &bigen.Schema{Name: "expression"}
	expr.Either = []bigen.SchemaPart{
		{Name: "name", Schema: &bigen.Schema{Gen: bigen.Any(bigen.Matching("[a-z]+"))}},
		{Name: "list", Schema: &bigen.Schema{Elem: expr, Max: 3}},
	}
	gen := bigen.ForSchema(expr)
	fmt.Println(bigen.Choices(gen, any([]any{"a", []any{"b", "c"}})))
	fmt.Println(bigen.Check(gen, any([]any{"a", []any{"B"}})))
	// Output:
	// list(more(name("a")), more(list(more(name("b")), more(name("c")), stop)), stop) <nil>
	// not produced by the generator: at /list/1/list/0: none of the alternatives name, list makes it: at position 0: "B" does not match [a-z]
}

// Parts at any depth pass the test of their schema, and backward, it is what is said of those that
// do not.
func TestSchemaTest(t *testing.T) {
	schema := treeSchema()
	schema.Test = func(v any) error {
		if n := len(v.(schemaTree).children); n == 2 {
			return errors.New("it has two children")
		}
		return nil
	}
	var passes func(tree schemaTree) bool
	passes = func(tree schemaTree) bool {
		for _, child := range tree.children {
			if !passes(child.(schemaTree)) {
				return false
			}
		}
		return len(tree.children) != 2
	}
	gen := bigen.ForSchema(schema)
	bigentest.Laws(t, gen, bigentest.Runs(50))
	bigentest.Sound(t, gen, func(v any) bool { return passes(v.(schemaTree)) }, bigentest.Runs(50))
	leaf := schemaTree{leaf: 3}
	three := schemaTree{children: map[any]any{"a": leaf, "b": leaf, "c": leaf}}
	bigentest.Value(t, gen, any(three))
	two := schemaTree{children: map[any]any{"a": leaf, "b": leaf}}
	require.ErrorContains(t, bigen.Check(gen, any(schemaTree{children: map[any]any{"c": two}})),
		"it has two children")
}
