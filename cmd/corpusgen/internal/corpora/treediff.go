package corpora

import (
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/espalier-go/espalier/choices"
)

// treeLines returns the choices of t, one in each line, those below another indented.
func treeLines(t choices.Tree) string {
	var b strings.Builder
	for i, around := range t.Walk() {
		b.WriteString(strings.Repeat("  ", len(around)))
		b.WriteString(t[i].Mark().String())
		b.WriteByte('\n')
	}
	return b.String()
}

// treeDiff returns a unified diff of two trees with names, or "" if no choice differs.
func treeDiff(oldName string, old choices.Tree, newName string, new choices.Tree) string {
	return string(diff.Diff(oldName, []byte(treeLines(old)), newName, []byte(treeLines(new))))
}
