package engine

import (
	"sync/atomic"
	"time"
)

// A member is an entry of the pool.
type member struct {
	in      input
	reasons []uint32 // the features for which it is kept
}

const maxReasons = 8

// keep puts the input that has run into the pool, and returns its entry.
func (x *Prober) keep(
	counters []byte, nearer []Nearer, reasons []uint32, took time.Duration,
) (entry int) {
	in := x.work.clone()
	x.bases[in.hash()] = true
	fresh := x.own.Add(counters)
	entry = x.pool.Add(Entry{
		Features: x.features,
		Covers:   reasons != nil || x.way == asItIs,
		Nearer:   nearer,
		Fresh:    fresh + len(nearer),
		Changed:  x.changed != nil && atomic.LoadUint32(x.changed) != 0,
		Time:     float64(took),
		Size:     in.size() + 8,
	})
	x.put(entry, member{in, reasons})
	return entry
}

// reasons returns some of the fresh features: if there are new blocks, only the
// features of these. It also returns the reward for them.
func (x *Prober) reasons() (reasons []uint32, reward float64) {
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

// reduces reports whether the input that has run is smaller than its entry and has all the
// features for which the entry is kept. If so, the input replaces the entry, which costs next to
// nothing.
func (x *Prober) reduces(counters []byte) bool {
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
func (x *Prober) put(entry int, m member) {
	if entry == len(x.members) {
		x.members = append(x.members, member{})
	}
	x.size += m.in.size() - x.members[entry].in.size()
	x.members[entry] = m
	if x.size > maxPoolSize {
		x.pool.Limit()
	}
}
