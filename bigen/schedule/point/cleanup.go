package point

import (
	"reflect"
	"runtime"
	"sync/atomic"
)

// A cleanup or finalizer runs in a goroutine of the runtime, at the same time as the goroutine that
// has the turn, and has no turns. It may take and release the locks of goroutines that have.

// cleaning is how many cleanups and finalizers run.
var cleaning atomic.Int32

// AddCleanup is runtime.AddCleanup.
func AddCleanup[T, S any](ptr *T, cleanup func(S), arg S) runtime.Cleanup {
	return runtime.AddCleanup(ptr, func(arg S) {
		defer cleans()()
		cleanup(arg)
	}, arg)
}

// SetFinalizer is runtime.SetFinalizer.
func SetFinalizer(obj, finalizer any) {
	f := reflect.ValueOf(finalizer)
	if f.Kind() != reflect.Func {
		runtime.SetFinalizer(obj, finalizer)
		return
	}
	call := func(args []reflect.Value) []reflect.Value {
		defer cleans()()
		return f.Call(args)
	}
	runtime.SetFinalizer(obj, reflect.MakeFunc(f.Type(), call).Interface())
}

// cleans is called when a cleanup begins. The result is called at its end. Neither orders anything.
func cleans() (done func()) {
	hide()
	defer show()
	cleaning.Add(1)
	return func() {
		hide()
		defer show()
		if r := active.Load(); r != nil {
			r.cleaned.Store(true)
		}
		cleaning.Add(-1)
	}
}

// afterCleanups has goroutines look again for locks that cleanups may have released. It reports
// whether there are such goroutines.
func (r *run) afterCleanups() bool {
	if !r.cleaned.Load() && cleaning.Load() == 0 {
		return false
	}
	for range mostCleaning {
		if cleaning.Load() == 0 {
			break
		}
		runtime.Gosched()
	}
	if !r.cleaned.Swap(false) {
		return false // one waits for a goroutine of the run
	}
	return r.become(locked, ready)
}

// mostCleaning is how often a run lets other goroutines run until cleanups end.
const mostCleaning = 1_000_000
