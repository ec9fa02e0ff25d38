package fuzzext

import "github.com/espalier-go/espalier/internal/literal"

// Unique says what makes a value count as another one: its key. So [Check] and
// [Fuzz], if they are guided, prefer valid values whose keys are new: the xi of RLCheck
// (Reddy et al., ICSE 2020), definition 3.3. A key may be a structural feature, a
// label, the coverage of a run, anything that [internal/literal] can write down;
// equal keys are those that look alike as Go literals. The default is the value.
//
//	fuzzext.Unique(func(t *Tree) int { return t.Depth() })
//
// key must depend on the value only, and leave it as it is.
func Unique[V, K any](key func(v V) K) Option {
	return func(o *options) {
		o.unique = func(v V) uint64 { return hash([]byte(literal.Of(key(v), ""))) }
	}
}
