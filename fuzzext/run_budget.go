package fuzzext

import (
	"time"

	"github.com/espalier-go/espalier/internal/cputime"
)

// A budget measures how much time a Check has spent on something. CPU time counts, so that a
// busy machine does not make a Check do less. The clock alone counts only after several times
// as long, for a property that waits.
type budget struct {
	began time.Time
	cpu   time.Duration // of the process
	known bool
}

// clockFactor is how many times as long as its CPU time the clock may take.
const clockFactor = 10

func newBudget() budget {
	b := budget{began: time.Now()}
	b.cpu, b.known = cputime.Process()
	return b
}

// used returns the CPU time of the process since the beginning, or the time of the clock where
// the system does not tell.
func (b *budget) used() time.Duration {
	if now, ok := cputime.Process(); ok && b.known {
		return now - b.cpu
	}
	return time.Since(b.began)
}

// over reports whether as much has been spent. Checks that run in parallel share the CPU time.
func (b *budget) over(most time.Duration) bool {
	wall := time.Since(b.began)
	return wall >= clockFactor*most || wall >= most && b.used()/time.Duration(max(1, checking.running())) >= most
}

// after calls f when a budget is over, unless the trial has ended.
func (s *trial) after(most time.Duration, f func()) {
	b := newBudget()
	ticks := make(chan *time.Timer, 1)
	timer := time.AfterFunc(most, func() {
		timer := <-ticks
		ticks <- timer
		s.mu.Lock()
		over := s.over
		s.mu.Unlock()
		switch {
		case over:
		case b.over(most):
			f()
		default:
			timer.Reset(max(most/20, time.Millisecond))
		}
	})
	ticks <- timer
	s.timers = append(s.timers, timer)
}
