package api

import (
	"encoding/json"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
)

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

// encoded is a literal in JSON that JSON cannot express: what bigen.Encode makes of it.
type encoded struct {
	Choices []byte `json:"choices"`
}

// decode returns an argument of [callseq.Calls] as a literal.
func (p *Pool[T]) decode(given any) (lit any, ok bool) {
	raw, ok := given.(json.RawMessage)
	if !ok {
		return asLiteral[T](given)
	}
	var e encoded
	if json.Unmarshal(raw, &e) == nil && e.Choices != nil && p.hasLits {
		v, err := bigen.Decode(p.literals, e.Choices)
		return v, err == nil
	}
	var v T
	return v, json.Unmarshal(raw, &v) == nil
}
