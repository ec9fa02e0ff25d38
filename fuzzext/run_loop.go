package fuzzext

import (
	"runtime"
	"runtime/debug"

	"github.com/espalier-go/espalier/fuzzext/internal/stack"
	"github.com/espalier-go/espalier/internal/budget"
)

// each runs the property on the values that values makes for 0, 1, 2, ..., as long as after
// returns true. It calls after when a run has ended, with a nil T for a value that the
// generator has rejected. During that call, tr.tree has the choices of the value.
//
// All of this happens in one goroutine. If FailNow and the like have ended it several times,
// another one continues. So a run that returns costs next to nothing besides itself.
func (tr *trial) each(values maker, after func(i int, t *T) (more bool)) ending {
	l := &loop{trial: tr, maker: values, after: after, i: tr.first, more: true}
	for l.more {
		l.done = make(chan struct{})
		go withSeed(tr.seed, l.startWork)
		if tr.wait(l.done, tr.hangAt, true) {
			break
		}
		e := l.hung()
		if !tr.skipsHangs || e.run == nil || e.starved {
			return e
		}
		l = l.past(e)
	}
	return ending{crash: l.crash}
}

// past returns a loop that continues after a run that has been abandoned, unless there have
// been too many. The run counts as failed. Its goroutine stays.
func (l *loop) past(e ending) *loop {
	next := &loop{trial: l.trial, maker: l.maker, after: l.after, i: l.i}
	e.run.failHung(e)
	stack.LeaveBehind(e.stack)
	next.more = next.trial.leaveBehind()
	next.more = next.after(next.i-1, e.run) && next.more && !next.trial.stop.Load()
	return next
}

// A loop is one call of each.
type loop struct {
	trial *trial
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

// startWork works in a new goroutine.
func (l *loop) startWork() {
	growStack(false)
	l.work(0)
}

// work makes values and runs the property on them. A run that ends its goroutine cannot be
// stopped from it, but deferred functions run first: work continues in one. That is cheaper than
// another goroutine, whose stack must grow again. level says how many runs have ended this one.
func (l *loop) work(level int) {
	defer func() {
		r := recover()
		switch {
		case r != nil && !l.making:
			panic(r)
		case r != nil:
			l.crash = "the generator panics: " +
				stack.Panic(r, stack.Above(string(debug.Stack()), stack.InLoop))
		case l.making:
			l.crash = "the generator has ended its goroutine, by FailNow or the like"
		}
		switch l.more = l.more && l.crash == ""; {
		case !l.more:
			close(l.done)
		case level < nested:
			l.work(level + 1)
		default:
			go withSeed(l.trial.seed, l.startWork)
		}
	}()
	for l.more {
		l.next()
	}
}

// growStack makes the stack of a new goroutine large while it is nearly empty. Otherwise it would
// grow, and be copied, several times in the first run. The frame has room for what never comes: the
// stack must hold it, but no memory is touched.
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
	l.trial.made.Begin()
	v, tree, err := l.maker(i)
	l.trial.made.End()
	l.making = false
	if l.trial.abandoned.Load() != nil {
		l.more = false
		return
	}
	l.trial.tree = tree
	if err != nil {
		if l.trial.observer != nil {
			l.trial.observeRejected(i, err)
		}
		l.more = l.after(i, nil) && !l.trial.stop.Load()
		return
	}
	if l.trial.logs || l.trial.prints {
		l.trial.show(v)
	}
	t := l.trial.newT(i)
	l.trial.now.Store(t)
	defer func() { // also if the property, or a cleanup, ends the goroutine
		if t.isAbandoned() {
			l.more = false
			return
		}
		l.more = l.after(i, t) && !l.trial.stop.Load()
	}()
	l.trial.call(t, v, nil)
}

// hung returns the ending of a loop that has been abandoned. Its goroutine cannot be ended;
// it stops after the run, if that ever returns.
func (l *loop) hung() ending {
	e := ending{hangs: true, stack: stack.Of(l, stack.InLoop, stack.InRun)}
	e.run, e.after, e.cpu = l.trial.stuck()
	if in := stack.Of(e.run, stack.InBubble, stack.InBubble); in != "" {
		e.stack = in
	}
	e.starved = stack.Starved(e.stack, e.after, e.cpu) &&
		(l.trial.patience == 0 || e.cpu < budget.Rounded(l.trial.patience))
	return e
}
