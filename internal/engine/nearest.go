package engine

import (
	"math/bits"
	"sync/atomic"
)

const (
	sites   = 1 << 14 // identified by a hash, so some coincide
	maxNear = 64
	far     = 31 // up to which distances are distinguished
)

// Nearest records, for each place in the code that compares something, how near its operands
// have come to each other in any execution. So an input that comes nearer than all earlier
// ones is noticed even if it reaches no new code. The idea is libFuzzer's value profile. Any
// number of goroutines may report comparisons.
type Nearest struct {
	best [2 * sites]atomic.Uint32 // 1<<16 - distance, so that nothing is 0
	new  [maxNear]atomic.Uint32
	n    atomic.Uint32
}

// A Nearer is a place in the code whose operands have come nearer.
type Nearer struct {
	Site     uint32 // a number for it
	Distance uint32 // now; not in proportion
}

// Number records a comparison of integers of size bytes. Distances up to 31 count as they
// are. Longer ones count only if an operand is constant, by their length in bits, because
// variables are mostly far apart, as in sorting.
//
//go:nosplit
func (p *Nearest) Number(site uint, a, b uint64, size uint8, constant bool) {
	shift := 64 - 8*uint(size)
	d := int64((a-b)<<shift) >> shift // the shorter way around
	distance := uint64(d ^ d>>63)     // -1 is as near as 0 ...
	if d < 0 {
		distance++ // ... but for this
	}
	if distance > far {
		if !constant {
			return
		}
		distance = far + uint64(bits.Len64(distance))
	}
	p.note(site, 0, uint32(distance))
}

// Text records a comparison of strings: the length of their common beginning, and
// the difference of their lengths.
func (p *Nearest) Text(site uint, a, b string) {
	const most = 63
	n := 0
	for n < min(len(a), len(b), most) && a[n] == b[n] {
		n++
	}
	p.note(site, 0, uint32(min(most, max(len(a), len(b)))-n))
	p.note(site, 1, uint32(min(most, max(len(a)-len(b), len(b)-len(a)))))
}

// MaxLevel is the highest level that [Nearest.Level] distinguishes.
const MaxLevel = 1<<16 - 1

// Level records a level, from 0 to [MaxLevel]. A higher one counts as nearer.
func (p *Nearest) Level(site uint, level uint32) { p.note(site, 0, 1<<16-1-min(level, MaxLevel)) }

//go:nosplit
func (p *Nearest) note(site uint, what, distance uint32) {
	slot := 2*uint32(uint64(site)*0x9E3779B97F4A7C15>>50) + what
	near := 1<<16 - distance
	if best := &p.best[slot]; best.Load() < near {
		best.Store(near)
		if i := p.n.Add(1) - 1; i < maxNear {
			p.new[i].Store(slot)
		}
	}
}

// News appends to dst, once each, the places whose operands have come nearer since the last
// call of News.
func (p *Nearest) News(dst []Nearer) []Nearer {
	n := min(p.n.Swap(0), maxNear)
	from := len(dst)
next:
	for i := range p.new[:n] {
		slot := p.new[i].Load()
		for _, known := range dst[from:] {
			if known.Site == slot {
				continue next
			}
		}
		dst = append(dst, Nearer{slot, 1<<16 - p.best[slot].Load()})
	}
	return dst
}

// Forget lets the next comparison at these places that is as near count as nearer.
func (p *Nearest) Forget(places []Nearer) {
	for _, n := range places {
		p.best[n.Site].Store(1<<16 - n.Distance - 1)
	}
}

// Remember undoes [Nearest.Forget]. It reports whether all places have come as near again
// since.
func (p *Nearest) Remember(places []Nearer) (again bool) {
	again = true
	for _, n := range places {
		if near := 1<<16 - n.Distance; p.best[n.Site].Load() < near {
			again = false
			p.best[n.Site].Store(near)
		}
	}
	return again
}
