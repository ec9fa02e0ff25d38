package api

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
	"github.com/espalier-go/espalier/bigen/callseq/internal/live"
	"github.com/espalier-go/espalier/choices"
)

func init() {
	live.OfAPI = func(api any) live.Serial {
		return &liveAPI{API: api.(*API), varying: map[string]map[int]bool{}}
	}
}

// liveAPI implements [live.Serial].
type liveAPI struct {
	*API
	census live.Census

	mu sync.Mutex
	// varying has results that are not compared, by operation; all if anyResult is among them.
	varying map[string]map[int]bool
}

// Begin implements [live.Model].
func (a *liveAPI) Begin(gen *bigen.C, first []any) (live.Machine, []any) {
	m := a.take(&quiet{})
	m.beginWith(gen)
	if m.mode == reading && len(first) > 1 {
		gen.Refuse("an API has no values before its calls")
	}
	return liveMachine{m}, nil
}

// liveMachine implements [live.Machine].
type liveMachine struct{ *machine }

// Offer leaves out what may not be usable, if there is anything else. Operations that use no value
// of a call get rare once there are such values.
func (x liveMachine) Offer() []choices.Alt {
	x.offers = false
	alts := x.machine.Offer()
	ready := slices.ContainsFunc(x.ops, func(o *Op) bool { return o.able && !o.unready })
	shared := slices.ContainsFunc(x.pools, func(p *base) bool {
		return p.concurrent && len(p.names.Live) > 0
	})
	for i, o := range x.ops {
		switch {
		case ready && o.unready:
			alts[i].Weight = 0
		case shared && o.when == nil:
			alts[i].Weight /= 8
		}
	}
	return alts
}

func (x liveMachine) Stops() float64                 { return 1 }
func (x liveMachine) Find(_ *bigen.C, op string) int { return x.find(callseq.Call{op}) }

func (x liveMachine) Step(n int, call []any) []any {
	made := callseq.Call(call)
	x.machine.Step(nil, n, &made)
	return made
}

// uses is what a call that is made or read makes and uses.
type uses struct {
	made, used, own []string
	lone            bool // one of these is in machine.lone
}

// draws notes an argument of a call that is made or read.
func (p *Pool[T]) draws(given any) {
	name, ok := given.(callseq.Name)
	if !ok {
		return
	}
	u := &p.c.m.uses
	u.used = append(u.used, string(name))
	u.lone = u.lone || p.c.m.lone[name]
	i := slices.IndexFunc(p.sources, func(s *base) bool { return s.names.Has(name) })
	if i < 0 || !p.sources[i].concurrent || p.c.m.lone[name] {
		u.own = append(u.own, string(name))
	}
}

func (x liveMachine) Uses() (made, used, own []string) {
	u := x.uses
	if len(u.used) == 0 || x.op.alone {
		u.own = append(u.own, "")
	}
	return u.made, u.used, u.own
}

// liveRun implements [live.Run].
type liveRun struct {
	*machine
	locate func() int
	held   []func() // by the last call
}

// Start implements [live.Model].
func (a *liveAPI) Start(t testing.TB, _ []any, locate func() int) live.Run {
	m := a.newMachine(t)
	m.begin()
	m.tracing = true
	m.takes = func(results []any) { m.spoil(m.op, results); m.got(results) }
	t.Cleanup(keepEnv())
	t.Cleanup(m.close)
	return &liveRun{machine: m, locate: locate}
}

func (r *liveRun) Hold() {
	r.hold = func(f func()) {
		i, late := len(r.trace)-1, r.late
		r.held = append(r.held, func() {
			defer r.note(i)
			for _, set := range late {
				set()
			}
			f()
			r.trace[i].returned = true
		})
	}
	r.takes = func(results []any) {
		t := &r.trace[r.locate()]
		r.spoil(t.op, results)
		r.results(t, results)
		for k, v := range results {
			t.got[k] = r.frozen(v, false) // other goroutines may change what it points to
		}
	}
}

// note notes that a call has panicked, if it has.
func (r *liveRun) note(i int) {
	p := recover()
	if p == nil {
		return
	}
	t := &r.trace[i]
	t.failure = "panic: " + guarded(func() string { return fmt.Sprint(p) })
	t.got, t.gotSlots, t.returned = []any{live.Panics{}}, nil, true
	stack := string(debug.Stack())
	if _, below, ok := strings.Cut(stack, "\npanic("); ok {
		stack = "panic(" + below
	}
	_, _ = io.WriteString(r.tb.Output(), t.failure+"\n\n"+stack)
}

func (r *liveRun) Call(call []any) []func() {
	r.held = nil
	switch {
	case nameOf(call) == live.End:
		r.trace = append(r.trace, traced{op: &Op{name: live.End}})
		r.hold, r.takes = nil, nil
		now := r.now()
		now.returned = true
		if v := r.violation(everything); v != nil && v.class == Error {
			now.violated, now.got = v, []any{v.contract}
		}
	case r.hold != nil:
		if r.step(call); slices.ContainsFunc(r.touched, func(slot int32) bool {
			x := r.cells[slot]
			return x.about().pool.concurrent && !usable(x)
		}) {
			runtime.Goexit() // so is what calls do with nil, or with what was refused
		}
	case r.attempt(call):
		runtime.Goexit() // what fails in one goroutine is of no interest
	}
	return r.held
}

// spoil marks what a call has returned together with an error that refuses it: that need not be
// usable.
func (m *machine) spoil(o *Op, results []any) {
	err := errorOf(results)
	outcome := Outcome{Op: o.name, Err: err, Nil: m.tainted, Warned: o.warned}
	if err == nil || m.classify(outcome) == Passed {
		return
	}
	for _, v := range results {
		if x, ok := v.(cell); ok {
			x.about().unready = true
		}
	}
}

// attempt makes a call, and reports whether it panics.
func (m *machine) attempt(call []any) (panics bool) {
	defer func() {
		if p := recover(); p != nil {
			m.doing, panics = false, true
		}
	}()
	m.step(call)
	return false
}

func (r *liveRun) Check() bool                 { return true }
func (r *liveRun) End()                        {}
func (r *liveRun) Got(i int) ([]any, bool)     { return r.trace[i].got, r.trace[i].returned }
func (r *liveRun) Report()                     { _, _ = io.WriteString(r.tb.Output(), gocode.Report(r.report().failure())) }
func (a *liveAPI) NeverCalled() []string       { return a.census.Never() }
func (a *liveAPI) Imagine([]any) live.Imagined { return a.Foresee(nil, false) }

func (a *liveAPI) Ran(run live.Run) {
	r := run.(*liveRun)
	for _, o := range r.ops {
		if !o.unready {
			a.census.Add(o.name, slices.ContainsFunc(r.trace, func(t traced) bool { return t.op == o }))
		}
	}
}

func (r *liveRun) Returned(i int, want [][]any) (got, wanted string) {
	rep := r.report()
	text := func(t *traced, got []any) string {
		switch {
		case len(got) == 1 && got[0] == any(live.Panics{}) && t.failure != "":
			return t.failure
		case len(got) == 0:
			return "nothing"
		}
		return rep.list(got)
	}
	return text(&r.trace[i], r.trace[i].got), "want " + text(&traced{}, want[0])
}

func (r *liveRun) Code() (setup live.Code, calls []live.Code) {
	rep := r.report()
	for i := range r.trace {
		t := &r.trace[i]
		if v := t.violated; v != nil {
			names := rep.namesOf(v.slots)
			code := live.Code{Idle: rep.namesOf(rep.idle)}
			code.Statement = "// then: contract of " + v.message(names)
			if v.code != nil {
				code.Statement = v.code(names)
			}
			calls = append(calls, code)
		} else if t.op.name != live.End {
			results := strings.TrimPrefix(rep.comment(t), " // ")
			calls = append(calls, live.Code{Statement: rep.statement(t), Results: results})
		}
	}
	return setup, calls
}
