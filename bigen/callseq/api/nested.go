package api

import (
	"reflect"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
)

// Nested returns a generator for code that looks into any value, by package reflect: of values of
// g, of nil pointers, slices and maps, and of pointers, slices, maps and structs of all these. The
// fields of structs are named A, B and so on, and have one of the tags, or none.
//
//	anys := api.Type[any](c, "x", api.Literals(api.Nested(values, `json:"a,omitempty"`)))
func Nested(g bigen.Gen[any], tags ...string) bigen.Gen[any] {
	none, tag := bigen.Just(""), bigen.OneOf(append([]string{""}, tags...)...)
	key := bigen.OneOf("a", "b", "A", "")
	nils := bigen.OneOf[any]((*int)(nil), (*string)(nil), []string(nil), map[string]int(nil))
	g = bigen.Pick(bigen.Tag("value", g).Weight(15), bigen.Tag("none", nils))
	return bigen.Recursive(g, func(self bigen.Gen[any]) bigen.Gen[any] {
		of := func(kind reflect.Kind, name bigen.Gen[string], most int) bigen.Alt[any] {
			pieces := bigen.SliceOf(bigen.Struct(func(c *bigen.C, p *piece) {
				bigen.At(c, &p.Name, name)
				bigen.At(c, &p.Value, self)
			}), 1, most)
			return bigen.Tag(kind.String(), bigen.Iso(pieces,
				func(pieces []piece) any { return composed(kind, pieces) },
				func(v any) ([]piece, bool) { return piecesOf(kind, v) }))
		}
		return bigen.Pick(of(reflect.Pointer, none, 1), of(reflect.Slice, none, 4),
			of(reflect.Map, key, 2), of(reflect.Struct, tag, 4))
	}, 2, bigen.MaxNesting(4))
}

// A piece is one of a value that is made of others. Its name is the key of a map, or the tag of a
// field.
type piece struct {
	Name  string
	Value any
}

func byName(a, b piece) int { return strings.Compare(a.Name, b.Name) }

// composed returns a value of a kind, of pieces.
func composed(kind reflect.Kind, pieces []piece) any {
	if kind == reflect.Map {
		pieces = slices.Clone(pieces)
		slices.SortStableFunc(pieces, byName)
		pieces = slices.CompactFunc(pieces, func(a, b piece) bool { return a.Name == b.Name })
	}
	t := typeOf(pieces[0].Value) // of all pieces, or any
	var fields []reflect.StructField
	for i, p := range pieces {
		own := typeOf(p.Value)
		if own != t {
			t = reflect.TypeFor[any]()
		}
		field := reflect.StructField{Name: string(rune('A' + i)), Type: own}
		field.Tag = reflect.StructTag(p.Name)
		fields = append(fields, field)
	}
	set := func(to reflect.Value, v any) reflect.Value {
		if v != nil {
			to.Set(reflect.ValueOf(v))
		}
		return to
	}
	var whole reflect.Value
	switch kind {
	case reflect.Pointer:
		whole = reflect.New(t)
		set(whole.Elem(), pieces[0].Value)
	case reflect.Slice:
		whole = reflect.MakeSlice(reflect.SliceOf(t), len(pieces), len(pieces))
		for i, p := range pieces {
			set(whole.Index(i), p.Value)
		}
	case reflect.Map:
		whole = reflect.MakeMap(reflect.MapOf(reflect.TypeFor[string](), t))
		for _, p := range pieces {
			whole.SetMapIndex(reflect.ValueOf(p.Name), set(reflect.New(t).Elem(), p.Value))
		}
	case reflect.Struct:
		whole = reflect.New(reflect.StructOf(fields)).Elem()
		for i, p := range pieces {
			set(whole.Field(i), p.Value)
		}
	}
	return whole.Interface()
}

func typeOf(v any) reflect.Type {
	if v == nil {
		return reflect.TypeFor[any]()
	}
	return reflect.TypeOf(v)
}

// piecesOf returns the pieces of a value, if it is of a kind and of no type with a name.
func piecesOf(kind reflect.Kind, v any) (pieces []piece, ok bool) {
	whole := reflect.ValueOf(v)
	if whole.Kind() != kind || whole.Type().Name() != "" {
		return nil, false
	}
	switch kind {
	case reflect.Pointer:
		if !whole.IsNil() {
			pieces = []piece{{Value: whole.Elem().Interface()}}
		}
	case reflect.Slice:
		for i := range whole.Len() {
			pieces = append(pieces, piece{Value: whole.Index(i).Interface()})
		}
	case reflect.Map:
		if whole.Type().Key() != reflect.TypeFor[string]() {
			return nil, false
		}
		for _, key := range whole.MapKeys() {
			pieces = append(pieces, piece{key.String(), whole.MapIndex(key).Interface()})
		}
		slices.SortFunc(pieces, byName)
	case reflect.Struct:
		for i := range whole.NumField() {
			f := whole.Type().Field(i)
			if f.Name != string(rune('A'+i)) {
				return nil, false
			}
			pieces = append(pieces, piece{string(f.Tag), whole.Field(i).Interface()})
		}
	}
	return pieces, len(pieces) > 0
}
