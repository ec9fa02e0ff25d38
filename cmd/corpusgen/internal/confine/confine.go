// Package confine lets the system keep processes that run what is tested from changing files
// elsewhere.
package confine

import (
	"runtime"
	"sync"
)

// Check returns an error if the system cannot confine processes.
var Check = sync.OnceValue(check)

// Do calls f. Processes that f starts, and those that these start, can make, change and remove
// files below some directories only, and signal only each other. They cannot change the owner, mode
// and times of any file.
func Do(dirs []string, f func() error) error {
	done := make(chan error)
	go func() {
		// What is denied is denied to the thread for good: it ends with this goroutine.
		runtime.LockOSThread()
		if isMain() {
			// The main thread stands for the process: what may signal it may signal this process.
			// While it is held here, another goroutine has another thread.
			defer runtime.UnlockOSThread()
			done <- Do(dirs, f)
			return
		}
		err := enter(dirs)
		if err == nil {
			err = f()
		}
		done <- err
	}()
	return <-done
}
