package explore

import (
	"slices"
	"time"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/mutate"
)

// keep puts an input into the pool, after it has made the input smaller. It reports whether
// the exploration may continue: it ends when the engine should keep the input, too.
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
	if e.link.Exploring && !invalid && e.now.took < e.slow &&
		(e.now.isFresh || len(tree) > smallInput) {
		var ok bool
		if tree, ok = e.reduce(tree); !ok {
			return !e.out.over
		}
	}
	worthy := e.now.isFresh && !invalid
	e.put(tree, invalid)
	if !worthy {
		return true
	}
	e.stats.Found++
	e.out.found = true
	copy(e.out.counters, e.counters)
	return !e.link.Exploring
}

// put adds the input that has run to the pool.
func (e *Explorer) put(tree choices.Tree, invalid bool) {
	features := engine.Features(e.counters, nil)
	fresh := len(e.now.nearer)
	switch {
	case e.now.isFresh && invalid:
		fresh += e.invalid.Add(e.counters)
	case e.now.isFresh:
		fresh += e.seen.Add(e.counters)
	}
	if !invalid {
		e.own.Add(e.counters)
	}
	e.know(e.now.bytes)
	i := e.pool.Add(engine.Entry{
		Features: features,
		Covers:   e.now.isFresh || e.now.given,
		Nearer:   e.now.nearer,
		Fresh:    fresh,
		Changed:  e.now.changed,
		Time:     float64(e.now.took),
		Size:     len(tree),
	})
	if i == len(e.entries) {
		e.entries, e.others = append(e.entries, pooled{}), append(e.others, nil)
	}
	e.entries[i], e.others[i] = pooled{tree: tree}, tree
}

// A run that takes at least slowRun is not repeated, because the engine limits an execution.
const slowRun = 100 * time.Millisecond

// mayLook reports whether there is time to look closer at an input, by more runs on it,
// instead of running another one. Looking closer takes at most a quarter of the time.
func (e *Explorer) mayLook() bool {
	return e.now.took < e.slow && 4*e.looking <= time.Since(e.began)
}

// reductions bounds the runs that make an input smaller.
const reductions = 40

// smallInput is the number of choices up to which an input that has merely come nearer is
// kept as it is.
const smallInput = 16

// reduce runs an input again, and looks for a smaller one with the news that show again. It
// reports false if a run fails or hangs, or if no news is left: the target is not deterministic.
func (e *Explorer) reduce(tree choices.Tree) (smaller choices.Tree, ok bool) {
	nearer := slices.Clone(e.now.nearer)
	nearest := &e.link.Trace.Nearest
	nearest.Forget(nearer)
	defer func() {
		nearest.Remember(nearer)
		e.now.nearer = nearer
	}()
	e.first = append(e.first[:0], e.counters...)
	again, valid := e.repeated(e.again(tree), nearer)
	e.flicker.Compare(e.first, e.counters, e.seen.Bits())
	news := e.seen.News(e.counters, nil)
	if !again {
		nearer = nil
	}
	if !valid || len(news)+len(nearer) == 0 {
		return nil, false
	}
	if !e.mayLook() {
		return tree, true
	}
	good := func(o Outcome) bool {
		again, valid := e.repeated(o, nearer)
		return valid && again && engine.HaveAll(e.counters, news)
	}
	if smaller = e.minimize(tree, good); e.out.over {
		return nil, false
	}
	o := e.again(smaller)
	if !good(o) {
		e.seen.AddAll(news)
		return nil, false
	}
	return slices.Clone(o.Tree), true
}

// repeated counts another run on an input, or on a smaller one. It reports whether the run is valid
// and comes as near to the comparisons in nearer, which are forgotten before and after.
func (e *Explorer) repeated(o Outcome, nearer []engine.Nearer) (again, valid bool) {
	e.count(o)
	e.link.Ran++
	nearest := &e.link.Trace.Nearest
	again = nearest.Remember(nearer)
	nearest.Forget(nearer)
	for _, n := range e.now.nearer { // of this run alone: another input may come as near
		if !slices.ContainsFunc(nearer, func(m engine.Nearer) bool { return m.Site == n.Site }) {
			nearest.Forget([]engine.Nearer{n})
		}
	}
	if o.Result >= Failed {
		e.ends(o)
	}
	return again, o.Result == Valid
}

// minimize looks for a smaller input whose run is good, as long as there is time.
func (e *Explorer) minimize(tree choices.Tree, good func(Outcome) bool) choices.Tree {
	began := time.Now()
	var last choices.Tree
	smaller, _, _ := mutate.Minimize(tree,
		func(edited choices.Tree) (v any, made choices.Tree, err error) {
			if e.out.over || e.subject.Stopped() {
				return nil, nil, mutate.ErrStop
			}
			v, last, err = e.make(choices.Replay(edited, nil))
			return v, last, err
		}, func(v any) bool { return good(e.subject.Run(v, last)) }, reductions)
	e.looking += time.Since(began)
	return smaller
}

// ends records a run that has failed or hung, unless the class of the failure is known, and
// ends the exploration.
func (e *Explorer) ends(o Outcome) {
	if e.out.over || o.Known {
		return
	}
	e.out.over, e.out.outcome = true, o
	e.out.outcome.Tree = slices.Clone(o.Tree)
}

// again runs the property again on the value of a tree. If the value cannot be made again, it
// counts as invalid.
func (e *Explorer) again(t choices.Tree) Outcome {
	v, made, err := e.make(choices.Replay(t, nil))
	if err != nil {
		return Outcome{Result: Invalid, Tree: t}
	}
	return e.subject.Run(v, made)
}
