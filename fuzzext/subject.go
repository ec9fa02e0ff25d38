package fuzzext

import (
	"reflect"

	"github.com/espalier-go/espalier/bigen"
)

// A subject is a generator and a property of its values. Below the exported functions, values
// have the type any, so that a user's test compiles nothing but this file for each type.
type subject struct {
	gen  bigen.Gen[any]
	prop property
	typ  reflect.Type // of the values, which may be an interface
}

// A property runs on a value of the subject's type.
type property func(t *T, v any)

func subjectOf[V any](g bigen.Gen[V], prop func(*T, V)) *subject {
	return newSubject(bigen.Any(g), reflect.TypeFor[V](), func(t *T, v any) {
		value, _ := v.(V) // nil is a value of an interface type
		prop(t, value)
	})
}

// newSubject is not inlined, since each type would then have a copy.
//
//go:noinline
func newSubject(g bigen.Gen[any], typ reflect.Type, prop property) *subject {
	return &subject{g, prop, typ}
}

// boxed returns values as values of type any.
func boxed[V any](values []V) []any {
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = v
	}
	return all
}
