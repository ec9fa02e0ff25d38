package fuzzext

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/mutate"
)

// An explorer is the fuzz function of a target in a worker process whose engine is that
// of corpusgen fuzz. In one execution of the engine it runs the property on as many
// values as there is time for, looks at the coverage that each of them has, and decides by
// that which to mutate next, and how. It tells the engine what it runs, and ends the
// execution when an input is worth keeping.
//
// It has no type parameter: the code of generic functions would be compiled with the
// user's package and so be taken for the code under test.
type explorer struct {
	link    *engine.Link
	subject subject

	seen     *engine.Coverage
	pool     *engine.Pool
	entries  []pooled
	others   []choices.Tree // those of the entries
	holders  map[uint32]int // the entries that have come nearest
	known    map[uint64]bool
	ways     *engine.Bandit
	mutator  mutate.Mutator
	replay   choices.Replayer
	memory   choices.Tree // for values
	guesses  guesses
	heap     *collector
	began    time.Time
	aside    time.Duration           // taken for other things than running inputs
	texts    []engine.TextComparison // memory
	features []uint32                // memory

	dictionary mutate.Dictionary
	stats      engine.Stats
	last       int // index of the last value that was asked for
	most       int // choices that an edit may lead to
	quiet      int // values since the last one that was kept

	r   *rand.Rand
	now attempt
	out exploration
}

// A pooled input is one of the pool.
type pooled struct {
	tree     choices.Tree
	covers   bool     // it is kept for its coverage
	covered  []uint32 // the features of its coverage, if it is kept for them
	time     float64  // nanoseconds of its run
	compared bool     // what the code compares it with is known
	holds    int      // for how many places in the code it is kept, because it has come nearest
}

// A subject is what an explorer explores: an execution.
type subject interface {
	// each is execution.each.
	each(s *trial, source func(i int) choices.Source, after func(i int, t *T) (more bool)) bool
	// reduce is execution.reduce.
	reduce(s *trial, tree choices.Tree, good func(*T) bool, calls int) choices.Tree
	// again is execution.again.
	again(s *trial, tree choices.Tree) *T
	// fail is execution.fail.
	fail(s *trial, tree choices.Tree, first *T)
}

// An attempt is one run of the property.
type attempt struct {
	entry, way int          // what the value was made from, and how; -1 for neither
	tree       choices.Tree // that was replayed; nil if the bytes were decoded
	bytes      []byte       // what the engine has been told
	began      time.Time
	isFresh    bool            // there is new coverage
	nearer     []engine.Nearer // what came nearer than ever
}

// An exploration is one execution of the engine.
type exploration struct {
	counters []byte // that the execution is to end with
	failed   *T
	tree     choices.Tree // of the value that has failed
}

const (
	// maxEntries bounds the pool.
	maxEntries = 4096
	// Edits lead to trees of at most minChoices choices at first, and later, whenever
	// that has been in vain for patienceWithSize values, to larger ones.
	minChoices       = 64
	maxChoices       = 4096
	patienceWithSize = 10_000
	// One run of so many tells the pool how frequent features are.
	observed = 8
	// To the pool, each distance from each place in the code is a block, one of so many.
	nearBlocks = 1 << 18
)

// The ways in which values are made: from nothing, then by the operators, and by guesses.
const anew = 0

var (
	operators = mutate.Operators()
	guess     = 1 + len(operators)
)

func newExplorer(link *engine.Link, x subject) *explorer {
	e := &explorer{
		link:    link,
		subject: x,
		seen:    engine.NewCoverage(len(link.Counters)),
		pool:    engine.NewPool(maxEntries),
		known:   map[uint64]bool{},
		holders: map[uint32]int{},
		ways:    engine.NewBandit(2 + len(operators)),
		most:    minChoices,
		heap:    newCollector(),
		began:   time.Now(),
		mutator: mutate.Mutator{Reuse: true},
		r:       rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())),
	}
	e.stats.Structured = true
	e.stats.Operators = make([]engine.OperatorStats, 2+len(operators))
	e.stats.Operators[anew].Name = "anew"
	e.stats.Operators[guess].Name = "compare"
	for i, op := range operators {
		e.stats.Operators[1+i].Name = op.Name
	}
	e.out.counters = make([]byte, len(link.Counters))
	link.Explorer = true
	link.Report = e.report
	return e
}

// fuzz is the fuzz function.
func (e *explorer) fuzz(t *testing.T, b []byte) {
	s := newTrial(t)
	s.probe = e
	s.tree = e.memory
	defer s.end()
	clear(e.out.counters)
	e.out.failed, e.out.tree = nil, nil
	e.seen.Merge(e.link.Known)
	e.heap.adjust()

	source := func(i int) choices.Source { return choices.FromBytes(b) }
	after := func(int, *T) bool { return false }
	e.last = -1
	if e.link.Exploring {
		after = e.explore(s)
		source = e.next
		if !e.known[hash(b)] {
			e.last = 0 // it is the first value
		}
	}
	e.known[hash(b)] = true
	e.now = attempt{entry: -1, way: -1, bytes: b}
	e.subject.each(s, source, func(i int, t *T) bool {
		more := after(i, t)
		return e.ran(s, t) && more
	})
	if e.out.failed != nil {
		e.subject.fail(s, e.out.tree, e.out.failed)
	}
	e.memory = s.tree
	copy(e.link.Counters, e.out.counters)
}

// explore returns whether there is to be another value.
func (e *explorer) explore(s *trial) func(int, *T) bool {
	e.link.Ran = 0
	return func(i int, t *T) bool {
		e.link.Ran++
		return e.link.Ran < e.link.Left && (e.link.Ran%8 != 0 || time.Now().Before(e.link.Until))
	}
}

// next returns the source of the i-th value, of the last one more than once.
func (e *explorer) next(i int) choices.Source {
	if i <= e.last {
		return choices.FromBytes(e.now.bytes)
	}
	e.last = i
	e.now = attempt{entry: -1, nearer: e.now.nearer}
	if edited, ok := e.edited(); ok {
		return e.replay.Replay(edited, e.r)
	}
	e.now.entry, e.now.way = -1, anew
	return choices.Varied(e.r, int(e.r.Uint64N(1<<20)))
}

// edited returns a tree of the pool after an edit; there may be none.
func (e *explorer) edited() (choices.Tree, bool) {
	e.now.way = e.ways.Choose(e.r.Uint64())
	if e.now.way == guess {
		if g, ok := e.guesses.pop(); ok {
			e.now.entry = g.entry
			return g.Apply(e.entries[g.entry].tree), true
		}
		e.now.way = 1 + e.r.IntN(len(operators))
	}
	if e.now.way == anew || e.pool.Len() == 0 {
		return nil, false
	}
	for range 4 { // prefer those that are not too large
		e.now.entry = e.pool.Pick(e.r.Uint64())
		if len(e.entries[e.now.entry].tree) <= e.most {
			break
		}
	}
	t := e.entries[e.now.entry].tree
	edited, ok := e.mutate(t)
	return edited, ok && len(edited) <= max(e.most, len(t))
}

// mutate makes one edit in the way that has been chosen, and some others.
func (e *explorer) mutate(t choices.Tree) (choices.Tree, bool) {
	e.mutator.Corpus = e.others
	edited, ok := operators[e.now.way-1].Apply(&e.mutator, t, e.r)
	for n := e.r.Uint32(); n&1 == 1 && len(edited) > 0; n >>= 1 {
		var more bool
		edited, more = operators[e.r.IntN(len(operators))].Apply(&e.mutator, edited, e.r)
		ok = ok || more
	}
	return edited, ok
}

// begin is called before the property runs on the value of a tree.
func (e *explorer) begin(t choices.Tree) {
	e.now.bytes = choices.Encode(t)
	e.link.Offer(e.now.bytes)
	e.now.began = time.Now()
	e.link.Trace.Profiling.Store(true)
	clear(e.link.Counters)
}

// finish is called when the property has returned.
func (e *explorer) finish() {
	e.link.Trace.Profiling.Store(false)
	e.now.nearer = e.link.Trace.Nearest.News(e.now.nearer[:0])
	e.now.isFresh = e.seen.Fresh(e.link.Counters)
}

// ran is called when a run has ended, with a nil T for a value that has been rejected. It
// reports whether exploration is to go on.
func (e *explorer) ran(s *trial, t *T) bool {
	e.stats.Executions++
	if e.quiet++; e.quiet%patienceWithSize == 0 {
		e.most = min(e.most+e.most/4, maxChoices)
	}
	if e.now.way >= 0 {
		e.stats.Operators[e.now.way].Tried++
	}
	if e.now.entry >= 0 {
		e.pool.Spent(e.now.entry, 1)
	}
	if t == nil {
		return true
	}
	if e.stats.Executions%observed == 0 {
		e.features = engine.Features(e.link.Counters, e.features[:0])
		e.pool.Observe(e.features)
	}
	if t.failed {
		if places := e.link.KnownPlaces(); len(places) > 0 {
			_, where := t.logged()
			if _, ok := places[where]; ok {
				places[where]++
				return true
			}
		}
		e.out.failed, e.out.tree = t, append(choices.Tree(nil), s.tree...)
		return false
	}
	if !t.invalid {
		e.stats.Valid++
	}
	if !e.link.Exploring {
		copy(e.out.counters, e.link.Counters)
	}
	invalid := t.invalid
	s.recycle(t)
	switch {
	case e.now.isFresh || len(e.now.nearer) > 0:
		return e.keep(s, invalid)
	case e.now.entry >= 0 && !e.entries[e.now.entry].compared && e.mayStepAside():
		now := time.Now()
		ok := e.compare(s, e.now.entry)
		e.aside += time.Since(now)
		return ok
	}
	return true
}

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
	worthy := e.now.isFresh && !invalid
	tree := append(choices.Tree(nil), s.tree...)
	if e.link.Exploring && !invalid && (worthy || len(tree) > smallInput) {
		if tree = e.reduce(s, tree); tree == nil {
			return e.out.failed == nil
		}
	}
	features := engine.Features(e.link.Counters, nil)
	kept := pooled{tree: tree, covers: e.now.isFresh, time: float64(time.Since(e.now.began))}
	if kept.covers {
		kept.covered = append([]uint32(nil), features...)
	}
	fresh := len(e.now.nearer)
	if e.now.isFresh {
		fresh += e.seen.Add(e.link.Counters)
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
	if !worthy {
		return true
	}
	e.stats.Found++
	copy(e.out.counters, e.link.Counters)
	return !e.link.Exploring
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

// mayStepAside reports whether it is time to look closer at some input, instead of running
// another. That takes a quarter of all time at most.
func (e *explorer) mayStepAside() bool { return 4*e.aside <= time.Since(e.began) }

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
		switch {
		case t == nil || t.Failed():
			if e.out.failed == nil {
				e.out.failed, e.out.tree = t, append(choices.Tree(nil), s.tree...)
			}
			s.full.Store(true)
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
	if e.out.failed != nil {
		return nil
	}
	if !good(e.subject.again(s, smaller)) {
		if e.out.failed == nil {
			e.stats.Flaky++
			e.seen.AddAll(news)
		}
		return nil
	}
	return append(choices.Tree(nil), s.tree...)
}

func (e *explorer) report() engine.Stats {
	s := e.stats
	s.Entries = e.pool.Len()
	return s
}

// tell writes the record of a failure for corpusgen, if it listens.
func (e *explorer) tell(f engine.Failure) {
	dir := os.Getenv(engine.RunDir)
	if dir == "" {
		return
	}
	b, err := json.Marshal(f)
	if err != nil {
		return
	}
	name := filepath.Join(dir, fmt.Sprintf("failure-%d-%x.json", os.Getpid(), e.r.Uint64()))
	if os.WriteFile(name+".tmp", b, 0o666) == nil {
		_ = os.Rename(name+".tmp", name) // the report says all of it, too
	}
}
