package api

import (
	"encoding/json"
	"reflect"

	"github.com/espalier-go/espalier/bigen"
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

// encoded is a literal in JSON that JSON cannot express: what bigen.Encode makes of it.
type encoded struct {
	Choices []byte `json:"choices"`
}

// decodeLiteral returns an argument of [callseq.Calls] as a literal, of g if hasLits is set.
func decodeLiteral[T any](g bigen.Gen[T], hasLits bool, given any) (v T, ok bool) {
	raw, ok := given.(json.RawMessage)
	if !ok {
		return asLiteral[T](given)
	}
	var e encoded
	if json.Unmarshal(raw, &e) == nil && e.Choices != nil && hasLits {
		v, err := bigen.Decode(g, e.Choices)
		return v, err == nil
	}
	return v, json.Unmarshal(raw, &v) == nil
}

// encode returns a literal as JSON.
func (p *Pool[T]) encode(lit any) []byte {
	if flat(p.typ) { // of an interface, JSON would not tell the type
		var back T
		if b, err := json.Marshal(lit); err == nil && json.Unmarshal(b, &back) == nil && any(back) == lit {
			return b
		}
	}
	text := []byte("null")
	if v, _ := lit.(T); p.hasLits {
		if b, err := bigen.Encode(p.literals, v); err == nil {
			text, _ = json.Marshal(encoded{b})
		}
	}
	return text
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
