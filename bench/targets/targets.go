// Package targets has the fuzz targets of examples/planted as a user would
// write them without Espalier.
package targets

import (
	"github.com/espalier-go/espalier/examples/planted"
)

const lo, hi = 0, planted.MaxKey

type (
	tree      = planted.Tree
	operation = planted.Operation
	pair      = planted.Pair
)

func valid(t *tree, lo, hi int) bool {
	return t == nil || lo <= t.X && t.X <= hi && valid(t.L, lo, t.X-1) && valid(t.R, t.X+1, hi)
}

// parse reads a tree in preorder from bytes: one for leaf or node, by its lowest
// bit, and two for the integer of a node.
func parse(b []byte) (t *tree, rest []byte) {
	if len(b) < 3 || b[0]&1 == 0 {
		return nil, b[min(1, len(b)):]
	}
	t = &tree{X: int(b[1])<<8 | int(b[2])}
	t.L, rest = parse(b[3:])
	t.R, rest = parse(rest)
	return t, rest
}
