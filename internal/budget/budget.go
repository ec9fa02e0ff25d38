// Package budget bounds what a part of the library spends.
package budget

import (
	"testing"
	"time"

	"github.com/espalier-go/espalier/internal/engine"
)

// A Budget measures how much time something has taken. CPU time counts, so that a busy machine
// does not change a result. The clock alone counts only after several times as long, for what
// waits.
type Budget struct {
	Began time.Time
	cpu   time.Duration // of the process
	known bool
}

// ClockFactor is how many times as long as its CPU time the clock may take.
const ClockFactor = 10

// New returns a budget that begins now.
func New() Budget {
	b := Budget{Began: time.Now()}
	b.cpu, b.known = engine.CPUTime()
	return b
}

// Used returns the CPU time of the process since the beginning, or the time of the clock where
// the system does not tell.
func (b *Budget) Used() time.Duration {
	if now, ok := engine.CPUTime(); ok && b.known {
		return now - b.cpu
	}
	return time.Since(b.Began)
}

// Over reports whether as much has been spent. Checks that run in parallel, so many, share the CPU
// time.
func (b *Budget) Over(most time.Duration, parallel int) bool {
	wall := time.Since(b.Began)
	return wall >= ClockFactor*most || wall >= most && b.Used()/time.Duration(max(1, parallel)) >= most
}

// Earlier returns the earlier of two times, a unless b is set.
func Earlier(a, b time.Time) time.Time {
	if b.IsZero() || a.Before(b) {
		return a
	}
	return b
}

// Rounded returns a time as a report shows it.
func Rounded(d time.Duration) time.Duration {
	if d < time.Second {
		return d.Round(time.Millisecond)
	}
	return d.Round(time.Second / 10)
}

// Deadline returns when the time limit of go test ends the test binary.
func Deadline(tb testing.TB) (time.Time, bool) {
	switch t := tb.(type) { // to find a method costs more than a value
	case *testing.T:
		return t.Deadline()
	case interface{ Deadline() (time.Time, bool) }:
		return t.Deadline()
	}
	return time.Time{}, false
}
