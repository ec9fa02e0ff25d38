package fuzzext

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext/internal/stack"
)

// A Sequential is a generator with the property of its values, such as a model of
// [github.com/espalier-go/espalier/bigen/callseq].
type Sequential[V any] interface {
	Gen() bigen.Gen[V]
	Run(t testing.TB, v V)
}

// Sequence tests sequences of calls against a model. With a *testing.T, it is a [Check]. With
// a *testing.F, it is a [Fuzz]. Replay, seeds, flags and options work as they do there. If no
// sequence has called an operation of a model of callseq, the success of a test is weak, and it
// names the operation. Under go test -v, it logs what else the model notes.
//
//	func TestCache(t *testing.T) { fuzzext.Sequence(t, cacheCalls) }
//	func FuzzCache(f *testing.F) { fuzzext.Sequence(f, cacheCalls) }
func Sequence[V any](tb testing.TB, model Sequential[V], opts ...Option) {
	if orders.ofModel(tb, model) {
		return
	}
	if conclude := runSequence(tb, model,
		newSpec(stack.Sequence, 1, subjectOf(model.Gen(), func(t *T, v V) { model.Run(t, v) }),
			opts)); conclude != nil {
		tb.Helper()
		conclude()
	}
}

// runSequence is Sequence without type parameters. It returns what runCheck returns.
func runSequence(tb testing.TB, model any, x *spec) (conclude func()) {
	switch t := tb.(type) {
	case *testing.T:
		if m, ok := model.(interface{ NeverCalled() []string }); ok {
			x.neverCalled = m.NeverCalled
		}
		return concludeModel(t, model, runCheck(t, x))
	case *testing.F:
		return func() {
			t.Helper()
			runFuzz(t, x)
		}
	}
	return func() {
		tb.Helper()
		tb.Fatalf("fuzzext.Sequence: a %T is neither a *testing.T nor a *testing.F", tb)
	}
}

// concludeModel adds the notes of a model to what a Check concludes.
func concludeModel(t *testing.T, model any, conclude func()) func() {
	m, ok := model.(interface{ Notes() []string })
	if !ok || !testing.Verbose() {
		return conclude
	}
	return func() {
		t.Helper()
		if conclude != nil {
			conclude()
		}
		for _, note := range m.Notes() {
			t.Log("fuzzext.Sequence: " + note)
		}
	}
}
