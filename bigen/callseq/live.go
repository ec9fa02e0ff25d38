package callseq

import (
	"testing"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/internal/live"
)

func init() { live.Of = func(model any) live.Model { return liveModel{model.(*Model)} } }

// liveModel implements [live.Model].
type liveModel struct{ *Model }

func (m liveModel) Begin(gen *bigen.C, first []any) (live.Machine, []any) {
	m.examined.Do(m.examine)
	x, head := m.begin(gen, []Call{first})
	if head == nil {
		return liveMachine{x}, nil
	}
	return liveMachine{x}, head[0]
}

func (m liveModel) Start(t testing.TB, first []any, locate func() int) live.Run {
	r := newRunner(t, m.Model)
	r.locate = locate
	r.trace = append(r.trace, traced{call: first})
	r.c.setUp(first)
	return &liveRun{runner: r}
}

func (m liveModel) Same(_, got, want []any) bool { return slices.EqualFunc(got, want, sameResult) }

func (m liveModel) Ran(r live.Run) { r.(*liveRun).count() }

func (m liveModel) Imagine(first []any) live.Imagined {
	c := newC(m.Model, running)
	r := &runner{c: c, verify: true, imagined: true, held: true}
	c.runner = r
	r.trace = append(r.trace, traced{call: first})
	c.setUp(first)
	return imagined{r}
}

// liveMachine implements [live.Machine].
type liveMachine struct{ *machine }

func (x liveMachine) Find(gen *bigen.C, op string) int {
	return x.machine.Find(gen, &Call{op})
}

func (x liveMachine) Step(n int, call []any) []any {
	made := Call(call)
	x.machine.Step(nil, n, &made)
	return made
}

func (x liveMachine) Uses() (made, used, own []string) { return texts(x.made), texts(x.used), nil }

func texts(names []Name) (s []string) {
	for _, n := range names {
		s = append(s, string(n))
	}
	return s
}

// liveRun implements [live.Run].
type liveRun struct{ *runner }

func (r *liveRun) Hold() { r.held = true }

func (r *liveRun) Call(call []any) []func() {
	r.deferred = nil
	if r.call(call); r.held {
		r.c.phase = inDo // until the next call
	}
	return r.deferred
}

func (r *liveRun) Check() bool { return r.check(r.c.invariants) }
func (r *liveRun) End()        { r.check(r.c.ends) }

func (r *liveRun) Got(i int) ([]any, bool) {
	t := &r.trace[1+i]
	return t.got, t.returned
}

func (r *liveRun) Returned(i int, want [][]any) (got, wanted string) {
	t := r.trace[1+i]
	t.want = want
	return r.gotten(&t), r.runner.wanted(&t)
}

func (r *liveRun) Report() { r.report() }

func (r *liveRun) Code() (setup live.Code, calls []live.Code) {
	used := r.used()
	for i := range r.trace {
		t := &r.trace[i]
		code := live.Code{Idle: texts(r.idle(t, used, nil))}
		if i == 0 {
			code.Statement = r.setupCode(t)
			setup = code
			continue
		}
		code.Statement = r.statement(t, used, nil)
		if t.returned && len(t.got) > 0 {
			code.Results = r.results(t.got, nil)
		}
		calls = append(calls, code)
	}
	return setup, calls
}

// imagined implements [live.Imagined].
type imagined struct{ *runner }

// impossible is what a call of the model alone panics with if it is not possible.
type impossible struct{}

func (r imagined) Call(call []any) (want [][]any, wanted, possible bool) {
	defer func() {
		if !possible {
			_ = recover() // also of a model that does not know the state
		}
	}()
	r.trace = r.trace[:1]
	r.call(call)
	now := r.now()
	if len(now.want) == 1 {
		r.Keep([]int{0})
	}
	return now.want, now.wanted != "", true
}

func (r imagined) Again(call []any) { r.Call(call) }

func (r imagined) Keep(fits []int) {
	if settle := r.now().settle; settle != nil {
		settle(fits)
	}
}
