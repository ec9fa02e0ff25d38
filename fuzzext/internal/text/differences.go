package text

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/espalier-go/espalier/internal/literal"
)

// Differences says where two values differ, in a line for each place and at most so many, or returns
// "". The first place is the last field on the way to it, or "": how deep it is does not matter.
func Differences(got, want any, most int) (message, first string) {
	places, others := literal.Differences(got, want, most)
	if len(places) == 0 {
		return "", ""
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
		lines = append(lines, "and "+CountOf(others, "more difference", "more differences"))
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
