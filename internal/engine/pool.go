package engine

import (
	"cmp"
	"math"
	"slices"
)

// A Pool decides which inputs a worker keeps, and which it mutates next. It identifies an
// entry by its index. The caller, a [Prober] or the explorer of internal/explore, stores the
// inputs. A Pool differs from internal/archive, which has one entry for each key: a Pool
// values an entry by how rare its code is among all entries, by what it has led to, and by
// what it costs.
//
// An entry is kept for its coverage, or because no other has come nearer to equal operands
// in some comparisons ([Nearest]), or both. When other entries have come nearer in all of
// these, and the entry is not kept for its coverage, it is retired: it is hardly ever
// chosen, and forgotten first.
//
// The probability of an entry is proportional to its energy, which is the product of
//   - rarity: how seldom [Pool.Observe] has seen its rarest block of code, squared. How
//     often a block ran does not matter here: a rare count need not mean anything. Each
//     distance of each comparison for which an entry is kept is a block, too;
//   - promise: the square root of its finds per execution spent on it. An entry on which
//     little has been spent is trusted more than one on which much has been spent without
//     a find;
//   - cheapness: entries that are slower or larger than the mean have less.
//
// If some entries reach functions that a change touches, their energies are multiplied so that
// they have at least three quarters of the sum.
//
// At first, a new entry is chosen half of the time. If it has a new block, this lasts for
// about as many executions as it takes to find one, and for fewer if it does not reach what
// has changed, and others do. A small part of all choices is uniform.
type Pool struct {
	entries  []poolEntry
	max      int
	counters int
	holders  map[uint32]int // for each place in the code, the entry that has come nearest
	hits     []uint32       // of each block
	sums     []float64
	stale    int   // choices until the sums are renewed
	burst    []int // entries that are new
	spent    int   // executions
	last     int   // spent when a new block was found
	gap      int   // executions between two new blocks, lately
	time     float64
	size     float64 // sums over all entries
	changed  int     // entries that reach what has changed
	kept     []uint32
}

// An Entry describes an input to a [Pool].
type Entry struct {
	Features []uint32 // see [Coverage], ascending; 8 numbers each are one block; copied
	Covers   bool     // the entry is kept for these
	Nearer   []Nearer // places in the code to which it has come nearer than all others
	Fresh    int      // the number of new features and of places in Nearer
	Changed  bool     // it reaches functions that a change touches
	Time     float64  // of an execution, in any unit
	Size     int      // in any unit
}

type poolEntry struct {
	rare       []uint32 // the rarest blocks
	time, size float64
	burst      int     // executions
	spent      float64 // executions that still count
	found      float64 // finds that still count
	retired    bool
	changed    bool

	covers  bool     // it is kept for its coverage
	covered []uint32 // the features of that, if it is also kept for something else
	near    []uint32 // the features of the distances for which it is kept
	holds   int      // the number of places for which it is still the nearest
}

const (
	maxBlocks   = 1 << 20 // larger ones are folded
	maxRare     = 64
	poolPeriod  = 64      // the fewest choices between two renewals of the sums
	poolUniform = 16      // one in this many choices is among all entries alike
	poolTrust   = 64.0    // executions that an entry is given as trust
	poolMemory  = 1 << 14 // executions on an entry, after which finds fade
	poolBurst   = 256     // executions
	maxBurst    = 1 << 16
	nearBlocks  = 1 << 18 // the distances of all places, together
	poolChanged = 3.0     // energy of entries that reach what has changed, over the others' energy
)

// NewPool returns an empty pool for at most max entries, 1 or more, of programs with the
// given number of coverage counters.
func NewPool(max, counters int) *Pool {
	return &Pool{max: max, counters: counters, holders: make(map[uint32]int)}
}

// Limit lowers the maximum of entries to their present number.
func (p *Pool) Limit() { p.max = max(1, len(p.entries)) }

// Len returns the number of entries.
func (p *Pool) Len() int { return len(p.entries) }

// Changed returns the number of entries that reach functions that a change touches.
func (p *Pool) Changed() int { return p.changed }

// Near returns the features of the distances for which an entry was kept.
func (p *Pool) Near(i int) []uint32 { return p.entries[i].near }

// Add adds an entry and returns its index. The index is Len() before the call, unless the
// pool is full: then it is the index of the entry with the least energy, which has been
// forgotten.
func (p *Pool) Add(e Entry) (i int) {
	var near []uint32
	for _, n := range e.Nearer {
		p.release(n.Site)
		if n.Distance > 0 { // none can come nearer than 0
			near = append(near, 8*(uint32(p.counters)+(n.Site*64+n.Distance)%nearBlocks))
		}
	}
	slices.Sort(near)
	covered := e.Features
	e.Features = append(slices.Clip(covered), near...)
	n := p.entry(e)
	n.covers, n.near, n.holds = e.Covers, near, len(near)
	if n.covers && n.holds > 0 {
		n.covered = slices.Clone(covered)
	}
	if len(p.entries) < p.max {
		i = len(p.entries)
		p.entries = append(p.entries, poolEntry{})
	} else {
		i = p.least()
		p.forget(i)
	}
	p.put(i, n)
	for _, n := range e.Nearer {
		if n.Distance > 0 {
			p.holders[n.Site] = i
		}
	}
	return i
}

// release takes a place in the code from the entry that has come nearest so far.
func (p *Pool) release(site uint32) {
	i, ok := p.holders[site]
	if !ok {
		return
	}
	delete(p.holders, site)
	e := &p.entries[i]
	switch e.holds--; {
	case e.holds > 0:
	case e.covers:
		n := p.entry(Entry{Features: e.covered, Time: e.time, Size: int(e.size), Changed: e.changed})
		n.covers, n.near = true, e.near
		p.put(i, n)
	default:
		e.retired, e.burst = true, 0
	}
}

// forget takes all places in the code from an entry.
func (p *Pool) forget(i int) {
	if p.entries[i].holds == 0 {
		return
	}
	for site, holder := range p.holders {
		if holder == i {
			delete(p.holders, site)
		}
	}
}

func (p *Pool) entry(e Entry) poolEntry {
	news := p.News(e.Features)
	p.Observe(e.Features)
	n := poolEntry{
		rare:    p.rarest(e.Features),
		time:    max(e.Time, 1),
		size:    float64(max(e.Size, 1)),
		changed: e.Changed,
	}
	switch {
	case e.Fresh > 0 && news > 0:
		p.gap = min(max(poolBurst, p.spent-p.last, p.gap*3/4), maxBurst)
		p.last = p.spent
		n.burst = p.gap
	case e.Fresh > 0:
		n.burst = poolBurst / 8
	}
	if p.changed > 0 && !n.changed {
		n.burst /= 4
	}
	return n
}

func (p *Pool) put(i int, n poolEntry) {
	if p.entries[i].changed {
		p.changed--
	}
	if n.changed {
		p.changed++
	}
	p.time += n.time - p.entries[i].time
	p.size += n.size - p.entries[i].size
	p.entries[i] = n
	p.burst = slices.DeleteFunc(p.burst, func(j int) bool { return j == i })
	if n.burst > 0 {
		p.burst = append(p.burst, i)
	}
	p.stale = min(p.stale, poolPeriod)
}

// Resize sets the size of an entry.
func (p *Pool) Resize(i int, size int) {
	e := &p.entries[i]
	p.size -= e.size
	e.size = float64(max(size, 1))
	p.size += e.size
}

// Observe counts the features of an execution. It is enough to observe a sample of the
// executions, taken regardless of what they did.
func (p *Pool) Observe(features []uint32) {
	for _, f := range features {
		f = f / 8 % maxBlocks
		if int(f) >= len(p.hits) {
			p.hits = append(p.hits, make([]uint32, int(f)+1-len(p.hits))...)
		}
		if p.hits[f] < math.MaxUint32 {
			p.hits[f]++
		}
	}
}

// Spent counts n executions of inputs made from the entry.
func (p *Pool) Spent(i, n int) {
	p.spent += n
	e := &p.entries[i]
	e.burst -= n
	if e.spent += float64(n); e.spent > poolMemory {
		e.spent, e.found = e.spent/2, e.found/2
	}
}

// Found counts an input made from the entry that was worth keeping.
func (p *Pool) Found(i int) { p.entries[i].found++ }

// Pick returns the entry to mutate next, given a random number that is uniform in all
// its bits. The pool must not be empty.
func (p *Pool) Pick(rnd uint64) int {
	if p.stale--; p.stale < 0 || len(p.sums) == 0 {
		p.renew()
	}
	way, rnd := rnd%poolUniform, rnd/poolUniform
	if way == 0 {
		return int(rnd % uint64(len(p.entries)))
	}
	if way%2 == 0 {
		for len(p.burst) > 0 {
			last := len(p.burst) - 1
			if i := p.burst[last]; p.entries[i].burst > 0 {
				return i
			}
			p.burst = p.burst[:last]
		}
	}
	// 52 bits of rnd make a fraction.
	x := float64(rnd%(1<<52)) / (1 << 52) * p.sums[len(p.sums)-1]
	low, high := 0, len(p.sums)-1
	for low < high {
		if mid := int(uint(low+high) / 2); p.sums[mid] > x {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return low
}

// renew computes the energies.
func (p *Pool) renew() {
	p.stale = max(poolPeriod, len(p.entries))
	p.sums = p.sums[:0]
	changed, others := 0.0, 0.0
	for i := range p.entries {
		e := p.energy(&p.entries[i])
		p.sums = append(p.sums, e)
		if p.entries[i].changed {
			changed += e
		} else {
			others += e
		}
	}
	favor := 1.0
	if changed > 0 {
		favor = max(1, poolChanged*others/changed)
	}
	sum := 0.0
	for i, e := range p.sums {
		if p.entries[i].changed {
			e *= favor
		}
		sum += e
		p.sums[i] = sum
	}
}

func (p *Pool) energy(e *poolEntry) float64 {
	if e.retired {
		return 0 // the energy of others has no lower bound
	}
	hits := ^uint32(0)
	for _, f := range e.rare {
		hits = min(hits, p.hits[f])
	}
	n := float64(len(p.entries))
	rarity := 1 / (1 + float64(hits))
	promise := (e.found + 1) / (e.spent + poolTrust)
	slow := 1 + e.time/(p.time/n)
	large := 1 + e.size/(p.size/n)
	return rarity * rarity * math.Sqrt(promise) / (slow * large)
}

// least returns the entry with the least energy. Old entries lose to new ones.
func (p *Pool) least() int {
	at, least := 0, -1.0
	for i := range p.entries {
		if e := p.energy(&p.entries[i]); least < 0 || e < least {
			at, least = i, e
		}
	}
	return at
}

// News returns how many of the features belong to blocks that have not been seen.
func (p *Pool) News(features []uint32) (n int) {
	for _, f := range features {
		if f = f / 8 % maxBlocks; int(f) >= len(p.hits) || p.hits[f] == 0 {
			n++
		}
	}
	return n
}

// rarest returns the blocks that have been seen least.
func (p *Pool) rarest(features []uint32) []uint32 {
	p.kept = p.kept[:0]
	for _, f := range features {
		if b := f / 8 % maxBlocks; len(p.kept) == 0 || p.kept[len(p.kept)-1] != b {
			p.kept = append(p.kept, b)
		}
	}
	if len(p.kept) > maxRare {
		slices.SortFunc(p.kept, func(a, b uint32) int { return cmp.Compare(p.hits[a], p.hits[b]) })
		p.kept = p.kept[:maxRare]
	}
	return slices.Clone(p.kept)
}
