package bigen

import (
	"math"
	"reflect"
	"unsafe"

	"github.com/espalier-go/espalier/internal/literal"
)

// deepEqual is [reflect.DeepEqual], except that floats are equal if their bits are:
// a NaN equals itself, and -0 is not 0.
func deepEqual(a, b reflect.Value) bool { return deepCompare{}.equal(a, b) }

// deepCompare holds the pairs of references that are being compared. They count as
// equal where they come up again.
type deepCompare map[referencePair]bool

type referencePair struct {
	a, b unsafe.Pointer
	len  int // of slices
	typ  reflect.Type
}

// equal compares two values of the same type, or of none.
func (d deepCompare) equal(a, b reflect.Value) bool {
	if !a.IsValid() || !b.IsValid() {
		return a.IsValid() == b.IsValid()
	}
	if a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return sameFloat(a.Float(), b.Float())
	case reflect.Complex64, reflect.Complex128:
		x, y := a.Complex(), b.Complex()
		return sameFloat(real(x), real(y)) && sameFloat(imag(x), imag(y))
	case reflect.Interface:
		return d.equal(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if !d.equal(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Array:
		return d.elements(a, b)
	case reflect.Func:
		return a.IsNil() && b.IsNil()
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return d.references(a, b)
	}
	return a.Equal(b)
}

func (d deepCompare) references(a, b reflect.Value) bool {
	if a.IsNil() || b.IsNil() {
		return a.IsNil() == b.IsNil()
	}
	pair := referencePair{a.UnsafePointer(), b.UnsafePointer(), 0, a.Type()}
	if a.Kind() != reflect.Pointer {
		pair.len = a.Len()
		if pair.len != b.Len() {
			return false
		}
	}
	if pair.a == pair.b || d[pair] {
		return true
	}
	d[pair] = true
	switch a.Kind() {
	case reflect.Pointer:
		if same, known := equalMessages(a, b); known {
			return same
		}
		return d.equal(a.Elem(), b.Elem())
	case reflect.Slice:
		return d.elements(a, b)
	}
	for m := a.MapRange(); m.Next(); {
		v := b.MapIndex(m.Key())
		if !v.IsValid() || !d.equal(m.Value(), v) {
			return false
		}
	}
	return true
}

func (d deepCompare) elements(a, b reflect.Value) bool {
	for i := range a.Len() {
		if !d.equal(a.Index(i), b.Index(i)) {
			return false
		}
	}
	return true
}

// sameFloat compares bits. A float32 is as good as its bits, too, except that a
// signalling NaN may count as the quiet one.
func sameFloat(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// equalMessages compares protobuf messages. It reports known if a and b are such.
func equalMessages(a, b reflect.Value) (same, known bool) {
	if k := a.Kind(); k != reflect.Pointer && k != reflect.Interface || !a.CanInterface() ||
		!b.CanInterface() {
		return false, false
	}
	return literal.EqualMessages(a.Interface(), b.Interface())
}
