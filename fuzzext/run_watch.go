package fuzzext

import (
	"time"

	"github.com/espalier-go/espalier/fuzzext/internal/budget"
)

// newT returns the T of a run. Each run has its own: otherwise what a goroutine of an
// earlier run reports would count for a later one.
func (s *trial) newT(index int) *T {
	if len(s.fresh) == 0 {
		s.fresh = make([]T, 1+max(0, min(index, 15))) // fewer allocations, where there are many runs
	}
	t := &s.fresh[0]
	s.fresh = s.fresh[1:]
	t.testingTB, t.trial, t.index = s.tb, s, index
	return t
}

// recycle takes back the record of a run, if there is one, that has ended and that nobody will ask about.
func (s *trial) recycle(t *T) {
	if t == nil {
		return
	}
	t.mu.Lock()
	r := t.rec
	t.rec = nil
	t.mu.Unlock()
	if r == nil {
		return
	}
	r.removeArtifacts()
	r.reset()
	s.mu.Lock()
	s.spare = r
	s.mu.Unlock()
}

// maxHangs is how many runs are left behind at most.
const maxHangs = 3

// leaveRunsBehind makes the trial continue behind a run that does not return.
func (s *trial) leaveRunsBehind(most time.Duration) {
	const share, longest = 50, 3 * time.Second // so that those that wait leave time for others
	if s.goesOn = true; s.patience > 0 {
		return
	}
	if !s.hangAt.IsZero() && (most == 0 || time.Until(s.hangAt) < most) {
		most = time.Until(s.hangAt)
	}
	if s.patience = longest; most > 0 {
		s.patience = max(min(most/share, longest), time.Millisecond)
	}
}

// leaveBehind counts a run that has been abandoned. It reports whether the trial continues.
func (s *trial) leaveBehind() bool {
	if s.left.Add(1) >= maxHangs {
		return false
	}
	s.abandoned.Store(nil)
	return true
}

// wait waits until done is closed. It reports false if that has not happened at the
// deadline, unless that is zero, or if patience is at its end: then the run, if there is one, is
// abandoned. It watches the runs of a loop, or one that is outside of a loop.
func (s *trial) wait(done <-chan struct{}, deadline time.Time, loop bool) bool {
	switch {
	case deadline.IsZero() && s.patience == 0:
		<-done
		return true
	case deadline.IsZero():
		deadline = time.Now().Add(1000 * time.Hour)
	}
	watched := &watch{}
	tick := max(time.Until(deadline)/watches, time.Millisecond)
	if s.patience > 0 {
		tick = min(tick, s.patience/8+time.Millisecond)
	}
	timer := time.NewTimer(min(tick, time.Until(deadline)))
	defer timer.Stop()
	for more := true; more; {
		select {
		case <-done:
			return true
		case <-timer.C:
			if t := s.now.Load(); t != watched.run {
				watched = &watch{t, budget.New()}
			} else if s.patience > 0 && t != nil && (t.index >= 0) == loop && isOver(&watched.spent, s.patience) && t.abandon() {
				s.abandoned.Store(watched)
				return false
			}
			more = time.Now().Before(deadline)
			timer.Reset(max(0, min(tick, time.Until(deadline))))
		}
	}
	// Between two runs there is nothing to abandon. A run outside of the loop has a watcher of its
	// own, which knows its goroutine: that one comes first.
	if t := s.now.Load(); t == nil || loop && t.index < 0 || !t.abandon() {
		timer.Reset(time.Second / 2)
		select {
		case <-done:
			return true
		case <-timer.C:
		}
		if t := s.now.Load(); t != nil {
			t.abandon()
		}
	}
	s.abandoned.Store(watched)
	return false
}

// A watch is about the run that was there when wait last looked. It looks so many times.
type watch struct {
	run   *T
	spent budget.Budget // since then
}

const watches = 64

// stuck returns the run that has been abandoned, or nil, for how long it has run, or all of
// the trial has, and how much CPU time the process has used meanwhile.
func (s *trial) stuck() (t *T, after, cpu time.Duration) {
	spent := budget.Budget{Began: s.start}
	if t = s.now.Load(); t != nil && !t.isAbandoned() {
		t = nil
	}
	if w := s.abandoned.Load(); t != nil && w != nil && w.run == t {
		spent = w.spent
	}
	return t, budget.Rounded(time.Since(spent.Began)), budget.Rounded(spent.Used())
}
