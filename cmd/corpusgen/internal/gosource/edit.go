// Package gosource edits the text of a Go file at the places of its syntax tree, names what calls in
// it call, and tells what can be done to its expressions.
package gosource

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// A Text is the source of a file, and edits of it.
type Text struct {
	fset   *token.FileSet
	source []byte
	edits  []edit
}

// An edit replaces a part of the source.
type edit struct {
	pos, end int
	text     string
	closes   bool // it belongs to what is before
}

// NewText returns a source without edits.
func NewText(fset *token.FileSet, source []byte) *Text { return &Text{fset: fset, source: source} }

// Edited reports whether there are edits.
func (t *Text) Edited() bool { return len(t.edits) > 0 }

// Len returns the length of the source.
func (t *Text) Len() int { return len(t.source) }

// Offset returns where a place is in the source.
func (t *Text) Offset(pos token.Pos) int { return t.fset.PositionFor(pos, false).Offset }

// Of returns the source of a node, without edits.
func (t *Text) Of(n ast.Node) string { return t.Between(n.Pos(), n.End()) }

// Between returns the source between two places, without edits.
func (t *Text) Between(pos, end token.Pos) string {
	return string(t.source[t.Offset(pos):t.Offset(end)])
}

// Insert inserts text before what begins at pos, and after what has been inserted there.
func (t *Text) Insert(pos token.Pos, text string) { t.Replace(pos, pos, text) }

// Close inserts text after what ends at pos, and before what has been inserted there.
func (t *Text) Close(pos token.Pos, text string) {
	at := t.Offset(pos)
	t.edits = append(t.edits, edit{at, at, text, true})
}

// Replace replaces the source between two places.
func (t *Text) Replace(pos, end token.Pos, text string) {
	t.edits = append(t.edits, edit{t.Offset(pos), t.Offset(end), text, false})
}

// Around inserts text before and after a node. What is around a node within comes later.
func (t *Text) Around(n ast.Node, before, after string) {
	t.Insert(n.Pos(), before)
	t.Close(n.End(), after)
}

// Render returns a part of the source with its edits.
func (t *Text) Render(from, to int) string {
	var edits []edit
	for _, e := range slices.Backward(t.edits) { // the inner one comes first
		if e.closes && from < e.pos && e.pos <= to {
			edits = append(edits, e)
		}
	}
	for _, e := range t.edits {
		if !e.closes && from <= e.pos && e.end <= to && (e.pos < to || from == to || e.pos < e.end) {
			edits = append(edits, e)
		}
	}
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.pos, b.pos), cmp.Compare(order(a), order(b)))
	})
	var b strings.Builder
	for _, e := range edits {
		if e.pos < from {
			continue // within what another edit replaces
		}
		b.Write(t.source[from:e.pos])
		b.WriteString(e.text)
		from = e.end
	}
	b.Write(t.source[from:to])
	return b.String()
}

// order is less for what comes first at a place.
func order(e edit) int {
	if e.closes {
		return 0
	}
	return 1
}

// Inner returns the same source without edits.
func (t *Text) Inner() *Text { return NewText(t.fset, t.source) }
