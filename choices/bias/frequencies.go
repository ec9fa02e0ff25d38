package choices

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/exp/slices"
)

// A Mark is what a choice says, without its place and its alternatives: the mark of
// "Bigenerators, Exposed!" (section 5.1.2). There, integers are tags. Here they are marks of
// their own, so that the integer 5, the text "5" and the tag "5" differ.
type Mark struct {
	Kind Kind
	Tag  string // Pick: the tag; Text: the string
	N    int64  // Int: the value; Uint: its bits
}

// Mark returns what the choice says.
func (c *Choice) Mark() Mark {
	switch c.Kind {
	case Pick, Text:
		return Mark{Kind: c.Kind, Tag: c.Tag}
	}
	return Mark{Kind: c.Kind, N: c.N}
}

// String returns the mark as [Tree.String] has it: a tag mostly as it is, an integer in
// decimal, a text quoted.
func (m Mark) String() string {
	switch m.Kind {
	case Int:
		return strconv.FormatInt(m.N, 10)
	case Uint:
		return strconv.FormatUint(uint64(m.N), 10)
	case Text:
		return strconv.Quote(m.Tag)
	}
	return tagText(m.Tag)
}

// Frequencies counts the marks in the trees of a test suite ("Bigenerators, Exposed!",
// section 5.2.1). It shows of which parts of the input space the suite has much, little or
// nothing. The zero value is not usable: make it, like any map.
type Frequencies map[Mark]int

// Add counts the choices of t. A pick of one alternative, such as the "more" of an element
// that must exist, does not count: nothing was chosen. Integers and texts always count.
func (f Frequencies) Add(t Tree) {
	for i := range t {
		if c := &t[i]; c.Kind != Pick || c.Asked() {
			f[c.Mark()]++
		}
	}
}

// Marks returns the marks as String lists them: the most frequent first, equally frequent
// ones by name.
func (f Frequencies) Marks() []Mark {
	type entry struct {
		Mark
		name string
		n    int
	}
	var list []entry
	for m, n := range f {
		list = append(list, entry{m, m.String(), n})
	}
	slices.SortFunc(list, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.name, b.name), cmp.Compare(a.Kind, b.Kind))
	})
	marks := make([]Mark, len(list))
	for i := range list {
		marks[i] = list[i].Mark
	}
	return marks
}

// String returns the counts and marks, one pair in each line.
func (f Frequencies) String() string {
	var b strings.Builder
	width := 0
	for i, m := range f.Marks() {
		if i == 0 {
			width = len(strconv.Itoa(f[m])) // the largest
		}
		fmt.Fprintf(&b, "%*d %v\n", width, f[m], m)
	}
	return b.String()
}
