package linear

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/espalier-go/espalier/bigen/schedule/point"
)

// follow returns an attempt whose threads follow the schedule of a run of package point.
func (x *trial) follow(t testing.TB) *attempt {
	a := newAttempt(x, t, 0)
	x.turns = true
	point.Explain(func(stuck bool) (string, bool) {
		switch {
		case stuck:
			return a.stuck(t)
		case a.told:
			return "", true
		}
		a.learn()
		return "\n" + x.timed(a), true
	})
	var wg sync.WaitGroup
	begin := func(f func()) {
		(*point.WaitGroup)(&wg).Go(func() {
			returned := false
			defer func() {
				if !returned {
					a.end(recover())
				}
			}()
			f()
			returned = true
		})
	}
	begin(a.prepare)
	(*point.WaitGroup)(&wg).Wait()
	x.ids = make([]atomic.Uint64, len(x.workers))
	for g := range x.groups {
		for w, calls := range x.workers {
			if len(calls[g]) == 0 || !a.ready || a.broken.Load() {
				continue
			}
			begin(func() {
				self := point.Self()
				x.ids[w].Store(goroutine())
				marked(w, func() {
					for _, i := range calls[g] {
						a.events[i].goroutine = self
						a.call(w, i)
					}
				})
			})
		}
		(*point.WaitGroup)(&wg).Wait()
	}
	return a
}

// stuck judges an attempt whose run does not end. It returns what is known of the calls, and
// whether that is a failure.
func (a *attempt) stuck(t testing.TB) (text string, fails bool) {
	first := a.known == nil // or goroutines that calls have started remain
	a.learn()
	switch a.verdict = hangs; {
	case a.x.m.serial != nil && !first:
		a.verdict = a.x.judgeLeak(a.known)
	case a.ready:
		a.verdict = a.x.judgeFailure(a.known, hangs)
	case a.x.m.serial != nil: // calls that run alone
		a.verdict = passed
	}
	if first {
		a.x.m.count(a.verdict)
	}
	if !a.verdict.fails() || a.tb.Skipped() {
		return "", false
	}
	return a.x.text(t, a), true
}
