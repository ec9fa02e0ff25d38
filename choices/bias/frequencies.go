package bias

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/choices"
	"golang.org/x/exp/slices"
)

// Frequencies counts the marks in the trees of a test suite ("Bigenerators, Exposed!",
// section 5.2.1). It shows which parts of the input space the suite has much, little or
// nothing of. The zero value is not usable: make it, like any map.
type Frequencies map[choices.Mark]int

// Add counts the choices of t. A pick of one alternative, such as the "more" of an element
// that must exist, does not count: nothing was chosen. Integers and texts always count.
func (f Frequencies) Add(t choices.Tree) {
	for i := range t {
		if c := &t[i]; c.Kind != choices.Pick || c.Asked() {
			f[c.Mark()]++
		}
	}
}

// Marks returns the marks as String lists them: the most frequent first, equally frequent
// ones by name.
func (f Frequencies) Marks() []choices.Mark {
	type entry struct {
		choices.Mark
		name string
		n    int
	}
	var list []entry
	for m, n := range f {
		list = append(list, entry{m, m.String(), n})
	}
	slices.SortFunc(list, func(a, b entry) int {
		return cmp.Or(
			cmp.Compare(b.n, a.n), cmp.Compare(a.name, b.name), cmp.Compare(a.Kind, b.Kind),
		)
	})
	marks := make([]choices.Mark, len(list))
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
