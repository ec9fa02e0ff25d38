package fuzzext

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
)

// A Sequential is a generator with the property of its values, such as a model of
// [github.com/espalier-go/espalier/bigen/callseq].
type Sequential[V any] interface {
	Gen() bigen.Gen[V]
	Run(t testing.TB, v V)
}

// Sequence tests sequences of calls against a model: of a [*testing.T] by [Check], of a
// [*testing.F] by [Fuzz]. Replay, seeds, flags and options are theirs:
//
//	func TestCache(t *testing.T) { fuzzext.Sequence(t, cacheCalls) }
//	func FuzzCache(f *testing.F) { fuzzext.Sequence(f, cacheCalls) }
func Sequence[V any](tb testing.TB, model Sequential[V], opts ...Option) {
	tb.Helper()
	x := newSpec(sequence, 1, model.Gen(), func(t *T, v V) { model.Run(t, v) }, opts)
	switch tb := tb.(type) {
	case *testing.T:
		runCheck(tb, x)
	case *testing.F:
		runFuzz(tb, x)
	default:
		tb.Fatalf("fuzzext.Sequence: a %T is neither a *testing.T nor a *testing.F", tb)
	}
}

const sequence = "Sequence"
