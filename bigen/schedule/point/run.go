package point

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/exp/slices"
)

// A run is one call of Run.
type run struct {
	delays   func(goroutine int) []int
	panicked func(value any)
	records  bool // what goroutines touch
	traces   bool // where that is
	touched  []touch
	verifies bool        // whether the goroutine that passes points is the one that has the turn
	apart    atomic.Bool // points do nothing
	cleaned  atomic.Bool // a cleanup or finalizer has ended
	timed    bool        // goroutines have waited for time to pass

	current  *goroutine   // the one that runs; nil while the next is chosen
	outside  atomic.Int32 // goroutines that wait in code without points
	turns    atomic.Int64 // how many there have been
	alive    int          // goroutines that have not ended
	long     int          // turns that were interrupted
	patience int          // turns that others may give up until goroutines that are late continue
	ending   Ending       // why the run ends before its goroutines do; "" as long as it does not
	objects  [64]*object  // by their hashes
	explain  func(stuck bool) (text string, fails bool)

	events  []Event
	ended   int     // how many events there were until main ended, or 0
	loops   []Event // of a goroutine that does not end
	foreign string  // about a goroutine that the run does not know

	bubble  any           // of the run, until it ends; nil if nobody else can be in it
	mu      hiddenMutex   // guards states and what follows: several goroutines may wake up at once
	all     []*goroutine  // by number
	queue   []*goroutine  // in the order in which they get a turn
	arrived chan struct{} // has an element if a goroutine has woken up
	over    chan struct{} // is closed at the end
}

// A hiddenMutex is a lock that the race detector does not see.
type hiddenMutex struct{ mu sync.Mutex }

func (m *hiddenMutex) Lock() {
	hide()
	m.mu.Lock()
}

func (m *hiddenMutex) Unlock() {
	m.mu.Unlock()
	show()
}

// active is the run, or nil.
var active atomic.Pointer[run]

// one is held by the run.
var one sync.Mutex

// A state says what a goroutine does.
type state int

const (
	blocked state = iota // it waits for what other goroutines do, or has not begun
	ready                // it waits for its turn
	running
	locked  // it waits for an object
	outside // it waits in code without points
	late    // it is ready, but lets time pass
	ended
)

// A goroutine is a goroutine of a run.
type goroutine struct {
	run    *run
	id     int
	wake   chan struct{}
	points int   // how many it has passed
	stop   int   // the point at which it calls pause
	turn   int   // the point at which its turn began
	delays []int // the points at which it is delayed, in their order
	state  state
	due    time.Time  // when it has been late for long enough
	lates  int        // how often it has been
	header string     // of its stack
	pulled string     // the header of an iterator of iter.Pull that it runs, or ""
	pages  [8]uintptr // parts of its stack
	exits  bool       // because the run is ending
	on     any        // the object that it waits for
	holds  []held     // locks
	let    bool       // the object has let it through
	last   Event      // the last one that it has recorded
}

// tracing is whether runs record the places of all points that they pass.
var tracing atomic.Bool

// traced is what the last run has recorded.
var traced []*Event

// Trace calls f, and returns the points that the last run within f has passed, in order. At each,
// the goroutine had a turn, or was delayed.
func Trace(f func()) []*Event {
	traced = nil
	tracing.Store(true)
	defer tracing.Store(false)
	f()
	return traced
}

// Run runs main and the goroutines that it starts, in a bubble of testing/synctest whose Wait is
// wait. One goroutine runs at a time, until it waits or ends. Then the first that can run gets the
// turn, which is the one with the lowest number: main is 0, and others are numbered in the order of
// their go statements. A delay before a point of a goroutine makes it the last.
//
// If records is true, the result also has the points at which goroutines used what others used. If
// verifies is true, the run notices each goroutine that it has not started, which takes as much
// time as some turns; otherwise, it notices some.
//
// If a goroutine panics, except main, panicked is called while the panic is being recovered.
func Run(
	delays func(goroutine int) []int, records, verifies bool, wait func(), main func(),
	panicked func(value any),
) Result {
	one.Lock()
	defer one.Unlock()
	r := &run{delays: delays, records: records || tracing.Load(), traces: tracing.Load(),
		verifies: verifies || strays.Load() > 0, panicked: panicked}
	beginRaces()
	r.run(wait, main)
	return r.result()
}

// Within is Run without delays, or with what [Explain] has set, while the goroutine that has the
// turn in a run waits for it. It reports whether all goroutines have ended, and whether some run
// without end.
func Within(wait, main func()) (ended, loops bool) {
	r := &run{delays: func(int) []int { return nil }, panicked: func(any) {}}
	r.run(wait, main)
	return r.alive == 0 && r.ending == "", r.ending == Livelock
}

func (r *run) run(wait, main func()) {
	r.arrived, r.over = make(chan struct{}, 1), make(chan struct{})
	if r.bubble = acquire(); r.bubble != nil {
		release(r.bubble)
	}
	r.spawn()
	outer := active.Swap(r)
	go Child{r.all[0]}.Run(main)
	r.schedule(wait)
	r.leave()
	happensAfter(r)
	active.Store(outer)
	close(r.over)
}

// schedule gives turns until no goroutine can run.
//
//go:norace
func (r *run) schedule(wait func()) {
	for turns := 0; ; turns++ {
		r.turns.Add(1)
		wait()
		g, alive := r.next()
		switch {
		case g != nil:
			if turns > mostTurns && r.ending == "" {
				r.ending, r.loops = Livelock, []Event{g.last}
			}
			hide()
			g.wake <- struct{}{}
			show()
		case alive > 0 && r.afterCleanups():
		case alive == 0 || turns > 2*mostTurns || !r.timePasses():
			return
		}
	}
}

// next begins the turn of a goroutine, and returns it, or nil if none can run, and how many
// have not ended.
//
//go:norace
func (r *run) next() (g *goroutine, alive int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if g := r.current; g != nil && g.state == running {
		g.state = outside
		r.outside.Add(1)
	}
	return r.choose(), r.alive
}

// choose begins the turn of the first goroutine that can run, and returns it, or nil.
//
//go:norace
func (r *run) choose() *goroutine {
	r.current = nil
	for _, g := range r.queue {
		if g.state == ready {
			g.state, g.turn = running, g.points
			g.stop = g.points + longTurn
			if len(g.delays) > 0 {
				g.stop = min(g.stop, g.delays[0])
			}
			r.current = g
			return g
		}
	}
	return nil
}

// leave keeps others from entering the bubble.
//
//go:norace
func (r *run) leave() {
	r.mu.Lock()
	r.bubble = nil
	r.mu.Unlock()
}

// self returns the goroutine that calls it. This is the one that has the turn, unless others wait
// in code without points: a goroutine that no longer waits there waits for its turn.
func (r *run) self() *goroutine {
	if r.apart.Load() {
		return nil
	}
	if r.outside.Load() == 0 {
		if g := r.current; g != nil && (!r.verifies && cleaning.Load() == 0 || g.calls()) {
			return g
		}
		return r.meets()
	}
	own := header()
	r.mu.Lock()
	if g := r.current; g != nil && g.header == own {
		r.mu.Unlock()
		return g
	}
	var back *goroutine
	for _, g := range r.all {
		if g.state == outside && g.header == own {
			back = g
		}
	}
	if back == nil {
		r.mu.Unlock()
		return r.meets()
	}
	r.outside.Add(-1)
	r.mu.Unlock()
	back.arrive()
	return back
}

// forever is longer than any timer runs.
const forever = 100 * 365 * 24 * time.Hour

// become changes the state of goroutines, and reports whether there are some.
//
//go:norace
func (r *run) become(from, to state) (some bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, g := range r.all {
		if g.state == from {
			g.state, some = to, true
		}
	}
	return some
}

// spawn returns a new goroutine.
//
//go:norace
func (r *run) spawn() *goroutine {
	r.mu.Lock()
	defer r.mu.Unlock()
	g := &goroutine{run: r, id: len(r.all), wake: make(chan struct{}, 1)}
	g.delays = r.delays(g.id)
	r.all = append(r.all, g)
	r.queue = append(r.queue, g)
	r.alive++
	return g
}

// forget undoes the spawning of a goroutine that has not begun.
//
//go:norace
func (r *run) forget(g *goroutine) {
	g.state = ended
	r.alive--
}

//go:norace
func (r *run) begins(g *goroutine) {
	r.mu.Lock()
	defer r.mu.Unlock()
	g.state = blocked
	r.alive++
}

// end is deferred in each goroutine.
//
//go:norace
func (g *goroutine) end() {
	why := "ends"
	if v := recover(); v != nil {
		why = "panics"
		if g.run.ending == "" {
			g.run.ending = Panic
		}
		g.run.panicked(v)
	}
	g.note(why, 2)
	if g.id == 0 && g.run.ending == "" {
		g.run.ended = len(g.run.events)
	}
	g.run.mu.Lock()
	if g.state == outside {
		g.run.outside.Add(-1)
	}
	g.state = ended
	g.run.alive--
	g.run.mu.Unlock()
	if raceDetector && g.id < mostKept {
		hide()
		<-g.run.over
		show()
	}
}

// mostKept is how many goroutines end only with the run, because the race detector soon forgets
// what an ended goroutine has accessed. It allows 8128 goroutines at once.
const mostKept = 4096

// block is called before an operation that may wait, and arrive after it.
//
//go:norace
func (g *goroutine) block(why string) {
	if g == nil {
		return
	}
	g.note(why, 2)
	g.run.mu.Lock()
	defer g.run.mu.Unlock()
	g.state = blocked
}

//go:norace
func (g *goroutine) arrive() {
	if g == nil {
		return
	}
	r := g.run
	r.mu.Lock()
	g.state = ready
	r.mu.Unlock()
	r.tell()
	g.sleep()
	if g.points == 0 {
		if r.traces {
			g.touch(nil)
		}
		g.pause()
	}
}

// tell lets the run look for a goroutine that can run, if it waits for one.
func (r *run) tell() {
	hide()
	select {
	case r.arrived <- struct{}{}:
	default:
	}
	show()
}

// sleep waits for the next turn. If the run is ending, the goroutine ends, too.
//
//go:norace
func (g *goroutine) sleep() {
	hide()
	<-g.wake
	show()
	if g.run.ending != "" && !g.exits {
		g.exits, g.delays = true, nil
		runtime.Goexit()
	}
}

// yield gives the turn to the other goroutines.
//
//go:norace
func (g *goroutine) yield(why string) {
	g.note(why, 3)
	r := g.run
	if r.patience > 0 {
		if r.patience--; r.patience == 0 {
			r.become(late, ready) // no time passes while goroutines only give each other the turn
		}
	}
	r.mu.Lock()
	g.state = ready
	for i := slices.Index(r.queue, g); i < len(r.queue)-1; i++ {
		r.queue[i], r.queue[i+1] = r.queue[i+1], g
	}
	r.mu.Unlock()
	g.sleep()
}

// wait waits until an object is released.
//
//go:norace
func (g *goroutine) wait(on any, why string) {
	g.note(why, 2)
	g.run.mu.Lock()
	g.state, g.on = locked, on
	g.run.mu.Unlock()
	g.sleep()
}

// release lets the goroutines that wait for an object look again.
//
//go:norace
func (g *goroutine) release(on any) {
	g.run.mu.Lock()
	defer g.run.mu.Unlock()
	for _, other := range g.run.all {
		if other.state == locked && other.on == on {
			other.state = ready
		}
	}
}
