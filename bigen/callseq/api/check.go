package api

import (
	"fmt"
	"io"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
)

// checkCalls runs calls for [API.Run].
func (m *machine) checkCalls(calls callseq.Calls) {
	t := m.tb
	t.Helper()
	m.begin()
	returned, failed := false, t.Failed()
	defer func() {
		t.Helper()
		p := recover()
		switch {
		case p != nil && !m.doing:
			panic(p)
		case p != nil && m.panicked(p) != Error:
			return
		case p != nil:
			m.now().failure = fmt.Sprintf("panic: %v", p)
		case failed || !t.Failed():
			return
		case !returned && len(m.trace) > 0 && m.doing:
			m.now().failure = "the test fails"
		}
		_, _ = io.WriteString(t.Output(), gocode.Report(m.report().failure()))
		if p != nil {
			panic(p)
		}
	}()
	e := m.play(calls, func(int) bool { return true }, func(i int) *violation {
		d := due{value: func(slot int32) bool { return slices.Contains(m.touched, slot) }}
		if i == len(calls)-1 {
			d = everything
		}
		return m.violation(d)
	})
	switch {
	case e.class != Error:
	case e.violated != nil:
		v := e.violated
		m.now().violated = v
		t.Errorf("call %d, %s: %s%s: %s", e.at+1, m.op.name, v.where(), m.fault(v),
			v.message(m.report().namesOf(v.slots)))
	default:
		if m.now().failure = e.message; failed || !t.Failed() {
			t.Errorf("call %d, %s: %s", e.at+1, m.op.name, e.message)
		}
	}
	returned = true
}

// ending is how a sequence has ended.
type ending struct {
	class    Class
	at       int // the call after which it has
	message  string
	place    string // of a panic
	violated *violation
}

// play runs calls, until one ends the sequence. Before each, it calls before, and if that reports
// false, the sequence is [Invalid]. After each, after returns a contract that is violated, or nil.
func (m *machine) play(
	calls callseq.Calls, before func(i int) bool, after func(i int) *violation,
) ending {
	failed := m.tb.Failed()
	for i, call := range calls {
		if m.turn = i; !before(i) {
			return ending{class: Invalid, at: i}
		}
		if class := m.step(call); class != Passed {
			return ending{class: class, at: i, message: m.refusal()}
		}
		if !failed && m.tb.Failed() {
			return ending{class: Error, at: i, message: "the test fails"}
		}
		if v := after(i); v != nil {
			return ending{class: v.class, at: i, violated: v}
		}
	}
	return ending{class: Passed, at: len(calls) - 1}
}
