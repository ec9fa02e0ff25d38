package bigen

import (
	"bytes"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/internal/literal"
)

// equal compares what a run backward has made with its target. In the usual
// case all of it was copied from there, so that the bits decide.
func equal[T any](a, b *T) bool {
	return bytes.Equal(bits(a), bits(b)) ||
		equalValues(reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem())
}

// equalValues is equal for values whose bits differ.
func equalValues(a, b reflect.Value) bool {
	switch k := a.Kind(); {
	case reflect.Bool <= k && k <= reflect.Complex128:
		return false // also if a is 0 and b is -0
	case k == reflect.Pointer || k == reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return false // one of them is, or the bits would be the same
		}
	}
	if a.Kind() == reflect.String && a.Type().NumMethod() == 0 {
		return a.String() == b.String()
	}
	if same, known := equalMessages(a, b); known {
		return same
	}
	of := a
	if a.Kind() == reflect.Interface {
		of = a.Elem()
	}
	if x := of.MethodByName("Equal"); x.IsValid() {
		if t := x.Type(); t.NumIn() == 1 && t.In(0) == a.Type() && t.NumOut() == 1 &&
			t.Out(0) == reflect.TypeFor[bool]() {
			return x.Call([]reflect.Value{b})[0].Bool()
		}
	}
	return deepEqual(a, b)
}

func bits[T any](p *T) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(p)), unsafe.Sizeof(*p)) }

// A shown value is one that a message writes, when somebody reads the message. Most of them are
// about alternatives that nobody asks for.
type shown struct{ v reflect.Value }

func (s shown) String() string { return show(s.v) }

// show writes a value without addresses, in one line.
func show(v reflect.Value) string {
	const most = 200
	s := strings.Join(strings.Fields(literal.OfValue(v, "")), " ")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}

// usableKey reports whether a map can look k up again.
func usableKey(k reflect.Value) bool { return k.Comparable() && k.Equal(k) }

// keyText returns the text of a key in a path.
func keyText(k reflect.Value) string {
	if k.Kind() == reflect.String {
		return strconv.Quote(k.String())
	}
	return show(k)
}

// indexOf returns the index of the first of the values that equals *p, or -1.
func indexOf[A any](values []A, p *A) int {
	return slices.IndexFunc(values, func(v A) bool { return equal(&v, p) })
}

// noteEqual records, in a packed run, whether another of the values equals values[i]:
// that one will not be tried.
func noteEqual[A any](c *C, values []A, i int) {
	if c.pack == nil || c.pack.inexact {
		return
	}
	if indexOf(values[i+1:], &values[i]) >= 0 {
		c.inexact()
	}
}
