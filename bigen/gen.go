package bigen

import (
	"unsafe"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// A Gen generates values of type A. Run backward, it recovers the choices that make a
// given value. The functions of this package make Gens. A Gen is cheap to copy, and
// several goroutines may use it at once. The zero Gen is not usable.
type Gen[A any] struct {
	// A Gen is passed about by value, and one is made for each node of a
	// recursive value. So the two commonest kinds, ranges and picks of one or two
	// alternatives, keep their parameters in it instead of on the heap.
	_      [0]func() // not comparable, so that no comparison is compiled for each type
	op     op
	lo, hi int64 // for op

	second           op // of a pick of two, whose first alternative is op; of a pick of one, op; else nil
	tag1, tag2       string
	weight1, weight2 float64
}

// op is the behavior of one kind of generator. The value is passed by pointer: forward
// stores it, backward reads it. backward reports whether the generator makes *p. If so,
// it has recorded how; if not, the caller drops what it recorded.
type op interface {
	forward(c *C, lo, hi int64, p unsafe.Pointer)
	backward(c *C, lo, hi int64, p unsafe.Pointer) bool
}

// C is one run of a generator, forward or backward. The functions given to [New]
// and [Struct] receive it and pass it on to [At] and [Let].
type C struct {
	back    bool
	src     choices.Source   // forward
	q       choices.Question // the question being asked, reused
	tree    choices.Tree     // the choices so far
	at      place
	object  object
	before  int // choices that precede the tree
	depth   int
	level   int // how many recursive choices of derived types there are around; see weigh
	derived int // size from which on derived values end as soon as they can; 0 outside of them, -1 if they do not
	work    int // choices so far, with those that filters threw away

	two        [2]choices.Alt // buffer of offer
	scratch    choices.Tree   // buffer of elements.sort
	layouts    [8]*layout     // cache of layoutOf
	recursions []recursion    // the Recursives that the run is within
	unwinding  bool           // see unwind
	gaveUp     bool           // backward: beyond maxWork
	explain    *explanation   // backward: not nil if the reason is wanted
	pack       *packer        // backward: not nil if the choices are packed
}

// place says where in the tree of choices a run stands.
type place struct {
	branch uint64 // forward only
	slot   uint32
	index  int32
	lets   int // how many Lets of the struct have been made
	retry  uint32
}

// object is the struct that a New or Struct is making.
type object struct {
	made   unsafe.Pointer // what the function fills
	size   uintptr
	target unsafe.Pointer // backward: what it must come to equal
	layout *layout
	filled uint64 // the first fields that have been
}

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
	// many, and so many for each choice of the value so far. Beyond, it is given up,
	// to be made again packed.
	packAfter     = 1 << 12
	packAfterEach = 4

	// inVainEach is like packAfterEach for a run that is packed.
	inVainEach = 16
)

// maxInVain is like packAfter for a run that is packed: beyond it, the run fails. It
// is a variable for tests only.
var maxInVain = 1 << 17

// free reports whether the next choice is free, or forced because the value has
// become too large. It depends on the tree alone: so a run that repeats a tree, or
// recovers it backward, gets the same answer.
func (c *C) free() bool {
	c.work++
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

// size returns how many choices the value has so far.
func (c *C) size() int { return c.before + len(c.tree) }

// mark is a state of the tree. reset returns to it and drops what was recorded since.
type mark struct{ tree, before, ways int }

func (c *C) mark() mark {
	m := mark{tree: len(c.tree), before: c.before}
	if c.pack != nil {
		m.ways = len(c.pack.found)
	}
	return m
}

func (c *C) reset(m mark) { c.tree, c.before = c.tree[:m.tree], m.before }

// nest and unnest bracket what nests.
func (c *C) nest() {
	c.depth++
	if c.depth > maxDepth+maxForced {
		panic("bigen: a generator nests without end: the first alternative of a Pick must not recurse, and a New or Struct must recurse only below a Pick")
	}
}

func (c *C) unnest() { c.depth-- }

// question returns the question of the place where the run stands.
func (c *C) question(k choices.Kind) *choices.Question {
	q := &c.q
	q.Kind, q.Branch, q.Slot, q.Index, q.Retry = k, c.at.branch, c.at.slot, c.at.index, c.at.retry
	return q
}

// add records a choice.
func (c *C) add(k choices.Kind) *choices.Choice {
	i := len(c.tree)
	if i == cap(c.tree) {
		c.tree = slices.Grow(c.tree, 1)
	}
	c.tree = c.tree[:i+1]
	e := &c.tree[i]
	*e = choices.Choice{Kind: k, Slot: c.at.slot, Index: c.at.index, Size: 1}
	if c.pack != nil {
		c.pack.ask(i, choices.Question{})
	}
	return e
}
