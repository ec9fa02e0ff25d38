package bigen

import (
	"bytes"
	"reflect"
	"strings"
	"unsafe"

	"github.com/espalier-go/espalier/internal/literal"
)

// equal compares what a run backward has made with its target. In the usual
// case all of it was copied from there, so that the bits decide.
func equal[T any](a, b *T) bool {
	return bytes.Equal(bits(a), bits(b)) || equalValues(reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem())
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
	of := a
	if a.Kind() == reflect.Interface {
		of = a.Elem()
	}
	if x := of.MethodByName("Equal"); x.IsValid() {
		if t := x.Type(); t.NumIn() == 1 && t.In(0) == a.Type() && t.NumOut() == 1 && t.Out(0) == reflect.TypeFor[bool]() {
			return x.Call([]reflect.Value{b})[0].Bool()
		}
	}
	return deepEqual(a, b)
}

func bits[T any](p *T) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(p)), unsafe.Sizeof(*p)) }

// failMade explains how the struct made differs from the target.
func (c *C) failMade(b, t reflect.Value) bool {
	if c.explain == nil {
		return false
	}
	if b.Kind() == reflect.Struct {
		for i := range b.NumField() {
			if literal.OfValue(b.Field(i), "") != literal.OfValue(t.Field(i), "") {
				c.push(b.Type().Field(i).Name, c.object.accepted())
				defer c.pop()
				return c.fail(byMade, "is %s; the generator makes it %s", show(t.Field(i)), show(b.Field(i)))
			}
		}
	}
	return c.fail(byMade, "the generator makes a value that differs in what was not filled by At")
}

// show writes a value without addresses, in one line.
func show(v reflect.Value) string {
	const most = 200
	s := strings.Join(strings.Fields(literal.OfValue(v, "")), " ")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}
