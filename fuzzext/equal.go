package fuzzext

import (
	"fmt"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/fuzzext/internal/text"
	"github.com/espalier-go/espalier/internal/literal"
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
// Of a long text, Equal shows what surrounds the first difference. Failures of a property are of
// one class only if they differ in the same field first: see [T.Class]. Equal reports whether the
// values are equal.
func Equal[V any](t testing.TB, got, want V) bool {
	t.Helper()
	return equal(t, got, want)
}

// maxDifferences is how many differences Equal shows.
const maxDifferences = 5

func equal(t testing.TB, got, want any) bool {
	t.Helper()
	places, others := literal.Differences(got, want, maxDifferences)
	if len(places) == 0 {
		return true
	}
	var lines []string
	for _, at := range places {
		a, b := partOf(got, at), partOf(want, at)
		line := fmt.Sprintf("got %s, want %s", around(a, b), around(b, a))
		if name := at.String(); name != "" {
			line = name + ": " + line
		}
		lines = append(lines, line)
	}
	if others > 0 {
		lines = append(lines, "and "+text.CountOf(others, "more difference", "more differences"))
	}
	message := strings.Join(lines, "\n")
	if run, ok := t.(*T); ok { // the field that differs first tells failures apart
		run.failAt(message, strings.ReplaceAll(places[0].String(), "%", "%%")+" differs", nil)
	} else {
		t.Error(message)
	}
	return false
}

// partOf returns the part of a value at a path, as a Go expression.
func partOf(v any, at literal.Path) string {
	part, ok := literal.Part(v, at, "")
	if !ok {
		part = fmt.Sprint(v)
	}
	return part
}

// around returns what surrounds the first difference of the text of a part from another.
func around(part, other string) string {
	const most, before = 120, 30 // bytes
	if len(part) <= most {
		return part
	}
	same := 0
	for same < min(len(part), len(other)) && part[same] == other[same] {
		same++
	}
	start := max(0, same-before)
	end := min(len(part), start+most)
	short := strings.ToValidUTF8(part[start:end], "")
	if start > 0 {
		short = "... " + short
	}
	if end < len(part) {
		short += " ..."
	}
	return short
}
