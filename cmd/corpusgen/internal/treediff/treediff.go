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
	write(&b, t, 0)
	return b.String()
}

func write(b *strings.Builder, t choices.Tree, depth int) {
	for i := 0; i < len(t); i = t.End(i) {
		b.WriteString(strings.Repeat("  ", depth))
		b.WriteString(t[i].Mark().String())
		b.WriteByte('\n')
		write(b, t[i+1:t.End(i)], depth+1)
	}
}

// Unified returns a unified diff of two trees with names, or "" if no choice differs.
func Unified(oldName string, old choices.Tree, newName string, new choices.Tree) string {
	return string(diff.Diff(oldName, []byte(Lines(old)), newName, []byte(Lines(new))))
}
