// Package treediff prints choice trees line by line, and what differs between two of them.
package treediff

import (
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/espalier-go/espalier/choices"
)

// Lines returns the choices of t, one in each line, those below another indented.
func Lines(t choices.Tree) string {
	var b strings.Builder
	for i, around := range t.Walk() {
		b.WriteString(strings.Repeat("  ", len(around)))
		b.WriteString(t[i].Mark().String())
		b.WriteByte('\n')
	}
	return b.String()
}

// Unified returns a unified diff of two trees with names, or "" if no choice differs.
func Unified(oldName string, old choices.Tree, newName string, new choices.Tree) string {
	return string(diff.Diff(oldName, []byte(Lines(old)), newName, []byte(Lines(new))))
}
