package engine

import "time"

// A member is an entry of the pool.
type member struct {
	in      input
	serial  uint64   // the how-manieth it is
	holds   int      // for how many distances it is kept; -1 if for coverage
	reasons []uint32 // the features for which it is kept
}

const maxReasons = 8

// keep puts what has run into the pool, for its coverage, and returns the entry.
func (x *Explorer) keep(counters []byte, reasons []uint32, took time.Duration) (entry int) {
	in := x.work.clone()
	x.bases[in.hash()] = true
	entry = x.pool.Add(Entry{
		Features: x.features,
		Fresh:    x.own.Add(counters),
		Parent:   x.entry,
		Time:     float64(took),
		Size:     in.size() + 8,
	})
	x.put(entry, in, -1, reasons)
	return entry
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

// put stores the input of an entry of the pool.
func (x *Explorer) put(entry int, in input, holds int, reasons []uint32) {
	if entry == len(x.members) {
		x.members = append(x.members, member{})
	}
	x.serial++
	x.size += in.size() - x.members[entry].in.size()
	x.members[entry] = member{in, x.serial, holds, reasons}
	if x.size > maxPoolSize {
		x.pool.Limit()
	}
}
