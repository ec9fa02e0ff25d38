package bigen

import (
	"fmt"
	"reflect"
	"unsafe"

	"golang.org/x/exp/slices"
)

// An Option changes what [For] derives. If two concern the same type or field, the
// later one wins. An option for a type that does not occur has no effect, so several
// generators can share their options.
type Option func(d *derivation)

// With makes [For] generate every V by g, so that values keep invariants that the type does
// not express. With(Just(v)) sets all of them to v. With panics if g is the zero Gen.
func With[V any](g Gen[V]) Option {
	if g.u.op == nil {
		panic(fmt.Sprintf(
			"bigen.With[%v]: the zero Gen: a variable that has no generator yet?",
			reflect.TypeFor[V](),
		))
	}
	return func(d *derivation) {
		d.with[reflect.TypeFor[V]()] = func(_ *derivation, n *typeNode) { n.give(*untypedOf(&g)) }
	}
}

// Variants lists the types that an I may hold, by one value of each. Only the value's type
// counts. An untyped nil allows the nil interface:
//
//	For[Expr](Variants[Expr](Num(0), Add{}, (*Neg)(nil)))
//
// Name the simplest first: minimizing prefers it, and a value that has become too large has no
// other. If the first contains an I in turn and another does not, that other one takes its
// place. Pointers in an I are not nil. The alternatives have their types as tags, such as Add
// and *Neg. To make a type in a special way, add a [With]. To choose weights and tags, use
// With and a [Pick] of [Case] instead.
//
// Variants panics if I is not an interface type, if it gets no type, or if it gets one twice.
func Variants[I any](types ...I) Option {
	t := reflect.TypeFor[I]()
	if t.Kind() != reflect.Interface {
		panic(fmt.Sprintf("bigen.Variants: %v is not an interface type", t))
	}
	if len(types) == 0 {
		panic(fmt.Sprintf("bigen.Variants[%v]: no types", t))
	}
	var variants []reflect.Type
	for _, v := range types {
		vt := reflect.TypeOf(v) // nil, if v is
		if slices.Contains(variants, vt) {
			panic(fmt.Sprintf("bigen.Variants[%v]: %v is there twice", t, vt))
		}
		variants = append(variants, vt)
	}
	return func(d *derivation) { d.variants[t] = variants }
}

// Construct makes [For] generate every T by a constructor, from a derived value of A. to and
// from are as for [Iso]. Use it for types with unexported fields, and for types whose fields
// follow from fewer values.
func Construct[T, A any](to func(A) T, from func(T) (A, bool)) Option {
	return func(d *derivation) {
		d.with[reflect.TypeFor[T]()] = func(d *derivation, n *typeNode) {
			arg := d.node(reflect.TypeFor[A](), constraint{}, nil)
			n.kids = []*typeNode{arg}
			g := Iso(Gen[A]{u: untyped{op: derivedOp{arg}}}, to, from)
			n.give(*untypedOf(&g))
		}
	}
}

// Field makes [For] generate one field of every T by g. The field's address names it:
//
//	Field(func(c *Config) *int { return &c.Server.MaxConns }, IntRange(1, 10))
//
// It may be a field of a field. What a pointer leads to, and elements, belong to another
// type. Field panics if the address is not the address of a field of T.
func Field[T, V any](field func(t *T) *V, g Gen[V]) Option {
	t, v := reflect.TypeFor[T](), reflect.TypeFor[V]()
	offset, ok := fieldOffset(field)
	if !ok {
		panic(fmt.Sprintf(
			"bigen.Field: what the function returns is not the address of a %v that is part of "+
				"the %v",
			v, t,
		))
	}
	return func(d *derivation) {
		d.fields[t] = slices.Insert(d.fields[t], 0, fieldGen{offset, v, *untypedOf(&g)})
	}
}

// FieldBy is a [Field] whose generator depends on fields that are declared before it:
//
//	FieldBy(
//		func(s *Span) *int { return &s.To },
//		func(s *Span) Gen[int] { return IntRange(s.From, 100) },
//	)
//
// gen must depend on these fields only. In its argument, the other fields are zero. It must
// neither change nor keep the argument. The field must be one of T itself. If a field of an
// inner struct depends on fields of the outer one, let T be the outer struct, and the field
// the whole inner struct.
func FieldBy[T, V any](field func(t *T) *V, gen func(t *T) Gen[V]) Option {
	t, v := reflect.TypeFor[T](), reflect.TypeFor[V]()
	offset, ok := fieldOffset(field)
	if !ok || !hasField(t, offset, v) {
		panic(fmt.Sprintf(
			"bigen.FieldBy: what the function returns is not the address of a %v that is a "+
				"field of the %v",
			v, t,
		))
	}
	by := &byOp{t, v, offset, func(p unsafe.Pointer) untyped {
		g := gen((*T)(p))
		return *untypedOf(&g)
	}}
	return func(d *derivation) {
		d.fields[t] = slices.Insert(d.fields[t], 0, fieldGen{offset, v, untyped{op: by}})
	}
}

func hasField(t reflect.Type, offset uintptr, v reflect.Type) bool {
	if t.Kind() == reflect.Struct {
		for i := range t.NumField() {
			if f := t.Field(i); f.Offset == offset && f.Type == v {
				return true
			}
		}
	}
	return false
}

func fieldOffset[T, V any](field func(t *T) *V) (offset uintptr, ok bool) {
	defer func() {
		if recover() != nil { // it follows a pointer, which is nil
			ok = false
		}
	}()
	t := new(T)
	v := field(t)
	offset = uintptr(unsafe.Pointer(v)) - uintptr(unsafe.Pointer(t))
	return offset, offset <= unsafe.Sizeof(*t) && offset+unsafe.Sizeof(*v) <= unsafe.Sizeof(*t)
}

// WithTag makes [For] treat the type itself as a field that has the tag: a type that is not a
// field cannot have one. The tag is what follows the key bigen, as in
// For[[][]int](WithTag("len=1..3;1..2,range=0..9")).
func WithTag(tag string) Option {
	return func(d *derivation) { d.tag = tag }
}

// EmptyOrNil makes [For] generate empty slices and maps both as nil and as not nil, unless a
// tag says otherwise. JSON has null for the one, and [] or {} for the other.
func EmptyOrNil() Option {
	return func(d *derivation) { d.empties = orNil }
}

// EmptyNotNil makes [For] generate empty slices and maps that are not nil, unless a tag says
// otherwise.
func EmptyNotNil() Option {
	return func(d *derivation) { d.empties = notNil }
}

// Unexported makes [For] fill the unexported fields of T, too. It is meant for tests
// in the package of T. For a type of another package, use [Construct].
func Unexported[T any]() Option {
	return func(d *derivation) { d.open[reflect.TypeFor[T]()] = true }
}
