package fuzzext

import (
	"cmp"
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
// It looks at all fields, exported or not, and at what pointers and interfaces hold. A nil slice or
// map does not equal one without elements. NaN equals NaN, and 0 equals -0. Times are equal if they
// have the same instant and the same location. Functions and channels are equal if they are
// identical.
//
// Of a long text, Equal shows what surrounds the first difference, and of long slices with
// different lengths the first element that differs. Failures of a property are of one class only if
// the fields that differ first have the same name: see [T.Class]. Equal reports whether the values
// are equal.
func Equal[V any](t testing.TB, got, want V) bool {
	t.Helper()
	return equal(t, got, want)
}

func equal(t testing.TB, got, want any) bool {
	t.Helper()
	message, first := differences(got, want, 5)
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

// differences says where two values differ, in a line for each place and at most so many, or
// returns "". The first place is the last field on the way to it, or "": how deep it is does not
// matter.
func differences(got, want any, most int) (message, first string) {
	places, others := literal.Differences(got, want, most)
	if len(places) == 0 {
		return "", ""
	}
	var lines []string
	for _, at := range places {
		a, b := partOf(got, at), partOf(want, at)
		line := fmt.Sprintf("got %s, want %s", excerpt(a, b), excerpt(b, a))
		if name := at.String(); name != "" {
			line = name + ": " + line
		}
		lines = append(lines, line)
	}
	if others > 0 {
		lines = append(lines, "and "+text.CountOf(others, "more difference", "more differences"))
	}
	for _, step := range places[0] {
		if strings.HasPrefix(step, ".") {
			first = step[1:]
		}
	}
	return strings.Join(lines, "\n"), first
}

// partOf returns the part of a value at a path, as a Go expression.
func partOf(v any, at literal.Path) string {
	part, _ := literal.Part(1<<16, v, at, "")
	return cmp.Or(part, "nothing")
}

// excerpt returns what surrounds the first difference of the text of a part from another.
func excerpt(part, other string) string {
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
