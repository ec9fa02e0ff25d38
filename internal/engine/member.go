package engine

import (
	"slices"
	"time"
)

// A member is an entry of the pool.
type member struct {
	in      input
	reasons []uint32 // the features for which it is kept
	covers  bool     // it is kept for its coverage
	covered []uint32 // if so, its features, as far as they may be needed again
	near    []uint32 // the features of what has come nearest
	holds   int      // for how many places in the code it is kept, because it has come nearest
	time    float64
}

const (
	maxReasons = 8
	nearBlocks = 1 << 18 // each distance of each place is one of so many blocks of the pool
)

// keep puts what has run into the pool, for its coverage or because of what has come nearer,
// and returns the entry.
func (x *Explorer) keep(counters []byte, nearer []Nearer, reasons []uint32, took time.Duration) (entry int) {
	in := x.work.clone()
	x.bases[in.hash()] = true
	fresh := x.own.Add(counters)
	m := member{in: in, reasons: reasons, covers: reasons != nil || x.way == asItIs, time: float64(took)}
	if m.covers && len(nearer) > 0 {
		m.covered = slices.Clone(x.features)
	}
	for _, n := range nearer {
		x.release(n.Site)
		if n.Distance > 0 {
			m.holds++
			m.near = append(m.near, 8*(uint32(len(counters))+(n.Site*64+n.Distance)%nearBlocks))
		}
	}
	slices.Sort(m.near)
	x.features = append(x.features, m.near...)
	entry = x.pool.Add(Entry{
		Features: x.features,
		Fresh:    fresh + len(nearer),
		Parent:   x.entry,
		Time:     m.time,
		Size:     in.size() + 8,
	})
	x.put(entry, m)
	for _, n := range nearer {
		if n.Distance > 0 {
			x.holders[n.Site] = entry
		}
	}
	return entry
}

// release takes a place in the code from the entry that has come nearest so far.
func (x *Explorer) release(site uint32) {
	i, ok := x.holders[site]
	if !ok {
		return
	}
	delete(x.holders, site)
	m := &x.members[i]
	switch m.holds--; {
	case m.holds > 0:
	case m.covers:
		x.pool.Replace(i, Entry{Features: m.covered, Parent: -1, Time: m.time, Size: m.in.size() + 8})
	default:
		x.pool.Retire(i)
	}
}

// reasons returns some of the features that are fresh: if there are new blocks,
// only theirs. It also returns the reward for them.
func (x *Explorer) reasons() (reasons []uint32, reward float64) {
	for i, f := range x.features {
		if x.pool.News(x.features[i:i+1]) > 0 {
			if reward < 1 {
				reasons, reward = reasons[:0], 1
			}
		} else if reward == 1 || x.known.Has(f) {
			continue
		}
		if len(reasons) < maxReasons {
			reasons = append(reasons, f)
		}
	}
	return reasons, max(reward, 0.2)
}

// reduces reports whether what has run, a mutant, is smaller than the entry that it was made from,
// and has all for which that is kept.
func (x *Explorer) reduces(counters []byte) bool {
	if x.entry < 0 {
		return false
	}
	m := &x.members[x.entry]
	if len(m.reasons) == 0 || x.work.size() >= m.in.size() {
		return false
	}
	for _, f := range m.reasons {
		if i := int(f / 8); i >= len(counters) || counters[i]>>(f%8) == 0 {
			return false
		}
	}
	return true
}

// put stores an entry of the pool, perhaps in the place of another one.
func (x *Explorer) put(entry int, m member) {
	if entry == len(x.members) {
		x.members = append(x.members, member{})
	} else if x.members[entry].holds > 0 {
		for site, holder := range x.holders {
			if holder == entry {
				delete(x.holders, site)
			}
		}
	}
	x.size += m.in.size() - x.members[entry].in.size()
	x.members[entry] = m
	if x.size > maxPoolSize {
		x.pool.Limit()
	}
}
