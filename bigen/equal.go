package bigen

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"
	"unsafe"
)

// equal compares what a run backward has made with its target. In the usual
// case all of it was copied from there, so that the bits decide.
func equal[T any](a, b *T) bool {
	if bytes.Equal(bits(a), bits(b)) {
		return true
	}
	if k := reflect.TypeFor[T]().Kind(); reflect.Bool <= k && k <= reflect.Complex128 {
		return false // also if a is 0 and b is -0
	}
	if x, ok := any(*a).(interface{ Equal(T) bool }); ok {
		return x.Equal(*b)
	}
	return reflect.DeepEqual(*a, *b)
}

func bits[T any](p *T) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(p)), unsafe.Sizeof(*p)) }

// failMade explains how the struct made differs from the target.
func (c *C) failMade(made, target any) bool {
	if c.explain == nil {
		return false
	}
	b, t := reflect.ValueOf(made).Elem(), reflect.ValueOf(target).Elem()
	if b.Kind() == reflect.Struct {
		for i := range b.NumField() {
			if !reflect.DeepEqual(show(b.Field(i)), show(t.Field(i))) {
				c.push(b.Type().Field(i).Name)
				defer c.pop()
				return c.fail(byValue, "is %s; the generator makes it %s", show(t.Field(i)), show(b.Field(i)))
			}
		}
	}
	return c.fail(byValue, "the generator makes a value that differs in what was not filled by At")
}

// show writes a value without addresses.
func show(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface, reflect.Func, reflect.Chan:
		if v.IsNil() {
			return "nil"
		}
		if v.Kind() == reflect.Slice || v.Kind() == reflect.Map {
			return fmt.Sprintf("%v of length %d", v.Type(), v.Len())
		}
		return fmt.Sprintf("a non-nil %v", v.Type())
	}
	if v.Kind() == reflect.String {
		return strconv.Quote(v.String())
	}
	return fmt.Sprintf("%v", v)
}
