package fuzzext

import (
	"strings"
	"testing"

	"github.com/espalier-go/espalier/fuzzext/internal/text"
)

// Equal fails the test unless got equals want, and shows where they differ:
//
//	fuzzext.Equal(t, decode(encode(tree)), tree)
//
//	Kids[2].Name: got "b", want "a"
//	Rate: got 0, want 0.5
//	and 3 more differences
//
// It looks at all fields, also at those that are not exported, and behind pointers and
// interfaces. A nil slice or map does not equal one without elements. NaN equals NaN, and 0 equals -0. Times are
// equal if they have the same instant and the same location. Functions and channels are equal if
// they are identical.
//
// Of a long text, Equal shows what surrounds the first difference, and of long slices with different
// lengths the first element that differs. Failures of a property are of
// one class only if the fields that differ first have the same name: see [T.Class]. Equal reports
// whether the values are equal.
func Equal[V any](t testing.TB, got, want V) bool {
	t.Helper()
	return equal(t, got, want)
}

func equal(t testing.TB, got, want any) bool {
	t.Helper()
	message, first := text.Differences(got, want, 5)
	if message == "" {
		return true
	}
	if run, ok := t.(*T); ok { // the field that differs first tells failures apart
		run.failAt(message, strings.ReplaceAll(first, "%", "%%")+" differs", nil)
	} else {
		t.Error(message)
	}
	return false
}
