package targets

import (
	"github.com/espalier-go/espalier/examples/plain"
	"github.com/espalier-go/espalier/examples/planted"
)

// reader reads values from bytes, as one would who writes a fuzz target by hand. What is
// out of range makes the input invalid; beyond the end there are zeros.
type reader struct {
	b       []byte
	invalid bool
}

func (r *reader) byte() int {
	if len(r.b) == 0 {
		return 0
	}
	x := r.b[0]
	r.b = r.b[1:]
	return int(x)
}

// below returns an integer less than n, from as few bytes as hold all of them.
func (r *reader) below(n int) (x int) {
	for most := n - 1; most > 0; most >>= 8 {
		x = x<<8 | r.byte()
	}
	r.invalid = r.invalid || x >= n
	return x
}

// tree reads a search tree: a byte for leaf or node, by its lowest bit, and the integer
// of a node.
func (r *reader) tree(lo, hi int) *planted.Tree {
	if r.byte()&1 == 0 {
		return nil
	}
	x := r.below(planted.MaxKey + 1)
	if x < lo || x > hi {
		r.invalid = true
		return nil
	}
	return &planted.Tree{X: x, L: r.tree(lo, x-1), R: r.tree(x+1, hi)}
}

func parseOperation(r *reader) planted.Operation {
	return planted.Operation{Tree: r.tree(0, planted.MaxKey), X: r.below(planted.MaxKey + 1)}
}

func parsePair(r *reader) planted.Pair {
	return planted.Pair{A: r.tree(0, planted.MaxKey), B: r.tree(0, planted.MaxKey)}
}

// parseExpr reads an expression in preorder, a byte for each node.
func parseExpr(r *reader) *planted.Expr {
	switch x := r.byte() % (planted.NumVars + planted.NumOps); {
	case x < planted.NumVars:
		return &planted.Expr{Var: x}
	default:
		return &planted.Expr{Op: planted.Op(x - planted.NumVars + 1), L: parseExpr(r), R: parseExpr(r)}
	}
}

func parseCalls(r *reader) (calls []planted.Call) {
	for len(r.b) > 0 && len(calls) < planted.MaxCalls {
		c := planted.Call{Method: planted.Method(r.byte() % 3), Key: r.below(planted.MaxStoreKey + 1)}
		if c.Method == planted.Put {
			c.Value = r.below(planted.MaxStoreValue + 1)
		}
		calls = append(calls, c)
	}
	return calls
}

func parsePlan(r *reader) *planted.Plan { return plain.DecodePlan(r.b) }

func parseScript(r *reader) []planted.Command {
	script, ok := plain.DecodeScript(r.b)
	r.invalid = !ok
	return script
}
