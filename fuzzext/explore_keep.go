package fuzzext

import (
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/engine"
)

// keep takes an input into the pool, and reports whether exploration is to go on: not if
// the engine is to keep it, too.
func (e *explorer) keep(s *trial, invalid bool) bool {
	if e.now.entry >= 0 {
		e.pool.Found(e.now.entry)
	}
	if e.now.way >= 0 {
		e.stats.Operators[e.now.way].Found++
		e.ways.Reward(e.now.way, 1)
	}
	e.quiet = 0
	tree := append(choices.Tree(nil), s.tree...)
	if e.link.Exploring && !invalid && e.now.took < slow && (e.now.isFresh || len(tree) > smallInput) {
		if tree = e.reduce(s, tree); tree == nil {
			return !e.out.over()
		}
	}
	worthy := e.now.isFresh && !invalid
	e.put(tree, invalid)
	if !worthy {
		return true
	}
	e.stats.Found++
	copy(e.out.counters, e.link.Counters)
	return !e.link.Exploring
}

// put adds what has run to the pool.
func (e *explorer) put(tree choices.Tree, invalid bool) {
	features := engine.Features(e.link.Counters, nil)
	kept := pooled{tree: tree, covers: e.now.isFresh || e.now.given, time: float64(e.now.took)}
	if kept.covers {
		kept.covered = append([]uint32(nil), features...)
	}
	fresh := len(e.now.nearer)
	switch {
	case e.now.isFresh && invalid:
		fresh += e.invalid.Add(e.link.Counters)
	case e.now.isFresh:
		fresh += e.seen.Add(e.link.Counters)
	}
	if !invalid {
		e.own.Add(e.link.Counters)
	}
	for _, n := range e.now.nearer {
		e.release(n.Site)
		if n.Distance > 0 {
			kept.holds++
			features = append(features, 8*(uint32(len(e.link.Counters))+(n.Site*64+n.Distance)%nearBlocks))
		}
	}
	slices.Sort(features)
	e.known[hash(e.now.bytes)] = true
	i := e.pool.Add(engine.Entry{
		Features: features,
		Fresh:    fresh,
		Parent:   e.now.entry,
		Time:     kept.time,
		Size:     len(tree),
	})
	if i == len(e.entries) {
		e.entries = append(e.entries, kept)
		e.others = append(e.others, tree)
	} else {
		for site, holder := range e.holders {
			if holder == i {
				delete(e.holders, site)
			}
		}
		e.entries[i], e.others[i] = kept, tree
	}
	for _, n := range e.now.nearer {
		if n.Distance > 0 {
			e.holders[n.Site] = i
		}
	}
}

// release takes a place in the code from the entry that has come nearest to it so far.
func (e *explorer) release(site uint32) {
	i, ok := e.holders[site]
	if !ok {
		return
	}
	delete(e.holders, site)
	old := &e.entries[i]
	switch old.holds--; {
	case old.holds > 0:
	case old.covers:
		e.pool.Replace(i, engine.Entry{Features: old.covered, Parent: -1, Time: old.time, Size: len(old.tree)})
	default:
		e.pool.Retire(i)
	}
}

// slow is how long a run takes that is made once only: the engine does not wait long.
const slow = 100 * time.Millisecond

// mayStepAside reports whether it is time to look closer at some input, instead of running
// another. That takes a quarter of all time at most.
func (e *explorer) mayStepAside() bool {
	return e.now.took < slow && 4*e.aside <= time.Since(e.began)
}

// reductions bounds how often the property runs to make an input smaller that is kept.
const reductions = 40

// smallInput is how many choices an input may have that need not become smaller.
const smallInput = 16

// reduce makes an input smaller, as far as the news remain, and runs the result again. It
// returns nil if a run fails, or if the news are gone then: the target is not
// deterministic.
func (e *explorer) reduce(s *trial, tree choices.Tree) choices.Tree {
	news := e.seen.News(e.link.Counters, nil)
	nearer := append([]engine.Nearer(nil), e.now.nearer...)
	nearest := &e.link.Trace.Nearest
	good := func(t *T) bool {
		e.stats.Executions++
		e.link.Ran++
		again := nearest.Remember(nearer)
		nearest.Forget(nearer)
		for _, n := range e.now.nearer { // by the way; another input will
			if !slices.ContainsFunc(nearer, func(m engine.Nearer) bool { return m.Site == n.Site }) {
				nearest.Forget([]engine.Nearer{n})
			}
		}
		switch {
		case t == nil || t.Failed():
			e.ends(s, t)
			return false
		case t.invalid:
			return false
		}
		e.stats.Valid++
		return again && engine.HaveAll(e.link.Counters, news)
	}
	defer func() {
		nearest.Remember(nearer)
		e.now.nearer = nearer
	}()
	nearest.Forget(nearer)
	smaller := tree
	if e.mayStepAside() {
		now := time.Now()
		smaller = e.subject.reduce(s, tree, good, reductions)
		e.aside += time.Since(now)
	}
	if e.out.over() {
		return nil
	}
	if !good(e.subject.again(s, smaller)) {
		if !e.out.over() {
			e.stats.Flaky++
			e.seen.AddAll(news)
		}
		return nil
	}
	return append(choices.Tree(nil), s.tree...)
}

// ends notes a run that has failed or, if it is nil, has not returned.
func (e *explorer) ends(s *trial, t *T) {
	if e.out.over() || e.passesOver(t) {
		return
	}
	e.out.failed, e.out.stuck = t, t == nil
	e.out.tree = append(choices.Tree(nil), s.tree...)
	s.full.Store(true)
}

// passesOver reports whether a run has failed in a place that is known, and counts that.
func (e *explorer) passesOver(t *T) bool {
	places := e.link.KnownPlaces()
	if t == nil || len(places) == 0 {
		return false
	}
	_, where := t.logged()
	if _, ok := places[where]; !ok {
		return false
	}
	places[where]++
	return true
}

// over reports whether a run has failed or not returned.
func (o *exploration) over() bool { return o.stuck || o.failed != nil }
