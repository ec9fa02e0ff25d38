package api

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/internal/literal"
)

const (
	maxObserved  = 4 // values that a regression test observes at the end
	maxObservers = 6 // calls that observe one
)

// regressions returns tests of what sequences of the archive return: those that have not been
// extended, as many for each operation that ends them, the shortest first.
func (g *generator) regressions() (tests []Test) {
	byOp := make([][]*sequence, len(g.ops))
	g.archive.Each(func(s *sequence) {
		if last := g.byName[nameOf(s.calls[len(s.calls)-1])]; !s.used {
			byOp[last] = append(byOp[last], s)
		}
	})
	for _, list := range byOp {
		slices.SortStableFunc(list, func(a, b *sequence) int { return len(a.calls) - len(b.calls) })
	}
	for more, i := true, 0; more; i++ {
		more = false
		for _, list := range byOp {
			if i >= len(list) || len(tests) >= g.opts.MaxRegressions {
				continue
			}
			more = true
			if t, ok := g.regression(list[i]); ok {
				tests = append(tests, t)
			}
		}
	}
	return tests
}

// regression returns a test of what a sequence returns, unless that differs from run to run.
func (g *generator) regression(s *sequence) (t Test, ok bool) {
	defer g.untrace()
	own := len(s.calls)
	if e := g.runWith(s, ""); e.class != Passed {
		return t, false
	}
	s = s.with(g.observations(s)...)
	var traces [3][]traced
	for i := range traces {
		e := g.traceRun(s, "")
		if e.class == Expected && e.at >= own { // what observes is not to be called here
			s = &sequence{calls: s.calls[:e.at], line: s.line, ends: s.ends, proven: own - 1}
			e = g.traceRun(s, "")
		}
		if e.class != Passed {
			return t, false
		}
		traces[i] = g.trace
		g.trace = nil
	}
	g.trace = traces[2]
	for i := range g.trace {
		got := g.trace[i].got
		for k, v := range got {
			for _, other := range traces[:2] {
				if i >= len(other) || k >= len(other[i].got) || !reflect.DeepEqual(v, other[i].got[k]) {
					got[k] = opaque{}
				}
			}
		}
	}
	for i := len(g.trace) - 1; i >= own; i-- {
		if !slices.ContainsFunc(g.trace[i].got, g.expected) {
			g.trace = slices.Delete(g.trace, i, i+1)
		}
	}
	r := g.traced()
	return Test{Calls: r.calls(), Code: strings.Join(r.regression(), "\n"), Op: nameOf(s.calls[own-1])}, true
}

// with returns the sequence with more calls, whose arguments are names.
func (s *sequence) with(more ...callseq.Call) *sequence {
	x := s.own()
	x.calls, x.line, x.proven = append(slices.Clip(s.calls), more...), x.line[:len(x.line)-1], len(s.calls)
	for _, call := range more {
		text, _ := json.Marshal(call)
		x.line = append(append(x.line, ','), text...)
		x.ends = append(x.ends, len(x.line))
	}
	x.line = append(x.line, ']')
	return x
}

// observations returns calls of observers on results of a sequence that has run.
func (g *generator) observations(s *sequence) (calls callseq.Calls) {
	names := make([]callseq.Name, len(g.cells))
	for name, slot := range g.named {
		names[slot] = name
	}
	values := 0
	for i := len(names) - 1; i >= 0 && values < maxObserved; i-- {
		if x := g.cells[i]; names[i] == "" || x.isNil() || flat(x.of().typ) {
			continue
		}
		values++
		observers := 0
		for _, o := range g.ops {
			if observers < maxObservers && g.observes(o, names[i], s) {
				observers++
				calls = append(calls, callseq.Call{o.name, names[i]})
			}
		}
	}
	return calls
}

// maxJudged is how often it is judged whether a call leaves its argument as it is.
const maxJudged = 3

// observes reports whether an operation can be called for what it returns of a value: it has no
// other argument, it has no results for later calls, and leaves the value as it is.
func (g *generator) observes(o *Op, name callseq.Name, s *sequence) bool {
	slot, n := g.named[name], len(g.cells)
	fits := !o.changes && !slices.Contains(g.opts.Without, o.name) && func() (ok bool) {
		defer func() { ok = recover() == nil && ok }()
		g.dry = true
		return g.step(callseq.Call{o.name, name}) == Passed
	}() && len(g.cells) == n && len(g.given) == 1 && g.given[0].value.number() == slot
	g.dry, g.cells, g.named[name] = false, g.cells[:n], slot
	if !fits || o.judged == maxJudged {
		return fits
	}
	before := g.together([]int32{slot})
	e := g.run(s.with(callseq.Call{o.name, name}))
	if e.class != Passed {
		g.run(s)
		return false
	}
	o.judged++
	o.changes = before != g.together([]int32{slot})
	return !o.changes
}

// regression returns the calls as Go statements that fail a test if a call returns something
// else.
func (r *report) regression() (lines []string) {
	got := 0
	for i := range r.m.trace {
		t := &r.m.trace[i]
		code := r.expression(t)
		if t.code != "" && !isExpression(code) || len(t.got) == 0 {
			lines = append(lines, r.statement(t))
			continue
		}
		var names, tests, shown, want []string
		named := false
		for k, v := range t.got {
			name := "_"
			test, text := "", ""
			if slot := t.gotSlots[k]; slot >= 0 && r.names[slot] != "" {
				name, named = r.names[slot], true
			}
			if format, w := r.m.expectation(v); format != "" {
				if name == "_" {
					got++
					name = fmt.Sprint("got", got)
				}
				test, text = fmt.Sprintf(format, name), w
			}
			if names = append(names, name); test != "" {
				tests, shown, want = append(tests, test), append(shown, name), append(want, text)
			}
		}
		if len(tests) == 0 {
			lines = append(lines, r.statement(t))
			continue
		}
		list := strings.Join(names, ", ") + " := " + code
		check := fmt.Sprintf("if %s {", strings.Join(tests, " || "))
		if named {
			lines = append(lines, list)
		} else {
			check = fmt.Sprintf("if %s; %s {", list, strings.Join(tests, " || "))
		}
		verbs := strings.TrimSuffix(strings.Repeat("%v, ", len(tests)), ", ")
		format := strings.ReplaceAll(code, "%", "%%") + ": got " + verbs + ", want " + strings.ReplaceAll(strings.Join(want, ", "), "%", "%%")
		lines = append(lines, check, fmt.Sprintf("\tt.Errorf(%s, %s)", strconv.Quote(format), strings.Join(shown, ", ")), "}")
	}
	for _, name := range r.idle() {
		lines = append(lines, "_ = "+name)
	}
	return lines
}

// expected reports whether a regression test can tell a result from others.
func (m *machine) expected(v any) bool {
	format, _ := m.expectation(v)
	return format != ""
}

// expectation returns a condition that holds for a variable if it is not v, to be formatted with
// its name, and what is wanted; or "" if there is none.
func (m *machine) expectation(v any) (format, want string) {
	switch v.(type) {
	case opaque:
		return "", ""
	case errorText:
		return "%s == nil", "an error"
	case nil:
		return "%s != nil", "nil"
	}
	x := reflect.ValueOf(v)
	text, all := literal.Within(maxExpected, v, m.pkg)
	switch k := x.Kind(); {
	case !all || strings.Contains(text, "\n"):
		return "", ""
	case k == reflect.Slice:
		return "!reflect.DeepEqual(%s, " + strings.ReplaceAll(text, "%", "%%") + ")", text
	case (k == reflect.Float32 || k == reflect.Float64) && math.IsNaN(x.Float()):
		return "%[1]s == %[1]s", "NaN"
	case k == reflect.Complex64 || k == reflect.Complex128:
		return "", ""
	}
	return "%s != " + strings.ReplaceAll(text, "%", "%%"), text
}

// maxExpected bounds the texts of results that regression tests compare.
const maxExpected = 200
