package bigen

import (
	"reflect"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
)

// typeNode is a node of the graph of types that [For] goes through: a type, or a
// place that a tag or option has set apart from the others of its type. Its
// generator is typed; its lo and hi are the lengths of a slice or map.
type typeNode struct {
	typed
	given bool // the generator was made elsewhere, and consists of no nodes, except by Construct
	form  form
	kids  []*typeNode // by form
	count int         // fixed: of an array
	asked float64     // odds to continue that a tag sets; 0 for none

	plainByte bool // all bytes, as the type says

	alts []choices.Alt // of the choice
	leveled
	name string // of the schema, if it is of one
	room int    // of the root: how many choices a value has that is large enough

	analysis
}

// form says how many values of its kids a value has.
type form uint8

const (
	fixed    form = iota // one of each, or count of the only one
	optional             // one of the only one, or none
	many                 // lo to hi of each
	oneOf                // one of one of them
)

func newNode(t reflect.Type) *typeNode {
	return &typeNode{typed: typed{typ: t}, count: 1}
}

func (n *typeNode) String() string {
	if n.name != "" {
		return n.name
	}
	return n.typ.String()
}

// give makes g the generator of n.
func (n *typeNode) give(g untyped) { n.untyped, n.given = g, true }

// isChoice reports whether values of n differ in their parts.
func (n *typeNode) isChoice() bool { return n.form != fixed }

// analysis is what is known of a node of the graph of types.
type analysis struct {
	rank      int       // how many choices that must continue the smallest value nests
	least     float64   // how many choices it has at least
	component int       // of the nodes that contain each other and this one
	exits     []bool    // oneOf: see findExits
	odds      []float64 // to continue, for each level
	value     float64   // see weigh; 0 before it is known
	expected  [len(growth)]float64
}

// growth has r for each level; the last one is for all further levels.
var growth = [...]float64{2, 1.5, 1.2, 1, 0.85}

// derivedOp makes the values of a node, by reflection on their addresses.
type derivedOp struct{ node *typeNode }

func (g derivedOp) forward(c *C, _, _ int64, p unsafe.Pointer) {
	outer := c.enterDerived(g.node)
	g.node.forward(c, p)
	c.derived = outer
}

func (g derivedOp) backward(c *C, _, _ int64, p unsafe.Pointer) bool {
	outer := c.enterDerived(g.node)
	ok := g.node.backward(c, p)
	c.derived = outer
	return ok
}

// enterDerived sets the bound of a value of n, if n is a root, and returns the bound of the
// enclosing value.
func (c *C) enterDerived(n *typeNode) (outer int) {
	outer = c.derived
	if most := c.size() + n.room; n.room > 0 && outer >= 0 && (outer == 0 || most < outer) {
		c.derived = most
		if outer == 0 && isWhole(c.src) {
			c.derived = -1
		}
	}
	return outer
}

// A source of the whole process gets the same weights from derived generators however large the
// value is: package predict reads their process without the bound.
type wholeProcess interface{ WholeProcess() }

func isWhole(s choices.Source) bool {
	_, ok := s.(wholeProcess)
	return ok
}

// zeroOp leaves a value zero.
type zeroOp struct{}

func (zeroOp) forward(*C, int64, int64, unsafe.Pointer) {}

func (zeroOp) backward(*C, int64, int64, unsafe.Pointer) bool { return true }
