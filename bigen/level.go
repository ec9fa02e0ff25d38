package bigen

import "github.com/espalier-go/espalier/choices"

// leveled are the alternatives of a choice of a derived type. Their weights depend on the level:
// how many recursive choices enclose this one.
type leveled struct {
	recursive bool            // the choice may lead back to itself
	levels    [][]choices.Alt // with the weights for each level; the last also further in
	end       []choices.Alt   // with those for a value that is large enough
}

// offer returns the alternatives with their weights at this level. In a value that is large
// enough, alternatives that continue weigh nothing.
func (l *leveled) offer(c *C) []choices.Alt {
	if c.endsDerived() {
		return l.end
	}
	return l.levels[min(c.level, len(l.levels)-1)]
}

// deeper changes the level at which a run makes the parts of a value of the choice.
func (l *leveled) deeper(c *C, by int) {
	if l != nil && l.recursive {
		c.level += by
	}
}

// endsDerived reports whether a derived value is large enough. Backward, it never is: maps may
// have been drawn in another order. Then the weights that a forest records are not exact.
func (c *C) endsDerived() bool {
	if c.back {
		if c.derived > 0 && c.pack != nil && c.pack.all && c.beyond(c.derived) {
			c.inexact()
		}
		return false
	}
	return c.derived > 0 && c.beyond(c.derived)
}
