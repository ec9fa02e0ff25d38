package fuzzext

import (
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/literal"
)

// Unique says what makes a valid value count as another one: its key, the xi of RLCheck
// (Reddy et al., ICSE 2020), definition 3.3. If [Check] or [Fuzz] is guided, it
// goes on from valid values whose keys were new. A key may be a structural feature, a
// label, the coverage of a run; keys that look the same, written as Go literals, are
// the same. Without this option the key is the value.
//
//	fuzzext.Unique(func(t *Tree) int { return t.Depth() })
//
// key is only called for values that prop has found valid, with a value made anew. It
// must depend on nothing else.
func Unique[V, K any](key func(v V) K) Option {
	return func(o *options) {
		o.unique = func(v V) uint64 { return hash.FNV64([]byte(literal.Of(key(v), ""))) }
	}
}
