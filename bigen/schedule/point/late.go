package point

import "time"

// Late is how late a goroutine is that a schedule delays again at the same point: as a goroutine
// may be that another program keeps from its processor.
const Late = 5 * time.Millisecond

// mostLate is how often a goroutine is late in a run. So what sleeps for much longer comes later.
const mostLate = 4

// late lets time pass, so that other goroutines wake up, until the goroutine has been late for
// Late, no other goroutine can run, or the others have given up the turn mostPatience times: they may
// wait for this one.
//
//go:norace
func (g *goroutine) late() {
	if g.lates++; g.lates > mostLate {
		return
	}
	g.note("late", 3)
	g.run.patience = mostPatience
	g.run.mu.Lock()
	g.state, g.due = late, time.Now().Add(Late)
	g.run.mu.Unlock()
	g.sleep()
}

// mostPatience is how many turns others give up while a goroutine is late.
const mostPatience = 100

// timePasses lets the time of the bubble pass until a goroutine can run. It reports false if that
// does not happen.
func (r *run) timePasses() bool {
	begun := time.Now()
	timer := time.NewTimer(r.untilDue(begun))
	defer timer.Stop()
	hide()
	defer show()
	select {
	case <-r.arrived:
		r.timed = r.timed || time.Now().After(begun)
		return true
	case <-timer.C:
		return r.become(late, ready)
	}
}

// untilDue returns how long to wait for goroutines that wake up, until those that are late
// continue.
//
//go:norace
func (r *run) untilDue(now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	left := forever
	for _, g := range r.all {
		if g.state == late {
			left = min(left, g.due.Sub(now))
		}
	}
	return left
}
