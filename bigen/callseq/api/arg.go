package api

import (
	"reflect"

	"github.com/espalier-go/espalier/bigen/callseq"
)

// Code is an expression, declared by [Expr] or [Make], as an argument in [callseq.Calls].
type Code string

// asLiteral returns an argument as a T, unless it is a name or an expression.
func asLiteral[T any](arg any) (v T, ok bool) {
	switch arg.(type) {
	case callseq.Name, Code:
		return v, false
	}
	v, ok = arg.(T)
	return v, ok || arg == nil && reflect.TypeFor[T]().Kind() == reflect.Interface
}
