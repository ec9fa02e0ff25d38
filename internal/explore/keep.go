package explore

import (
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/engine"
)

// keep takes an input into the pool, and reports whether exploration is to go on: not if
// the engine is to keep it, too.
func (e *Explorer) keep(tree choices.Tree, invalid bool) bool {
	if e.now.entry >= 0 {
		e.pool.Found(e.now.entry)
	}
	if e.now.way >= 0 {
		e.stats.Operators[e.now.way].Found++
		e.ways.Reward(e.now.way, 1)
	}
	e.quiet = 0
	tree = slices.Clone(tree)
	if e.link.Exploring && !invalid && e.now.took < slow && (e.now.isFresh || len(tree) > smallInput) {
		if tree = e.reduce(tree); tree == nil {
			return !e.out.over
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
func (e *Explorer) put(tree choices.Tree, invalid bool) {
	features := engine.Features(e.link.Counters, nil)
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
	e.known[e.hash(e.now.bytes)] = true
	i := e.pool.Add(engine.Entry{
		Features: features,
		Covers:   e.now.isFresh || e.now.given,
		Nearer:   e.now.nearer,
		Fresh:    fresh,
		Time:     float64(e.now.took),
		Size:     len(tree),
	})
	if i == len(e.entries) {
		e.entries, e.others = append(e.entries, pooled{}), append(e.others, nil)
	}
	e.entries[i], e.others[i] = pooled{tree: tree}, tree
}

// slow is how long a run takes that is made once only: the engine does not wait long.
const slow = 100 * time.Millisecond

// mayStepAside reports whether it is time to look closer at some input, instead of running
// another. That takes a quarter of all time at most.
func (e *Explorer) mayStepAside() bool {
	return e.now.took < slow && 4*e.aside <= time.Since(e.began)
}

// reductions bounds how often the property runs to make an input smaller that is kept.
const reductions = 40

// smallInput is how many choices an input may have that need not become smaller.
const smallInput = 16

// reduce makes an input smaller, as far as the news remain, and runs the result again. It
// returns nil if a run fails, or if the news are gone then: the target is not
// deterministic.
func (e *Explorer) reduce(tree choices.Tree) choices.Tree {
	news := e.seen.News(e.link.Counters, nil)
	nearer := append([]engine.Nearer(nil), e.now.nearer...)
	nearest := &e.link.Trace.Nearest
	good := func(o Outcome) bool {
		e.stats.Executions++
		e.link.Ran++
		again := nearest.Remember(nearer)
		nearest.Forget(nearer)
		for _, n := range e.now.nearer { // by the way; another input will
			if !slices.ContainsFunc(nearer, func(m engine.Nearer) bool { return m.Site == n.Site }) {
				nearest.Forget([]engine.Nearer{n})
			}
		}
		if o.Result >= Failed {
			e.ends(o)
		}
		if o.Result != Valid {
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
		smaller = e.subject.Reduce(tree, good, reductions)
		e.aside += time.Since(now)
	}
	if e.out.over {
		return nil
	}
	o := e.subject.Again(smaller)
	if !good(o) {
		if !e.out.over {
			e.stats.Flaky++
			e.seen.AddAll(news)
		}
		return nil
	}
	return slices.Clone(o.Tree)
}

// ends notes a run that has failed or hangs, unless it has failed in a place that is known.
func (e *Explorer) ends(o Outcome) {
	if e.out.over || e.passesOver(o) {
		return
	}
	e.out.over, e.out.outcome = true, o
	e.out.outcome.Tree = slices.Clone(o.Tree)
	e.subject.Stop()
}

// passesOver reports whether a run has failed in a place that is known, and counts that.
func (e *Explorer) passesOver(o Outcome) bool {
	if o.Result != Failed {
		return false
	}
	places := e.link.KnownPlaces()
	if _, ok := places[o.Place]; !ok {
		return false
	}
	places[o.Place]++
	return true
}
