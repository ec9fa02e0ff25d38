package fuzzext

import (
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// tags says of each alternative whether a valid value has it. It has the alternatives of
// picks of more than two; picks of two are mostly about how large a part is.
type tags map[string]bool

const (
	maxTags   = 1000 // that are known
	shownTags = 5    // by missing
)

// note records the alternatives of a value.
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

// missing returns a list of the alternatives that no valid value has, or "".
func (s tags) missing() string {
	var names []string
	for tag, valid := range s {
		if !valid {
			names = append(names, choices.Mark{Tag: tag}.String())
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
