package bigen

import (
	"strconv"

	"golang.org/x/exp/slices"
)

// fail returns false. With an explanation, it also records the reason, unless a more
// specific one has been recorded. If the arguments are costly, the caller checks first
// that there is an explanation: alternatives fail all the time.
func (c *C) fail(r rank, format string, args ...any) bool {
	if c.explain == nil {
		return false
	}
	return c.failAgain(fault{path: c.explain.path, format: format, args: args, rank: r})
}

// failAgain returns false, and records f unless a fault that tells as much has been.
func (c *C) failAgain(f fault) bool {
	if x := c.explain; x != nil && f.compare(&x.best) > 0 {
		x.best = f
	}
	return false
}

// failTooLarge explains that the value is cut short here, forward.
func (c *C) failTooLarge() bool {
	return c.fail(
		bySize, "the value has more than %d choices up to here, or is nested deeper than %d",
		maxChoices, maxDepth,
	)
}

// failAll explains that no alternative of a pick makes the value, by their faults.
// The fault recorded before them was best.
func (c *C) failAll(best fault, faults []fault) bool {
	x := c.explain
	x.best = best
	var all fault
	for _, f := range faults {
		switch n := f.compare(&all); {
		case n > 0:
			all = f
		case n == 0 && f.is():
			all.at = x.path.len()
			all.ties = append(append(slices.Clip(all.ties), f), f.ties...)
			all.ties = all.ties[:min(len(all.ties), maxTies)]
		}
	}
	return c.failAgain(all)
}

// push adds an element to the path of an explanation: a field, say, beside which
// some others have been accepted.
func (c *C) push(name string, accepted int) {
	if c.explain != nil {
		c.explain.path = c.explain.path.add(name, true, accepted)
	}
}

// pushTag adds the tag of an alternative.
func (c *C) pushTag(tag string) {
	if c.explain != nil {
		c.explain.path = c.explain.path.add(tag, false, 0)
	}
}

func (c *C) pushIndex(i int) {
	if c.explain != nil {
		c.push(strconv.Itoa(i), i)
	}
}

func (c *C) pop() {
	if c.explain != nil {
		c.explain.path = c.explain.path.step
	}
}
