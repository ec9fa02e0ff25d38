package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// header names the cells of a row.
const header = "tests\tmessages\trules in error\taccepted\tunsatisfiable\trefused though satisfiable\t" +
	"valid instances made\tinvalid refused\tvalues made\tvalues invalid\t" +
	"messages with a tenth of runs rejected\tCPU s"

// A tally counts what became of the messages of a part of the tests.
type tally struct {
	messages, broken, accepted, unsatisfiable, refused int
	valid, made, invalid, kept                         int // instances
	values, wrong, few                                 int
	cpu                                                time.Duration
	failed                                             bool
	lines                                              []string
}

// broken reports whether the tests say that the rules of a message are in error.
func (m *message) broken() bool {
	return slices.ContainsFunc(m.instances, func(i instance) bool { return i.want > invalid })
}

func (t *tally) add(m *message, o options) {
	r := m.measure(o)
	t.messages++
	if m.broken() {
		t.broken++
		return
	}
	line := func(kind, test, what string) {
		cells := []string{kind, m.name(), test, strings.Join(strings.Fields(what), " ")}
		t.lines = append(t.lines, strings.Join(cells, "\t"))
	}
	fail := func(test, what string) {
		t.failed = true
		line("FAIL", test, what)
	}
	satisfiable := slices.ContainsFunc(m.instances, func(i instance) bool { return i.want == valid })
	t.cpu += r.cpu
	switch {
	case r.refused != "" && satisfiable:
		t.refused++
		fail("", "refused though satisfiable: "+r.refused)
	case r.refused != "":
		t.unsatisfiable++
		line("note", "", "refused, and the tests have no valid instance: "+r.refused)
	default:
		t.accepted++
	}
	for n, i := range m.instances {
		what := r.refused
		if n < len(r.instances) {
			if what = r.instances[n]; what != "" {
				fail(i.name, what)
			}
		}
		fine := map[bool]int{true: 1}[what == "" || i.want == invalid && r.refused != ""]
		if i.want == valid {
			t.valid, t.made = t.valid+1, t.made+fine
		} else {
			t.invalid, t.kept = t.invalid+1, t.kept+fine
		}
	}
	t.values, t.wrong = t.values+r.made, t.wrong+r.invalid
	for _, what := range r.failures {
		fail("", what)
	}
	if r.refused == "" && 10*r.rejected > r.made {
		t.few++
		line("note", "", fmt.Sprintf("%d values, and %d runs rejected", r.made, r.rejected))
	}
}

func (t *tally) result() (messages int, lines []string, failed bool) {
	return t.messages, t.lines, t.failed
}

func (t *tally) row(part string) string {
	var cells []string
	for _, cell := range []any{part, t.messages, t.broken, t.accepted, t.unsatisfiable, t.refused,
		fmt.Sprintf("%d / %d", t.made, t.valid), fmt.Sprintf("%d / %d", t.kept, t.invalid), t.values,
		t.wrong, t.few, fmt.Sprintf("%.1f", t.cpu.Seconds())} {
		cells = append(cells, fmt.Sprint(cell))
	}
	return strings.Join(cells, "\t")
}
