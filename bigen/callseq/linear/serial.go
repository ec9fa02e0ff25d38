package linear

import (
	"cmp"
	"math"

	"github.com/espalier-go/espalier/bigen/callseq/internal/live"
	"golang.org/x/exp/slices"
)

// What follows is about models that are a [live.Serial].

// foresee notes in which order calls are likely to run: that in which they have begun.
func (x *trial) foresee(h history) {
	var begun []int
	for i := range h {
		if i < x.prefix || h[i].hasBegun {
			begun = append(begun, i)
		}
	}
	slices.SortStableFunc(begun, func(i, j int) int {
		a, b := &h[i], &h[j]
		switch {
		case a.ended && !b.ended:
			return -1
		case b.ended && !a.ended:
			return 1
		}
		return cmp.Compare(a.began, b.began)
	})
	x.seen = nil
	for _, i := range begun {
		x.seen = append(x.seen, x.calls[i].call)
	}
}

// finish checks contracts once all calls have returned.
func (a *attempt) finish() {
	last := len(a.known) - 1
	e := &a.known[last]
	e.began, e.hasBegun = ticks(a.coarse), true
	a.live.Call(a.x.calls[last].call)
	e.got, e.has = a.live.Got(last)
	e.returned, e.ended = ticks(a.coarse), true
	if len(e.got) == 0 { // it need not be explained
		*e = event{}
	}
}

// judgeHangs judges a run in which calls have not returned: whether each may wait forever once
// those run that have returned.
func (x *trial) judgeHangs(h history, failure verdict) verdict {
	if failure == failed {
		return failed
	}
	all, panics := passed, slices.ContainsFunc(h, func(e event) bool {
		return len(e.got) == 1 && e.got[0] == any(live.Panics{})
	})
	for i := range h {
		if !h[i].hasBegun || h[i].ended {
			continue
		}
		one := slices.Clone(h)
		for j := range one {
			one[j].hasBegun = i == j || h[j].ended
		}
		if panics { // it may leave a lock held
			one[i].hasBegun = false
			return x.judge(one)
		}
		one[i].got, one[i].has, one[i].ended, one[i].returned = []any{live.Hangs{}}, true, true,
			math.MaxInt64
		switch v := x.judge(one); {
		case v.fails():
			return failure
		case v != passed:
			all = v
		}
	}
	return all
}

// judgeLeak judges a run that leaves goroutines behind.
func (x *trial) judgeLeak(h history) verdict {
	if x.drawn() == x.prefix {
		return passed
	}
	h = slices.Clone(h)
	e := &h[len(h)-1]
	e.got = []any{live.Leaks{}}
	if e.hasBegun && !e.ended {
		e.got = []any{live.Hangs{}} // a contract
	}
	e.has, e.hasBegun, e.ended, e.began, e.returned = true, true, true, math.MaxInt64-1, math.MaxInt64
	if v := x.judge(h); !v.fails() {
		return v
	}
	return hangs
}

// How many orders of calls run again to see whether they return the same, how often at least, and
// how often together: a map of two keys has them in another order once in eight times.
const (
	mostOrdered = 200
	repeats     = 5
	allRepeats  = 300
)

// varies reports whether some calls return something else if they run again in an order that has
// been tried. Then that does not count from now on, and all orders are forgotten.
func (x *trial) varies() (found bool) {
	var paths [][]*state
	x.root.paths(nil, &paths)
	for range max(repeats, allRepeats/max(1, len(paths))) {
		for _, path := range paths {
			found = x.pathVaries(path) || found
		}
	}
	if found {
		x.root = nil
	}
	return found
}

// paths adds the paths from s to the last states that are possible, up to mostOrdered.
func (s *state) paths(path []*state, all *[][]*state) {
	ends := true
	for _, n := range s.next {
		if n != nil && n.possible {
			ends = false
			n.paths(append(slices.Clip(path), n), all)
		}
	}
	if ends && len(*all) < mostOrdered {
		*all = append(*all, path)
	}
}

// pathVaries runs the calls of a path again.
func (x *trial) pathVaries(path []*state) (found bool) {
	var calls [][]any
	for _, s := range path {
		calls = append(calls, x.calls[s.call].call)
	}
	m := x.m.serial.Foresee(calls, x.turns)
	for i, s := range path {
		want, _, possible := m.Call(calls[i])
		if possible && !x.m.live.Same(calls[i], want[0], s.want[0]) {
			x.m.serial.Varies(calls[i], want[0], s.want[0])
			found = true
		}
	}
	return found
}
