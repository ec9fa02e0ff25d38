package bigen

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/literal"
)

// A question's slot depends on the name of the field that it is asked for, so that
// trees and corpora outlive fields that are added, or filled in another order.

// field is a part of a struct that At may fill: a field, a field of a field, an
// element of an array.
type field struct {
	typ          reflect.Type
	offset, size uintptr
	name         string // as in Inner.X or Arr.[2]
	slot         uint32 // hash of the name
}

func newField(t reflect.Type, offset uintptr, name string) field {
	return field{t, offset, t.Size(), name, hash.FNV32(name)}
}

// layout lists the parts of a struct type, a whole before its parts.
type layout struct {
	typ    reflect.Type
	size   uintptr
	fields []field
	first  []uint16 // for each offset, the first of the fields there that have a size
	slices []sliceField
}

// sliceField is a part of a struct that is a slice.
type sliceField struct {
	offset uintptr
	typ    reflect.Type
}

// maxIndexed bounds the size of the types whose fields are found by their offsets.
const maxIndexed = 1 << 10

// maxFields bounds the parts that are listed for one type.
const maxFields = 256

var layouts sync.Map // of reflect.Type to *layout

func newLayout(t reflect.Type) *layout {
	if literal.IsMessage(t) {
		panic(fmt.Sprintf(
			"bigen.New: *%v is a protobuf message, whose memory has caches: make it by "+
				"bigenpb.Message[*%v](), of package "+
				"github.com/espalier-go/espalier/bigen/bigenpb, or by an Iso from a struct of "+
				"your own",
			t, t,
		))
	}
	l := &layout{typ: t, size: t.Size()}
	l.add(t, 0, "")
	if t.Size() <= maxIndexed {
		l.first = make([]uint16, t.Size())
		for i := len(l.fields) - 1; i >= 0; i-- {
			if f := &l.fields[i]; f.size > 0 {
				l.first[f.offset] = uint16(i)
			}
		}
	}
	return l
}

func (l *layout) add(t reflect.Type, offset uintptr, name string) {
	if len(l.fields) == maxFields {
		return
	}
	if name != "" {
		l.fields = append(l.fields, newField(t, offset, name))
		name += "."
	}
	switch t.Kind() {
	case reflect.Slice:
		l.slices = append(l.slices, sliceField{offset, t})
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			l.add(f.Type, offset+f.Offset, name+f.Name)
		}
	case reflect.Array:
		for i := 0; i < t.Len() && len(l.fields) < maxFields; i++ {
			l.add(t.Elem(), offset+uintptr(i)*t.Elem().Size(), fmt.Sprintf("%s[%d]", name, i))
		}
	}
}

// find returns the part of some size at an offset, and its index, maxFields for what
// is not listed. A part and the only part in it have the same offset and size: find
// returns the outer one.
func (l *layout) find(offset, size uintptr) (f *field, i int) {
	if offset < uintptr(len(l.first)) {
		i = int(l.first[offset])
	}
	for ; i < len(l.fields); i++ {
		if f := &l.fields[i]; f.offset == offset && f.size == size {
			return f, i
		}
	}
	return unlisted(offset), maxFields
}

// findEmpty is find for a part of size zero. Several of these may have one address.
// findEmpty returns the first one of the type whose bit is not set in filled, which
// has bits for the first 64 parts; or the last one, if all are filled.
func (l *layout) findEmpty(offset uintptr, typ reflect.Type, filled uint64) (f *field, i int) {
	for n := range l.fields {
		if p := &l.fields[n]; p.offset == offset && p.typ == typ {
			f, i = p, n
			if filled&(1<<n) == 0 {
				break
			}
		}
	}
	if f == nil {
		return unlisted(offset), maxFields
	}
	return f, i
}

// unlisted returns a part that has an offset but no name.
func unlisted(offset uintptr) *field {
	name := fmt.Sprintf("+%d", offset)
	return &field{offset: offset, name: name, slot: hash.FNV32(name)}
}
