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
type property interface{ run(t *T, v any) }

func subjectOf[V any](g bigen.Gen[V], prop func(*T, V)) subject {
	return subject{bigen.Any(g), typed[V](prop), reflect.TypeFor[V]()}
}

// typed is a property of values of type V. Stacks in reports end with the user's functions
// above it.
type typed[V any] func(*T, V)

func (p typed[V]) run(t *T, v any) {
	value, _ := v.(V) // nil is a value of an interface type
	p(t, value)
}

// boxed returns values as values of type any.
func boxed[V any](values []V) []any {
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = v
	}
	return all
}
