package predict_test

import (
	"go/ast"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
)

// The generators that are read, and the generators that are refused.

// tree has the constructors of several types of the paper: a node of any kind, with up to two
// parts of its own type, one of another, and Booleans.
type tree struct {
	L, R  *tree
	Other *other
	A, B  bool
	M     *bool
}

type other struct{ T *tree }

// alternative of a generator of trees.
func leaf(tag string, w float64) bigen.Alt[*tree] {
	return bigen.Tag(tag, bigen.Nil[tree]()).Weight(w)
}

func node(tag string, w float64, f func(c *bigen.C, t *tree)) bigen.Alt[*tree] {
	return bigen.Tag(tag, bigen.New(f)).Weight(w)
}

// genABC makes the trees of section 2: three leaves and a node.
func genABC(a, b, c, n float64) bigen.Gen[*tree] {
	return bigen.Lazy(func() bigen.Gen[*tree] {
		return bigen.Pick(leaf("LeafA", a), leaf("LeafB", b), leaf("LeafC", c),
			node("Node", n, func(cc *bigen.C, t *tree) {
				bigen.At(cc, &t.L, genABC(a, b, c, n))
				bigen.At(cc, &t.R, genABC(a, b, c, n))
			}))
	})
}

// genTree makes the trees of section 4, without a bound.
func genTree() bigen.Gen[*tree] {
	return bigen.Lazy(func() bigen.Gen[*tree] {
		return bigen.Pick(leaf("Leaf", 2),
			node("NodeA", 5, func(c *bigen.C, t *tree) {
				bigen.At(c, &t.L, genTree())
				bigen.At(c, &t.R, genTree())
			}),
			node("NodeB", 3, func(c *bigen.C, t *tree) { bigen.At(c, &t.L, genTree()) }))
	})
}

// genSized is the generator of Figure 5.
func genSized(n int) bigen.Gen[*tree] {
	if n == 0 {
		return bigen.Pick(leaf("Leaf", 1))
	}
	return bigen.Pick(leaf("Leaf", 2),
		node("NodeA", 5, func(c *bigen.C, t *tree) {
			bigen.At(c, &t.L, genSized(n-1))
			bigen.At(c, &t.R, genSized(n-1))
		}),
		node("NodeB", 3, func(c *bigen.C, t *tree) { bigen.At(c, &t.L, genSized(n-1)) }))
}

// genHalving is the generator of Figure 2.
func genHalving(n int) bigen.Gen[*tree] {
	leaves := []bigen.Alt[*tree]{leaf("LeafA", 1), leaf("LeafB", 1), leaf("LeafC", 1)}
	if n == 0 {
		return bigen.Pick(leaves...)
	}
	return bigen.Pick(append(leaves, node("Node", 1, func(c *bigen.C, t *tree) {
		bigen.At(c, &t.L, genHalving(n/2))
		bigen.At(c, &t.R, genHalving(n/2))
	}))...)
}

// genMutual makes the types of section 6.
func genMutual() bigen.Gen[*tree] {
	return bigen.Pick(leaf("A", 3), node("B", 7, func(c *bigen.C, t *tree) {
		bigen.At(c, &t.L, bigen.Lazy(genMutual))
		bigen.At(c, &t.Other, bigen.Lazy(genOther))
	}))
}

func genOther() bigen.Gen[*other] {
	return bigen.Pick(bigen.Tag("C", bigen.Nil[other]()).Weight(4),
		bigen.Tag("D", bigen.New(func(c *bigen.C, o *other) {
			bigen.At(c, &o.T, bigen.Lazy(genMutual))
		})).Weight(6))
}

// genComposite makes the composite type of section 6.1, with Booleans of probability 0.3.
func genComposite() bigen.Gen[*tree] {
	boolean := bigen.Pick(bigen.Tag("False", bigen.Just(false)).Weight(7),
		bigen.Tag("True", bigen.Just(true)).Weight(3))
	return bigen.Pick(
		node("LeafA", 3, func(c *bigen.C, t *tree) {
			bigen.At(c, &t.M,
				bigen.Pick(bigen.Tag("Nothing", bigen.Nil[bool]()),
					bigen.Tag("Just", bigen.NonNil(boolean)).Weight(3)))
		}),
		node("LeafB", 2, func(c *bigen.C, t *tree) {
			bigen.At(c, &t.A, boolean)
			bigen.At(c, &t.B, boolean)
		}),
		leaf("LeafC", 1),
		node("Node", 4, func(c *bigen.C, t *tree) {
			bigen.At(c, &t.L, bigen.Lazy(genComposite))
			bigen.At(c, &t.R, bigen.Lazy(genComposite))
		}))
}

// genNever makes a type without terminals: its "short" leads to a type that has some, its "long"
// to another that has none.
func genNever() bigen.Gen[*tree] {
	via := func(f func() bigen.Gen[*tree]) func(c *bigen.C, t *tree) {
		return func(c *bigen.C, t *tree) { bigen.At(c, &t.L, bigen.Lazy(f)) }
	}
	ends := func() bigen.Gen[*tree] {
		return bigen.Pick(leaf("end", 2), node("again", 3, via(genNever)))
	}
	further := func() bigen.Gen[*tree] {
		return bigen.Pick(node("further", 1, via(ends)), node("both", 1, func(c *bigen.C, t *tree) {
			bigen.At(c, &t.L, bigen.Lazy(ends))
			bigen.At(c, &t.R, bigen.Lazy(genNever))
		}))
	}
	return bigen.Pick(node("long", 2, via(further)), node("short", 1, via(ends)))
}

// rose is a tree with any number of children.
type rose struct {
	Tag  bool
	Kids []*rose
}

// genRose makes trees with lo to hi children each: slices nest.
func genRose(lo, hi int, w float64) bigen.Gen[*rose] {
	return bigen.Lazy(func() bigen.Gen[*rose] {
		return bigen.Pick(
			bigen.Tag("tip", bigen.Nil[rose]()).Weight(w),
			bigen.Tag("fork", bigen.New(func(c *bigen.C, r *rose) {
				bigen.At(c, &r.Tag,
					bigen.Pick(bigen.Tag("no", bigen.Just(false)), bigen.Tag("yes", bigen.Just(true))))
				bigen.At(c, &r.Kids, bigen.SliceOf(genRose(lo, hi, w), lo, hi))
			})))
	})
}

// slices has slices of several kinds, which ask the same questions.
type slices struct {
	Flags  []bool
	Nested [][][]bool
	Named  []struct{ Names []int }
	Floats []float64
}

func genSlices() bigen.Gen[slices] {
	flag := bigen.Pick(bigen.Tag("off", bigen.Just(false)), bigen.Tag("on", bigen.Just(true)))
	return bigen.Struct(func(c *bigen.C, s *slices) {
		bigen.At(c, &s.Flags, bigen.SliceOf(flag, 2, 5))
		bigen.At(c, &s.Nested, bigen.SliceOf(bigen.SliceOf(bigen.SliceOf(flag, 0, 2), 1, 3), 0, 4))
		bigen.At(c, &s.Named, bigen.SliceOf(bigen.Struct(func(c *bigen.C, n *struct{ Names []int }) {
			bigen.At(c, &n.Names, bigen.SliceOf(bigen.IntRange(0, 9), 0, 3))
		}), 0, 30))
		bigen.At(c, &s.Floats, bigen.SliceOf(bigen.Float[float64](), 0, 300))
	})
}

// term is an untyped lambda term, by de Bruijn indices.
type term struct {
	Var  int
	X, Y *term
}

func genLambda() bigen.Gen[*term] {
	return bigen.Pick(
		bigen.Tag("var",
			bigen.New(func(c *bigen.C, t *term) { bigen.At(c, &t.Var, bigen.IntRange(0, 9)) })).Weight(4),
		bigen.Tag("lam",
			bigen.New(func(c *bigen.C, t *term) { bigen.At(c, &t.X, bigen.Lazy(genLambda)) })).Weight(2),
		bigen.Tag("app", bigen.New(func(c *bigen.C, t *term) {
			bigen.At(c, &t.X, bigen.Lazy(genLambda))
			bigen.At(c, &t.Y, bigen.Lazy(genLambda))
		})).Weight(3))
}

// derived is a recursive type, whose derived weights depend on the level.
type derived struct {
	Next *derived
	List []derived
	Flag *bool
}

// genGo makes statements of Go, by their types in package ast: dozens of types, whose weights
// depend on the level.
func genGo() bigen.Gen[*ast.BlockStmt] {
	return bigen.For[*ast.BlockStmt](
		bigen.With(bigen.Struct(func(c *bigen.C, i *ast.Ident) {
			bigen.At(c, &i.Name, bigen.Matching(`[a-z]`))
		})),
		bigen.Variants[ast.Expr](
			&ast.Ident{}, &ast.BasicLit{}, &ast.ParenExpr{}, &ast.SelectorExpr{}, &ast.IndexExpr{},
			&ast.SliceExpr{},
			&ast.CallExpr{}, &ast.StarExpr{}, &ast.UnaryExpr{}, &ast.BinaryExpr{},
			&ast.KeyValueExpr{}, &ast.CompositeLit{},
			&ast.FuncLit{}, &ast.ArrayType{}, &ast.MapType{}, &ast.FuncType{}),
		bigen.Variants[ast.Stmt](
			&ast.EmptyStmt{}, &ast.ExprStmt{}, &ast.SendStmt{}, &ast.IncDecStmt{},
			&ast.AssignStmt{}, &ast.GoStmt{},
			&ast.DeferStmt{}, &ast.ReturnStmt{}, &ast.BranchStmt{}, &ast.BlockStmt{}, &ast.IfStmt{},
			&ast.ForStmt{},
			&ast.RangeStmt{}, &ast.LabeledStmt{}),
	)
}

// A search tree: what may follow depends on the bounds.
type bst struct {
	X    int
	L, R *bst
}

func genBST(lo, hi int) bigen.Gen[*bst] {
	if lo > hi {
		return bigen.Nil[bst]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[bst]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *bst) {
			bigen.At(c, &t.X, bigen.IntRange(lo, hi))
			bigen.At(c, &t.L, genBST(lo, t.X-1))
			bigen.At(c, &t.R, genBST(t.X+1, hi))
		})))
}

// A subject reads a generator and makes values of it.
type subject struct {
	read func() (*predict.Grammar, error)
	run  func(choices.Source) (choices.Tree, error)
}

func subjectOf[A any](g bigen.Gen[A]) subject {
	return subject{
		func() (*predict.Grammar, error) { return predict.Read(g) },
		func(src choices.Source) (choices.Tree, error) {
			_, t, err := bigen.Run(g, src)
			return t, err
		},
	}
}

// whole is a source for which derived generators do not end large values early.
type whole struct{ choices.Source }

func (whole) WholeProcess() {}

// observe counts the constructors of n random values: means and means of squares.
func (s subject) observe(
	n int, seed uint64, prior choices.Prior,
) (sum, squares map[predict.Constructor]float64) {
	r := rand.New(rand.NewPCG(seed, 1))
	sum, squares = map[predict.Constructor]float64{}, map[predict.Constructor]float64{}
	for range n {
		src := choices.Random(r)
		if prior != nil {
			src = choices.RandomBy(r, prior)
		}
		t, err := s.run(whole{src})
		if err != nil {
			panic(err)
		}
		counts := predict.Tally{}
		counts.Add(t)
		for c, count := range counts {
			x := float64(count)
			sum[c] += x / float64(n)
			squares[c] += x * x / float64(n)
		}
	}
	return sum, squares
}
