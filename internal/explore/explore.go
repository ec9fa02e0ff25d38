// Package explore looks for values of a generator that reach new code, or fail a property,
// in a worker process with the engine of corpusgen fuzz. Package fuzzext connects the two:
// it makes a fuzz target a [Subject].
package explore

import (
	"bytes"
	"hash/maphash"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/mutate"
)

// An Explorer is the fuzz function of a target. In one execution of the engine, it runs the
// property on as many values as there is time for. The coverage of each decides which value
// it mutates next, and how. It tells the engine which input runs, and ends the execution
// when an input is worth keeping.
//
// It has no type parameter: the compiler puts the code of generic functions into the user's
// package, where it would count as code under test.
//
// An [engine.Prober] does the same for inputs without structure, on bytes, within
// internal/fuzz, which cannot import this module. It is asked for one input at a time. An
// Explorer edits choices, and runs an input again to minimize it.
type Explorer struct {
	link    *engine.Link
	subject Subject
	gen     bigen.Gen[any] // of its values

	seen     *engine.Coverage // of valid inputs
	invalid  *engine.Coverage // of invalid ones
	own      *engine.Coverage // of the pool
	flicker  engine.Flicker
	pool     *engine.Pool
	entries  []pooled
	others   []choices.Tree  // the trees of the entries
	known    map[uint64]bool // by hash: bytes that have run lately
	seed     maphash.Seed
	ways     *engine.Bandit
	mutator  mutate.Mutator
	guesses  Guesses[int]
	comparer *engine.Comparer
	heap     *collector
	began    time.Time
	looking  time.Duration // spent looking closer at inputs; see mayLook
	slow     time.Duration // what a run takes at least that is not repeated
	counters []byte        // of the last run
	first    []byte        // memory for those of a run that is repeated
	features []uint32      // memory

	scores map[uint64][]float64 // by site: scores higher than all earlier ones
	stats  engine.Stats
	last   int // index of the last value of this execution
	most   int // the most choices of an edited tree
	quiet  int // values since the last that was kept

	r        *rand.Rand
	now      attempt
	proposed attempt // what Mutate has returned last
	out      exploration
}

// A pooled input is an entry of the pool.
type pooled struct {
	tree     choices.Tree
	compared bool // the comparisons of its run are known
}

// An attempt is one run of the property.
type attempt struct {
	entry, way int    // the entry from which the value was made, and how; -1 for none
	bytes      []byte // that stand for the value
	given      bool   // the engine gave the value
	began      time.Time
	took       time.Duration
	changed    bool            // it reaches functions that a change touches
	isFresh    bool            // there is new coverage
	nearer     []engine.Nearer // the comparisons whose operands came nearer than ever
}

// An exploration is one execution of the engine.
type exploration struct {
	counters []byte  // with which it ends
	found    bool    // a run that is worth keeping has ended it
	over     bool    // a run has failed or hung
	outcome  Outcome // of that run
}

const (
	// maxEntries bounds the pool.
	maxEntries = 4096
	// At first, edited trees have at most minChoices choices. Whenever patienceWithSize
	// values in a row were not worth keeping, the limit grows by a quarter, up to
	// maxChoices.
	minChoices       = 64
	maxChoices       = 4096
	patienceWithSize = 10_000
	// maxKnown bounds how many inputs are known to have run. All of them are forgotten
	// together.
	maxKnown = 1 << 16
	// The pool counts the features of one in this many runs.
	observed = 8
)

// The ways to make a value are the operators of mutate and, after these, three others.
var (
	operators   = mutate.Operators()
	fromNothing = len(operators)
	byGuess     = len(operators) + 1 // by what the code compares
	byBytes     = len(operators) + 2 // by edits of the bytes that stand for an entry
	numWays     = len(operators) + 3
)

// New returns an explorer of x, whose values gen makes, and registers it with the engine at the
// other end of the link.
func New(link *engine.Link, gen bigen.Gen[any], x Subject) *Explorer {
	e := &Explorer{
		link:     link,
		subject:  x,
		gen:      gen,
		seen:     engine.NewCoverage(len(link.Counters)),
		invalid:  engine.NewCoverage(len(link.Counters)),
		own:      engine.NewCoverage(len(link.Counters)),
		pool:     engine.NewPool(maxEntries, len(link.Counters)),
		known:    map[uint64]bool{},
		scores:   map[uint64][]float64{},
		seed:     maphash.MakeSeed(),
		ways:     engine.NewBandit(numWays),
		comparer: engine.NewComparer(rand.Uint64()),
		most:     minChoices,
		heap:     newCollector(),
		began:    time.Now(),
		slow:     slowRun,
		mutator:  mutate.Mutator{Reuse: true},
		r:        rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())),
	}
	e.comparer.Give(engine.ReadTokens())
	e.stats.Structured = true
	e.stats.Operators = make([]engine.OperatorStats, numWays)
	for i, op := range operators {
		e.stats.Operators[i].Name = op.Name
	}
	e.stats.Operators[fromNothing].Name = "anew"
	e.stats.Operators[byGuess].Name = "compare"
	e.stats.Operators[byBytes].Name = "bytes"
	e.counters = make([]byte, len(link.Counters))
	e.out.counters = make([]byte, len(link.Counters))
	link.Explorer = true
	link.Report = e.report
	return e
}

// Execute is one execution of the engine, with the input b.
func (e *Explorer) Execute(b []byte) {
	e.begin()
	e.heap.adjust()

	source := func(int) choices.Source { return e.subject.Decode(b) }
	if e.link.Exploring {
		e.link.Ran = 0
		source = e.next
		if !e.known[e.hash(b)] {
			e.last = 0 // it is the first value
		}
	}
	e.know(b)
	if e.proposed.bytes != nil && bytes.Equal(e.proposed.bytes, b) {
		e.now = e.proposed
	} else {
		e.now = attempt{entry: -1, way: -1, bytes: b, given: !e.link.Exploring || e.last == 0}
	}
	e.subject.Each(source, func(o Outcome) bool {
		ok := e.ran(o)
		return e.link.Exploring && e.another() && ok
	})
	if e.out.over {
		e.subject.Report(e.out.outcome)
	}
	copy(e.link.Counters, e.out.counters)
}

// begin begins an execution.
func (e *Explorer) begin() {
	clear(e.out.counters)
	e.out = exploration{counters: e.out.counters}
	e.seen.Merge(e.link.Known)
	e.last = -1
}

// another counts a run of an exploration, and reports whether there is time for another.
func (e *Explorer) another() bool {
	e.link.Ran++
	return e.link.Ran < e.link.Left && time.Now().Before(e.link.Until)
}

// next returns the source of the i-th value. It may be asked for the last one again.
func (e *Explorer) next(i int) choices.Source {
	if i <= e.last {
		return e.subject.Decode(e.now.bytes)
	}
	e.last = i
	e.offerNothing()
	e.now = attempt{entry: -1, nearer: e.now.nearer}
	return e.nextSource()
}

// nextSource returns the source of a value made of an entry of the pool, or from nothing.
func (e *Explorer) nextSource() choices.Source {
	switch edited, ok := e.edited(); {
	case !ok:
		e.now.entry, e.now.way = -1, fromNothing
		return e.subject.Make(e.r)
	case e.now.way == byBytes:
		return e.subject.Decode(e.editBytes(choices.Encode(edited)))
	default:
		return choices.Replay(edited, e.r)
	}
}

// edited returns the tree of an entry after an edit. It reports false if a value is to be
// made from nothing.
func (e *Explorer) edited() (choices.Tree, bool) {
	e.now.way = e.ways.Choose(e.r.Uint64())
	if e.now.way == byGuess {
		if g, ok := e.guesses.Pop(); ok {
			e.now.entry = g.Entry
			return g.Apply(e.entries[g.Entry].tree), true
		}
		e.now.way = e.r.IntN(len(operators))
	}
	if e.now.way == fromNothing || e.pool.Len() == 0 {
		return nil, false
	}
	for range 4 { // prefer small ones
		e.now.entry = e.pool.Pick(e.r.Uint64())
		if len(e.entries[e.now.entry].tree) <= e.most {
			break
		}
	}
	t := e.entries[e.now.entry].tree
	if e.now.way == byBytes {
		return t, true
	}
	edited, ok := e.mutate(t)
	return edited, ok && len(edited) <= max(e.most, len(t))
}

// mutate applies the operator that was chosen and, each time with probability 1/2, another.
func (e *Explorer) mutate(t choices.Tree) (choices.Tree, bool) {
	e.mutator.Corpus = e.others
	edited, ok := operators[e.now.way].Apply(&e.mutator, t, e.r)
	for n := e.r.Uint32(); n&1 == 1 && len(edited) > 0; n >>= 1 {
		var more bool
		edited, more = operators[e.r.IntN(len(operators))].Apply(&e.mutator, edited, e.r)
		ok = ok || more
	}
	return edited, ok
}

// Begin must be called just before the property runs on the value of a tree: what the
// counters hold from then until Finish is the coverage of the run.
func (e *Explorer) Begin(t choices.Tree) {
	e.now.bytes = choices.Encode(t)
	e.link.Offer(e.now.bytes)
	e.now.began = time.Now()
	e.link.Trace.Profiling.Store(true)
	if e.link.Changed != nil {
		atomic.StoreUint32(e.link.Changed, 0)
	}
	clear(e.link.Counters)
}

// Score must be called at the end of the run for each score that the property has given.
// Scores of one site are compared. A higher score counts like operands that have come
// nearer.
func (e *Explorer) Score(site uint64, score float64) {
	steps := e.scores[site]
	i, known := slices.BinarySearch(steps, score)
	switch {
	case known:
		i++
	case i == len(steps): // the highest so far
		if i < engine.MaxLevel {
			e.scores[site] = append(steps, score)
		}
		i++
	}
	e.link.Trace.Nearest.Level(uint(site), uint32(i))
}

// Finish must be called right after the property has returned. Only Finish reads the
// engine's counters, because this code may be instrumented, too, and then counts while it
// reads.
func (e *Explorer) Finish() {
	copy(e.counters, e.link.Counters)
	e.link.Trace.Profiling.Store(false)
	e.now.nearer = e.link.Trace.Nearest.News(e.now.nearer[:0])
	e.now.isFresh = e.seen.Fresh(e.counters)
	e.now.changed = e.link.Changed != nil && atomic.LoadUint32(e.link.Changed) != 0
	e.now.took = time.Since(e.now.began)
}

// ran learns from a run. It reports whether the exploration may continue.
func (e *Explorer) ran(o Outcome) bool {
	e.count(o)
	if e.quiet++; e.quiet%patienceWithSize == 0 {
		e.most = min(e.most+e.most/4, maxChoices)
	}
	if e.now.way >= 0 {
		e.stats.Operators[e.now.way].Tried++
	}
	if e.now.entry >= 0 {
		e.pool.Spent(e.now.entry, 1)
	}
	if o.Result == Rejected {
		return true
	}
	if e.stats.Executions%observed == 0 {
		e.features = engine.Features(e.counters, e.features[:0])
		e.pool.Observe(e.features)
	}
	if o.Result == Failed {
		e.ends(o)
		return !e.out.over
	}
	invalid := o.Result == Invalid
	if !e.link.Exploring {
		copy(e.out.counters, e.counters)
	}
	if invalid {
		e.now.isFresh = e.now.isFresh && e.invalid.Fresh(e.counters)
	}
	switch {
	case e.now.isFresh || len(e.now.nearer) > 0:
		return e.keep(o.Tree, invalid)
	case e.now.given && !invalid && e.own.Fresh(e.counters): // another worker has found it
		e.put(slices.Clone(o.Tree), false)
	case e.now.entry >= 0 && !e.entries[e.now.entry].compared && e.mayLook():
		now := time.Now()
		ok := e.compare(e.now.entry)
		e.looking += time.Since(now)
		return ok
	}
	return true
}

// count counts a run of the property.
func (e *Explorer) count(o Outcome) {
	e.stats.Executions++
	if o.Result == Valid {
		e.stats.Valid++
	}
}

func (e *Explorer) report() engine.Stats {
	s := e.stats
	s.Entries, s.Changed = e.pool.Len(), e.pool.Changed()
	s.Flaky = int64(e.flicker.Count())
	return s
}

// know records that bytes have run.
func (e *Explorer) know(b []byte) {
	if len(e.known) >= maxKnown {
		clear(e.known)
	}
	e.known[e.hash(b)] = true
}

func (e *Explorer) hash(b []byte) uint64 { return maphash.Bytes(e.seed, b) }
