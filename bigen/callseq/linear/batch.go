package linear

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen/schedule/point"
)

// A batch is several attempts at one sequence. Each worker runs the calls of one thread in all
// of them, one attempt after the other. So starting goroutines costs little, and the threads
// of an attempt begin at once.
type batch struct {
	x         *trial
	attempts  []*attempt
	gate      atomic.Int64   // how often workers have arrived: they wait for each other at each step
	at        []atomic.Int64 // by worker, twice the step that it waits for, or one more in it
	abandoned atomic.Bool
	spins     int      // how often a worker looks for the others before it yields
	stuck     *attempt // in which calls never return
}

// newBatch returns a batch of n attempts that have run. What calls do in a goroutine that they
// end, as by FailNow, ends only their attempt.
func newBatch(x *trial, t testing.TB, from, n int) *batch {
	if point.Running() {
		return &batch{x: x, attempts: []*attempt{x.follow(t)}}
	}
	b := &batch{x: x, at: make([]atomic.Int64, 1+len(x.workers)), spins: spinsToYield}
	if runtime.GOMAXPROCS(0) < len(x.workers) { // who waits has the core that another needs
		b.spins = 1
	}
	for i := range n {
		b.attempts = append(b.attempts, newAttempt(x, t, uint64(from+i)))
	}
	done := make(chan struct{})
	go b.prepare(0, done)
	if b.wait(done) && len(x.groups) > 0 {
		done = make(chan struct{}, len(x.workers))
		x.ids = make([]atomic.Uint64, len(x.workers))
		for w := range x.workers {
			go b.work(w, 0, done)
		}
		for range x.workers {
			if !b.wait(done) {
				break
			}
		}
	}
	return b
}

// prepare prepares the attempts from one on.
func (b *batch) prepare(i int, done chan struct{}) {
	at := &b.at[len(b.x.workers)]
	defer func() {
		if i == len(b.attempts) {
			close(done)
			return
		}
		b.attempts[i].end(recover())
		go b.prepare(i+1, done)
	}()
	for ; i < len(b.attempts); i++ {
		at.Store(2*int64(i*len(b.x.groups)) + 1)
		b.attempts[i].prepare()
	}
	at.Store(0)
}

// end is deferred below what may panic, or end its goroutine.
func (a *attempt) end(r any) {
	if r != nil {
		a.breaks(crashed(r))
	} else {
		a.breaks("")
	}
}

// work runs the calls of a worker, from a step on. There is a step for each group of each
// attempt.
func (b *batch) work(w, step int, done chan<- struct{}) {
	groups := len(b.x.groups)
	steps := groups * len(b.attempts)
	defer func() {
		if step == steps {
			done <- struct{}{}
			return
		}
		b.attempts[step/groups].end(recover())
		go b.work(w, step+1, done)
	}()
	b.x.ids[w].Store(goroutine())
	marked(w, func() {
		pace := newPace(b.attempts[0].seed, w)
		for ; step < steps; step++ {
			b.at[w].Store(2 * int64(step))
			b.arrive(step)
			b.at[w].Store(2*int64(step) + 1)
			a := b.attempts[step/groups]
			for _, i := range b.x.workers[w][step%groups] {
				if !a.ready || a.broken.Load() || b.abandoned.Load() {
					break
				}
				pace.rest()
				a.call(w, i)
			}
		}
		b.at[w].Store(2 * int64(steps))
	})
}

// arrive waits until all workers have arrived at a step.
func (b *batch) arrive(step int) {
	all := int64(len(b.x.workers)) * int64(step+1)
	b.gate.Add(1)
	for n, nap := 1, shortestNap; b.gate.Load() < all && !b.abandoned.Load(); n++ {
		switch {
		case n%b.spins > 0:
		case n > yieldsToSleep*b.spins:
			time.Sleep(nap)
			nap = min(2*nap, longestNap)
		default:
			runtime.Gosched()
		}
	}
}

// How often a worker looks for the others before it lets another goroutine run, how often it does
// that before it lets another process run, and how long.
const (
	spinsToYield  = 100
	yieldsToSleep = 50
	shortestNap   = 10 * time.Microsecond
	longestNap    = 200 * time.Microsecond
)

// A pace is what a worker does between calls, so that they meet the calls of others at different
// times.
type pace struct{ state uint64 }

func newPace(seed uint64, w int) pace { return pace{seed<<8 + uint64(w)} }

// rest lets no time pass, or about as much as a few calls take.
func (p *pace) rest() {
	p.state = p.state*6364136223846793005 + 1442695040888963407
	switch r := p.state >> 33; r & 63 {
	case 0:
		runtime.Gosched()
	case 1, 2, 3, 4:
		for range r >> 6 & 127 {
			spun.Load()
		}
	}
}

// spun is read to spend time.
var spun atomic.Int32

// wait waits for done. It reports false if calls never return.
func (b *batch) wait(done <-chan struct{}) bool {
	timer := time.NewTimer(hangPoll)
	defer timer.Stop()
	watch := watch{batch: b}
	for {
		select {
		case <-done:
			return true
		case <-timer.C:
			if watch.stuck() {
				return false
			}
			timer.Reset(hangPoll)
		}
	}
}
