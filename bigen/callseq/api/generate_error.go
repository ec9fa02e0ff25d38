package api

import (
	"regexp"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
)

// note takes note of an error of the sequence that has run.
func (g *generator) note(e ending) {
	class := g.classOf(e)
	calls := g.flat[:e.at+1]
	i := slices.IndexFunc(g.errors, func(f *found) bool { return f.class == class })
	if i < 0 {
		f := &found{class: class, op: calls[e.at].op.name, message: e.message, place: e.place}
		if e.violated != nil {
			f.contract = e.violated.contract
		}
		i = len(g.errors)
		g.errors = append(g.errors, f)
		g.watch.keep(g.flat) // for a process that takes over
	}
	f := g.errors[i]
	if f.count++; f.calls == nil || len(calls) < len(f.calls) {
		f.calls = absolute(calls)
	}
}

// classOf returns the class of an error of the sequence that has run.
func (g *generator) classOf(e ending) string {
	if v := e.violated; v != nil {
		kind := "values"
		if len(v.slots) > 0 {
			kind = g.cells[v.slots[0]].of().kind
		}
		return "contract " + v.contract + " of " + kind + ": " + normalized(v.wrong)
	}
	return g.flat[e.at].op.name + ": " + normalized(e.message)
}

var (
	quotedText = regexp.MustCompile(`"(\\.|[^"\\])*"`)
	number     = regexp.MustCompile(`0x[0-9a-f]+|[0-9]+(\.[0-9]+)?`)
)

// normalized returns the first line of a message without what differs from case to case.
func normalized(message string) string {
	line, _, _ := strings.Cut(message, "\n")
	return gocode.Shorten(number.ReplaceAllString(quotedText.ReplaceAllString(line, `""`), "#"))
}

// fails reports whether calls fail as f does.
func (g *generator) fails(f *found, calls []opCall) bool {
	e := g.runWith(calls, f.contract)
	return e.class == Error && e.at == len(calls)-1 && g.classOf(e) == f.class
}
