package engine

import (
	"sync/atomic"
	"time"
)

// A Prober makes the inputs of a target whose arguments have the types that [testing.F]
// supports. It keeps a pool of inputs that have reached something new, mutates them, and
// puts into them what the program compares its input with.
//
// For each execution, the engine calls Next, WantTrace and Done, in this order.
type Prober struct {
	r       random
	pool    *Pool
	members []member  // the pool's entries
	size    int       // of all members, in bytes
	known   *Coverage // by the coordinator or here
	changed *uint32   // see Link.Changed; nil if nothing sets it
	own     *Coverage // of entries of this pool
	bases   map[uint64]bool
	asis    []again

	comparer    *Comparer
	waiting     []patches // patches of the last one come first
	patches     int       // in waiting
	waitingSize int       // bytes of the inputs in waiting
	period      int       // executions between two that are traced, times 8
	untraced    int

	operators []OperatorStats
	textArms  *Bandit
	numArms   *Bandit
	depths    *Bandit // how many mutations are made, one after the other
	ways      *Bandit // mutate, or patch

	work  input // what runs
	out   [][]byte
	entry int // from which work was made, or -1
	again again
	way   way
	batch int   // mutants still to make from entry
	used  []int // operators that made work
	tried int   // of the texts that have been given, those that have been an argument
	depth int
	trace bool
	mend  []uint64 // the sites that the patch should not have made unequal

	text     text // what is being changed
	buf      []byte
	features []uint32
}

// again is an input to run as it is.
type again struct {
	in    input
	entry int // of the pool, or -1 if it is not in it
}

type way uint8

const (
	asItIs way = iota
	mutant
	patched
)

const (
	maxEntries     = 1 << 13
	maxPoolSize    = 1 << 28 // bytes
	maxBases       = 1 << 16
	batchSize      = 4  // mutants of an entry one after the other
	observePeriod  = 8  // executions
	tracePeriod    = 16 // executions, in the beginning
	minTracePeriod = 4
	maxTracePeriod = 64

	nearerReward = 0.1 // for operands that come nearer

	operandOperator = len(textOperators) + len(numberOperators)
)

// NewProber returns a prober whose choices depend on the seed.
func NewProber(seed uint64) *Prober {
	x := &Prober{
		r:        random{seed},
		bases:    make(map[uint64]bool),
		textArms: NewBandit(len(textOperators)),
		numArms:  NewBandit(len(numberOperators)),
		depths:   NewBandit(5),
		ways:     NewBandit(2),
		entry:    -1,
		period:   8 * tracePeriod,
	}
	x.comparer = &Comparer{bold: true, r: &x.r}
	for _, o := range textOperators {
		x.operators = append(x.operators, OperatorStats{Name: o.name})
	}
	for _, o := range numberOperators {
		x.operators = append(x.operators, OperatorStats{Name: o.name})
	}
	x.operators = append(x.operators, OperatorStats{Name: "operand"})
	return x
}

// Give adds what inputs may need without that a comparison says so.
func (x *Prober) Give(t Tokens) { x.comparer.Give(t) }

// Favor lets the prober mutate, above all, inputs whose execution makes *changed not 0.
func (x *Prober) Favor(changed *uint32) { x.changed = changed }

// Changed returns the number of such inputs in the pool.
func (x *Prober) Changed() int {
	if x.pool == nil {
		return 0
	}
	return x.pool.Changed()
}

// Stats returns the finds of each kind of mutation.
func (x *Prober) Stats() []OperatorStats {
	return append([]OperatorStats(nil), x.operators...)
}

// Entries returns the number of inputs in the pool.
func (x *Prober) Entries() int { return len(x.members) }

// Know adds coverage bits that are known elsewhere, one byte for each counter. They are
// not fresh.
func (x *Prober) Know(bits []byte) {
	x.cover(len(bits))
	x.known.Merge(bits)
}

func (x *Prober) cover(n int) {
	if x.known == nil {
		x.known, x.own = NewCoverage(n), NewCoverage(n)
		x.pool = NewPool(maxEntries, n)
	}
}

// Base adds an entry of the corpus. Unless it has been added before, one of the next
// executions runs it as it is.
func (x *Prober) Base(vals []any) {
	in := loadAll(vals)
	if h := in.hash(); !x.bases[h] {
		if len(x.bases) >= maxBases {
			clear(x.bases)
		}
		x.bases[h] = true
		x.asis = append(x.asis, again{in, -1})
	}
}

// Next replaces vals by the next input to run, with texts of at most max bytes in all. A
// []byte is valid until the next call, and changes to it have no effect on later inputs.
// If [Prober.Base] has not been called, vals is an entry.
func (x *Prober) Next(vals []any, max int) {
	if len(x.asis) == 0 && len(x.members) == 0 {
		x.Base(vals)
		if len(x.asis) == 0 { // it has been run already
			x.asis = append(x.asis, again{loadAll(vals), -1})
		}
	}
	x.used = x.used[:0]
	switch {
	case len(x.asis) > 0:
		x.way = asItIs
		x.again = x.asis[0]
		x.asis = append(x.asis[:0], x.asis[1:]...)
		x.entry = x.again.entry
		x.work.assign(x.again.in)
		x.batch = 0
	case x.patches > 0 && x.ways.Choose(x.r.bits()) == 1:
		x.way = patched
		x.patch()
		x.batch = 0
	default:
		x.way = mutant
		x.mend = nil
		x.mutate(max)
	}
	if x.changed != nil {
		atomic.StoreUint32(x.changed, 0)
	}
	x.work.fit(max)
	for len(x.out) < len(x.work) {
		x.out = append(x.out, nil)
	}
	for i := range vals {
		if i < len(x.work) {
			vals[i], x.out[i] = x.work[i].value(x.out[i])
		}
	}
	x.untraced += 8
	x.trace = x.way == asItIs || x.untraced >= x.period
	if x.trace {
		x.untraced = 0
		x.mend = nil
	} else if x.way == patched && x.mend != nil {
		x.trace = true
	}
}

// WantTrace reports whether the comparisons of the next execution should be recorded.
func (x *Prober) WantTrace() bool { return x.trace }

// mutate makes a mutant of an entry.
func (x *Prober) mutate(most int) {
	if x.batch--; x.batch < 0 || x.entry < 0 {
		x.batch = batchSize - 1
		x.entry = x.pool.Pick(x.r.bits())
	}
	x.work.assign(x.members[x.entry].in)
	if len(x.work) == 0 {
		return
	}
	if x.alone() {
		return
	}
	room := most - x.work.size()
	x.depth = x.depths.Choose(x.r.bits())
	steps := 1<<x.depth>>1 + 1 // 1, 2, 3, 5, 9
	for tries := 4 * steps; steps > 0 && tries > 0; tries-- {
		i := x.r.n(len(x.work))
		f := &x.work[i]
		op := 0
		switch {
		case f.kind == kindOther:
			continue
		case f.kind == kindBool:
			if !x.r.oneIn(len(x.work)) {
				continue
			}
			f.set(f.num ^ 1)
			steps--
			continue
		case f.kind.text():
			op = x.textArms.Choose(x.r.bits())
			x.text = text{f.bytes, room, x}
			changed := textOperators[op].apply(&x.text, &x.r)
			f.bytes = x.text.b
			if !changed {
				continue
			}
			f.val, room = nil, x.text.room
		default:
			op = x.numArms.Choose(x.r.bits())
			if !numberOperators[op].apply(f, &x.r, x.comparer.given.Numbers) {
				continue
			}
			op += len(textOperators)
		}
		x.used = append(x.used, op)
		steps--
	}
}

// alone puts each text that has been given, once, in the place of a whole argument: it may be a key of
// a map.
func (x *Prober) alone() bool {
	given := x.comparer.given.Texts
	if x.tried == len(given) || !x.r.oneIn(4) {
		return false
	}
	f := &x.work[x.r.n(len(x.work))]
	if !f.kind.text() {
		return false
	}
	f.bytes, f.val = append(f.bytes[:0], given[x.tried]...), nil
	x.tried++
	x.depth, x.used = 0, append(x.used, literalOperator)
	return true
}

// Done learns from the execution: its counters, not rounded; its comparisons, or nil if they
// were not recorded; the places whose operands came nearer than ever; whether it failed; and
// how long it took. It reports whether a coverage bit is new.
func (x *Prober) Done(
	counters []byte, trace *Trace, nearer []Nearer, failed bool, took time.Duration,
) (fresh bool) {
	x.cover(len(counters))
	for _, op := range x.used {
		x.operators[op].Tried++
	}
	if x.entry >= len(x.members) {
		x.entry = -1
	}
	if x.entry >= 0 && x.way != asItIs {
		x.pool.Spent(x.entry, 1)
	}
	if failed {
		if x.way == asItIs && x.again.entry < 0 && len(x.members) == 0 {
			x.features = x.features[:0]
			x.keep(nil, nil, nil, took) // there is nothing better to start from
		}
		return false
	}
	fresh = x.known.Fresh(counters)
	entry := x.entry
	switch {
	case fresh:
		x.features = Features(counters, x.features[:0])
		reasons, reward := x.reasons()
		x.known.Add(counters)
		entry = x.keep(counters, nearer, reasons, took)
		x.reward(reward)
	case x.way == asItIs && x.again.entry < 0:
		x.features = Features(counters, x.features[:0])
		entry = x.keep(counters, nearer, nil, took)
	case len(nearer) > 0:
		x.features = Features(counters, x.features[:0])
		entry = x.keep(counters, nearer, nil, took)
		x.reward(nearerReward)
	case x.way == mutant && x.reduces(counters):
		x.size += x.work.size() - x.members[entry].in.size()
		x.members[entry].in = x.work.clone()
		x.pool.Resize(entry, x.work.size()+8)
	case x.r.oneIn(observePeriod):
		x.features = Features(counters, x.features[:0])
		if x.entry >= 0 {
			x.features = append(x.features, x.pool.Near(x.entry)...) // most mutants come as near
		}
		x.pool.Observe(x.features)
	}
	kept := fresh || len(nearer) > 0
	if kept {
		x.period = 8 * minTracePeriod
	}
	if trace != nil {
		x.compare(trace, entry, kept || x.way == asItIs)
	} else if kept {
		x.asis = append(x.asis, again{x.members[entry].in, entry})
	}
	return fresh
}

// reward rewards the arms of the bandits that have made the input.
func (x *Prober) reward(r float64) {
	for _, op := range x.used {
		if r > nearerReward {
			x.operators[op].Found++
		}
		switch {
		case op < len(textOperators):
			x.textArms.Reward(op, r)
		case op < operandOperator:
			x.numArms.Reward(op-len(textOperators), r)
		}
	}
	if x.way != asItIs {
		x.ways.Reward(int(x.way-mutant), r)
		if x.way == mutant {
			x.depths.Reward(x.depth, r)
		}
		if x.entry >= 0 {
			x.pool.Found(x.entry)
		}
	}
}

// otherText returns a text of another entry.
func (x *Prober) otherText() []byte {
	for range 4 {
		in := x.members[x.r.n(len(x.members))].in
		if i := x.r.n(len(in)); i < len(in) && in[i].kind.text() {
			return in[i].bytes
		}
	}
	return nil
}

// token returns something from the dictionary, until the next call.
func (x *Prober) token() ([]byte, bool) {
	token, ok := x.comparer.texts.pick(&x.r)
	x.buf = append(x.buf[:0], token...)
	return x.buf, ok
}
