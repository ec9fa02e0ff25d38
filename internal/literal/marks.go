package literal

import (
	"reflect"
	"strings"
)

// Marks are comments on parts of a value, by the paths of the parts.
type Marks map[string]string

// Marked is [Within] with comments. A part with a comment has a line of its own, which
// ends with the comment, even if it is a field that is zero. The comments on the parts of
// a short part, and of a short list, are joined.
func Marked(size int, v any, pkg string, marks Marks) (text string, all bool) {
	text, all = ofValue(reflect.ValueOf(v), pkg, size, marks)
	if note := marks[""]; note != "" {
		text += " // " + note
	}
	return text, all
}

// hasMarks reports whether the part at a path, or one of its parts, has a comment.
func (p *printer) hasMarks(at Path) bool {
	s := at.String()
	for m := range p.marks {
		if rest, ok := strings.CutPrefix(m, s); ok &&
			(rest == "" || s == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}
