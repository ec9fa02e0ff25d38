package seqbugs

import (
	"time"

	"github.com/jonboulle/clockwork"
)

// A Clock is a fake clock of clockwork, which schedules timers. Planted by "clock reset": a
// timer that has been stopped does not begin again as long as another one is running. Planted by
// "clock equal": a timer that ends together with one that began earlier does not fire.
type Clock struct {
	clock  *clockwork.FakeClock
	timers []*Timer
}

// NewClock returns a clock.
func NewClock() *Clock { return &Clock{clock: clockwork.NewFakeClockAt(time.Unix(0, 0))} }

// Advance lets some seconds pass.
func (c *Clock) Advance(seconds int) {
	called("")
	c.clock.Advance(time.Duration(seconds) * time.Second)
}

// A Timer fires once.
type Timer struct {
	clock      *Clock
	timer      clockwork.Timer
	begin, end int64
	stopped    bool
}

// Timer begins a timer.
func (c *Clock) Timer(seconds int) *Timer {
	now := c.clock.Now().Unix()
	t := &Timer{clock: c, timer: c.clock.NewTimer(time.Duration(seconds) * time.Second), begin: now, end: now + int64(seconds)}
	if called("clock equal") {
		for _, u := range c.timers {
			if u.end == t.end && u.begin < now && !u.stopped {
				t.timer.Stop()
			}
		}
	}
	c.timers = append(c.timers, t)
	return t
}

// Stop stops the timer, and reports whether it was running.
func (t *Timer) Stop() bool {
	called("")
	t.stopped = true
	return t.timer.Stop()
}

// Reset begins the timer again, and reports whether it was running.
func (t *Timer) Reset(seconds int) bool {
	now := t.clock.clock.Now().Unix()
	if called("clock reset") && t.stopped {
		for _, u := range t.clock.timers {
			if u != t && !u.stopped && u.end > now {
				return false
			}
		}
	}
	t.stopped, t.begin, t.end = false, now, now+int64(seconds)
	return t.timer.Reset(time.Duration(seconds) * time.Second)
}

// Fired reports whether the timer has fired since it was last asked.
func (t *Timer) Fired() bool {
	called("")
	select {
	case <-t.timer.Chan():
		return true
	default:
		return false
	}
}
