//go:build race

package point

import (
	"runtime"
	"unsafe"
)

// Turns order all accesses of a run. The race detector must not see this order, or else it would
// find no data race. So what a goroutine does to give or get a turn is between hide and show, and
// functions that write to the memory of a run, which goroutines share, are marked as go:norace. The
// operations of the standard library remain visible, and code that replaces one says what the
// operation orders.

const raceDetector = true

// hide hides what the calling goroutine does from the race detector until show, except memory
// accesses. So nothing in between may call code with a sync.Once, a pool or the like, such as
// package fmt.
func hide() { runtime.RaceDisable() }

func show() { runtime.RaceEnable() }

// happensBefore orders what the calling goroutine has done before what others do after they call
// happensAfter with the same place.
func happensBefore[T any](p *T) { runtime.RaceReleaseMerge(unsafe.Pointer(p)) }

func happensAfter[T any](p *T) { runtime.RaceAcquire(unsafe.Pointer(p)) }

// raceErrors returns how many data races the race detector has found in this process.
func raceErrors() int { return runtime.RaceErrors() }
