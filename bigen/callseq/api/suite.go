package api

import (
	"regexp"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
)

// found is an error of one class.
type found struct {
	class, op, message, place string
	contract                  string // if one is violated
	calls                     []flatCall
	count                     int
}

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
		if g.opts.Kept != nil { // for a process that takes over
			g.opts.Kept(g.liner.line(g.flat))
		}
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

// absolute returns calls whose slots count from the first result of all.
func absolute(calls []flatCall) []flatCall {
	all := make([]flatCall, len(calls))
	for i, c := range calls {
		args := slices.Clone(c.args)
		for j := range args {
			if args[j].kind == argSlot {
				args[j].slot += c.first
			}
		}
		all[i] = flatCall{op: c.op, args: args}
	}
	return all
}

// suite returns the tests.
func (g *generator) suite() Suite {
	s := Suite{Stats: g.stats}
	some := g.errors[:min(len(g.errors), g.opts.MaxErrors)]
	for _, f := range some {
		g.minimize(f)
	}
	flaky := map[*found]bool{}
	for range 3 { // what depends on order, time or chance shows
		shuffled := slices.Clone(some)
		g.rand.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		for _, f := range shuffled {
			flaky[f] = flaky[f] || !g.fails(f, f.calls)
		}
	}
	for _, f := range some {
		if test := g.errorTest(f); flaky[f] {
			s.Flaky = append(s.Flaky, test)
		} else {
			s.Errors = append(s.Errors, test)
		}
	}
	s.Regressions = g.regressions()
	return s
}

// errorTest returns an error as a test.
func (g *generator) errorTest(f *found) Test {
	e := g.traceRun(f.calls, f.contract)
	defer g.untrace()
	now := g.now()
	if e.class == Error && e.message != "" {
		f.message = e.message
	}
	if now.violated = e.violated; e.violated == nil {
		now.failure = f.message
	}
	r := g.report()
	t := Test{Calls: r.calls(), Code: strings.Join(r.failure(), "\n"), Op: f.op, Message: f.message, Class: f.class, Place: f.place, Found: f.count}
	if e.violated != nil {
		t.Message = e.violated.message(r.nameOf)
	}
	return t
}

// traceRun runs calls and traces them. If contract is set, it is checked at the end.
func (g *generator) traceRun(calls []flatCall, contract string) ending {
	g.tracing, g.named = true, nil
	return g.runWith(calls, contract)
}

func (g *generator) untrace() { g.tracing = false }

// runWith runs calls, and checks a contract at the end, if one is given.
func (g *generator) runWith(calls []flatCall, contract string) ending {
	g.flat = append(g.flat[:0], calls...)
	e := g.run(g.flat)
	if e.class == Passed && contract != "" {
		g.only = contract
		if v := g.violation(everything); v != nil {
			e = ending{class: Error, at: len(calls) - 1, violated: v}
		}
		g.only = ""
	}
	return e
}

// fails reports whether calls fail as f does.
func (g *generator) fails(f *found, calls []flatCall) bool {
	e := g.runWith(calls, f.contract)
	return e.class == Error && e.at == len(calls)-1 && g.classOf(e) == f.class
}
