package fuzzext

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
)

// Concurrent explores the schedules of a concurrent test, which starts goroutines:
//
//	fuzzext.Concurrent(t, func(t *fuzzext.T) {
//		var c Counter
//		var wg sync.WaitGroup
//		wg.Go(c.Add)
//		wg.Go(c.Add)
//		wg.Wait()
//		fuzzext.Equal(t, c.Value(), 2)
//	})
//
// It is [Check] of a property without a value, with the option [Schedules].
func Concurrent(t *testing.T, prop func(t *T), opts ...Option) {
	p := subjectOf(bigen.Just(any(nil)), func(t *T, _ any) { prop(t) })
	if conclude := runCheck(t,
		newSpec("Concurrent", 1, p, append(opts, Schedules()))); conclude != nil {
		t.Helper()
		conclude()
	}
}
