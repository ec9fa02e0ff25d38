package point

import (
	"runtime"
	"sync"
	"unsafe"

	"golang.org/x/exp/slices"
)

// An object is what a run knows about a lock or another object that goroutines wait for.
type object struct {
	owner   *goroutine   // the one that calls the function of a sync.Once
	writers int          // that hold a sync.RWMutex, or wait for it
	admits  int          // readers that have waited for a writer, and come before the next
	waiting []*goroutine // in Cond.Wait
	free    []*any       // values in a sync.Pool

	p    any
	next *object // with the same hash
}

// object returns what the run knows about an object, given a pointer to it.
//
//go:norace
func (r *run) object(p any) *object {
	at := &r.objects[(*[2]uintptr)(unsafe.Pointer(&p))[1]/16%uintptr(len(r.objects))]
	for o := *at; o != nil; o = o.next {
		if o.p == p {
			return o
		}
	}
	*at = &object{p: p, next: *at}
	return *at
}

// A Mutex is a sync.Mutex whose methods are points.
type Mutex sync.Mutex

// Lock is sync.Mutex.Lock.
func (m *Mutex) Lock() {
	g := passAt(m)
	if g == nil {
		(*sync.Mutex)(m).Lock()
		return
	}
	for !(*sync.Mutex)(m).TryLock() {
		g.wait(m, "Lock")
	}
	g.hold(m)
}

// TryLock is sync.Mutex.TryLock.
func (m *Mutex) TryLock() bool {
	g := passAt(m)
	return (*sync.Mutex)(m).TryLock() && g.hold(m)
}

// Unlock is sync.Mutex.Unlock.
func (m *Mutex) Unlock() {
	(*sync.Mutex)(m).Unlock()
	unlocked(m)
}

// unlocked is called when a lock has been released.
//
//go:norace
func unlocked(m any) {
	r := active.Load()
	if r == nil {
		return
	}
	g := r.self()
	if g == nil {
		return
	}
	for i := range r.all { // mostly the one that runs
		holder := r.all[(i+g.id)%len(r.all)]
		if i := slices.IndexFunc(holder.holds, func(h held) bool { return h.lock == m }); i >= 0 {
			last := len(holder.holds) - 1
			holder.holds[i] = holder.holds[last]
			holder.holds = holder.holds[:last]
			break
		}
	}
	g.release(m)
	passAt(m)
}

// A held is a lock that a goroutine has, and where it has locked it, if that is noted.
type held struct {
	lock any
	pcs  [4]uintptr
}

// hold records that a goroutine has a lock. It returns true. A method of the lock calls it.
//
//go:norace
func (g *goroutine) hold(m any) bool {
	if g != nil {
		g.holds = append(g.holds, held{lock: m})
		if notesLocks.Load() {
			runtime.Callers(3, g.holds[len(g.holds)-1].pcs[:])
		}
	}
	return true
}

// An RWMutex is a sync.RWMutex whose methods are points. A writer that waits keeps new readers
// waiting, and readers that have waited come before the next writer.
type RWMutex sync.RWMutex

// Lock is sync.RWMutex.Lock.
//
//go:norace
func (m *RWMutex) Lock() {
	g := passAt(m)
	if g == nil {
		(*sync.RWMutex)(m).Lock()
		return
	}
	o := g.run.object(m)
	o.writers++
	for o.admits > 0 || !(*sync.RWMutex)(m).TryLock() {
		g.wait(m, "Lock")
	}
	g.hold(m)
}

// TryLock is sync.RWMutex.TryLock.
//
//go:norace
func (m *RWMutex) TryLock() bool {
	g := passAt(m)
	if g == nil {
		return (*sync.RWMutex)(m).TryLock()
	}
	o := g.run.object(m)
	if o.writers > 0 || o.admits > 0 || !(*sync.RWMutex)(m).TryLock() {
		return false
	}
	o.writers++
	return g.hold(m)
}

// Unlock is sync.RWMutex.Unlock.
//
//go:norace
func (m *RWMutex) Unlock() {
	(*sync.RWMutex)(m).Unlock()
	if r := active.Load(); r != nil && r.self() != nil {
		o := r.object(m)
		o.writers = max(0, o.writers-1)
		for _, g := range r.all {
			if g.state == locked && g.on == any(m) && g.last.Why == "RLock" {
				g.let = true
				o.admits++
			}
		}
	}
	unlocked(m)
}

// RLock is sync.RWMutex.RLock.
//
//go:norace
func (m *RWMutex) RLock() {
	g := passAt(m)
	if g == nil {
		(*sync.RWMutex)(m).RLock()
		return
	}
	o := g.run.object(m)
	for !g.let && o.writers > 0 || !(*sync.RWMutex)(m).TryRLock() {
		g.wait(m, "RLock")
	}
	if g.let {
		g.let = false
		o.admits--
	}
	g.hold(m)
}

// TryRLock is sync.RWMutex.TryRLock.
func (m *RWMutex) TryRLock() bool {
	g := passAt(m)
	return (g == nil || g.run.object(m).writers == 0) && (*sync.RWMutex)(m).TryRLock() && g.hold(m)
}

// RUnlock is sync.RWMutex.RUnlock.
func (m *RWMutex) RUnlock() {
	(*sync.RWMutex)(m).RUnlock()
	unlocked(m)
}

// RLocker is sync.RWMutex.RLocker.
func (m *RWMutex) RLocker() sync.Locker { return (*rlocker)(m) }

type rlocker RWMutex

func (m *rlocker) Lock()   { (*RWMutex)(m).RLock() }
func (m *rlocker) Unlock() { (*RWMutex)(m).RUnlock() }

// A Cond is a sync.Cond whose methods are points.
type Cond sync.Cond

// Wait is sync.Cond.Wait.
//
//go:norace
func (c *Cond) Wait() {
	g := pass()
	if g == nil {
		(*sync.Cond)(c).Wait()
		return
	}
	o, l := g.run.object(c), Locker(c.L)
	o.waiting = append(o.waiting, g)
	g.let = false
	l.Unlock()
	for !g.let {
		g.wait(c, "Cond.Wait")
	}
	g.let = false
	happensAfter(g)
	l.Lock()
}

// Signal is sync.Cond.Signal.
func (c *Cond) Signal() { c.signal(1) }

// Broadcast is sync.Cond.Broadcast.
func (c *Cond) Broadcast() { c.signal(never) }

//go:norace
func (c *Cond) signal(most int) {
	g := passAt(c)
	if g == nil {
		if most == 1 {
			(*sync.Cond)(c).Signal()
		} else {
			(*sync.Cond)(c).Broadcast()
		}
		return
	}
	o := g.run.object(c)
	n := min(most, len(o.waiting))
	for _, w := range o.waiting[:n] {
		w.let = true
		happensBefore(w)
	}
	o.waiting = o.waiting[n:]
	g.release(c)
}

// A WaitGroup is a sync.WaitGroup whose methods are points.
type WaitGroup sync.WaitGroup

// Add is sync.WaitGroup.Add.
func (w *WaitGroup) Add(n int) {
	pass()
	(*sync.WaitGroup)(w).Add(n)
}

// Done is sync.WaitGroup.Done.
func (w *WaitGroup) Done() { w.Add(-1) }

// Go is sync.WaitGroup.Go.
func (w *WaitGroup) Go(f func()) {
	w.Add(1)
	child := Spawn()
	go child.Run(func() {
		defer w.Done()
		f()
	})
}

// Wait is sync.WaitGroup.Wait.
func (w *WaitGroup) Wait() {
	g := pass()
	g.block("WaitGroup.Wait")
	(*sync.WaitGroup)(w).Wait()
	g.arrive()
}
