// Package operand has what callseq and package api share of the arguments and results of calls: the
// names of results, and copies of what calls may change.
package operand

import "reflect"

// Flat reports whether values of a type, which is nil for nil, have no parts that can change.
func Flat(t reflect.Type) bool {
	return t == nil || t.Kind() <= reflect.Complex128 || t.Kind() == reflect.String
}

// Own returns v with memory of its own, if its type is one of slices or maps; or an interface, with
// all that v refers to, unless a struct hides it.
func Own[A any](v A) A {
	switch reflect.TypeFor[A]().Kind() {
	case reflect.Slice, reflect.Map:
		return own(reflect.ValueOf(v)).Interface().(A)
	case reflect.Interface:
		if x := reflect.ValueOf(v); !Flat(reflect.TypeOf(v)) {
			return deep(x).Interface().(A)
		}
	}
	return v
}

// deep returns v with memory of its own, and so on, as far as that is known.
func deep(v reflect.Value) reflect.Value {
	switch k := v.Kind(); {
	case Flat(v.Type()), k != reflect.Struct && k != reflect.Array &&
		(k == reflect.Func || k == reflect.Chan || k == reflect.UnsafePointer || v.IsNil()):
		return v
	case k == reflect.Interface:
		return deep(v.Elem())
	}
	c := reflect.New(v.Type()).Elem()
	switch c.Set(v); v.Kind() {
	case reflect.Pointer:
		c.Set(reflect.New(v.Type().Elem()))
		c.Elem().Set(deep(v.Elem()))
	case reflect.Map:
		c.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for it := v.MapRange(); it.Next(); {
			c.SetMapIndex(it.Key(), deep(it.Value()))
		}
	case reflect.Slice:
		c.Set(own(v))
		fallthrough
	case reflect.Array:
		for i := range c.Len() {
			c.Index(i).Set(deep(c.Index(i)))
		}
	case reflect.Struct:
		for i := range c.NumField() {
			if c.Field(i).CanSet() {
				c.Field(i).Set(deep(c.Field(i)))
			}
		}
	}
	return c
}

// Plain reports whether a type is flat, or one of slices of what is.
func Plain(t reflect.Type) bool { return Flat(t) || t.Kind() == reflect.Slice && Flat(t.Elem()) }

// Whole reports whether users see all parts of values of a type: it is plain, an array, a struct of
// exported fields, or a slice or map of these or of what is flat.
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

// Frozen returns a result as it is now, if its type is whole.
func Frozen(v any) any {
	if t := reflect.TypeOf(v); t != nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Map) &&
		Whole(t) {
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
