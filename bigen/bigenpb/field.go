package bigenpb

import (
	"fmt"
	"reflect"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/espalier-go/espalier/bigen"
)

// fieldGen is a generator that an option gives for a field.
type fieldGen struct {
	name string // the name of the field, or its full name
	used bool
	typ  reflect.Type
	as   func(to func(reflect.Value) any, from func(any, reflect.Value) bool) bigen.Gen[any]
}

func newFieldGen[V any](name string, g bigen.Gen[V]) *fieldGen {
	return &fieldGen{name, false, reflect.TypeFor[V](),
		func(to func(reflect.Value) any, from func(any, reflect.Value) bool) bigen.Gen[any] {
			return bigen.Iso(g, func(v V) any { return to(reflect.ValueOf(&v).Elem()) },
				func(part any) (v V, ok bool) {
					ok = from(part, reflect.ValueOf(&v).Elem())
					return v, ok
				})
		}}
}

// whole reports whether the generator makes the slice or map of a field, not its elements.
func (g *fieldGen) whole(f protoreflect.FieldDescriptor) bool {
	switch {
	case f.IsMap():
		return g.typ.Kind() == reflect.Map
	case f.IsList():
		return g.typ.Kind() == reflect.Slice &&
			!(f.Kind() == protoreflect.BytesKind && g.typ.Elem().Kind() == reflect.Uint8)
	}
	return false
}

// parts makes the parts of a schema for a field, or for the elements of one. It panics if the
// field has another type.
func (g *fieldGen) parts(f protoreflect.FieldDescriptor) bigen.Gen[any] {
	to, from := singleTo, singleFrom
	elem := g.typ
	switch {
	case !g.whole(f):
		g.check(f, elem)
	case f.IsMap():
		g.check(f.MapKey(), elem.Key())
		g.check(f.MapValue(), elem.Elem())
		to, from = mapTo, mapFrom
	default:
		g.check(f, elem.Elem())
		to, from = sliceTo, sliceFrom
	}
	return g.as(to, from)
}

func (g *fieldGen) check(f protoreflect.FieldDescriptor, t reflect.Type) {
	var want, is string
	switch zero := reflect.Zero(t).Interface().(type) {
	case *dynamicpb.Message:
		if f.Message() != nil {
			return
		}
		is = t.String()
	case proto.Message:
		is = string(zero.ProtoReflect().Descriptor().FullName())
	case protoreflect.Enum:
		is = string(zero.Descriptor().FullName())
	case protoreflect.EnumNumber:
		if f.Enum() != nil {
			return
		}
	default:
		is = t.String()
	}
	switch {
	case f.Message() != nil:
		want = string(f.Message().FullName())
	case f.Enum() != nil:
		want = string(f.Enum().FullName())
	case f.Kind() == protoreflect.BytesKind:
		want = "[]uint8"
	case f.IsList():
		want = reflect.TypeOf(dynamicpb.NewMessage(f.ContainingMessage()).NewField(f).List().
			NewElement().Interface()).String()
	default:
		want = reflect.TypeOf(f.Default().Interface()).String()
	}
	if is != want {
		panic(fmt.Sprintf("bigenpb.Field(%q): the generator makes a %s, but the field has a %s",
			f.FullName(), t, want))
	}
}

func singleTo(v reflect.Value) any {
	switch v := v.Interface().(type) {
	case proto.Message:
		return v.ProtoReflect()
	case protoreflect.Enum:
		return v.Number()
	default:
		return v
	}
}

func singleFrom(part any, to reflect.Value) bool {
	if m, ok := part.(protoreflect.Message); ok {
		part = m.Interface()
	}
	v := reflect.ValueOf(part)
	if v.Type() != to.Type() {
		if _, ok := part.(protoreflect.EnumNumber); !ok {
			return false
		}
		v = v.Convert(to.Type())
	}
	to.Set(v)
	return true
}

func sliceTo(v reflect.Value) any {
	parts := make([]any, v.Len())
	for i := range parts {
		parts[i] = singleTo(v.Index(i))
	}
	return parts
}

func sliceFrom(part any, to reflect.Value) bool {
	parts := part.([]any)
	if len(parts) == 0 {
		return true
	}
	to.Set(reflect.MakeSlice(to.Type(), len(parts), len(parts)))
	for i, p := range parts {
		if !singleFrom(p, to.Index(i)) {
			return false
		}
	}
	return true
}

func mapTo(v reflect.Value) any {
	parts := map[any]any{}
	for i := v.MapRange(); i.Next(); {
		parts[singleTo(i.Key())] = singleTo(i.Value())
	}
	return parts
}

func mapFrom(part any, to reflect.Value) bool {
	parts := part.(map[any]any)
	if len(parts) > 0 {
		to.Set(reflect.MakeMap(to.Type()))
	}
	for k, p := range parts {
		key, value := reflect.New(to.Type().Key()).Elem(), reflect.New(to.Type().Elem()).Elem()
		if !singleFrom(k, key) || !singleFrom(p, value) {
			return false
		}
		to.SetMapIndex(key, value)
	}
	return true
}
