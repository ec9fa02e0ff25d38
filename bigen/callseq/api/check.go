package api

import (
	"fmt"
	"io"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq"
)

// check runs calls for [API.Run].
func (m *machine) check(calls callseq.Calls) {
	t := m.c.TB
	t.Helper()
	m.begin()
	m.named = map[callseq.Name]int32{}
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
		_, _ = io.WriteString(t.Output(), "calls:\n    "+strings.Join(m.report().failure(), "\n    ")+"\n")
		if p != nil {
			panic(p)
		}
	}()
	for i, call := range calls {
		m.beforeCall(false)
		if class := m.stepCall(call); class != Passed || t.Failed() && !failed {
			if class == Error {
				m.now().failure = m.refusal()
				t.Errorf("call %d, %s: %s", i+1, m.op.name, m.refusal())
			}
			break
		}
		v := m.afterCall()
		if v == nil {
			v = m.violation(due{value: func(slot int32) bool { return slices.Contains(m.touched, slot) }})
		}
		if v != nil {
			m.now().violated = v
			t.Errorf("call %d, %s: %s", i+1, m.op.name, v.message(m.report().nameOf))
			break
		}
		if i == len(calls)-1 {
			if v := m.violation(everything); v != nil {
				m.now().violated = v
				t.Errorf("after call %d, %s: %s", i+1, m.op.name, v.message(m.report().nameOf))
			}
		}
	}
	returned = true
}

// stepCall makes a call of [callseq.Calls].
func (m *machine) stepCall(call callseq.Call) Class {
	var name string
	if len(call) > 0 {
		name, _ = call[0].(string)
	}
	i := slices.IndexFunc(m.ops, func(o *Op) bool { return o.name == name })
	if i < 0 {
		m.op = &Op{name: name}
		m.refuse("there is no such operation")
	}
	m.op = m.ops[i]
	if m.op.when != nil && !m.op.when() {
		m.refuse("it is not possible here: its precondition does not hold")
	}
	args := make([]arg, len(call)-1)
	for i, a := range call[1:] {
		args[i] = arg{kind: argRaw, lit: a}
	}
	return m.step(m.op, args, 0)
}

// name gives a result of a call of [callseq.Calls] its name.
func (m *machine) name(x cell) {
	a := m.next("new " + x.of().kind)
	text, ok := textOf(a.lit)
	if !ok || text != "" && !strings.HasPrefix(text, x.of().kind) {
		m.refuse("%v does not name a result: want a name such as %s1", a.lit, x.of().kind)
	}
	if text != "" {
		m.named[callseq.Name(text)] = x.number()
	}
}

// refuse ends a run because the API does not have the call that is to run.
func (m *machine) refuse(format string, args ...any) {
	m.c.TB.Helper()
	m.c.TB.Fatalf("api: %s: "+format, append([]any{m.op.name}, args...)...)
}
