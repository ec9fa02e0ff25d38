package bigen

import (
	"math"
	"reflect"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
	"golang.org/x/exp/slices"
)

// A packed run backward asks each generator about each part of the value once. It
// folds what the generator has recorded into points of a [Trees], which its
// tree holds as a single choice of kind packedKind. So alternatives that share parts
// cost the sum of their work, not the product.
//
// Two generators are known to be the same if they were made from the same parts:
// the same function value given to New (functions without captured variables always
// are the same; one that captures variables only if it is the same value), the same
// alternatives, and so on. Generators that are made again with the same parameters are
// not recognized: use a [Family] for these.

const packedKind choices.Kind = 255

// packer is the state of a packed run.
type packer struct {
	all       bool // all ways are wanted, not just the leftmost
	inexact   bool // see Trees
	known     map[packKey]*packed
	contexts  map[context]int  // see contextOf
	params    map[paramKey]int // see paramContext
	paramSets map[int][]paramKey
	alive     []args             // parameters with addresses in keys
	buf       []byte             // of paramContext
	boxes     map[boxKey]any     // see same
	nodes     []*packed          // which the choices of kind packedKind stand for
	found     []foundWay         // of the picks that are being tried
	questions []choices.Question // that the choices of the tree answer

	// What the innermost packing has met:
	limited bool // a limit that the value has reached
	room    int  // with how many more choices it would have
	deepest int  // the greatest depth
}

func newPacker(all bool) *packer {
	return &packer{
		all: all, known: map[packKey]*packed{}, contexts: map[context]int{},
		params: map[paramKey]int{}, paramSets: map[int][]paramKey{},
		boxes: map[boxKey]any{}, room: math.MaxInt,
	}
}

// foundWay is a way with its question and the size of its leftmost tree.
type foundWay struct {
	way
	question choices.Question
	size     int
}

// packed is what is known of one generator and one part of the value.
type packed struct {
	ok     bool
	fault  fault // if not ok: the best reason
	base   int   // the length of the path below which the fault is
	points []*point
	size   int // of the leftmost tree

	limited bool // it holds only where it was found out,
	below   int  // or else where fewer choices than these precede it,
	height  int  // and where this depth is within the limits
}

// packKey identifies a generator, the part of the value that it is asked about, and
// what else the recorded choices depend on. Its pointers keep what they point to alive,
// so no other generator or value can have the same.
type packKey struct {
	op, second [2]unsafe.Pointer
	kind       kind
	args       args
	part       partID
	slot       uint32
	index      int32
	lets       int
	level      int
	derived    int
	context    int // see contextOf
	params     int // see paramContext
	nth        int
}

// partID identifies a part of the value: by its address, or by what it holds, if that
// is the same part wherever it is held.
type partID struct {
	words [2]unsafe.Pointer
	len   int // of a string
}

func partOf(p unsafe.Pointer, typ reflect.Type) partID {
	switch typ.Kind() {
	case reflect.Pointer:
		return partID{words: [2]unsafe.Pointer{*(*unsafe.Pointer)(p)}}
	case reflect.Interface:
		return partID{words: *(*[2]unsafe.Pointer)(p)}
	case reflect.String:
		s := *(*string)(p)
		return partID{words: [2]unsafe.Pointer{unsafe.Pointer(unsafe.StringData(s))}, len: len(s)}
	}
	return partID{words: [2]unsafe.Pointer{p}}
}

// context is where a run stands within Recursives.
type context struct {
	outer          int
	of             any
	nesting, start int
}

// interfaceWords returns the type and the data of a non-empty interface or any.
func interfaceWords[I any](p *I) [2]unsafe.Pointer {
	return *(*[2]unsafe.Pointer)(unsafe.Pointer(p))
}

// fold makes points of the choices t[i:end].
func (x *packer) fold(t choices.Tree, i, end int) []*point {
	var points []*point
	for ; i < end; i = t.End(i) {
		if t[i].Kind == packedKind {
			points = append(points, x.nodes[t[i].N].points...)
		} else {
			points = append(points, &point{question: x.questions[i], ways: []way{x.wayAt(t, i)}})
		}
	}
	return points
}

func (x *packer) wayAt(t choices.Tree, i int) way {
	w := way{choice: t[i], below: x.fold(t, i+1, t.End(i))}
	w.choice.Size = 0
	return w
}

// ask remembers the question that c.tree[i] answers.
func (x *packer) ask(i int, q choices.Question) {
	if i >= len(x.questions) {
		x.questions = append(x.questions, make([]choices.Question, i+1-len(x.questions))...)
	}
	if x.all {
		q.Alts = slices.Clone(q.Alts)
	} else {
		q.Alts = nil
	}
	x.questions[i] = q
}

// boxKey identifies a value that was made of a part of the value.
type boxKey struct {
	maker unsafe.Pointer
	part  partID
	typ   reflect.Type
}

// same returns a pointer to v, which maker has made of *p, always the same for the
// same maker and part.
func same[I, V any](x *packer, maker unsafe.Pointer, p *I, v V) *V {
	k := boxKey{maker, partOf(unsafe.Pointer(p), reflect.TypeFor[I]()), reflect.TypeFor[V]()}
	q, ok := x.boxes[k].(*V)
	if !ok {
		q = &v
		x.boxes[k] = q
	}
	return q
}
