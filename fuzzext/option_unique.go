package fuzzext

import (
	"reflect"

	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/literal"
)

// Unique sets the key that distinguishes valid values: a value is new if its key is. It is xi
// of RLCheck (Reddy et al., ICSE 2020), definition 3.3. A guided [Check] or [Fuzz] prefers
// choices that have led to values with rare keys. A key may be a structural feature or a
// label. If only the run of the property knows the key, use [T.Key]. Two keys are equal if
// their Go literals are. Without this option, the key is the shape of the value: its
// alternatives, without integers and texts.
//
//	fuzzext.Unique(func(t *Tree) int { return t.Depth() })
//
// key must depend on its argument alone. It is called only for values that the property has
// found valid, each time with a value made again.
func Unique[V, K any](key func(v V) K) Option {
	return withUnique(uniqueKey{reflect.TypeFor[V](), func(v any) uint64 {
		value, _ := v.(V) // nil is a value of an interface type
		return keyHash(key(value))
	}})
}

// A uniqueKey returns a hash of what distinguishes a value of a type from others.
type uniqueKey struct {
	typ reflect.Type
	key func(v any) uint64 // nil without the option
}

func withUnique(u uniqueKey) Option { return func(o *options) { o.unique = u } }

func keyHash(key any) uint64 { return hash.FNV64([]byte(literal.Of(key, ""))) }
