package targets

import (
	"math"
	"math/bits"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/examples/planted"
)

// ints says how integers are drawn: the ones that choose between alternatives, and the ones of
// the values.
type ints struct {
	choose func(t *rapid.T, n int) int // less than n
	draw   func(t *rapid.T, lo, hi int) int
}

// rapid's own integers are more often small. So there are three ways: all integers equally
// likely, for the distribution that the generators of examples/planted have; rapid's own,
// but for the choices, on which the size of values depends; and rapid's own throughout, as
// its users would write it, for MakeFuzz, where bytes decide.
var (
	evenInts    = ints{func(t *rapid.T, n int) int { return even(t, 0, n-1) }, even}
	evenChoices = ints{evenInts.choose, own}
	ownInts     = ints{func(t *rapid.T, n int) int { return own(t, 0, n-1) }, own}
)

func own(t *rapid.T, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, "n") }

var bit = rapid.Bool()

func even(t *rapid.T, lo, hi int) int {
	for {
		n := 0
		for range bits.Len(uint(hi - lo)) {
			n *= 2
			if bit.Draw(t, "bit") {
				n++
			}
		}
		if n <= hi-lo {
			return lo + n
		}
	}
}

func drawTree(t *rapid.T, s ints, lo, hi int) *planted.Tree {
	if lo > hi || s.choose(t, 9) < 4 {
		return nil
	}
	x := s.draw(t, lo, hi)
	return &planted.Tree{X: x, L: drawTree(t, s, lo, x-1), R: drawTree(t, s, x+1, hi)}
}

func drawOperation(t *rapid.T, s ints) planted.Operation {
	return planted.Operation{Tree: drawTree(t, s, 0, planted.MaxKey), X: s.draw(t, 0, planted.MaxKey)}
}

func drawPair(t *rapid.T, s ints) planted.Pair {
	return planted.Pair{A: drawTree(t, s, 0, planted.MaxKey), B: drawTree(t, s, 0, planted.MaxKey)}
}

func drawExpr(t *rapid.T, s ints) *planted.Expr {
	if s.choose(t, 32) < 17 {
		return &planted.Expr{Var: s.draw(t, 0, planted.NumVars-1)}
	}
	op := planted.Op(s.draw(t, 1, planted.NumOps))
	return &planted.Expr{Op: op, L: drawExpr(t, s), R: drawExpr(t, s)}
}

func drawCalls(t *rapid.T, s ints) (calls []planted.Call) {
	for len(calls) < planted.MaxCalls && s.choose(t, 9) > 0 {
		c := planted.Call{Method: planted.Method(s.choose(t, 3)), Key: s.draw(t, 0, planted.MaxStoreKey)}
		if c.Method == planted.Put {
			c.Value = s.draw(t, 0, planted.MaxStoreValue)
		}
		calls = append(calls, c)
	}
	return calls
}

func drawPlan(t *rapid.T, s ints) *planted.Plan {
	p := &planted.Plan{Op: planted.Operator(max(0, s.choose(t, 8)-1))}
	if p.Op != planted.Reverse {
		p.N = s.draw(t, 0, planted.Columns-1)
	}
	if p.Op != planted.Scan {
		p.In = drawPlan(t, s)
	}
	if p.Op == planted.Semijoin {
		p.Right = drawPlan(t, s)
	}
	return p
}

func drawScript(t *rapid.T, s ints) []planted.Command { return drawBody(t, s, 3) }

func drawBody(t *rapid.T, s ints, depth int) (script []planted.Command) {
	verbs := int(planted.If)
	if depth > 0 {
		verbs = int(planted.Repeat) + 1
	}
	for len(script) < 8 && s.choose(t, 11) > 1 {
		c := planted.Command{Op: planted.Verb(s.choose(t, verbs))}
		switch c.Op {
		case planted.Say:
			c.Text = drawText(t, s)
		case planted.Repeat:
			c.Times = s.draw(t, 1, 3)
		default:
			c.Var = s.draw(t, 0, planted.Variables-1)
		}
		switch c.Op {
		case planted.Set, planted.Add:
			c.Value = int32(s.draw(t, math.MinInt32, math.MaxInt32))
		case planted.If, planted.Repeat:
			c.Body = drawBody(t, s, depth-1)
		}
		script = append(script, c)
	}
	return script
}

func drawText(t *rapid.T, s ints) string {
	const letters = "abcdefghijklmnopqrstuvwxyz-"
	b := make([]byte, s.choose(t, 17))
	for i := range b {
		b[i] = letters[s.draw(t, 0, len(letters)-1)]
	}
	return string(b)
}
