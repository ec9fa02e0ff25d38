package fuzzext

import (
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// tags tells of alternatives whether a valid value has them: of picks of more than two,
// since those of two are mostly about how large a part is.
type tags map[string]bool

const (
	maxTags   = 1000 // that are known
	shownTags = 5
)

// note takes note of the alternatives of a value.
func (s tags) note(t choices.Tree, valid bool) {
	for i := range t {
		c := &t[i]
		if c.Kind != choices.Pick || c.Hi < 2 {
			continue
		}
		if old, ok := s[c.Tag]; ok && old == (old || valid) || !ok && len(s) == maxTags {
			continue
		}
		s[c.Tag] = valid
	}
}

// missing says which alternatives no valid value has, or is empty.
func (s tags) missing() string {
	var names []string
	for tag, valid := range s {
		if !valid {
			names = append(names, tag)
		}
	}
	slices.Sort(names)
	more := ""
	if n := len(names) - shownTags; n > 0 {
		more = " and " + count(n, "other")
		names = names[:shownTags]
	}
	return strings.Join(names, ", ") + more
}
