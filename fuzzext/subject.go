package fuzzext

import (
	"reflect"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
)

// A subject is a generator and a property of its values. Below the exported functions, values
// have the type any, so that a user's test compiles nothing but this file for each type.
type subject struct {
	gen  bigen.Gen[any]
	prop propFunc
	typ  reflect.Type // of the values, which may be an interface

	fault string // of the generator, of Unique, or of what a run has called; "" for none
}

// A propFunc runs on a value of the subject's type.
type propFunc func(t *T, v any)

func subjectOf[V any](g bigen.Gen[V], prop func(*T, V)) *subject {
	return newSubject(bigen.Any(g), reflect.TypeFor[V](), func(t *T, v any) {
		value, _ := v.(V) // nil is a value of an interface type
		prop(t, value)
	})
}

// newSubject is not inlined, since each type would then have a copy.
//
//go:noinline
func newSubject(g bigen.Gen[any], typ reflect.Type, prop propFunc) *subject {
	return &subject{gen: g, prop: prop, typ: typ}
}

// boxed returns values as values of type any.
func boxed[V any](values []V) []any {
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = v
	}
	return all
}

// remake makes the value of a tree, which need not be consistent.
func (s *subject) remake(tree choices.Tree) (any, choices.Tree, error) {
	return bigen.Run(s.gen, choices.Replay(tree, nil))
}

// tryRemake is remake for a generator that may panic: the panic becomes an error.
func (s *subject) tryRemake(tree choices.Tree) (v any, made choices.Tree, err error) {
	return values.Make(make(choices.Tree, 0, len(tree)), s.gen, choices.Replay(tree, nil))
}

// A maker makes the i-th value of a loop and its choices, which are valid until the next call.
type maker func(i int) (any, choices.Tree, error)

// makerOf returns the maker of the values that sources for 0, 1, 2, ... make. The choices are in
// memory.
func (s *subject) makerOf(memory *choices.Tree, source func(i int) choices.Source) maker {
	return func(i int) (v any, _ choices.Tree, err error) {
		v, *memory, err = bigen.RunInto(*memory, s.gen, source(i))
		return v, *memory, err
	}
}
