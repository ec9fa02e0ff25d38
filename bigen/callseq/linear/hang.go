package linear

import (
	"runtime"
	"strings"
	"time"
)

// A call hangs if none returns for hangPolls. If the goroutines of all that have not returned
// wait for others, deadlockPolls are enough.
const (
	hangPoll      = 100 * time.Millisecond
	deadlockPolls = 20
	hangPolls     = 100
)

// A watch looks for calls that never return.
type watch struct {
	*batch
	last  int64 // the sum of what workers have done
	polls int   // for which that has been so
}

// stuck reports whether calls never return. It is called once a hangPoll. Then it abandons the
// batch: the goroutines of these calls remain.
func (w *watch) stuck() bool {
	now := int64(0)
	for i := range w.at {
		now += w.at[i].Load()
	}
	for _, a := range w.attempts {
		for i := range a.past {
			now += int64(a.past[i].Load())
		}
	}
	if w.polls++; now != w.last {
		w.last, w.polls = now, 0
	}
	if w.polls < deadlockPolls {
		return false
	}
	waiting, blocked := w.waiting()
	if !blocked && w.polls < hangPolls {
		return false
	}
	w.abandoned.Store(true)
	w.batch.stuck.stacks = "calls never return\n" + strings.Join(waiting, "\n\n")
	w.batch.stuck.abandon(w.batch)
	return true
}

// waiting returns the stacks of the workers that are in calls, and whether these wait for other
// goroutines.
func (w *watch) waiting() (waiting []string, blocked bool) {
	all := stacks()
	blocked = true
	for i := range w.at {
		at := w.at[i].Load()
		if at%2 == 0 {
			continue
		}
		w.batch.stuck = w.attempts[int(at/2)/max(1, len(w.x.groups))]
		if i == len(w.x.workers) { // what precedes the threads
			return nil, false
		}
		stack := all[w.x.ids[i].Load()]
		header, _, _ := strings.Cut(stack, "\n")
		waiting, blocked = append(waiting, stack), blocked && blocks(header)
	}
	return waiting, blocked && len(waiting) > 0
}

// blocks reports whether a goroutine with a header of a stack waits for another goroutine.
func blocks(header string) bool {
	for _, state := range []string{"[chan ", "[select", "[sync.", "[semacquire"} {
		if strings.Contains(header, state) {
			return true
		}
	}
	return false
}

// maxStacks is how many bytes the stacks of all goroutines have at most.
const maxStacks = 1 << 28

// stacks returns the stacks of all goroutines by their numbers.
func stacks() map[uint64]string {
	buf := make([]byte, 1<<20)
	n := runtime.Stack(buf, true)
	for n == len(buf) && n < maxStacks { // some are left out
		buf = make([]byte, 4*n)
		n = runtime.Stack(buf, true)
	}
	buf = buf[:n]
	all := map[uint64]string{}
	for _, s := range strings.Split(string(buf), "\n\n") {
		all[numberIn(s, "goroutine ")] = s
	}
	return all
}

// abandon judges an attempt in which calls never return, by those that have.
func (a *attempt) abandon(b *batch) {
	a.verdict, a.known = hangs, a.events
	if a.x.root == nil && a.x.m.serial == nil || !a.ready {
		if a.x.m.serial != nil { // calls that run alone
			a.verdict = passed
		}
		return
	}
	h := make(history, len(a.events))
	copy(h[:a.x.prefix], a.events)
	for w, groups := range a.x.workers {
		past := int(a.past[w].Load())
		latest := int64(0)
		for _, calls := range groups {
			for _, i := range calls {
				switch past--; {
				case past >= 0:
					h[i] = a.events[i]
					h[i].got, h[i].has = a.live.Got(i)
					latest = h[i].returned
				case past == -1 && b.at[w].Load()%2 == 1:
					h[i].began, h[i].hasBegun = latest, true
				}
			}
		}
	}
	a.known = h
	a.verdict = a.x.judgeFailure(h, hangs)
}
