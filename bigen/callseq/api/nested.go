package api

import (
	"reflect"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
)

// Nested returns a generator for code that looks into any value, by package reflect: of values of g, of
// nil pointers, slices and maps, and of pointers, slices, maps and structs of all these. The fields of structs are named A, B and so on,
// and have one of the tags, or none.
//
//	anys := api.Type[any](c, "x", api.Literals(api.Nested(values, `json:"a,omitempty"`)))
func Nested(g bigen.Gen[any], tags ...string) bigen.Gen[any] {
	tag := bigen.OneOf(append([]string{""}, tags...)...)
	key := bigen.OneOf("a", "b", "A", "")
	g = bigen.Pick(bigen.Tag("value", g).Weight(15), bigen.Tag("none", bigen.OneOf[any]((*int)(nil), (*string)(nil), []string(nil), map[string]int(nil))))
	return bigen.Recursive(g, func(self bigen.Gen[any]) bigen.Gen[any] {
		fields := bigen.SliceOf(bigen.Struct(func(c *bigen.C, f *field) {
			bigen.At(c, &f.Tag, tag)
			bigen.At(c, &f.Value, self)
		}), 1, 4)
		return bigen.Pick(
			bigen.Tag("pointer", bigen.Iso(self, pointerOf, pointee)),
			bigen.Tag("slice", bigen.Iso(bigen.SliceOf(self, 1, 4), sliceOf, elements)),
			bigen.Tag("map", bigen.Iso(bigen.MapOf(key, self, 1, 2), mapOf, entries)),
			bigen.Tag("struct", bigen.Iso(fields, structOf, fieldsOf)),
		)
	}, 2, bigen.MaxNesting(4))
}

// A field is one of a struct whose type is made while it runs.
type field struct {
	Tag   string
	Value any
}

// settable returns a value of the type that all of some values have, or of type any.
func settable(vals []any) (t reflect.Type, as func(v any) reflect.Value) {
	t = reflect.TypeOf(vals[0])
	if t == nil || slices.ContainsFunc(vals, func(v any) bool { return reflect.TypeOf(v) != t }) {
		t = reflect.TypeFor[any]()
	}
	return t, func(v any) reflect.Value {
		p := reflect.New(t).Elem()
		if v != nil {
			p.Set(reflect.ValueOf(v))
		}
		return p
	}
}

func pointerOf(v any) any {
	t, as := settable([]any{v})
	p := reflect.New(t)
	p.Elem().Set(as(v))
	return p.Interface()
}

func pointee(v any) (any, bool) {
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() || p.Type().Name() != "" {
		return nil, false
	}
	return p.Elem().Interface(), true
}

func sliceOf(vals []any) any {
	t, as := settable(vals)
	s := reflect.MakeSlice(reflect.SliceOf(t), 0, len(vals))
	for _, v := range vals {
		s = reflect.Append(s, as(v))
	}
	return s.Interface()
}

func elements(v any) (vals []any, ok bool) {
	s := reflect.ValueOf(v)
	if s.Kind() != reflect.Slice || s.Type().Name() != "" {
		return nil, false
	}
	for i := range s.Len() {
		vals = append(vals, s.Index(i).Interface())
	}
	return vals, len(vals) > 0
}

func mapOf(entries map[string]any) any {
	var vals []any
	for _, v := range entries {
		vals = append(vals, v)
	}
	t, as := settable(vals)
	m := reflect.MakeMap(reflect.MapOf(reflect.TypeFor[string](), t))
	for key, v := range entries {
		m.SetMapIndex(reflect.ValueOf(key), as(v))
	}
	return m.Interface()
}

func entries(v any) (map[string]any, bool) {
	m, found := reflect.ValueOf(v), map[string]any{}
	if m.Kind() != reflect.Map || m.Type().Key() != reflect.TypeFor[string]() || m.Type().Name() != "" {
		return nil, false
	}
	for _, key := range m.MapKeys() {
		found[key.String()] = m.MapIndex(key).Interface()
	}
	return found, len(found) > 0
}

func structOf(all []field) any {
	var types []reflect.StructField
	for i, f := range all {
		t, _ := settable([]any{f.Value})
		types = append(types, reflect.StructField{Name: string(rune('A' + i)), Type: t, Tag: reflect.StructTag(f.Tag)})
	}
	s := reflect.New(reflect.StructOf(types)).Elem()
	for i, f := range all {
		_, as := settable([]any{f.Value})
		s.Field(i).Set(as(f.Value))
	}
	return s.Interface()
}

func fieldsOf(v any) (all []field, ok bool) {
	s := reflect.ValueOf(v)
	if s.Kind() != reflect.Struct || s.Type().Name() != "" {
		return nil, false
	}
	for i := range s.NumField() {
		f := s.Type().Field(i)
		if f.Name != string(rune('A'+i)) {
			return nil, false
		}
		all = append(all, field{string(f.Tag), s.Field(i).Interface()})
	}
	return all, len(all) > 0
}
