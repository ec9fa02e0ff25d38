package linear

import (
	"fmt"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/internal/live"
	"github.com/espalier-go/espalier/choices"
)

// A machine is the [bigen.Machine] of one sequence. Each call draws its thread last.
//
// What a call of a thread makes, such as an iterator, exists in this thread only: other threads
// may run before it is made. So calls that use it have the same thread, and after it no call
// runs alone, so that nothing outlives the goroutine.
type machine struct {
	live.Machine
	m      *Model
	inside bool           // the last call was of a thread
	last   int            // this thread
	meet   bool           // calls of two threads run at once
	owners map[string]int // the threads that have made instances
}

// begin begins to make a sequence, or to read s.
func (m *Model) begin(gen *bigen.C, s []Call) (bigen.Machine[Call], []Call) {
	first, _ := split(s)
	inner, drawn := m.live.Begin(gen, first)
	x := &machine{Machine: inner, m: m}
	if drawn == nil {
		return x, nil
	}
	return x, []Call{append(Call{0}, drawn...)}
}

// split returns what was drawn before the calls, and the calls.
func split(s []Call) (first []any, calls []Call) {
	if len(s) > 0 && s[0].op() == live.Setup {
		return s[0][1:], s[1:]
	}
	return []any{live.Setup}, s
}

func (x *machine) Offer() []choices.Alt { return x.Machine.Offer() }

// End implements [bigen.Ender].
func (x *machine) End() {
	if e, ok := x.Machine.(bigen.Ender); ok {
		e.End()
	}
}

// Stops makes it unlikely that a sequence of a [live.Serial] ends before calls run at once, or
// before one that runs alone tells what has become of that.
func (x *machine) Stops() float64 {
	switch {
	case x.m.serial == nil:
		return x.Machine.Stops()
	case !x.meet:
		return 0.1
	case x.inside:
		return 0.3
	}
	return 1
}

func (x *machine) Find(gen *bigen.C, call *Call) int {
	if call.thread() < 0 {
		gen.Refuse("a call does not begin with the number of a thread and the name of an operation")
	}
	return x.Machine.Find(gen, call.op())
}

func (x *machine) Step(gen *bigen.C, n int, call *Call) {
	thread := 0
	if gen.Backward() {
		thread = call.thread()
		x.Machine.Step(n, (*call)[1:])
		bigen.Part(gen, threadPart, &thread, x.where())
	} else {
		inner := x.Machine.Step(n, nil)
		bigen.Part(gen, threadPart, &thread, x.where())
		*call = append(append(make(Call, 0, 1+len(inner)), thread), inner...)
	}
	x.meet = x.meet || x.inside && thread > 0 && thread != x.last
	x.last = thread
	if x.inside = thread > 0; x.inside {
		made, _, _ := x.Uses()
		for _, name := range made {
			if x.owners == nil {
				x.owners = map[string]int{}
			}
			x.owners[name] = thread
		}
	}
}

// threadPart is the name under which trees have the thread. No argument should have it.
const threadPart = "linear.thread"

// where returns the generator of the thread of the last call.
func (x *machine) where() bigen.Gen[int] {
	owner := anyThread
	_, used, own := x.Uses()
	for _, name := range own {
		if x.owners[name] == 0 {
			return x.m.where[0]
		}
	}
	for _, name := range used {
		switch of := x.owners[name]; {
		case of == 0 || of == owner:
		case owner == anyThread:
			owner = of
		default:
			return x.m.where[0] // alone: at least they have been made
		}
	}
	switch {
	case owner != anyThread:
		return x.m.where[2+owner]
	case len(x.owners) > 0:
		return x.m.where[1]
	case x.inside:
		return x.m.where[2]
	}
	return x.m.where[2+x.m.threads+1]
}

const anyThread = 0

// How many calls in a row are of threads, and how many alone, on average.
const (
	threadedRun = 8
	aloneRun    = 3
)

// places returns generators of threads: of a call that runs alone; that does not; that follows
// one of a thread; that is of thread 1, 2, and so on; and that follows one that runs alone.
func (m *Model) places() []bigen.Gen[int] {
	place := func(n int) bigen.Alt[int] {
		if n == 0 {
			return bigen.Tag("alone", bigen.Just(0))
		}
		return bigen.Tag(fmt.Sprint("thread ", n), bigen.Just(n))
	}
	threads := make([]bigen.Alt[int], m.threads)
	for i := range threads {
		threads[i] = place(1 + i)
	}
	or := func(alone float64) bigen.Gen[int] {
		return bigen.Pick(append([]bigen.Alt[int]{place(0).Weight(alone * float64(m.threads))},
			threads...)...)
	}
	all := []bigen.Gen[int]{bigen.Pick(place(0)), bigen.Pick(threads...), or(1. / threadedRun)}
	for i := range threads {
		all = append(all, bigen.Pick(threads[i]))
	}
	if m.serial != nil {
		return append(all, or(1)) // what leads to a bug is less than what needs several threads
	}
	return append(all, or(aloneRun))
}
