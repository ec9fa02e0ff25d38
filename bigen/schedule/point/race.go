//go:build race

package point

import (
	"runtime"
	"unsafe"
)

// Turns order all accesses of a run. The race detector must not see that: it would find no data race. So
// what a goroutine does to give or get a turn is between hide and show, and functions that write to the
// memory of a run, which goroutines share, are marked as go:norace. The operations of the standard
// library remain visible, and what stands in for one says what that orders.

const raceDetector = true

// hide keeps what the calling goroutine does from the race detector until show, except memory accesses. So
// nothing in between calls what has a sync.Once, a pool or the like, as package fmt has.
func hide() { runtime.RaceDisable() }

func show() { runtime.RaceEnable() }

// happensBefore orders what the calling goroutine has done before what others do once they have called
// happensAfter with the same place.
func happensBefore[T any](p *T) { runtime.RaceReleaseMerge(unsafe.Pointer(p)) }

func happensAfter[T any](p *T) { runtime.RaceAcquire(unsafe.Pointer(p)) }

// raceErrors returns how many data races the race detector has found in this process.
func raceErrors() int { return runtime.RaceErrors() }
