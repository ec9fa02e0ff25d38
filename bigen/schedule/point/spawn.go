package point

import (
	"reflect"
	"sync/atomic"
)

// A Child is a goroutine that is about to begin.
type Child struct{ g *goroutine }

// Spawn is called before a go statement.
func Spawn() Child {
	g := pass()
	if g == nil {
		return Child{}
	}
	return Child{g.run.spawn()}
}

// strays is how many goroutines have begun outside of a run, and have not ended.
var strays atomic.Int32

// stray changes strays. It orders nothing: the race detector would not see what go test -race sees.
func stray(delta int32) {
	hide()
	strays.Add(delta)
	show()
}

// Run runs the goroutine.
//
//go:norace
func (c Child) Run(f func()) {
	g := c.g
	if g == nil {
		stray(1)
		defer stray(-1)
		f()
		return
	}
	defer g.end()
	g.header = header()
	g.arrive()
	if raceDetector {
		numbered(g.id, f)
		return
	}
	f()
}

// Spawning is Spawn for a go statement that evaluates the arguments of its function itself.
// [Child.Spawned] follows the statement.
func Spawning() Child {
	c := Spawn()
	if c.g != nil {
		c.g.run.forget(c.g)
	}
	return c
}

// Spawned is called after the go statement: the evaluation of its arguments has not panicked.
//
//go:norace
func (c Child) Spawned() {
	if c.g != nil {
		c.g.run.mu.Lock()
		c.g.run.alive++
		c.g.run.mu.Unlock()
	}
}

// Runs returns a function of the type of f, which the goroutine of a child calls.
func Runs[F any](c Child, f F) F {
	if c.g == nil {
		return f
	}
	v := reflect.ValueOf(f)
	return reflect.MakeFunc(v.Type(), func(args []reflect.Value) (results []reflect.Value) {
		for i := range v.Type().NumOut() {
			results = append(results, reflect.Zero(v.Type().Out(i)))
		}
		c.Run(func() {
			if v.Type().IsVariadic() {
				v.CallSlice(args)
			} else {
				v.Call(args)
			}
		})
		return results
	}).Interface().(F)
}
