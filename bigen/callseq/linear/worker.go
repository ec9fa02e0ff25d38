package linear

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"unsafe"
)

// marked calls f so that callers of f can be told to be of worker w.
//
//go:noinline
func marked(w int, f func()) {
	if w == 0 {
		f()
		return
	}
	marked(w-1, f)
}

// The return addresses of the calls in marked.
var ofLast, ofOther = marks()

func marks() (last, other uintptr) {
	marked(2, func() {
		var pcs [4]uintptr
		runtime.Callers(2, pcs[:])
		last, other = pcs[0], pcs[1]
	})
	return last, other
}

// worker returns which worker the goroutine is, or for which worker a call has started it, or
// -1. It asks the runtime for the number of the goroutine last: that takes long, and a lock
// that would make workers wait for each other.
func (x *trial) worker() int {
	if w := x.workerByStack(); w >= 0 {
		return w
	}
	var pcs [64]uintptr
	above := pcs[:runtime.Callers(3, pcs[:])]
	if i := slices.Index(above, ofLast); i >= 0 {
		w := 0
		for i++; i < len(above) && above[i] == ofOther; i++ {
			w++
		}
		return w
	}
	for _, id := range [...]uint64{goroutine(), creator()} {
		for w := range x.places {
			if x.places[w].id.Load() == id {
				return w
			}
		}
	}
	return -1
}

// A place is where a worker runs.
type place struct {
	id    atomic.Uint64  // of its goroutine
	stack atomic.Uintptr // an address in its stack: see stackOf
}

// maxDepth is how far below the address of a worker its stack is known to be.
const maxDepth = 8 << 10

// workerByStack returns the worker above whose call the goroutine's stack is, or -1. The race
// detector would take the loads for an order of the calls.
func (x *trial) workerByStack() int {
	if raceEnabled {
		return -1
	}
	here, found := stackAddress(), -1
	for w := range x.places {
		if d := x.places[w].stack.Load() - here; d < maxDepth {
			if found >= 0 {
				return -1
			}
			found = w
		}
	}
	return found
}

// settle makes sure that the address of the worker's stack is known. It returns it.
func (p *place) settle() uintptr {
	here := stackAddress()
	if d := p.stack.Load() - here; d < maxDepth/2 {
		return here
	}
	p.stack.Store(here + 256)
	return here
}

// stackAddress returns an address in the stack of the goroutine, which the runtime may move.
//
//go:noinline
func stackAddress() uintptr {
	var here byte
	return uintptr(unsafe.Pointer(&here))
}

// grow makes the stack larger than most calls need, so that it need not move.
//
//go:noinline
func grow() byte {
	var room [4 * maxDepth]byte
	return room[len(os.Args)%len(room)]
}

// goroutine returns the number of the goroutine.
func goroutine() uint64 {
	var buf [40]byte
	return numberIn(string(buf[:runtime.Stack(buf[:], false)]), "goroutine ")
}

// creator returns the number of the goroutine that has started this one.
func creator() uint64 {
	buf := make([]byte, 64<<10)
	stack := string(buf[:runtime.Stack(buf, false)])
	return numberIn(stack[strings.LastIndex(stack, "\ncreated by ")+1:], " in goroutine ")
}

// numberIn returns the number that follows a text in s, or 0.
func numberIn(s, text string) (n uint64) {
	_, s, _ = strings.Cut(s, text)
	for i := 0; i < len(s) && '0' <= s[i] && s[i] <= '9'; i++ {
		n = 10*n + uint64(s[i]-'0')
	}
	return n
}
