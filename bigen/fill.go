package bigen

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"unsafe"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// Fill completes a partial value. The holes are pointers to parts of *v, such as &v.Name or
// &v.Servers[0], whose values do not count. Fill makes them at random, so that g makes *v: it runs
// g backward on what is there, and forward where there is a hole. All other parts stay as they are.
//
//	c := Config{Port: 80, Mode: "fast"}
//	err := bigen.Fill(genConfig, &c, r, &c.Name, &c.Limits)
//
// If what is there does not fit what has been made for a hole, Fill makes the hole again, up to
// 10,000 times in all. The error is [ErrGaveUp], or an [*Error] that says why the last try failed.
// Then *v is as it was. A hole must be made by a generator of its own: one within what an [Iso], an
// [Any], a [Let], a map, a protobuf message or a sequence of calls makes is an error, and so is a
// pointer to something else. Fill panics if a hole is not a pointer, or is nil.
func Fill[A any](g Gen[A], v *A, r *rand.Rand, holes ...any) error {
	h := map[location]*hole{}
	for at := range locations("Fill", holes) {
		h[at] = &hole{must: true}
	}
	for at := range h {
		at.within(map[location]bool{}, func(part location) {
			if inner := h[part]; inner != nil {
				inner.must = false
			}
		})
	}
	return fillHoles(typedOf(&g), unsafe.Pointer(v), r, h)
}

// FillAround is [Fill] with holes wherever *v has none of the given parts: it makes a random value
// that has these. The lengths of slices with such a part, and the pointers that lead to it, stay.
//
//	t := &Tree{L: &Tree{X: 5}}
//	err := bigen.FillAround(genBST, &t, r, &t.L.X) // a search tree with 5 left of its root
func FillAround[A any](g Gen[A], v *A, r *rand.Rand, known ...any) error {
	a := around{
		known: locations("FillAround", known), seen: map[location]bool{},
		holes: map[location]*hole{},
	}
	if whole := (location{unsafe.Pointer(v), reflect.TypeFor[A]()}); !a.look(whole) {
		a.holes[whole] = &hole{must: true}
	}
	for at, seen := range a.known {
		if !seen {
			return &Error{Path: "/", Reason: fmt.Sprintf(
				"a pointer to a %v leads to no part of the value", at.typ,
			)}
		}
	}
	return fillHoles(typedOf(&g), unsafe.Pointer(v), r, a.holes)
}

// locations returns where pointers lead, each with false.
func locations(function string, pointers []any) map[location]bool {
	all := map[location]bool{}
	for i, p := range pointers {
		v := reflect.ValueOf(p)
		if v.Kind() != reflect.Pointer || v.IsNil() {
			panic(fmt.Sprintf(
				"bigen.%s: argument %d after r is %#v: want a pointer to a part of the value",
				function, i+1, p,
			))
		}
		all[location{v.UnsafePointer(), v.Type().Elem()}] = false
	}
	return all
}

const (
	maxFills   = 20  // runs of Fill
	maxRefills = 500 // of the holes of structs, in a run
	mostRefill = 32  // of the holes of one struct in a row
)

func fillHoles(g *typed, p unsafe.Pointer, r *rand.Rand, holes map[location]*hole) (err error) {
	for at, h := range holes {
		h.part, h.given = reflect.NewAt(at.typ, at.p).Elem(), reflect.New(at.typ).Elem()
		h.given.Set(h.part)
	}
	for _, h := range holes { // one may be within another
		h.part.SetZero()
	}
	c := newC()
	defer c.release()
	f := &filling{
		src: nearby{Source: choices.Random(r), r: r}, whole: reflect.NewAt(g.typ, p).Elem(),
		holes: holes, structs: map[location]bool{},
	}
	for left := maxFills; left > 0; left-- {
		f.empty(0)
		f.left = maxRefills
		begin := reader{filling: f}
		if left == 1 {
			begin.explain = &explanation{}
		}
		switch ok := c.reads(g, p, position{}, begin); {
		case ok && f.unreached() != nil:
			err, left = f.unreached(), 1
		case ok:
			if err = Check(
				Gen[any]{u: untyped{op: &anyOp{*g}}}, reflect.NewAt(g.typ, p).Elem().Interface(),
			); err == nil {
				return nil
			}
		case c.gaveUp:
			err = ErrGaveUp
		case left == 1:
			err = begin.explain.err()
		}
	}
	for _, h := range holes {
		h.part.Set(h.given)
	}
	return err
}

// unreached returns an error if a hole that must be made has not been. A field in a struct that has
// been read need not be made: its generator may leave it zero, or compute it.
func (f *filling) unreached() error {
	for at, h := range f.holes {
		if !h.reached && (h.must || h.in.p != nil && !f.structs[h.in]) {
			return &Error{Path: "/", Reason: fmt.Sprintf(
				"no generator of its own makes the hole of type %v: it is not a part of the "+
					"value, or within what an Iso, an Any, a Let, a map, a protobuf message or "+
					"a sequence of calls makes: leave open all of that, or give all of it",
				at.typ,
			)}
		}
	}
	return nil
}

// fill makes a hole by its generator, forward.
func (f *filling) fill(c *C, g *untyped, p unsafe.Pointer, typ reflect.Type) bool {
	h := f.holes[location{p, typ}]
	h.filled, h.reached = true, true
	f.filled = append(f.filled, h)
	level, derived, recursions, explain := c.level, c.derived, slices.Clone(c.recursions), c.explain
	c.back, c.explain = false, nil
	c.askFrom(&f.src)
	ok := c.reading(func() bool {
		g.forward(c, p)
		return true
	})
	c.back, c.explain = true, explain
	if c.askFrom(nil); ok {
		return true
	}
	c.level, c.derived, c.recursions = level, derived, append(c.recursions[:0], recursions...)
	return c.fail(byValue, "the generator of the hole rejects what it makes")
}

// again reads a struct. If it does not fit what has been made for holes in it, that is made again.
func (f *filling) again(c *C, read func() bool) bool {
	start := c.mark()
	for range mostRefill {
		if read() {
			return true
		}
		tried := len(f.filled) > start.filled
		if c.reset(start); !tried || f.left == 0 || c.gaveUp {
			return false
		}
		if f.left--; f.src.found == nil {
			f.src.look(f.whole, maxNearby)
		}
	}
	return false
}

// around finds the parts of a value that have none of the known ones.
type around struct {
	known map[location]bool  // and which have been seen
	seen  map[location]bool  // and whether they have a known part
	holes map[location]*hole // of the parts so far
}

// look reports whether a part has a known one, or is one. If so, those within it that have none are
// holes.
func (a *around) look(at location) bool {
	if _, ok := a.known[at]; ok {
		a.known[at] = true
		return true
	}
	if has, ok := a.seen[at]; ok {
		return has
	}
	a.seen[at] = false // while it is looked at
	parts := at.parts()
	without := slices.DeleteFunc(slices.Clone(parts), a.look)
	for _, part := range without {
		if len(without) < len(parts) {
			a.holes[part] = &hole{in: at, must: at.typ.Kind() != reflect.Struct}
		}
	}
	a.seen[at] = len(without) < len(parts)
	return a.seen[at]
}
