package api

import (
	"encoding/json"
	"reflect"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq"
)

// Code is an expression, declared by [Expr] or [Make], as an argument in [callseq.Calls].
type Code string

// as returns an argument of [callseq.Calls] as a V.
func as[V any](given any) (v V, ok bool) {
	if raw, isRaw := given.(json.RawMessage); isRaw {
		return v, json.Unmarshal(raw, &v) == nil
	}
	v, ok = given.(V)
	return v, ok
}

// asLiteral returns an argument as a T, unless it is a name or an expression.
func asLiteral[T any](arg any) (v T, ok bool) {
	switch arg.(type) {
	case callseq.Name, Code:
		return v, false
	}
	v, ok = arg.(T)
	return v, ok || arg == nil && reflect.TypeFor[T]().Kind() == reflect.Interface
}

// meant returns what an argument of [callseq.Calls] stands for, if that is JSON: the name of a result,
// the code of an expression, or a literal.
func (p *Pool[T]) meant(given any) any {
	if _, isRaw := given.(json.RawMessage); !isRaw {
		return given
	}
	if text, ok := as[string](given); ok {
		if slices.ContainsFunc(p.sources, func(s *base) bool { return s.names.Has(callseq.Name(text)) }) {
			return callseq.Name(text)
		}
		if slices.Contains(p.codes, text) {
			return Code(text)
		}
	}
	if lit, ok := as[T](given); ok {
		return lit
	}
	return given
}
