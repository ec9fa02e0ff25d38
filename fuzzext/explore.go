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

	seen     *engine.Coverage // of valid inputs
	invalid  *engine.Coverage // of invalid ones
	own      *engine.Coverage // of what is in the pool
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
	// decode is options.decode.
	decode(b []byte) choices.Source
	// anew is options.anew.
	anew(r *rand.Rand) choices.Source
	// reduce is execution.reduce.
	reduce(s *trial, tree choices.Tree, good func(*T) bool, calls int) choices.Tree
	// again is execution.again.
	again(s *trial, tree choices.Tree) *T
	// stuck is execution.stuck.
	stuck(s *trial, tree choices.Tree)
	// panics is execution.panics.
	panics(b []byte) bool
	// fail is execution.fail.
	fail(s *trial, tree choices.Tree, first *T)
}

// An attempt is one run of the property.
type attempt struct {
	entry, way int    // what the value was made from, and how; -1 for neither
	bytes      []byte // what the engine has been told
	given      bool   // by the engine
	began      time.Time
	took       time.Duration
	isFresh    bool            // there is new coverage
	nearer     []engine.Nearer // what came nearer than ever
}

// An exploration is one execution of the engine.
type exploration struct {
	counters []byte // that the execution is to end with
	failed   *T
	stuck    bool         // a run has not returned
	tree     choices.Tree // of the value that has failed, or is being run
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

// The ways in which values are made: from nothing, by one of the operators, by a guess, or
// by edits of the bytes that stand for a value.
const anew = 0

var (
	operators = mutate.Operators()
	guess     = 1 + len(operators)
	byBytes   = 2 + len(operators)
	ways      = 3 + len(operators)
)

func newExplorer(link *engine.Link, x subject) *explorer {
	e := &explorer{
		link:    link,
		subject: x,
		seen:    engine.NewCoverage(len(link.Counters)),
		invalid: engine.NewCoverage(len(link.Counters)),
		own:     engine.NewCoverage(len(link.Counters)),
		pool:    engine.NewPool(maxEntries),
		known:   map[uint64]bool{},
		holders: map[uint32]int{},
		ways:    engine.NewBandit(ways),
		most:    minChoices,
		heap:    newCollector(),
		began:   time.Now(),
		mutator: mutate.Mutator{Reuse: true},
		r:       rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())),
	}
	e.stats.Structured = true
	e.stats.Operators = make([]engine.OperatorStats, ways)
	e.stats.Operators[anew].Name = "anew"
	e.stats.Operators[guess].Name = "compare"
	e.stats.Operators[byBytes].Name = "bytes"
	for i, op := range operators {
		e.stats.Operators[1+i].Name = op.Name
	}
	e.out.counters = make([]byte, len(link.Counters))
	link.Explorer = true
	link.Report = e.report
	return e
}

// fuzz is the fuzz function.
func (e *explorer) fuzz(t *testing.T, b []byte) { e.execute(t, b) }

func (e *explorer) execute(t testing.TB, b []byte) {
	s := newTrial(t)
	s.probe = e
	s.tree = e.memory
	defer s.end()
	clear(e.out.counters)
	e.out = exploration{counters: e.out.counters}
	e.seen.Merge(e.link.Known)
	e.heap.adjust()

	source := func(i int) choices.Source { return e.subject.decode(b) }
	e.last = -1
	if e.link.Exploring {
		e.link.Ran = 0
		source = e.next
		if !e.known[hash(b)] {
			e.last = 0 // it is the first value
		}
	}
	e.known[hash(b)] = true
	e.now = attempt{entry: -1, way: -1, bytes: b, given: !e.link.Exploring || e.last == 0}
	e.subject.each(s, source, func(_ int, t *T) bool {
		ok := e.ran(s, t)
		return e.link.Exploring && e.another() && ok
	})
	switch {
	case e.out.stuck:
		e.subject.stuck(s, e.out.tree)
	case e.out.failed != nil:
		e.subject.fail(s, e.out.tree, e.out.failed)
	}
	e.memory = s.tree
	copy(e.link.Counters, e.out.counters)
}

// another reports, after a run of an exploration, whether there is time for another.
func (e *explorer) another() bool {
	e.link.Ran++
	return e.link.Ran < e.link.Left && time.Now().Before(e.link.Until)
}

// next returns the source of the i-th value, of the last one more than once.
func (e *explorer) next(i int) choices.Source {
	if i <= e.last {
		return e.subject.decode(e.now.bytes)
	}
	e.last = i
	e.now = attempt{entry: -1, nearer: e.now.nearer}
	switch edited, ok := e.edited(); {
	case !ok:
		e.now.entry, e.now.way = -1, anew
		return e.subject.anew(e.r)
	case e.now.way == byBytes:
		return e.subject.decode(e.editBytes(choices.Encode(edited)))
	default:
		return e.replay.Replay(edited, e.r)
	}
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
	if e.now.way == byBytes {
		return t, true
	}
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
	e.now.took = time.Since(e.now.began)
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
		e.ends(s, t)
		return !e.out.over()
	}
	if !t.invalid {
		e.stats.Valid++
	}
	if !e.link.Exploring {
		copy(e.out.counters, e.link.Counters)
	}
	invalid := t.invalid
	if invalid {
		e.now.isFresh = e.now.isFresh && e.invalid.Fresh(e.link.Counters)
	}
	s.recycle(t)
	switch {
	case e.now.isFresh || len(e.now.nearer) > 0:
		return e.keep(s, invalid)
	case e.now.given && !invalid && e.own.Fresh(e.link.Counters): // another worker has found it
		e.put(append(choices.Tree(nil), s.tree...), false)
	case e.now.entry >= 0 && !e.entries[e.now.entry].compared && e.mayStepAside():
		now := time.Now()
		ok := e.compare(s, e.now.entry)
		e.aside += time.Since(now)
		return ok
	}
	return true
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

// crashed looks for an input on which the generator panics, as it just has while it made a
// value for which there are no bytes yet.
func (e *explorer) crashed(s *trial) {
	const tries = 10_000
	b := []byte{}
	until := time.Now().Add(time.Second)
	for range tries {
		if time.Now().After(until) {
			break
		}
		if e.subject.panics(b) {
			e.link.Offer(b)
			return
		}
		if b = b[:0]; len(e.entries) > 0 && e.r.Uint32()&1 == 0 {
			b = choices.Encode(e.entries[e.r.IntN(len(e.entries))].tree)
		}
		for range 1 + e.r.IntN(32) {
			b = e.editBytes(b)
		}
	}
	fmt.Fprintln(s.tb.Output(), "no input is known that has it panic again: what is saved is another one")
}

// editBytes changes, adds or takes away a few bytes, as the engine would.
func (e *explorer) editBytes(b []byte) []byte {
	for {
		at, most := e.r.IntN(len(b)+1), 1+e.r.IntN(4)
		end := min(at+most, len(b))
		switch e.r.IntN(4) {
		case 0:
			b = slices.Delete(b, at, end)
		case 1:
			random := make([]byte, most)
			for i := range random {
				random[i] = byte(e.r.Uint32())
			}
			b = slices.Insert(b, at, random...)
		case 2:
			b = slices.Insert(b, e.r.IntN(len(b)+1), append([]byte(nil), b[at:end]...)...)
		default:
			for i := at; i < end; i++ {
				b[i] ^= 1 << e.r.IntN(8)
			}
		}
		if e.r.Uint32()&1 == 0 {
			return b
		}
	}
}
