package bug

import (
	"math"
	"syscall"
	"time"
)

// A Watch follows one search for a bug.
type Watch struct {
	Most  int           // values
	Limit time.Duration // CPU time until the bug shows

	Found  bool
	Values int           // up to the first that shows the bug
	CPU    time.Duration // until then
	Size   int           // of the smallest value that has shown it: bytes of its literal, or calls

	start time.Duration
	over  bool
}

// endless returns a Watch for a search that something else ends.
func endless() *Watch { return &Watch{Most: math.MaxInt, Limit: math.MaxInt64} }

// Begin starts the clock.
func (w *Watch) Begin() { w.start = cpu() }

// begin is called with each value. It reports whether the search is over.
func (w *Watch) begin() bool {
	if w.Found || w.over {
		return w.over
	}
	w.Values++
	w.over = w.Values > w.Most || w.Values%16 == 0 && cpu()-w.start > w.Limit
	return w.over
}

func (w *Watch) found(size int) {
	if !w.Found {
		w.Found, w.CPU, w.Size = true, cpu()-w.start, size
	}
	w.Size = min(w.Size, size)
}

// cpu returns the CPU time of the process.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
