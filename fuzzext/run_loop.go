package fuzzext

import (
	"runtime"
	"runtime/debug"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/budget"
	"github.com/espalier-go/espalier/fuzzext/internal/stack"
)

// each runs the property on the values that values makes for 0, 1, 2, ..., as long as after
// returns true. It calls after when a run has ended, with a nil T for a value that the
// generator has rejected. During that call, s.tree has the choices of the value.
//
// All of this happens in one goroutine. If FailNow and the like have ended it several times,
// another one continues. So a run that returns costs next to nothing besides itself.
func (p *runner) each(s *trial, values maker, after func(i int, t *T) (more bool)) ending {
	l := &loop{runner: p, s: s, maker: values, after: after, i: s.first, more: true}
	for l.more {
		l.done = make(chan struct{})
		go withSeed(s.seed, l.begin)
		if s.wait(l.done, s.hangAt, true) {
			break
		}
		e := l.hung()
		if !s.goesOn || e.run == nil || e.starved {
			return e
		}
		l = l.behind(e)
	}
	return ending{crash: l.crash}
}

// behind returns a loop that continues behind a run that has been abandoned, unless there have
// been too many. The run counts as failed. Its goroutine is left behind.
func (l *loop) behind(e ending) *loop {
	next := &loop{runner: l.runner, s: l.s, maker: l.maker, after: l.after, i: l.i}
	e.run.fails(e)
	stack.LeaveBehind(e.stack)
	next.more = next.s.leaveBehind()
	next.more = next.after(next.i-1, e.run) && next.more && !next.s.stop.Load()
	return next
}

// A maker makes the i-th value of a loop and its choices, which are valid until the next call.
type maker func(i int) (any, choices.Tree, error)

// A loop is one call of each.
type loop struct {
	*runner
	s     *trial
	maker maker
	after func(i int, t *T) bool

	i      int
	more   bool
	done   chan struct{} // closed when there is no more
	making bool          // a value
	crash  string        // of the generator
}

// nested is how many runs that end their goroutine, by [T.Assume] or the like, a goroutine
// survives.
const nested = 32

// begin works in a new goroutine.
func (l *loop) begin() {
	growStack(false)
	l.work(0)
}

// work makes values and runs the property on them. A run that ends its goroutine cannot be
// stopped from it, but deferred functions run first: in one, work goes on. That is cheaper than
// another goroutine, whose stack has to grow again. level says how many runs have ended this one.
func (l *loop) work(level int) {
	defer func() {
		r := recover()
		switch {
		case r != nil && !l.making:
			panic(r)
		case r != nil:
			l.crash = "the generator panics: " + stack.Panic(r, stack.Above(string(debug.Stack()), "(*loop).next("))
		case l.making:
			l.crash = "the generator has ended its goroutine, by FailNow or the like"
		}
		switch l.more = l.more && l.crash == ""; {
		case !l.more:
			close(l.done)
		case level < nested:
			l.work(level + 1)
		default:
			go withSeed(l.s.seed, l.begin)
		}
	}()
	for l.more {
		l.next()
	}
}

// growStack makes the stack of a new goroutine large while it is nearly empty. Otherwise it
// would grow, and be copied, several times in the first run. The frame has room for what never comes:
// the stack has to hold it, but no memory is touched.
//
//go:noinline
func growStack(never bool) {
	if never {
		var room [14 << 10]byte
		runtime.KeepAlive(&room)
	}
}

// next makes the next value and runs the property on it. A report of a run that hangs shows
// the stack above this function: see [stack.Of].
func (l *loop) next() {
	i := l.i
	l.i++
	l.making = true
	l.s.made.Begin()
	v, tree, err := l.maker(i)
	l.s.made.End()
	l.making = false
	if l.s.abandoned.Load() != nil {
		l.more = false
		return
	}
	l.s.tree = tree
	if err != nil {
		l.more = l.after(i, nil) && !l.s.stop.Load()
		return
	}
	if l.s.logs || l.s.prints {
		l.show(l.s, v)
	}
	t := l.s.newT(i)
	l.s.now.Store(t)
	defer func() { // also if the property, or a cleanup, ends the goroutine
		if t.isAbandoned() {
			l.more = false
			return
		}
		l.more = l.after(i, t) && !l.s.stop.Load()
	}()
	l.call(l.s, t, v, nil)
}

// hung returns the ending of a loop that has been abandoned. Its goroutine cannot be ended;
// it stops after the run, if that ever returns.
func (l *loop) hung() ending {
	e := ending{hangs: true, stack: stack.Of(l, "(*loop).next(", "(*runner).call(")}
	e.run, e.after, e.cpu = l.s.stuck()
	if in := stack.Of(e.run, "(*T).inBubble(", "(*T).inBubble("); in != "" {
		e.stack = in
	}
	e.starved = stack.Starved(e.stack, e.after, e.cpu) && (l.s.patience == 0 || e.cpu < budget.Rounded(l.s.patience))
	return e
}

// makerOf returns the maker of the values that sources for 0, 1, 2, ... make, with their choices in
// some memory.
func (p *runner) makerOf(memory *choices.Tree, source func(i int) choices.Source) maker {
	return func(i int) (v any, _ choices.Tree, err error) {
		v, *memory, err = bigen.RunInto(*memory, p.gen, source(i))
		return v, *memory, err
	}
}
