// Package remade counts what takes so long to make that it should be made once, such as a
// derived generator. What is made while a generator runs is made again for each value.
//
// bigen counts here what it makes, and bigentest and fuzzext read the count. It is not for users,
// so bigen does not export it.
package remade

import "sync/atomic"

var (
	count atomic.Int64
	last  atomic.Pointer[string]
)

// Note counts one thing and keeps its name.
func Note(what string) {
	last.Store(&what)
	count.Add(1)
}

// A Watch finds out in how many runs of a generator something is made. The zero value is
// ready to use, by one goroutine.
type Watch struct {
	runs, makers int
	before       int64
	what         string
}

// Begin notes what has been made before a run.
func (w *Watch) Begin() { w.before = count.Load() }

// End is called after the run.
func (w *Watch) End() {
	w.runs++
	if count.Load() != w.before {
		w.makers++
		w.what = *last.Load()
	}
}

// Advice says what the generator makes anew in most runs, or returns "".
func (w *Watch) Advice() string {
	const enough = 10
	if w.makers < enough || w.makers*2 < w.runs {
		return ""
	}
	return "the generator makes " + w.what +
		" anew for most values, which takes long: make it once, in a variable outside of the " +
		"functions that run for each value, or by a bigen.Family if it depends on them"
}
