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

// Of returns a result as it is now, if it is plain.
func Of(v any) any {
	if t := reflect.TypeOf(v); t != nil && t.Kind() == reflect.Slice && Plain(t) {
		return own(reflect.ValueOf(v)).Interface()
	}
	return v
}

func own(v reflect.Value) reflect.Value {
	if v.Len() == 0 {
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
