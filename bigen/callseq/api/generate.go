package api

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/archive"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/mutate"
)

// Generate makes tests by feedback-directed random generation (Figure 3 of "Feedback-directed
// Random Test Generation", Pacheco, Lahiri, Ernst and Ball, ICSE 2007), on the choices that make
// sequences. It repeats:
//
//  1. Draw a sequence: half of the time one that has reached new code, if that is known. Otherwise
//     draw it from the archive; mostly the shorter of two.
//  2. Edit its choices: append a call, append the last one many times over, or append another
//     sequence and a call. One time in four, make one of these edits or one of package
//     mutate, more often those that have led to new states for little.
//  3. Make the sequence of these choices. One time in four, give its new call a literal of an earlier
//     one. Drop the sequence if its text is known. Run it.
//  4. If a call fails, or a contract is violated, the sequence is an error. If a call refuses
//     its arguments, it is dropped.
//  5. If the values that the last call was given or has returned have a new state, the archive
//     keeps the sequence.
//
// At the end, [mutate.Minimize] makes an error of each class as simple as can be. Sequences of the
// archive that were not extended become regression tests.
//
// Several Generates must not run at once if what is tested has global state.
func (a *API) Generate(opts Options) Suite {
	return newGenerator(a, opts.withDefaults()).generate()
}

func (g *generator) generate() Suite {
	defer g.timer.Stop()
	for _, entry := range g.opts.Skip {
		if s := g.decode(entry); s != nil {
			g.fatal[s.sum()] = true
		}
	}
	m := g.opts.mistakes
	if m != nil && m.Hunt {
		g.hunt = g.newHunt(m)
		g.hunt.resume(m.Known)
	}
	for _, entry := range g.opts.Restore {
		if g.hunt.over() { // what is found suffices for the tests
			break
		}
		if s := g.decode(entry); s != nil && !g.over(g.closing()) && !g.full(g.mostRestored()) {
			s.proven = len(s.calls) - 1
			g.try(s)
		}
	}
	g.stats = g.opts.Stats
	if m != nil && !m.Hunt {
		return Suite{Stats: g.stats, Regressions: g.selected(m)}
	}
	for n := 0; !g.done(n); n++ {
		if g.attempt(); g.stats != g.opts.Stats && (g.full(maxHeld) || g.fills()) {
			g.opts.full()
		}
	}
	if g.hunt != nil {
		return g.hunt.suite()
	}
	return g.suite()
}

// A generator is one run of [API.Generate].
type generator struct {
	*machine
	quiet *quiet
	opts  Options
	rand  *rand.Rand
	begun time.Time
	cpu   time.Duration // of the process at the beginning
	armed atomic.Int64  // CPU time of the process when the timer was set
	hung  sync.Once     // Hung has been called
	stats Stats
	calls bigen.Gen[callseq.Calls]

	archive  *archive.Archive[*sequence]
	code     code
	ways     *engine.Bandit
	mutator  mutate.Mutator
	ignored  []bool                        // what is reached, where nobody reads it
	heap     memory                        // after the last sequence
	left     uint64                        // by those that leave much
	known    map[uint64]bool               // hashes of sequences
	fatal    map[uint64]bool               // hashes of those that end the process
	states   map[uint64]bool               // fingerprints of values
	tree     choices.Tree                  // memory for the next
	slots    []int32                       // memory
	runs     *sequence                     // or has run last
	entry    []byte                        // what makes it; nil until it is told
	entered  atomic.Pointer[callseq.Calls] // its calls so far, for the goroutine of the timer
	failing  bool                          // the sequence that is told of is the first of a class of errors
	joint    int                           // 1 if only values together have a new state
	errors   []*found
	samples  map[string][]callseq.Call // calls whose arguments others may have
	refusals map[string][]*sequence    // by operation, with one for each reason
	timer    *time.Timer               // of a sequence that does not end
	mistake  int                       // the change of the package that is made
	away     bool                      // the sequence runs elsewhere
	differ   map[int]map[resultOf]bool // by candidate, its results that differ there
	switches switches
	hunt     *hunt  // or nil
	free     uint64 // bytes on the disk at the beginning
}

const (
	meanMade   = 4       // calls of a sequence that is made of nothing
	vagueCalls = 2       // at the end of a sequence, that tell vague values apart
	maxArchive = 1 << 19 // choices
)

func newGenerator(a *API, opts Options) *generator {
	q := &quiet{}
	g := &generator{
		machine: a.newMachine(q), quiet: q, opts: opts, begun: time.Now(), cpu: cpuTime(),
		rand:    rand.New(rand.NewPCG(opts.Seed, uint64(opts.Stats.Sequences))),
		archive: archive.New[*sequence](maxArchive), ways: engine.NewBandit(len(ways)),
		code: newCode(opts.link), known: map[uint64]bool{}, fatal: map[uint64]bool{}, states: map[uint64]bool{},
	}
	g.differ = map[int]map[resultOf]bool{}
	g.refusals, g.samples = map[string][]*sequence{}, map[string][]callseq.Call{}
	if g.switches = (switches{new(int), new([]bool), new(int)}); opts.mistakes != nil {
		g.switches = linked // of the process: nothing else is carried out in it
	}
	g.enter, g.confined, g.mutator.Operators = g.entering, opts.Confined, ways[weaving:]
	g.calls = genOf(func() *machine { return g.machine }, min(meanMade, opts.Length), opts.Length)
	g.free = opts.space()
	g.timer = time.AfterFunc(math.MaxInt64, g.expire)
	return g
}

// entering is called before what is tested is called. It tells of a call that may be the first to
// end the process.
func (g *generator) entering() {
	if g.turn < g.runs.proven {
		return
	}
	g.code.observe(g.turn == len(g.runs.calls)-1)
	g.tell(g.opts.Before)
	calls := g.runs.calls[:g.turn+1]
	g.entered.Store(&calls)
	g.arm()
}

// tell tells of the calls so far of the sequence that runs, or has run last.
func (g *generator) tell(to func(calls callseq.Calls, entry []byte)) {
	if to == nil {
		return
	}
	n := g.turn + 1
	if g.entry == nil {
		g.entry = entryOf(g.runs.tree, n)
	}
	binary.BigEndian.PutUint32(g.entry[len(g.entry)-4:], uint32(n))
	to(g.runs.calls[:n], g.entry)
}

// entryOf returns the entry of the first n calls of a sequence.
func entryOf(t choices.Tree, n int) []byte {
	return binary.BigEndian.AppendUint32(choices.Encode(t), uint32(n))
}

// ends reports whether a sequence is known to end the process. A test that a hunt seeks has no
// operation that has ended it.
func (g *generator) ends(s *sequence) bool {
	if g.hunt != nil && s.hasAny(g.opts.Never, 0) {
		return true
	}
	return slices.ContainsFunc(s.sums, func(sum uint64) bool { return g.fatal[sum] })
}

// done reports whether generation ends, after n attempts.
func (g *generator) done(n int) bool {
	o := &g.opts
	switch {
	case o.Sequences > 0 && g.stats.Sequences >= o.Sequences:
		return true
	case n%64 != 0:
		return false
	case o.Stop != nil && o.Stop(), g.hunt.over():
		return true
	case n > 1000 && g.stats.Sequences < n/1000: // there is nothing new to try
		return true
	}
	return o.Time > 0 && time.Since(g.begun) >= o.Time && g.hunt == nil
}

// closing is how long the suite may take to make, beyond the time of generation. Then it is of what
// there is.
var closing = time.Minute

// closing is that, or as an order with mistakes says.
func (g *generator) closing() time.Duration {
	if m := g.opts.mistakes; m != nil {
		return m.Closing
	}
	return closing
}

// over reports whether the time of generation is over, and some more, after which nothing else is
// made of what has been found. That is CPU time, so that a busy machine makes the same. A quarter
// of the clock counts for calls that wait.
func (g *generator) over(more time.Duration) bool {
	return g.opts.Time > 0 && max(cpuTime()-g.cpu, time.Since(g.begun)/4) >= g.opts.Time+more
}

// attempt makes a sequence and, if it is not known, runs it.
func (g *generator) attempt() {
	if g.hunt.attempt() {
		return
	}
	if parent, edited := g.argue(); parent != nil {
		g.tryEdited(parent, edited)
		return
	}
	way := g.ways.Choose(g.rand.Uint64())
	if g.opts.Undirected || g.rand.IntN(4) != 0 {
		way = appending[g.rand.IntN(len(appending))]
	}
	entry := g.draw()
	// Undirected, the archive also has sequences that cannot be extended: perhaps only such.
	if entry == nil || g.opts.Undirected && g.rand.IntN(4) == 0 {
		g.tryEdited(nil, nil)
		return
	}
	parent := entry.Value
	g.mutator.Corpus = []choices.Tree{g.draw().Value.tree}
	if way == repeating && g.ops[g.byName[parent.last()]].heavy {
		way = adding
	}
	edited, ok := ways[way].Apply(&g.mutator, parent.tree, g.rand)
	if !ok {
		edited = more(edited)
	}
	if way != adding && way != joining {
		g.renumber(edited, false)
	}
	if calls := g.tryEdited(parent, edited); calls > 0 && !g.opts.Undirected {
		g.ways.Reward(way, cheap/(cheap+float64(calls)))
		parent.used = true
	}
}

// tryEdited tries the sequence of an edited tree, or one that is made of nothing if there is no
// parent, whose tree it was. It returns how many calls it has, if it reaches something new.
func (g *generator) tryEdited(parent *sequence, edited choices.Tree) (calls int) {
	src := choices.Random(g.rand)
	if parent != nil {
		src = choices.Replay(edited, g.rand)
	}
	s := g.make(src)
	if s == nil {
		return 0
	}
	if parent != nil && len(s.calls) > len(parent.calls) && !g.opts.Undirected && g.rand.IntN(4) == 0 {
		if aliased, ok := alias(nil, s.tree, g.rand); ok {
			if s = g.make(choices.Replay(aliased, g.rand)); s == nil {
				return 0
			}
		}
	}
	if parent != nil {
		most := min(len(s.calls)-1, len(parent.calls))
		for s.proven < most && s.sums[s.proven] == parent.sums[s.proven] {
			s.proven++
		}
	}
	if s.hasAny(g.opts.Without, s.proven) || !g.try(s) {
		return 0
	}
	return len(s.calls)
}

// cheap is how many calls a sequence has whose new state counts half.
const cheap = 8

// draw draws a sequence to build on: half of the time one of the few that have reached new code.
// Otherwise it draws from the archive, three times in four the shorter of two.
func (g *generator) draw() *archive.Entry[*sequence] {
	if e := g.code.draw(g.rand); e != nil && !g.opts.Undirected {
		return e
	}
	a := g.archive.Draw(g.rand)
	if a != nil && g.rand.IntN(4) != 0 && !g.opts.Undirected {
		if b := g.archive.Draw(g.rand); len(b.Value.calls) < len(a.Value.calls) {
			return b
		}
	}
	return a
}

// try runs a sequence, unless it is known, and reports whether it reaches something new.
func (g *generator) try(s *sequence) (isNew bool) {
	if g.known[s.sum()] || s.hasAny(g.opts.Never, 0) || !g.confined && g.write(s.calls) || g.ends(s) {
		return false
	}
	g.known[s.sum()] = true
	g.stats.Sequences++
	g.stats.Calls += len(s.calls)
	used, last := cpuTime(), g.ops[g.byName[s.last()]]
	s = g.hunt.begin(s)
	g.code.watching = true
	end := g.run(s)
	last.runs, last.took = last.runs+1, last.took+cpuTime()-used
	key, reaches := s.sum(), g.code.news()
	if end.class == Passed {
		if key, isNew = g.news(); isNew || g.opts.Undirected {
			if v := g.judge(g.due(isNew)); v != nil {
				end = ending{class: v.class, at: len(s.calls) - 1, violated: v}
			}
		}
	}
	switch end.class {
	case Expected:
		g.stats.Expected++
	case Invalid:
		g.stats.Invalid++
	}
	if end.class == Error {
		g.stats.Failed++
		g.note(s, end)
	}
	leaves := g.leaves()
	if end.class != Error && !leaves {
		g.learn(s, reaches, end.class == Passed)
	}
	switch {
	case leaves:
		delete(g.states, key) // others may have it for less
	case g.looped && !g.opts.Undirected: // it may have no end
	case end.class == Expected && end.at == len(s.calls)-1:
		g.refused(s, end)
	case end.class == Passed && isNew:
		g.keep(s, key)
	case g.opts.Undirected:
		g.keep(s, s.sum())
	}
	if !leaves && end.class != Error {
		g.hunt.follow(s, end, isNew || reaches)
	}
	return end.class == Passed && isNew || end.class == Error
}

// news returns the state of values, and reports whether it is new: of those that the last call
// was given or has returned or, else, of all that have to do with them. Of the latter there are
// many, so these sequences are extended less often.
func (g *generator) news() (key uint64, isNew bool) {
	g.joint = 0
	if key = g.together(g.touched); g.print.left >= 0 && !g.print.vague && g.states[key] {
		g.joint = 1
		g.slots = g.slots[:0]
		for slot := range g.group {
			if one := g.one[g.turn]; one >= 0 && g.root(int32(slot)) == g.root(one) {
				g.slots = append(g.slots, int32(slot))
			}
		}
		key = g.together(g.slots)
	}
	if g.print.vague && g.print.left >= 0 {
		key = hash.Mix(key, g.runs.ending(vagueCalls))
	}
	if g.print.left < 0 || g.states[key] {
		return key, false // too large to tell apart, and to be made over and over
	}
	g.states[key] = true
	return key, true
}

// due returns which contracts to check: the contracts of values that have a new state.
func (g *generator) due(related bool) due {
	fresh := map[int32]bool{}
	for _, slot := range g.touched {
		key := hash.Mix(1, g.together([]int32{slot}))
		fresh[slot] = fresh[slot] || !g.states[key]
		g.states[key] = true
	}
	return due{value: func(slot int32) bool { return fresh[slot] }, related: related}
}

// together returns the fingerprint of some values.
func (g *generator) together(slots []int32) uint64 {
	f := &g.print
	f.begin()
	for _, i := range slots {
		if x := g.cells[i]; !x.isNil() {
			f.mix(uint64(x.about().pool.index))
			x.walk(f)
		}
	}
	return f.hash
}

// keep keeps a sequence that has run, to be extended: the calls that have to do with the last.
func (g *generator) keep(s *sequence, key uint64) {
	g.tell(g.opts.Kept)
	if !g.opts.Undirected {
		s = g.trimmed(s)
	}
	if e, isNew := g.archive.Add(key, archive.ClassOf(len(s.calls)), len(s.tree), g.rand); isNew {
		s = s.own()
		s.proven = len(s.calls) - 1
		e.Value, e.Tries = s, g.joint
	}
	g.stats.Kept++
}

// trimmed returns a sequence that has run without calls that have nothing to do with the last.
func (g *generator) trimmed(s *sequence) *sequence {
	var left choices.Tree
	at := 0
	for i := range s.calls {
		if g.related(i) {
			left = append(left, s.tree.At(at)...)
		}
		at = s.tree.End(at)
	}
	if len(left) == at {
		return s
	}
	left = append(left, s.tree[at:]...)
	g.renumber(left, false)
	s = s.own()
	if t := g.make(choices.Replay(left, nil)); t != nil && !g.known[t.sum()] {
		g.known[t.sum()] = true
		return t
	}
	return s
}
