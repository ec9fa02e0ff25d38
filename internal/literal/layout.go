package literal

import (
	"go/format"
	"strings"
	"unicode/utf8"
)

const (
	maxColumn = 80
	tabWidth  = 8
	// gofmt aligns the values of keys up to this length however they differ.
	maxAligned = 40
	// unbounded is a width that never fits.
	unbounded = 1 << 30
)

// A node is an expression in parts that can be laid out on one or more lines: text,
// or a list of items between two texts.
type node struct {
	open  string
	items []item
	close string
	rest  bool // whether the node stands for everything that was still to come

	tail int // columns of items and close on one line
}

// An item is an element of a composite literal, with a key or nil, and with a comment or "".
type item struct {
	key, value *node
	note       string
	name       string // of the item, if it has a comment: a field, or an index in brackets
}

// wrap surrounds n with text.
func (n *node) wrap(before, after string) *node {
	n.open = before + n.open
	if len(n.items) == 0 {
		n.open += n.close + after
		n.close = ""
		return n
	}
	n.close += after
	return n
}

// flat returns n without line breaks between its items.
func (n *node) flat() string {
	var l layout
	l.flat(n)
	return l.String()
}

// maxLifted is the maximum width of an item that comments do not break into lines.
const maxLifted = 40

// lift moves comments on items of short expressions to the ends of these expressions.
func (n *node) lift() {
	for i := range n.items {
		it := &n.items[i]
		it.value.lift()
		if it.note == "" {
			it.note = it.value.lifted()
		}
	}
}

// lifted takes the comments from the items of a short expression, and returns them as one.
func (n *node) lifted() string {
	if len(n.items) == 0 || columns(n.flat()) > maxLifted {
		return ""
	}
	var notes []string
	names := map[string][]string{}
	for i := range n.items {
		it := &n.items[i]
		if it.note == "" {
			continue
		}
		if names[it.note] == nil {
			notes = append(notes, it.note)
		}
		names[it.note] = append(names[it.note], it.name)
		it.note = ""
	}
	for i, note := range notes {
		list := names[note]
		if last := len(list) - 1; last > 1 && len(list) == len(n.items) && n.items[0].key == nil {
			list = []string{list[0] + " to " + list[last]}
		}
		notes[i] = strings.Join(list, ", ") + ": " + note
	}
	return strings.Join(notes, "; ")
}

// measure sets the tail of n and of the nodes in it, and returns the columns of n on
// one line.
func (n *node) measure() int {
	n.tail = columns(n.close)
	for i, it := range n.items {
		if i > 0 {
			n.tail += len(", ")
		}
		if it.key != nil {
			n.tail += it.key.measure() + len(": ")
		}
		n.tail += it.value.measure()
		if it.note != "" {
			n.tail = unbounded
		}
		n.tail = min(n.tail, unbounded)
	}
	return min(columns(n.open)+n.tail, unbounded)
}

// columns returns the width of s, which is unbounded if s has several lines.
func columns(s string) int {
	if strings.Contains(s, "\n") {
		return unbounded
	}
	return utf8.RuneCountInString(s)
}

// layOut returns n on one line, or on several that gofmt has yet to align.
func layOut(n *node) string {
	n.lift()
	note := ""
	if len(n.items) > 0 && n.items[0].key == nil {
		note = n.lifted()
	}
	n.measure()
	l := new(layout)
	l.node(n, 0)
	if note != "" {
		return l.String() + " // " + note
	}
	return l.String()
}

// Format returns the text of [Unformatted] as gofmt would have it.
func Format(text string) string {
	// A single line already is, unless it has the type of a struct or the like.
	if !strings.Contains(text, "\n") && !strings.Contains(text, " {") {
		return text
	}
	const before, after = "package p\n\nvar _ = ", "\n"
	src, err := format.Source([]byte(before + text + after))
	if err != nil {
		return text // still better to read than nothing
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(src), before), after)
}

// A layout writes nodes and decides where to break lines.
type layout struct {
	strings.Builder
	indent int // of the current line
	column int
}

func (l *layout) text(s string) {
	l.WriteString(s)
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		s = s[i+1:]
		l.column = l.indent * tabWidth
	}
	l.column += utf8.RuneCountInString(s)
}

func (l *layout) newline() {
	l.WriteByte('\n')
	for range l.indent {
		l.WriteByte('\t')
	}
	l.column = l.indent * tabWidth
}

// node writes n, which must leave the given number of columns after it.
func (l *layout) node(n *node, after int) {
	l.text(n.open)
	if len(n.items) == 0 || l.column+n.tail+after <= maxColumn {
		l.list(n)
		return
	}
	align := 0
	for _, it := range n.items {
		if it.key != nil {
			if w := columns(it.key.open) + it.key.tail; w <= maxAligned {
				align = max(align, w)
			}
		}
	}
	l.indent++
	for _, it := range n.items {
		l.newline()
		if it.key != nil {
			l.node(it.key, len(":"))
			l.text(": ")
			l.column = max(l.column, l.indent*tabWidth+align+len(": "))
		}
		l.node(it.value, len(","))
		l.text(",")
		if it.note != "" {
			l.text(" // " + it.note)
		}
	}
	l.indent--
	l.newline()
	l.text(n.close)
}

// flat writes n on the current line.
func (l *layout) flat(n *node) {
	l.text(n.open)
	l.list(n)
}

// list writes what follows the opening text of n on the current line.
func (l *layout) list(n *node) {
	for i, it := range n.items {
		if i > 0 {
			l.text(", ")
		}
		if it.key != nil {
			l.flat(it.key)
			l.text(": ")
		}
		l.flat(it.value)
	}
	l.text(n.close)
}
