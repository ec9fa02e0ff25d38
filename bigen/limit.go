package bigen

const (
	// maxChoices bounds the choices of one value, and maxDepth its nesting.
	// Beyond either, picks have their first alternative only and integers and
	// texts their simplest value.
	maxChoices = 1 << 16
	maxDepth   = 10_000

	// maxForced bounds how much deeper first alternatives may nest.
	maxForced = 1_000

	// maxWork bounds the choices of one run together with those that filters
	// threw away. Beyond it the run is rejected.
	maxWork = 1 << 18

	// packAfter and packAfterEach bound the choices that a run backward may try: so
	// many, and so many for each choice of the value so far. Beyond, the run stops
	// and starts again as a packed run.
	packAfter     = 1 << 12
	packAfterEach = 4

	// inVainEach is like packAfterEach for a run that is packed.
	inVainEach = 16
)

// maxInVain is like packAfter for a run that is packed: beyond it, the run fails. It
// is a variable for tests only.
var maxInVain = 1 << 17

// maxTries bounds the values that a SuchThat draws in one run at one place.
const maxTries = 100

// fallbackRoom is how many choices, and levels, suffice for most fallbacks.
const fallbackRoom = 1000

// free reports whether the next choice is free, or forced because the value has
// become too large. It depends on the tree alone: so a run that repeats a tree, or
// recovers it backward, gets the same answer.
func (c *C) free() bool {
	c.work++
	if !c.back && c.work <= maxWork && c.size() < maxChoices && c.depth <= maxDepth {
		return true
	}
	return c.freeNearLimits()
}

// freeNearLimits is free where a limit has been reached, and backward.
func (c *C) freeNearLimits() bool {
	switch {
	case !c.back && c.work > maxWork:
		c.unwind()
	case !c.back:
	case c.pack == nil && c.work > packAfter+packAfterEach*c.size(),
		c.work > maxInVain+inVainEach*c.size():
		c.gaveUp = true
		return !c.beyond(0)
	}
	large, deep := c.beyond(maxChoices), c.beneath(maxDepth)
	return !large && !deep
}

// nest and unnest count how deep the run nests.
func (c *C) nest() {
	c.depth++
	if c.depth > maxDepth+maxForced {
		panicNesting()
	}
}

func panicNesting() {
	panic("bigen: a generator nests without end: the first alternative of a Pick must not " +
		"recurse, and a New or Struct must recurse only below a Pick")
}

func (c *C) unnest() { c.depth-- }

// beyond reports whether the value has limit choices or more so far. All code that
// depends on the size of the value calls it, so that packed runs know.
func (c *C) beyond(limit int) bool {
	room := limit - c.size()
	if x := c.pack; x != nil {
		if room <= 0 {
			x.limited = true
		} else {
			x.room = min(x.room, room)
		}
	}
	return room <= 0
}

// beneath likewise reports whether the run is deeper than limit.
func (c *C) beneath(limit int) bool {
	if x := c.pack; x != nil {
		x.deepest = max(x.deepest, c.depth)
		x.limited = x.limited || c.depth > limit
	}
	return c.depth > limit
}

// inexact records that other choices, or another order, may lead to the value forward.
func (c *C) inexact() {
	if c.pack != nil {
		c.pack.inexact = true
	}
}

// measures reports whether the run is one of measure.
func (c *C) measures() bool { return len(c.recursions) > 0 && c.recursions[0].measures }

// unwind leaves the functions of the user that are running: forward all of them,
// as far as forward; backward the innermost one, as far as reading.
func (c *C) unwind() {
	c.unwinding = true
	panic("bigen: unwinding") // recovered, unless the user's code keeps it from us
}
