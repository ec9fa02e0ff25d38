package api

import (
	"encoding/json"
	"reflect"

	"github.com/espalier-go/espalier/bigen/callseq"
)

// Code is an expression, declared by [Expr] or [Make], as an argument in [callseq.Calls].
type Code string

// textOf returns an argument of [callseq.Calls] that is the name of a result or the code of an
// expression.
func textOf(given any) (text string, ok bool) {
	switch x := given.(type) {
	case callseq.Name:
		return string(x), true
	case Code:
		return string(x), true
	case json.RawMessage:
		return text, json.Unmarshal(x, &text) == nil
	}
	return "", false
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

// decodeLiteral returns an argument of [callseq.Calls] as a literal.
func decodeLiteral[T any](given any) (v T, ok bool) {
	if raw, isRaw := given.(json.RawMessage); isRaw {
		return v, json.Unmarshal(raw, &v) == nil
	}
	return asLiteral[T](given)
}
