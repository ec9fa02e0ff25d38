package bigen

import (
	"fmt"
	"reflect"
	"unsafe"

	"golang.org/x/exp/slices"
)

// A Family is generators of one type that differ in a parameter, such as the bounds of keys or
// the variables in scope. Its alternatives are made once. The parameter comes with the run:
//
//	type span struct{ lo, hi int }
//
//	var trees = bigen.NewFamily(func(trees *bigen.Family[span, *Tree]) bigen.Gen[*Tree] {
//		return bigen.Pick(
//			bigen.Tag("leaf", bigen.Nil[Tree]()),
//			bigen.Tag("node", bigen.New(func(c *bigen.C, t *Tree) {
//				keys := trees.Param(c)
//				bigen.At(c, &t.X, bigen.IntRange(keys.lo, keys.hi))
//				bigen.At(c, &t.L, trees.Gen(span{keys.lo, t.X - 1}))
//				bigen.At(c, &t.R, trees.Gen(span{t.X + 1, keys.hi}))
//			})).Weight(5).If(trees.Is(func(s span) bool { return s.lo <= s.hi })),
//		)
//	})
//
// A function that returns a generator for its arguments makes the same values. But it makes the
// alternatives anew for each part of each value. And where several alternatives read the same part
// of a value with equal parameters (see [Family.Gen]), a Family reads it once; a function reads it
// again for each, in time exponential in the depth of the value.
//
// A Family does not bound the size of values. Put what is left of a size or depth into the
// parameter, and let [Alt.If] or [Alt.WeightBy] depend on it.
//
// Several goroutines may use a Family at once.
type Family[P, A any] struct{ family }

// A family is a [Family] whose types the compiler does not know.
type family struct {
	gen   typed // what build has returned
	param reflect.Type
	place paramPlace
}

// NewFamily returns a Family. It calls build once, with the Family itself, for alternatives that
// recurse. The functions given to [New], [Struct], [Given], [Alt.If], [Alt.Each] and [Alt.WeightBy]
// may call [Family.Param]. NewFamily panics if build returns the zero Gen, or a generator of the
// Family itself.
func NewFamily[P, A any](build func(self *Family[P, A]) Gen[A]) *Family[P, A] {
	f := &Family[P, A]{}
	f.param = reflect.TypeFor[P]()
	f.place = placeOf(f.param)
	g := build(f)
	f.gen = *typedOf(&g)
	switch {
	case g.u.op == nil:
		panic("bigen.NewFamily: build returns the zero Gen")
	case g.u.kind == inFamily && familyOf(g.u.op) == &f.family:
		panic("bigen.NewFamily: build returns a generator of the Family itself: it must recurse " +
			"below an alternative of a Pick")
	}
	return f
}

// Gen returns the generator for a parameter, of any type. What the parameter refers to must not
// change.
//
// Backward, a part is read once for equal parameters. Numbers are equal if their bits are; texts,
// slices, arrays, structs and what interfaces hold, if their contents are; pointers, maps, channels
// and functions, if they are the same. Functions of the Family must not tell equal ones apart.
func (f *Family[P, A]) Gen(p P) (g Gen[A]) {
	g.u.op, g.u.kind = (*familyOp)(&f.family), inFamily
	switch f.place.kind {
	case inPlace:
		*(*P)(unsafe.Add(unsafe.Pointer(&g.u.args), f.place.offset)) = p
	case inWords:
		f.place.store(&g.u.args, unsafe.Pointer(&p))
	default:
		g.u.ptrs[0] = boxParam(p)
	}
	return g
}

//go:noinline
func boxParam[P any](p P) unsafe.Pointer { return unsafe.Pointer(&p) }

// Param returns the parameter of the generator of the Family that c runs: of the innermost, if
// one encloses another. It panics if c runs none.
func (f *Family[P, A]) Param(c *C) P {
	n := len(c.params) - 1
	if n < 0 || c.params[n].of != &f.family || f.place.kind != inPlace {
		return f.load(c)
	}
	return *(*P)(unsafe.Add(unsafe.Pointer(&c.params[n].args), f.place.offset))
}

// load is Param in general.
func (f *Family[P, A]) load(c *C) (p P) {
	e := c.paramOf(&f.family)
	switch f.place.kind {
	case inPlace:
		return *(*P)(unsafe.Add(unsafe.Pointer(&e.args), f.place.offset))
	case inWords:
		f.place.load(unsafe.Pointer(&p), &e.args)
		return p
	}
	return *(*P)(e.ptrs[0])
}

// Is returns the condition that holds of the parameter, for [Alt.If].
func (f *Family[P, A]) Is(holds func(P) bool) func(*C) bool {
	return func(c *C) bool { return holds(f.Param(c)) }
}

// Given makes the values of f(c), where f may ask for the parameter of a [Family]: it is for
// generators that are not structs.
//
//	bigen.Given(func(c *bigen.C) bigen.Gen[int] { return bigen.IntRange(0, sizes.Param(c)) })
//
// It calls f whenever a run needs the generator.
func Given[A any](f func(c *C) Gen[A]) Gen[A] { return Gen[A]{u: untyped{op: givenOp[A](f)}} }

type givenOp[A any] func(*C) Gen[A]

func (f givenOp[A]) forward(c *C, _, _ int64, u unsafe.Pointer) {
	c.nest()
	g := f(c)
	makeBy(c, &g, (*A)(u))
	c.unnest()
}

func (f givenOp[A]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	c.nest()
	defer c.unnest()
	g := f(c)
	return readBy(c, &g, (*A)(u))
}

// A paramPlace says where in the words of an [untyped] a parameter is.
type paramPlace struct {
	kind   placeKind
	offset uintptr     // of inPlace
	words  []paramWord // of inWords
}

type placeKind uint8

const (
	onHeap  placeKind = iota // ptrs[0] leads to it
	inPlace                  // it begins at the offset: only its first words are pointers
	inWords                  // its words are among ptrs and the others
)

const (
	maxNums = 6
	maxPtrs = len(args{}.ptrs)
)

// A paramWord is a word of a parameter: ptrs[i] if it is a pointer, else nums[i].
type paramWord struct {
	offset uintptr
	i      int
	ptr    bool
}

func placeOf(t reflect.Type) (place paramPlace) {
	if t.Size() > uintptr(maxPtrs)*wordSize+8*maxNums {
		return place
	}
	ptrs, nums, first := 0, 0, true
	for i, ptr := range pointerWords(t) {
		w := paramWord{uintptr(i) * wordSize, nums, ptr}
		if ptr {
			first = first && nums == 0
			w.i = ptrs
			ptrs++
		} else {
			nums++
		}
		place.words = append(place.words, w)
	}
	switch {
	case first && ptrs <= maxPtrs && t.Size() <= uintptr(ptrs)*wordSize+8*maxNums:
		place.kind, place.offset = inPlace, uintptr(maxPtrs-ptrs)*wordSize
	case ptrs <= maxPtrs && nums <= maxNums:
		place.kind = inWords
	}
	return place
}

const wordSize = unsafe.Sizeof(uintptr(0))

// pointerWords says of each word of a type whether it is a pointer.
func pointerWords(t reflect.Type) []bool {
	words := make([]bool, (t.Size()+wordSize-1)/wordSize)
	markPointers(t, words, 0)
	return words
}

// markPointers marks the words that are pointers in a part, at an offset, of the type t.
func markPointers(t reflect.Type, words []bool, offset uintptr) {
	switch at := offset / wordSize; t.Kind() {
	case reflect.Pointer, reflect.UnsafePointer, reflect.Map, reflect.Chan, reflect.Func,
		reflect.String, reflect.Slice:
		words[at] = true
	case reflect.Interface:
		words[at], words[at+1] = true, true
	case reflect.Array:
		for i := 0; i < t.Len() && t.Elem().Size() > 0; i++ {
			markPointers(t.Elem(), words, offset+uintptr(i)*t.Elem().Size())
		}
	case reflect.Struct:
		for i := range t.NumField() {
			markPointers(t.Field(i).Type, words, offset+t.Field(i).Offset)
		}
	}
}

// nums returns the words that are not pointers.
func (a *args) nums() *[maxNums]int64 { return (*[maxNums]int64)(unsafe.Pointer(&a.lo)) }

// store copies a parameter into words.
func (f *paramPlace) store(a *args, p unsafe.Pointer) {
	for _, w := range f.words {
		if from := unsafe.Add(p, w.offset); w.ptr {
			a.ptrs[w.i] = *(*unsafe.Pointer)(from)
		} else {
			a.nums()[w.i] = int64(*(*uintptr)(from))
		}
	}
}

// load copies a parameter out of words.
func (f *paramPlace) load(p unsafe.Pointer, a *args) {
	for _, w := range f.words {
		if to := unsafe.Add(p, w.offset); w.ptr {
			*(*unsafe.Pointer)(to) = a.ptrs[w.i]
		} else {
			*(*uintptr)(to) = uintptr(a.nums()[w.i])
		}
	}
}

// value returns a parameter.
func (f *family) value(a *args) reflect.Value {
	switch f.place.kind {
	case inPlace:
		return reflect.NewAt(f.param, unsafe.Add(unsafe.Pointer(a), f.place.offset)).Elem()
	case inWords:
		v := reflect.New(f.param)
		f.place.load(v.UnsafePointer(), a)
		return v.Elem()
	}
	return reflect.NewAt(f.param, a.ptrs[0]).Elem()
}

// A param is a parameter with which a run makes or reads a part.
type param struct {
	of *family
	args
	nth     int // see Nth; of what encloses the part
	context int // see paramContext; of a packed run
}

// paramOf returns the innermost parameter of a family.
func (c *C) paramOf(f *family) *param {
	for i := len(c.params) - 1; i >= 0; i-- {
		if c.params[i].of == f {
			return &c.params[i]
		}
	}
	if c.measures() {
		panic("bigen.Family.Param: a Recursive within a Family cannot measure how many selves a " +
			"step has, since that may depend on the parameter: give it the option bigen.Branching")
	}
	panic(fmt.Sprintf("bigen.Family.Param: no generator of this Family of %v is running: only "+
		"what its build returns has a parameter", f.gen.typ))
}

// enterFamily begins a part that is made or read with a parameter.
func (c *C) enterFamily(f *family, a *args) {
	n := len(c.params)
	switch {
	case f.gen.op == nil:
		panic("bigen.Family: a generator is run before build has returned, or of the zero Family: " +
			"make it by bigen.NewFamily")
	case n > maxDepth+maxForced:
		panicNesting()
	}
	if n == cap(c.params) {
		c.params = slices.Grow(c.params, 16)
	}
	c.params = c.params[:n+1]
	p := &c.params[n]
	p.of, p.args, p.nth = f, *a, c.nth
	if c.nth = 0; c.pack != nil {
		outer := 0
		if n > 0 {
			outer = c.params[n-1].context
		}
		p.context = c.pack.paramContext(outer, p)
	}
}

func (c *C) leaveFamily() {
	last := len(c.params) - 1
	c.nth = c.params[last].nth
	c.params = c.params[:last]
}

// familyOp is a [family]. Only [untyped] runs it, which knows the parameter.
type familyOp family

func familyOf(o op) *family { return (*family)(o.(*familyOp)) }

func (f *familyOp) forward(*C, int64, int64, unsafe.Pointer) { panic("unreachable") }

func (f *familyOp) backward(*C, int64, int64, unsafe.Pointer) bool { panic("unreachable") }
