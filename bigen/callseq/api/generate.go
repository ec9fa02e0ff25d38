package api

import (
	"math/rand/v2"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq"
)

// Generate makes tests by feedback-directed random generation (Figure 3 of "Feedback-directed
// Random Test Generation", Pacheco, Lahiri, Ernst and Ball, ICSE 2007). It repeats:
//
//  1. Choose an operation: those that have led to new states lately are more likely.
//  2. Choose its arguments: literals, expressions, results of sequences kept so far, which are
//     concatenated in this order, the same one possibly twice; or a result that is there
//     already, so that arguments share it. Half of the time, the shorter of two sequences is
//     taken. An argument is nil only if nothing else has its type.
//  3. Append the call, sometimes many times over with new literals.
//  4. Drop the sequence if its text is known. Run it.
//  5. If a call fails, or a contract is violated, the sequence is an error. If a call refuses
//     its arguments, it is dropped.
//  6. If a value, or all values together, have a new state, keep the sequence to be extended,
//     by its values that are not nil.
//
// At the end, it minimizes an error of each class, and turns sequences that were kept, and that
// are not part of others, into regression tests.
//
// Several Generates must not run at once if what is tested has global state.
func (a *API) Generate(opts Options) Suite {
	g := newGenerator(a, opts.withDefaults())
	defer g.stop()
	for _, calls := range g.opts.Skip {
		if s := g.read(calls); s != nil {
			h := hashCalls(s.flatten(nil, 0))
			g.known[h], g.fatal[h] = true, true
		}
	}
	for _, calls := range g.opts.Restore {
		if s := g.read(calls); s != nil {
			g.try(s)
		}
	}
	for n := 0; !g.done(n); n++ {
		if s := g.extend(); s != nil {
			g.try(s)
		}
	}
	return g.suite()
}

// A generator is one run of [API.Generate].
type generator struct {
	*machine
	opts  Options
	rand  *rand.Rand
	begun time.Time
	stats Stats

	known  map[uint64]bool // hashes of the texts of sequences
	fatal  map[uint64]bool // those that are never to run
	states map[uint64]bool // fingerprints of values
	joints map[uint64]bool // of all values of a sequence
	print  fingerprint
	flat   []flatCall // the sequence that runs
	turn   int        // the call of it that runs

	fresh    []bool // by result: its state is new
	relevant relevance
	jointly  bool // all values together have a new state

	kept   []*sequence
	errors []*found
	guide
	watch
}

func newGenerator(a *API, opts Options) *generator {
	g := &generator{
		opts: opts, rand: rand.New(rand.NewPCG(opts.Seed, 0)), begun: time.Now(),
		known: map[uint64]bool{}, fatal: map[uint64]bool{}, states: map[uint64]bool{}, joints: map[uint64]bool{},
	}
	g.machine = newMachine(a, &quiet{})
	g.machine.chooser = chooser{g: g}
	for _, o := range g.ops {
		g.describe(o)
		if slices.Contains(opts.Without, o.name) {
			o.weight = 0
		}
	}
	g.guide.set(g)
	g.watch.set(g)
	return g
}

// done reports whether generation ends, after n attempts.
func (g *generator) done(n int) bool {
	o := &g.opts
	switch {
	case o.Sequences > 0 && g.stats.Sequences >= o.Sequences:
		return true
	case n%64 != 0:
		return false
	case o.Stop != nil && o.Stop():
		return true
	case n > 1000 && g.stats.Sequences < n/1000: // there is nothing new to try
		return true
	}
	return o.Time > 0 && time.Since(g.begun) >= o.Time
}

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
		if related := g.newlyRelated(); state || related || g.opts.Undirected || len(g.api.contracts) > 0 {
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
	if g.jointly = g.opts.Newness != PerValue && g.newJointly(); g.opts.Newness == Joint {
		return g.jointly
	}
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

// together returns the fingerprint of some values, without those that have no parts.
func (g *generator) together(which func(i int) bool) uint64 {
	f := &g.print
	f.begin()
	for i, x := range g.cells {
		if of := x.of(); which(i) && !flat(of.typ) && !x.isNil() {
			f.mix(uint64(of.index))
			x.walk(f)
		}
	}
	return f.hash
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
		if now != nil {
			c.slot = now[i]
		}
		switch {
		case g.opts.Undirected:
			p.perValue.addAny(g.rand, c)
		case x.isNil() || c.slot < 0:
			continue
		default:
			if g.opts.Newness != Joint && g.fresh[i] {
				p.perValue.add(g.rand, c)
			}
			if g.jointly {
				p.joint.add(g.rand, c)
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
	if g.opts.Kept != nil {
		g.opts.Kept(g.liner.line(g.flat))
	}
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

// read returns a sequence of an earlier run, or nil if the API does not have it any more.
func (g *generator) read(calls callseq.Calls) *sequence {
	g.begin()
	g.tracing, g.dry, g.named = true, true, map[callseq.Name]int32{}
	defer func() { g.tracing, g.dry, g.named = false, false, nil }()
	return g.traceOf(calls)
}
