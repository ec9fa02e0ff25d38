package fuzzext

import (
	"cmp"
	"fmt"
	"strings"

	"golang.org/x/exp/slices"
)

const (
	maxLabels = 1000 // that are counted
	maxShares = 20   // that are shown
)

func (c *checking) count(labels []string) {
	for _, l := range labels {
		if _, ok := c.labels[l]; ok || len(c.labels) < maxLabels {
			c.labels[l]++
		}
	}
}

// summary says what a Check has done, in one line.
func (c *checking) summary() string {
	var b strings.Builder
	b.WriteString(count(c.valid, "valid random value"))
	if n := c.invalid + c.rejected; n > 0 {
		fmt.Fprintf(&b, ", %d invalid, guided", n)
	}
	if n := len(c.saved); n > 0 {
		fmt.Fprintf(&b, ", %d saved", n)
	}
	if n := len(c.examples); n > 0 {
		fmt.Fprintf(&b, ", %s", count(n, "example"))
		if bad := n - len(c.valued); bad > 0 {
			fmt.Fprintf(&b, ", %d of them invalid", bad)
		}
	}
	least := ""
	if len(c.distinct) == maxDistinct {
		least = "at least "
	}
	fmt.Fprintf(&b, "; %s%d distinct", least, len(c.distinct))
	if c.spent {
		b.WriteString("; there seem to be no others")
	}
	if total := c.valid; len(c.labels) > 0 {
		names := make([]string, 0, len(c.labels))
		for l := range c.labels {
			names = append(names, l)
		}
		slices.SortFunc(names, func(x, y string) int {
			return cmp.Or(-cmp.Compare(c.labels[x], c.labels[y]), cmp.Compare(x, y))
		})
		for i, l := range names {
			if i == maxShares {
				fmt.Fprintf(&b, ", %d more labels", len(names)-i)
				break
			}
			fmt.Fprintf(&b, "%s %.1f%% %s", [2]string{";", ","}[min(i, 1)], 100*float64(c.labels[l])/float64(max(1, total)), l)
		}
	}
	if missing := c.tags.missing(); missing != "" && c.valid > 0 {
		fmt.Fprintf(&b, "; no valid value has %s", missing)
	}
	fmt.Fprintf(&b, "; -fuzzext.seed=%d", c.seed)
	return b.String()
}

// few says that hardly any of the random values was valid, and what to do.
func (c *checking) few() string {
	which := fmt.Sprintf("T.Assume has rejected %d of them", c.invalid)
	advice := "make the generator produce what the property assumes"
	if c.rejected > 0 {
		which = fmt.Sprintf("the generator rejects %d of them, "+which, c.rejected)
		advice = "make the generator produce valid values by construction, as by ranges that depend on earlier fields, or give SuchThat a fallback"
	}
	if len(c.examples) == 0 {
		advice += "; or give Examples, from which Check learns what is valid"
	} else if len(c.valued) == 0 {
		advice += "; or give valid Examples: none of these is"
	}
	return fmt.Sprintf("only %d of %d random values are valid, fewer than 1 in %d: %s: %s", c.valid, c.random(), attempts, which, advice)
}
