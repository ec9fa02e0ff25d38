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

func newGenerator(a *API, opts Options) *generator {
	q := &quiet{}
	g := &generator{
		machine: a.newMachine(q), quiet: q, opts: opts, rand: rand.New(rand.NewPCG(opts.Seed, 0)), begun: time.Now(),
		known: map[uint64]bool{}, fatal: map[uint64]bool{}, states: map[uint64]bool{}, joints: map[uint64]bool{},
		guide: guide{off: opts.Undirected, coverage: opts.Coverage},
	}
	g.draft = draft{rand: g.rand, undirected: opts.Undirected, stock: make([]stock, len(g.pools))}
	g.chooser = &g.draft
	for _, o := range g.ops {
		g.describe(o)
		if slices.Contains(opts.Without, o.name) {
			o.weight = 0
		}
	}
	g.watch.start(&g.opts)
	return g
}

// describe finds out which arguments and results an operation has.
func (g *generator) describe(o *Op) {
	o.plan.quoted = quoted(o.name)
	o.plan.score = 1
	g.mode, g.op = describing, o
	o.call()
	for _, d := range o.plan.draws {
		if d.result {
			o.plan.made++
		}
	}
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

// How often a new call is repeated, and how many calls it becomes, at most.
const (
	repeats     = .1
	mostRepeats = 100
)

// extend returns a sequence with a new call, or nil if that is not possible.
func (g *generator) extend() *sequence {
	o := g.guide.pick(g.ops, g.rand)
	g.mode = choosing
	g.draft.begin()
	if o.when != nil && !o.when() {
		g.guide.learn(o, false)
		return nil
	}
	o.call()
	more := 1
	if !o.plan.heavy && g.rand.Float64() < repeats {
		more = 1 + g.rand.IntN(mostRepeats)
	}
	if more = min(more, g.opts.Length-g.draft.length); more < 1 {
		return nil
	}
	g.draft.repeat(o, more)
	return &g.draft.next
}

// read returns a sequence of an earlier run, or nil if the API does not have it any more.
func (g *generator) read(calls callseq.Calls) *sequence {
	g.begin()
	g.tracing, g.dry, g.named = true, true, map[callseq.Name]int32{}
	defer func() { g.tracing, g.dry, g.named = false, false, nil }()
	return g.traceOf(calls)
}

// traceOf returns calls as a sequence of the generator, or nil if the API does not have them.
func (g *generator) traceOf(calls callseq.Calls) (s *sequence) {
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(givenUp); !ok && !g.doing {
				panic(p)
			}
		}
		s = g.traced(len(calls))
		g.quiet.cleanups.Run()
	}()
	for _, call := range calls {
		g.stepCall(call)
	}
	return nil
}

// traced returns the calls that have been traced as a sequence, or nil if there are not n.
func (g *generator) traced(n int) *sequence {
	if len(g.trace) < n || n == 0 {
		return nil
	}
	s := &sequence{length: n}
	for i := range g.trace {
		t := &g.trace[i]
		c := opCall{op: t.op}
		for _, a := range t.args {
			switch a.arg.kind {
			case argResult:
				s.results++
				continue
			case argLiteral:
				a.arg.slot = hashLiteral(a.arg.lit)
			}
			c.args = append(c.args, a.arg)
		}
		if len(c.args)+t.op.plan.made != len(t.op.plan.draws) {
			return nil // the call has failed before it was given all
		}
		s.calls = append(s.calls, c)
	}
	return s
}
