package bigen

import (
	"fmt"
	"reflect"
)

// As makes the values of g as values of B, a type with the same underlying type:
//
//	type ID string
//	bigen.As[ID](bigen.Matching("[a-z]{8}"))
//
// As panics if B is another type, or an interface type. For an interface type, use [Pick] with one
// [Case].
func As[B, A any](g Gen[A]) Gen[B] {
	a, b := reflect.TypeFor[A](), reflect.TypeFor[B]()
	if a.Kind() != b.Kind() || a.Kind() == reflect.Interface || !a.ConvertibleTo(b) {
		panic(fmt.Sprintf("bigen.As: %v and %v have different underlying types", b, a))
	}
	// Values of both types are represented alike, since types of one kind that convert to each
	// other have the same parts.
	return Gen[B]{u: g.u}
}
