package bigen

import (
	"fmt"
	"reflect"
	"unsafe"

	"golang.org/x/exp/slices"
)

// An Option changes what [For] derives. Of two that concern the same type or field,
// the later counts. An option for a type that does not occur has no effect, so that
// several generators can share their options.
type Option func(d *derivation)

// With has [For] make every V by g, so that values keep invariants that the type does
// not tell. Just(v) gives all of them the value v. With panics if g is the zero Gen.
func With[V any](g Gen[V]) Option {
	if g.op == nil {
		panic(fmt.Sprintf("bigen.With[%v]: the zero Gen: a variable that has no generator yet?", reflect.TypeFor[V]()))
	}
	return func(d *derivation) {
		d.with[reflect.TypeFor[V]()] = func(_ *derivation, n *typeNode) { n.dyn = dynOf(g) }
	}
}

// Variants lists the types that an I may hold, by a value of each that counts for
// nothing else; an untyped nil allows the nil interface:
//
//	For[Expr](Variants[Expr](Num(0), Add{}, (*Neg)(nil)))
//
// Name the simplest first: it is what minimising prefers, and it is taken where a
// value has become too large. If it needs an I in turn and another does not, that
// one takes the first place. Pointers are not nil in an I. The alternatives are
// tagged by their types, as in Add and *Neg. A type that is to be made in a special
// way has its own [With]; to choose weights and tags as well, give With a [Pick] of
// [Case].
//
// Variants panics if I is not an interface type, if no type is given, or if one is
// given twice.
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

// Construct has [For] make every T by a constructor of the package that it belongs to,
// from a value of A, which is derived in turn: to and from are those of [Iso]. It
// serves types with unexported fields, and others that are made of less than they
// hold.
func Construct[T, A any](to func(A) T, from func(T) (A, bool)) Option {
	return func(d *derivation) {
		d.with[reflect.TypeFor[T]()] = func(d *derivation, n *typeNode) {
			arg := d.node(reflect.TypeFor[A](), constraint{}, nil)
			n.form, n.kids = fixed, []*typeNode{arg}
			n.dyn = dynOf(Iso(derivedGen[A](arg), to, from))
		}
	}
}

// Field has [For] make one field of every T by g. It is named by its address:
//
//	Field(func(c *Config) *int { return &c.Server.MaxConns }, IntRange(1, 10))
//
// It may be a field of a field, but not what a pointer points to, nor an element:
// that belongs to another type. Field panics if what it gets is not a field of T.
func Field[T, V any](field func(t *T) *V, g Gen[V]) Option {
	t, v := reflect.TypeFor[T](), reflect.TypeFor[V]()
	offset, ok := fieldOffset(field)
	if !ok {
		panic(fmt.Sprintf("bigen.Field: what the function returns is not the address of a %v that is part of the %v", v, t))
	}
	return func(d *derivation) {
		d.fields[t] = slices.Insert(d.fields[t], 0, fieldGen{offset, v, dynOf(g), nil})
	}
}

// FieldBy is a [Field] whose generator depends on the fields before it, in the order of
// their declaration:
//
//	FieldBy(func(s *Span) *int { return &s.To }, func(s *Span) Gen[int] { return IntRange(s.From, 100) })
//
// gen must be a function of these fields; the others are zero in what it gets, which
// it must neither change nor keep. The field must be one of T itself: to depend on
// fields around, T has to be the struct around, and the field the whole inner struct.
func FieldBy[T, V any](field func(t *T) *V, gen func(t *T) Gen[V]) Option {
	t, v := reflect.TypeFor[T](), reflect.TypeFor[V]()
	offset, ok := fieldOffset(field)
	if !ok || !hasField(t, offset, v) {
		panic(fmt.Sprintf("bigen.FieldBy: what the function returns is not the address of a %v that is a field of the %v", v, t))
	}
	by := func(p unsafe.Pointer) dyn { return dynOf(gen((*T)(p))) }
	return func(d *derivation) {
		d.fields[t] = slices.Insert(d.fields[t], 0, fieldGen{offset, v, nil, by})
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

// fieldGen makes the field of a type at an offset, by gen or by what by returns for
// the struct so far.
type fieldGen struct {
	offset uintptr
	typ    reflect.Type
	gen    dyn
	by     func(p unsafe.Pointer) dyn
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

// Unexported has [For] fill the unexported fields of T, too. It is meant for tests
// in the package of T: the fields of a foreign type are none of our business, and
// [Construct] is the way to make it.
func Unexported[T any]() Option {
	return func(d *derivation) { d.open[reflect.TypeFor[T]()] = true }
}
