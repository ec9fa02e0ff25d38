// Package document makes documents of JSON for bugs, by Espalier and by rapid.
package document

import (
	"encoding/json"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
)

// A Kind is what documents consist of: scalars, and arrays and objects of up to Most elements that
// are nested up to Depth deep.
type Kind struct {
	Scalars     []any
	Keys        []string
	Depth, Most int
	NoArrays    bool
}

// Gen returns a generator of Espalier.
func (k Kind) Gen() bigen.Gen[any] {
	scalar := bigen.OneOf(k.Scalars...)
	if k.Depth == 0 {
		return scalar
	}
	k.Depth--
	sub := k.Gen()
	object := bigen.Tag("object",
		bigen.Iso(bigen.MapOf(bigen.OneOf(k.Keys...), sub, 0, k.Most), fullMap, emptyMap))
	if k.NoArrays {
		return bigen.Pick(bigen.Tag("scalar", scalar), object)
	}
	return bigen.Pick(bigen.Tag("scalar", scalar),
		bigen.Tag("array", bigen.Iso(bigen.SliceOf(sub, 0, k.Most), full, empty)), object)
}

// full returns an array that is not nil, which would be null.
func full(s []any) any { return append([]any{}, s...) }

func empty(v any) (s []any, ok bool) {
	if s, ok = v.([]any); len(s) == 0 {
		s = nil
	}
	return s, ok
}

func fullMap(m map[string]any) any {
	if m == nil {
		m = map[string]any{}
	}
	return m
}

func emptyMap(v any) (m map[string]any, ok bool) {
	if m, ok = v.(map[string]any); len(m) == 0 {
		m = nil
	}
	return m, ok
}

// Rapid returns a generator of rapid's, of the same documents.
func (k Kind) Rapid() *rapid.Generator[any] {
	scalar := rapid.SampledFrom(k.Scalars)
	if k.Depth == 0 {
		return scalar
	}
	k.Depth--
	sub := k.Rapid()
	object := rapid.MapOfN(rapid.SampledFrom(k.Keys), sub, 0, k.Most).AsAny()
	if k.NoArrays {
		return rapid.OneOf(scalar, object)
	}
	return rapid.OneOf(scalar, rapid.SliceOfN(sub, 0, k.Most).AsAny(), object)
}

// Encode returns the text of a value.
func Encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// Decode returns the document of a text.
func Decode(text []byte) (v any, err error) { return v, json.Unmarshal(text, &v) }
