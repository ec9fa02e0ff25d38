package point

import "sync"

// A Pool is a sync.Pool whose methods are points. In a run, Get returns the value that was
// put last.
type Pool sync.Pool

// Get is sync.Pool.Get.
func (p *Pool) Get() any {
	g := pass()
	if g == nil {
		return (*sync.Pool)(p).Get()
	}
	if v := g.run.object(p).take(); v != nil || p.New == nil {
		return v
	}
	return p.New()
}

// Put is sync.Pool.Put.
func (p *Pool) Put(v any) {
	g := pass()
	if g == nil {
		(*sync.Pool)(p).Put(v)
	} else if v != nil {
		g.run.object(p).put(v)
	}
}

//go:norace
func (o *object) put(v any) {
	happensBefore(&v)
	o.free = append(o.free, &v)
}

//go:norace
func (o *object) take() any {
	last := len(o.free) - 1
	if last < 0 {
		return nil
	}
	v := o.free[last]
	o.free = o.free[:last]
	happensAfter(v)
	return *v
}

// A Once is a sync.Once whose methods are points.
type Once sync.Once

// Do is sync.Once.Do.
func (o *Once) Do(f func()) { guard(o, func() { (*sync.Once)(o).Do(f) }) }

// guard calls f, unless another call for the same object has not returned. Then it waits for
// that call.
func guard(p any, f func()) {
	g := passAt(p)
	if g == nil {
		f()
		return
	}
	defer g.begin(p).end()
	f()
}

// begin begins a call for an object when no other goroutine has one.
//
//go:norace
func (g *goroutine) begin(p any) *object {
	o := g.run.object(p)
	for o.owner != nil {
		g.wait(p, "Once.Do")
	}
	o.owner = g
	return o
}

//go:norace
func (o *object) end() {
	g := o.owner
	o.owner = nil
	g.release(o.p)
}

// OnceFunc is sync.OnceFunc.
func OnceFunc(f func()) func() {
	f = sync.OnceFunc(f)
	key := new(int)
	return func() { guard(key, f) }
}

// OnceValue is sync.OnceValue.
func OnceValue[T any](f func() T) func() T {
	f = sync.OnceValue(f)
	key := new(int)
	return func() (v T) {
		guard(key, func() { v = f() })
		return v
	}
}

// OnceValues is sync.OnceValues.
func OnceValues[T, U any](f func() (T, U)) func() (T, U) {
	f = sync.OnceValues(f)
	key := new(int)
	return func() (v T, w U) {
		guard(key, func() { v, w = f() })
		return v, w
	}
}
