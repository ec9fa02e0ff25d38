package trees

import (
	"math"

	"github.com/espalier-go/espalier/bigen"
)

// Gen makes general trees, as in GödelTest, figure 5: the paper's mult is a SliceOf. By its own
// distribution, most trees are as large as any value may be: there is a reason to tune it.
func Gen() bigen.Gen[Tree] { return genTree }

var genTree bigen.Gen[Tree]

func init() {
	self := bigen.Lazy(Gen)
	genTree = bigen.Struct(func(c *bigen.C, t *Tree) {
		bigen.At(c, &t.Children, bigen.SliceOf(self, 0, math.MaxInt))
	})
}

// GenCounted makes general trees whose nodes have up to maxChildren children. It asks for their
// number first, as the paper's mult does, so that a histogram of numbers can answer.
func GenCounted(maxChildren int) bigen.Gen[Tree] {
	var self bigen.Gen[Tree]
	lazy := bigen.Lazy(func() bigen.Gen[Tree] { return self })
	self = bigen.Struct(func(c *bigen.C, t *Tree) {
		n := bigen.Let(c, t, func(t *Tree) (int, bool) { return len(t.Children), true },
			bigen.IntRange(0, maxChildren))
		bigen.At(c, &t.Children, bigen.SliceOf(lazy, n, n))
	})
	return self
}

// GenSequence makes 1 to 50 expressions with at most large compounds in all, as in GödelTest,
// figure 2: plus is a SliceBy from 1, choose_int is an IntRange, a rule choice is a Pick. What
// the state of the paper's generator counts, the generator of each part reads off those before.
func GenSequence(large int) bigen.Gen[[]Expr] {
	return bigen.SliceBy(func(prev []Expr) (bigen.Gen[Expr], bool) {
		return genExpr(large - Large(prev...)), true
	}, 1, 50)
}

func genExpr(large int) bigen.Gen[Expr] {
	number := bigen.Case[Expr]("number", bigen.IntRange[Number](0, 10))
	if large < 1 {
		return bigen.Pick(number)
	}
	return bigen.Pick(number, bigen.Case[Expr]("compound", bigen.Struct(func(c *bigen.C, e *Compound) {
		bigen.At(c, &e.X, genExpr(large-1))
		bigen.At(c, &e.Op,
			bigen.Pick(bigen.Tag("+", bigen.Just[byte]('+')), bigen.Tag("-", bigen.Just[byte]('-'))))
		bigen.At(c, &e.Y, genExpr(large-1-Large(e.X)))
	})))
}

// GenBinary makes the trees of DRAGEN, section 3.
func GenBinary() bigen.Gen[*Binary] { return genBinary }

var genBinary bigen.Gen[*Binary]

func init() {
	self := bigen.Lazy(GenBinary)
	leaf := func(name string) bigen.Alt[*Binary] {
		return bigen.Tag(name, bigen.New(func(c *bigen.C, t *Binary) {
			bigen.At(c, &t.Leaf, bigen.Just(name))
		}))
	}
	genBinary = bigen.Pick(leaf("A"), leaf("B"), leaf("C"),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *Binary) {
			bigen.At(c, &t.Left, self)
			bigen.At(c, &t.Right, self)
		})))
}
