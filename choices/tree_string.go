package choices

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// String returns the tree as nested tags, as in node(5, leaf, leaf). An exclamation mark
// follows a choice marked Reroll, and a question mark one of kind [Regenerate].
func (t Tree) String() string {
	var b strings.Builder
	t.write(&b, 0, len(t))
	return b.String()
}

func (t Tree) write(b *strings.Builder, i, end int) {
	for first := true; i < end; i, first = t.End(i), false {
		if !first {
			b.WriteString(", ")
		}
		c := &t[i]
		if c.Kind == Regenerate {
			b.WriteString(tagText(c.Tag) + "?")
		} else {
			b.WriteString(c.Mark().String())
		}
		if c.Reroll {
			b.WriteByte('!')
		}
		if c.Size > 1 {
			b.WriteByte('(')
			t.write(b, i+1, t.End(i))
			b.WriteByte(')')
		}
	}
}

// tagText returns a tag, quoted if it could be mistaken for something else.
func tagText(tag string) string {
	for i, r := range tag {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' ||
			r >= 0x80 && strconv.IsPrint(r)
		inner := i > 0 && (r == '-' || r == '.' || '0' <= r && r <= '9')
		if !letter && !inner || r == utf8.RuneError {
			return strconv.Quote(tag)
		}
	}
	if tag == "" {
		return `""`
	}
	return tag
}
