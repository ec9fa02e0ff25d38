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
		_, _ = io.WriteString(t.Output(), "calls:\n    "+strings.ReplaceAll(m.report().failure(), "\n", "\n    ")+"\n")
		if p != nil {
			panic(p)
		}
	}()
	for i, call := range calls {
		m.watch(false)
		if class := m.step(call); class != Passed || t.Failed() && !failed {
			if class == Error {
				m.now().failure = m.refusal()
				t.Errorf("call %d, %s: %s", i+1, m.op.name, m.refusal())
			}
			break
		}
		v := m.broken()
		if v == nil {
			v = m.violation(due{value: func(slot int32) bool { return slices.Contains(m.touched, slot) }})
		}
		if v != nil {
			m.now().violated = v
			t.Errorf("call %d, %s: %s", i+1, m.op.name, m.message(v))
			break
		}
		if i == len(calls)-1 {
			if v := m.violation(everything); v != nil {
				m.now().violated = v
				t.Errorf("after call %d, %s: %s", i+1, m.op.name, m.message(v))
			}
		}
	}
	returned = true
}

// message says which values violate a contract, and how.
func (m *machine) message(v *violation) string { return v.message(m.report().namesOf(v.slots)) }
