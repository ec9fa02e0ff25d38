package stats

import (
	"fmt"

	"github.com/espalier-go/espalier/internal/job"
)

// A Pair is an entry, and an earlier one that is like it.
type Pair struct{ Name, Like string }

// equalPairs finds entries that stand for the same value as an earlier one: their choices have the
// same marks.
func equalPairs(entries []*job.Entry) (equal []Pair) {
	first := map[string]string{} // names, by marks
	for _, e := range entries {
		key := ""
		for _, c := range e.Tree {
			m := c.Mark()
			key += fmt.Sprintf("%d %q %d,", m.Kind, m.Tag, m.N)
		}
		if name, ok := first[key]; ok {
			equal = append(equal, Pair{nameOf(e), name})
		} else {
			first[key] = nameOf(e)
		}
	}
	return equal
}
