package bigen

import (
	"math/rand/v2"
	"reflect"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
)

// A filling fills the holes of a value.
type filling struct {
	src     nearby
	whole   reflect.Value
	holes   map[location]*hole
	filled  []*hole           // so far
	structs map[location]bool // that have been read field by field
	left    int               // times that holes may be filled anew
}

// A hole is a part that does not count until it has been filled.
type hole struct {
	part, given     reflect.Value // and what was there
	must            bool          // be reached
	in              location      // if it is a field: the struct; a field may be left alone
	filled, reached bool
}

// isHole reports whether there is a hole that has not been filled.
func (f *filling) isHole(p unsafe.Pointer, typ reflect.Type) bool {
	h := f.holes[location{p, typ}]
	return h != nil && !h.filled
}

// empty empties the holes that have been filled, but for the first n.
func (f *filling) empty(n int) {
	for _, h := range f.filled[n:] {
		h.part.SetZero()
		h.filled = false
	}
	f.filled = f.filled[:n]
}

// A location is where a part of a value is.
type location struct {
	p   unsafe.Pointer
	typ reflect.Type
}

// parts returns the parts of a part that have an address: fields, elements, what a pointer leads
// to.
func (at location) parts() (parts []location) {
	v := reflect.NewAt(at.typ, at.p).Elem()
	if v.Kind() == reflect.Interface && v.Elem().Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			parts = append(parts, location{v.UnsafePointer(), v.Type().Elem()})
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			parts = append(parts, location{unsafe.Add(at.p, f.Offset), f.Type})
		}
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			parts = append(parts, location{v.Index(i).Addr().UnsafePointer(), v.Type().Elem()})
		}
	}
	return parts
}

// within calls f for the parts of a part, and for theirs, once each.
func (at location) within(seen map[location]bool, f func(location)) {
	for _, part := range at.parts() {
		if !seen[part] {
			seen[part] = true
			f(part)
			part.within(seen, f)
		}
	}
}

// nearby is a source. Most of its integers are near an integer that it has found in a value, if the
// range has one. It finds none before a hole is made again, since what is there may leave it little
// room.
type nearby struct {
	choices.Source
	r     *rand.Rand
	found []int64
}

func (s *nearby) Int(q *choices.Question) int64 {
	for range 8 {
		if len(s.found) == 0 || s.r.IntN(4) == 0 {
			break
		}
		n := s.found[s.r.IntN(len(s.found))] + s.r.Int64N(3) - 1
		if !q.Kind.Less(n, q.Lo) && !q.Kind.Less(q.Hi, n) {
			return n
		}
	}
	return s.Source.Int(q)
}

// maxNearby is how many parts of a value a nearby source looks at, and how deep.
const maxNearby = 1000

// look collects the integers of a part, and returns how many further parts it may look at.
func (s *nearby) look(v reflect.Value, left int) int {
	switch left--; {
	case left <= 0:
	case v.CanInt():
		s.found = append(s.found, v.Int())
	case v.CanUint():
		s.found = append(s.found, int64(v.Uint()))
	case v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface:
		if !v.IsNil() {
			left = s.look(v.Elem(), left)
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			left = s.look(v.Field(i), left)
		}
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
		for i := 0; i < v.Len() && left > 0; i++ {
			left = s.look(v.Index(i), left)
		}
	}
	return left
}
