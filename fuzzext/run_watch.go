package fuzzext

import (
	"time"

	"github.com/espalier-go/espalier/internal/budget"
)

// maxHangs is how many hanging runs a trial abandons before it ends, and how many more before it
// does not minimize failures any longer.
const maxHangs = 3

// leaveRunsBehind makes the trial continue after a run that does not return.
func (tr *trial) leaveRunsBehind(most time.Duration) {
	const share, longest = 50, 3 * time.Second // so that those that wait leave time for others
	if tr.skipsHangs = true; tr.patience > 0 {
		return
	}
	if !tr.hangAt.IsZero() && (most == 0 || time.Until(tr.hangAt) < most) {
		most = time.Until(tr.hangAt)
	}
	if tr.patience = longest; most > 0 {
		tr.patience = max(min(most/share, longest), time.Millisecond)
	}
}

// leaveBehind counts a run that has been abandoned. It reports whether the trial continues.
func (tr *trial) leaveBehind() bool {
	if tr.left.Add(1); tr.hasLeftMany() {
		return false
	}
	tr.abandoned.Store(nil)
	return true
}

// leaveAside counts a run that has been abandoned while a failure was minimized. The trial continues.
func (tr *trial) leaveAside() {
	tr.aside.Add(1)
	tr.leaveBehind()
}

// hasLeftMany reports whether so many runs have been abandoned that the trial ends.
func (tr *trial) hasLeftMany() bool { return tr.left.Load()-tr.aside.Load() >= maxHangs }

// wait waits until done is closed. It reports false if that has not happened at the
// deadline, unless that is zero, or if patience is at its end: then the run, if there is one, is
// abandoned. It watches the runs of a loop, or one that is outside of a loop.
func (tr *trial) wait(done <-chan struct{}, deadline time.Time, looping bool) bool {
	switch {
	case deadline.IsZero() && tr.patience == 0:
		<-done
		return true
	case deadline.IsZero():
		deadline = time.Now().Add(1000 * time.Hour)
	}
	watched := &watch{}
	tick := max(time.Until(deadline)/watches, time.Millisecond)
	if tr.patience > 0 {
		tick = min(tick, tr.patience/8+time.Millisecond)
	}
	timer := time.NewTimer(min(tick, time.Until(deadline)))
	defer timer.Stop()
	for more := true; more; {
		select {
		case <-done:
			return true
		case <-timer.C:
			if t := tr.now.Load(); t != watched.run {
				watched = &watch{t, budget.New()}
			} else if tr.patience > 0 && t != nil && (t.index >= 0) == looping &&
				isOver(&watched.spent, tr.patience) && t.abandon() {
				tr.abandoned.Store(watched)
				return false
			}
			more = time.Now().Before(deadline)
			timer.Reset(max(0, min(tick, time.Until(deadline))))
		}
	}
	// Between two runs there is nothing to abandon. A run outside of the loop has a watcher of its
	// own, which knows its goroutine: that one comes first.
	if t := tr.now.Load(); t == nil || looping && t.index < 0 || !t.abandon() {
		timer.Reset(time.Second / 2)
		select {
		case <-done:
			return true
		case <-timer.C:
		}
		if t := tr.now.Load(); t != nil {
			t.abandon()
		}
	}
	tr.abandoned.Store(watched)
	return false
}

const watches = 64

// stuck returns the run that has been abandoned, or nil, for how long it has run, or all of
// the trial has, and how much CPU time the process has used meanwhile.
func (tr *trial) stuck() (t *T, after, cpu time.Duration) {
	spent := budget.Budget{Began: tr.start}
	if t = tr.now.Load(); t != nil && !t.isAbandoned() {
		t = nil
	}
	if w := tr.abandoned.Load(); t != nil && w != nil && w.run == t {
		spent = w.spent
	}
	return t, budget.Rounded(time.Since(spent.Began)), budget.Rounded(spent.Used())
}
