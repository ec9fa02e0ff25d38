package api

import "golang.org/x/exp/slices"

// try runs a sequence, unless its text is known, and takes note of what it does.
func (g *generator) try(s *sequence) {
	g.flat = s.flatten(g.flat[:0], 0)
	op := g.flat[len(g.flat)-1].op
	h := hashCalls(g.flat)
	if g.known[h] {
		g.stats.Duplicates++
		return
	}
	g.known[h] = true
	g.stats.Sequences++
	g.stats.Calls += len(g.flat)
	end := g.run(g.flat)
	state := false
	switch end.class {
	case Passed:
		state = g.news()
		if related := g.newlyRelated(); state || related || g.opts.Undirected || len(g.contracts) > 0 {
			if v := g.violation(due{func(slot int32) bool { return g.fresh[slot] }, related, true}); v != nil {
				end = ending{class: Error, at: len(g.flat) - 1, violated: v}
			}
		}
	case Expected:
		g.stats.Expected++
	case Invalid:
		g.stats.Invalid++
	}
	if end.class == Error {
		g.stats.Failed++
		g.note(end)
		state = true
	}
	if end.class == Passed && state || g.opts.Undirected {
		g.keep(s)
	} else if end.class == Passed {
		g.stats.Redundant++
	}
	g.guide.learn(op, state)
}

// news reports whether the values of the sequence that has run have a new state.
func (g *generator) news() bool {
	g.fresh = cleared(g.fresh, len(g.cells))
	g.relevant.of(g.flat, len(g.cells))
	some := false
	f := &g.print
	for i, x := range g.cells {
		if x.isNil() || !g.relevant.cells[i] {
			continue
		}
		f.begin()
		f.mix(uint64(x.of().index))
		x.walk(f)
		if f.left < 0 {
			return false // too large to tell apart, and to be made over and over
		}
		if h := f.hash; !g.states[h] {
			g.states[h] = true
			g.fresh[i], some = true, true
		}
	}
	g.jointly = g.newJointly()
	return some || g.jointly
}

// newJointly reports whether the values that have parts are in a new state together.
func (g *generator) newJointly() bool {
	h := g.together(func(i int) bool { return g.relevant.cells[i] })
	if g.joints[h] {
		return false
	}
	g.joints[h] = true
	return true
}

// newlyRelated reports whether values that contracts relate are in a new state together.
func (g *generator) newlyRelated() (some bool) {
	for _, p := range g.pools {
		if !p.relates {
			continue
		}
		f, left := &g.print, maxRelated
		f.begin()
		f.mix(uint64(p.index) + 1)
		for i := len(g.cells) - 1; i >= 0 && left > 0; i-- {
			if x := g.cells[i]; x.of() == p && !x.isNil() {
				left--
				x.walk(f)
			}
		}
		if !g.joints[f.hash] {
			g.joints[f.hash] = true
			some = true
		}
	}
	return some
}

// keep keeps a sequence that has run, to be extended: the calls that are relevant.
func (g *generator) keep(made *sequence) {
	s := &sequence{length: len(g.flat)}
	for _, c := range g.flat {
		s.results += c.op.plan.made // not only those of this run, which may have ended early
	}
	var now []int32
	if g.opts.Undirected || g.relevant.all() {
		s.parts, s.calls = slices.Clone(made.parts), slices.Clone(made.calls)
	} else {
		s.calls, now = g.relevant.extract(g.flat)
		s.length = len(s.calls)
		s.results = len(now) - count(now, -1)
	}
	for i, x := range g.cells {
		p, c := x.of(), component{s, int32(i)}
		of := &g.draft.stock[p.index]
		if now != nil {
			c.slot = now[i]
		}
		switch {
		case g.opts.Undirected:
			of.perValue.addAny(g.rand, c)
		case x.isNil() || c.slot < 0:
			continue
		default:
			if g.fresh[i] {
				of.perValue.add(g.rand, c)
			}
			if g.jointly {
				of.joint.add(g.rand, c)
			}
		}
		if !flat(p.typ) {
			s.values = append(s.values, valueOf{p, c.slot})
		}
	}
	g.stats.Kept++
	if g.opts.Undirected {
		return
	}
	for _, p := range made.parts {
		p.used = true
	}
	if now != nil {
		g.flat = s.flatten(g.flat[:0], 0)
		g.known[hashCalls(g.flat)] = true
	}
	if len(g.kept) < maxKept {
		g.kept = append(g.kept, s)
	} else if i := g.rand.IntN(maxKept); g.kept[i].used {
		g.kept[i] = s
	}
	g.watch.keep(g.flat)
}

// maxKept bounds the sequences of which regression tests are made.
const maxKept = 50_000

func count(list []int32, x int32) (n int) {
	for _, y := range list {
		if x == y {
			n++
		}
	}
	return n
}
