package api

import (
	"reflect"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq/internal/live"
	"github.com/espalier-go/espalier/bigen/schedule/point"
	"github.com/espalier-go/espalier/internal/bubble"
)

// serial implements [live.Imagined]: each order of calls runs on fresh values.
type serial struct {
	api   *liveAPI
	ahead [][]any
	turns bool
	calls [][]any // so far

	ran   [][]any // the last ones that have run: these, and then those ahead
	got   [][]any
	known bool
}

// Foresee implements [live.Serial].
func (a *liveAPI) Foresee(calls [][]any, turns bool) live.Imagined {
	return &serial{api: a, ahead: calls, turns: turns}
}

func (s *serial) Keep([]int)       {}
func (s *serial) Again(call []any) { s.calls = append(s.calls, call) }

func (s *serial) Call(call []any) (want [][]any, wanted, possible bool) {
	s.Again(call)
	n := len(s.calls)
	same := func(a, b []any) bool { return &a[0] == &b[0] }
	if len(s.ran) < n || !slices.EqualFunc(s.calls, s.ran[:n], same) {
		s.ran = slices.Clone(s.calls)
		for _, c := range s.ahead {
			if !slices.ContainsFunc(s.calls, func(d []any) bool { return same(c, d) }) {
				s.ran = append(s.ran, c)
			}
		}
		s.got, s.known = s.api.alone(s.ran, s.turns)
	}
	if !s.known {
		return nil, false, false
	}
	return [][]any{s.got[n-1]}, true, true
}

// patience is how long calls run one after the other, until nothing is known of them.
const patience = 10 * time.Second

// alone runs calls one after the other, on fresh values, and returns their results. It reports
// false if the calls take too long.
func (a *liveAPI) alone(calls [][]any, turns bool) (got [][]any, known bool) {
	m := a.take(&quiet{})
	for range calls {
		got = append(got, []any{live.Hangs{}})
	}
	over := false
	main := func() {
		m.begin()
		for i, call := range calls {
			got[i] = m.returned(call)
		}
		m.close()
		over = true
	}
	leaks, loops := false, false
	hangs, unknown := bubble.Apart(patience, func() {
		if turns {
			var ended bool
			ended, loops = point.Within(bubble.Wait, main)
			leaks = !ended
			return
		}
		main()
	})
	switch last := len(calls) - 1; {
	case unknown, loops && !over: // to tell a call that waits in a loop may take seconds
		return nil, false
	case !over || !hangs && !leaks:
	case nameOf(calls[last]) == live.End:
		got[last] = []any{live.Leaks{}}
	}
	if over {
		a.put(m)
	}
	return got, true
}

// returned makes a call, and returns its results.
func (m *machine) returned(call []any) (got []any) {
	if nameOf(call) == live.End {
		if v := m.violation(everything); v != nil && v.class == Error {
			return []any{v.contract}
		}
		return nil
	}
	m.takes = func(results []any) {
		m.spoil(m.op, results)
		for _, v := range results {
			got = append(got, m.frozen(v, false))
		}
	}
	if m.attempt(call) {
		return []any{live.Panics{}}
	}
	return got
}

// closers are the methods that end the use of a value, and so its goroutines.
var closers = []string{"Close", "Stop", "Shutdown"}

// close calls such methods of all values, if they are operations.
func (m *machine) close() {
	m.tb, m.c.TB = &quiet{}, &quiet{}
	m.hold, m.takes, m.tracing = nil, func([]any) {}, false
	for _, x := range slices.Clone(m.cells) {
		for _, method := range closers {
			op := x.about().pool.names.Kind + "." + method
			if _, ok := m.byName[op]; ok && x.about().name != "" {
				m.attempt([]any{op, x.about().name})
			}
		}
	}
}

// anyResult stands for all results of an operation.
const anyResult = -1

// Same implements [live.Model].
func (a *liveAPI) Same(call, got, want []any) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	varying := a.varying[nameOf(call)]
	if varying[anyResult] {
		return true
	}
	if len(got) != len(want) {
		return false
	}
	for k := range got {
		if !varying[k] && !reflect.DeepEqual(got[k], want[k]) {
			return false
		}
	}
	return true
}

// Varies implements [live.Serial].
func (a *liveAPI) Varies(call, got, want []any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	name := nameOf(call)
	if a.varying[name] == nil {
		a.varying[name] = map[int]bool{}
	}
	if len(got) != len(want) || ends(got) || ends(want) {
		a.varying[name][anyResult] = true
		return
	}
	for k := range got {
		if !reflect.DeepEqual(got[k], want[k]) {
			a.varying[name][k] = true
		}
	}
}

// ends reports whether a call has panicked or not returned.
func ends(got []any) bool {
	return len(got) == 1 && slices.Contains([]any{live.Panics{}, live.Hangs{}, live.Leaks{}}, got[0])
}
