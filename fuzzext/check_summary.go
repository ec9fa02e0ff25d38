package fuzzext

import (
	"cmp"
	"fmt"
	"strings"

	"golang.org/x/exp/slices"
)

const maxShares = 20 // of labels, that are shown

// summary says what a Check has done, in one line.
func (t *tally) summary() string {
	var b strings.Builder
	b.WriteString(count(t.valid, "valid random value"))
	if n := t.invalid + t.rejected; n > 0 {
		fmt.Fprintf(&b, ", %d invalid", n)
	}
	if t.learned {
		b.WriteString(", guided")
	}
	if n := t.saved; n > 0 {
		fmt.Fprintf(&b, ", %d saved", n)
	}
	if n := t.examples; n > 0 {
		fmt.Fprintf(&b, ", %s", count(n, "example"))
		if bad := n - len(t.validExamples); bad > 0 {
			fmt.Fprintf(&b, ", %d of them invalid", bad)
		}
	}
	least := ""
	if len(t.distinct) == maxDistinct {
		least = "at least "
	}
	fmt.Fprintf(&b, "; %s%d distinct", least, len(t.distinct))
	if t.learned {
		fmt.Fprintf(&b, ", of %s", count(len(t.shapes), "shape"))
	}
	if t.spent {
		b.WriteString("; there seem to be no others")
	}
	if total := t.valid; len(t.labels) > 0 {
		names := labelsByCount(t.labels)
		for i, l := range names {
			if i == maxShares {
				fmt.Fprintf(&b, ", %d more labels", len(names)-i)
				break
			}
			fmt.Fprintf(&b, "%s %.1f%% %s", [2]string{";", ","}[min(i, 1)], 100*float64(t.labels[l])/float64(max(1, total)), l)
		}
	}
	if names := t.validity.never(1); len(names) > 0 && t.valid > 0 {
		fmt.Fprintf(&b, "; no valid value has %s", strings.Join(names, ", "))
	}
	fmt.Fprintf(&b, "; -fuzzext.seed=%d", t.seed)
	return b.String()
}

// labelsByCount returns labels, the most frequent first.
func labelsByCount(labels map[string]int) []string {
	names := make([]string, 0, len(labels))
	for l := range labels {
		names = append(names, l)
	}
	slices.SortFunc(names, func(x, y string) int {
		return cmp.Or(-cmp.Compare(labels[x], labels[y]), cmp.Compare(x, y))
	})
	return names
}

// advice says that hardly any of the random values was valid, and what to do.
func (t *tally) advice() string {
	which := fmt.Sprintf("T.Assume has rejected %d of them", t.invalid)
	advice := "make the generator produce what the property assumes"
	if t.rejected > 0 {
		which = fmt.Sprintf("the generator rejects %d of them, "+which, t.rejected)
		advice = "make the generator produce valid values by construction, as by ranges that depend on earlier fields, or give SuchThat a fallback"
	}
	if t.examples == 0 {
		advice += "; or give Examples, from which Check learns what is valid"
	} else if len(t.validExamples) == 0 {
		advice += "; or give valid Examples: none of these is"
	}
	return fmt.Sprintf("only %d of %d random values are valid, fewer than 1 in %d: %s: %s", t.valid, t.random(), attempts, which, advice)
}
