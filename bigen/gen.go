package bigen

import (
	"unsafe"

	"github.com/espalier-go/espalier/choices"
)

// A Gen generates values of type A. Run backward, it recovers the choices that make a
// given value. The functions of this package make Gens. A Gen is cheap to copy, and
// several goroutines may use it at once. The zero Gen is not usable.
type Gen[A any] struct {
	_ [0]func() // not comparable, so that no comparison is compiled for each type
	u untyped
}

// An untyped is a [Gen] whose type of values the compiler does not know. What is the same for all
// types works on it: it is compiled once, not with each package for each type.
//
// Code passes it by value, and makes one for each node of a recursive value. So the most common
// kinds keep their parameters in it instead of on the heap: ranges, picks of one or two
// alternatives, and generators of a [Family].
type untyped struct {
	op op

	// Of a pick of two, second is the second alternative, and op the first. Otherwise it is nil.
	second op
	kind   kind
	args
}

// kind says what the parameters of an untyped are.
type kind uint8

const (
	bounded kind = iota // bounds for op, or nothing
	pickOne             // op is the alternative
	pickTwo
	inFamily // op is a familyOp
)

// args are the parameters of an untyped: bounds for its op; the tags of a pick of one or two, of
// which ptrs lead to the bytes, with their lengths and the weights; or the parameter of a [Family].
type args struct {
	ptrs   [2]unsafe.Pointer
	lo, hi int64
	more   [4]int64
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
//
// There is one run for each question about a generator:
//
//	run          what it has      the question
//	forward      maker            which value do the answers of a source make?
//	backward     reader           which choices make a value? The leftmost way counts.
//	explained    + explanation    why do none?
//	packed       + packer         which ways are there? Or: the run backward takes too long.
//	completion   + filling        what may be in the holes? Backward, and forward in a hole.
type C struct {
	back     bool // the run is backward
	maker         // forward
	reader        // backward
	position      // both
	buffers
}

// maker is what a run forward has.
type maker struct {
	src  choices.Source
	leaf choices.LeafPicker // src, if it is one
	q    choices.Question   // the question being asked, reused
}

// reader is what a run backward has. A plain one has no pointer.
type reader struct {
	gaveUp  bool         // beyond maxWork
	explain *explanation // the reason is wanted
	pack    *packer      // the choices are packed
	filling *filling     // the value has holes
}

// position is where a run stands, and what it has recorded.
type position struct {
	tree       choices.Tree // the choices so far
	before     int          // choices that precede the tree
	work       int          // choices so far, with those that were thrown away
	at         place
	object     object
	depth      int
	level      int         // how many recursive choices of derived types enclose this one; see weigh
	derived    int         // size from which derived values end; 0: outside, -1: none
	recursions []recursion // the Recursives that the run is within
	params     []param     // the parameters of the Families that the run is within
	nth        int         // see Nth
	unwinding  bool        // see unwind
}

// buffers is memory that one run after the other uses.
type buffers struct {
	two     [2]choices.Alt // of offer
	weighed []choices.Alt  // of guardedPick
	scratch choices.Tree   // of elements.sort
	layouts [8]*layout     // cache of layoutOf
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

// size returns how many choices the value has so far.
func (c *C) size() int { return c.before + len(c.tree) }

// mark is a state of the tree. reset returns to it and drops what was recorded since.
type mark struct{ tree, before, ways, filled int }

func (c *C) mark() mark {
	m := mark{tree: len(c.tree), before: c.before}
	if c.pack != nil {
		m.ways = len(c.pack.found)
	}
	if c.filling != nil {
		m.filled = len(c.filling.filled)
	}
	return m
}

func (c *C) reset(m mark) {
	c.tree, c.before = c.tree[:m.tree], m.before
	if c.filling != nil {
		c.filling.empty(m.filled)
	}
}

// recursion is where a run stands within the values of one Recursive.
type recursion struct {
	of       any // the Recursive
	nesting  int // of steps
	start    int // size of the tree where the outermost value began
	measures bool
	selves   int // if it measures: how many have been asked for
}
