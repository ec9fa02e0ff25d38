// Package trees has the generators that the papers on tuned generators run: general trees and
// sequences of expressions of GödelTest, binary trees of DRAGEN. trees_test.go tunes them.
package trees

import (
	"fmt"
	"strings"
)

// A Tree is a general tree: a node has any number of children.
type Tree struct{ Children []Tree }

// Size returns the number of nodes.
func (t Tree) Size() int {
	n := 1
	for _, c := range t.Children {
		n += c.Size()
	}
	return n
}

// Height returns the number of nodes on the longest way from the root to a leaf.
func (t Tree) Height() int {
	n := 0
	for _, c := range t.Children {
		n = max(n, c.Height())
	}
	return n + 1
}

// String returns a pair of parentheses for each node.
func (t Tree) String() string {
	var b strings.Builder
	t.print(&b)
	return b.String()
}

func (t Tree) print(b *strings.Builder) {
	b.WriteByte('(')
	for _, c := range t.Children {
		c.print(b)
	}
	b.WriteByte(')')
}

// Parse reads what String returns.
func Parse(text string) (Tree, error) {
	open := []Tree{{}} // the enclosing nodes, below one for the root
	for i, r := range text {
		last := len(open) - 1
		switch {
		case r == '(' && (last > 0 || i == 0):
			open = append(open, Tree{})
		case r == ')' && last > 0:
			around := &open[last-1]
			around.Children = append(around.Children, open[last])
			open = open[:last]
		default:
			return Tree{}, fmt.Errorf("trees: unexpected %q at %d", r, i)
		}
	}
	if len(open) > 1 || len(open[0].Children) == 0 {
		return Tree{}, fmt.Errorf("trees: unexpected end of %q", text)
	}
	return open[0].Children[0], nil
}

// An Expr is a [Number] or a [Compound].
type Expr interface{ String() string }

type (
	// A Number is an integer.
	Number int
	// A Compound applies an operator.
	Compound struct {
		X  Expr
		Op byte // + or -
		Y  Expr
	}
)

// String returns the decimal number.
func (n Number) String() string { return fmt.Sprint(int(n)) }

// String returns the expression in parentheses.
func (e Compound) String() string { return fmt.Sprintf("(%v%c%v)", e.X, e.Op, e.Y) }

// Large returns how many compounds there are.
func Large(all ...Expr) int {
	n := 0
	for _, e := range all {
		if e, ok := e.(Compound); ok {
			n += 1 + Large(e.X, e.Y)
		}
	}
	return n
}

// A Binary is a tree with three kinds of leaves: "A", "B", "C", or, with both parts, a node.
type Binary struct {
	Leaf        string
	Left, Right *Binary
}
