package proptest

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A remark is about a function or a property.
type remark struct {
	name string // "" if the reason says it
	with string // an argument, in one line
	why  string
}

// remarks have one reason, but for texts and numbers in it. The first stands for all.
type remarks []remark

const (
	maxNames = 5   // of one reason
	maxWith  = 200 // bytes of an argument
)

// names names the first few.
func (g remarks) names() string {
	var names []string
	for _, r := range g[:min(len(g), maxNames)] {
		names = append(names, r.name)
	}
	text := strings.Join(names, ", ")
	if more := len(g) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// specific matches what may differ between two messages of one kind. A text may be cut off.
var specific = regexp.MustCompile("`[^`]*`|" + `"(\\.|[^"\\])*("|$)|-?[0-9]+`)

// grouped puts remarks together that have the same reason, in the order of the first ones.
func grouped(list []remark) (groups []remarks) {
	at := map[string]int{}
	for _, r := range list {
		key := specific.ReplaceAllString(r.why, "?")
		i, known := at[key]
		if !known {
			i = len(groups)
			at[key], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	return groups
}

// doubtful says what is doubtful, a line for each reason.
func (c *check) doubtful() (lines []string) {
	for _, g := range grouped(c.doubts) {
		r := g[0]
		switch {
		case r.name == "":
			lines = append(lines, r.why)
		case len(g) > 1:
			lines = append(lines, g.names()+", the first with "+cut(r.with)+": "+r.why)
		default:
			lines = append(lines, r.name+" with "+cut(r.with)+": "+r.why)
		}
	}
	return lines
}

// cut shortens an argument that is long.
func cut(with string) string {
	if len(with) <= maxWith {
		return with
	}
	end := maxWith
	for !utf8.RuneStart(with[end]) {
		end--
	}
	return with[:end] + " ..."
}
