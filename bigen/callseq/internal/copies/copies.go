// Package copies copies arguments and results of calls, which calls may change.
package copies

import "reflect"

// Flat reports whether values of a type, which is nil for nil, have no parts that can change.
func Flat(t reflect.Type) bool {
	return t == nil || t.Kind() <= reflect.Complex128 || t.Kind() == reflect.String
}

// Own returns v with memory of its own, if its type is one of slices or maps.
func Own[A any](v A) A {
	if k := reflect.TypeFor[A]().Kind(); k == reflect.Slice || k == reflect.Map {
		return own(reflect.ValueOf(v)).Interface().(A)
	}
	return v
}

// Plain reports whether a type is flat, or one of slices of what is.
func Plain(t reflect.Type) bool { return Flat(t) || t.Kind() == reflect.Slice && Flat(t.Elem()) }

// Whole reports whether users see all parts of values of a type: it is plain, an array, a struct of exported
// fields, or a slice or map of these or of what is flat.
func Whole(t reflect.Type) bool {
	switch {
	case Plain(t) || isRecord(t):
		return true
	case t.Kind() == reflect.Map:
		return Flat(t.Key()) && (Flat(t.Elem()) || isRecord(t.Elem()))
	}
	return t.Kind() == reflect.Slice && isRecord(t.Elem())
}

func isRecord(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return t.Kind() == reflect.Array && Flat(t.Elem())
	}
	for i := range t.NumField() {
		if f := t.Field(i); !f.IsExported() || !Flat(f.Type) {
			return false
		}
	}
	return true
}

// Of returns a result as it is now, if its type is whole.
func Of(v any) any {
	if t := reflect.TypeOf(v); t != nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Map) && Whole(t) {
		return own(reflect.ValueOf(v)).Interface()
	}
	return v
}

func own(v reflect.Value) reflect.Value {
	if v.IsNil() {
		return v
	}
	if v.Kind() == reflect.Slice {
		s := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(s, v)
		return s
	}
	m := reflect.MakeMapWithSize(v.Type(), v.Len())
	for it := v.MapRange(); it.Next(); {
		m.SetMapIndex(it.Key(), it.Value())
	}
	return m
}
