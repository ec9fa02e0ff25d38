package bigen

import (
	"bytes"
	"reflect"
	"unsafe"
)

// Backward, At gives the function of a struct what the given value has in a field.
// Sorting a slice in place is natural there, but would sort the slice of the given
// value. So the function gets a copy of each slice.

// detach gives the slices of the part of *made at an offset memory of their own.
func (l *layout) detach(made unsafe.Pointer, offset, size uintptr) {
	for i := range l.slices {
		if f := &l.slices[i]; f.offset-offset < size { // also false if below
			detachSlice(reflect.NewAt(f.typ, unsafe.Add(made, f.offset)).Elem())
		}
	}
}

func detachSlice(v reflect.Value) {
	if n := v.Len(); n > 0 {
		own := reflect.MakeSlice(v.Type(), n, n)
		reflect.Copy(own, v)
		v.Set(own)
	}
}

// attach undoes detach for slices whose elements have the same bits still, so that
// comparing the structs does not mean comparing elements.
func (l *layout) attach(made, target unsafe.Pointer) {
	for i := range l.slices {
		f := &l.slices[i]
		a := (*sliceHeader)(unsafe.Add(made, f.offset))
		b := (*sliceHeader)(unsafe.Add(target, f.offset))
		if a.len == b.len && a.len > 0 {
			n := uintptr(a.len) * f.typ.Elem().Size()
			if bytes.Equal(unsafe.Slice((*byte)(a.data), n), unsafe.Slice((*byte)(b.data), n)) {
				*a = *b
			}
		}
	}
}

// sliceHeader is the memory of any slice.
type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}
