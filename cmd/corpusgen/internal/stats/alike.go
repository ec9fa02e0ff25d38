package stats

import (
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/job"
)

// A Pair is an entry, and an earlier one that is like it.
type Pair struct{ Name, Like string }

const (
	fewChoices = 8 // trees with fewer are near to too many others
	smallPart  = 2 // choices of a part in which trees that are near to each other may differ
)

// alike finds entries that stand for the same value as an earlier one, and those whose values
// are nearly the same: trees of at least 8 choices are near to each other if they differ in
// one part, a choice and those below it, of at most two choices. One of them has another part
// in its place, or none.
func alike(entries []*job.Entry) (equal, near []Pair) {
	type place struct {
		hash uint64
		at   int
	}
	whole := map[uint64]int{} // entries by their choices
	without := map[place]int{}
	shorter := map[uint64]int{} // by their choices without a part
	for i, e := range entries {
		parts, all := partHashes(choices.Tree(e.Tree))
		if j, ok := whole[all]; ok {
			equal = append(equal, Pair{nameOf(e), nameOf(entries[j])})
			continue
		}
		like := -1
		look := func(j int, ok bool) {
			if ok && (like < 0 || j < like) {
				like = j
			}
		}
		if len(e.Tree) >= fewChoices {
			j, ok := shorter[all]
			look(j, ok)
			for at, h := range parts {
				if h != 0 {
					j, ok := whole[h]
					look(j, ok && len(entries[j].Tree) >= fewChoices)
					j, ok = without[place{h, at}]
					look(j, ok)
				}
			}
			for at, h := range parts {
				if h == 0 {
					continue
				}
				if _, ok := without[place{h, at}]; !ok {
					without[place{h, at}] = i
				}
				if _, ok := shorter[h]; !ok {
					shorter[h] = i
				}
			}
		}
		whole[all] = i
		if like >= 0 {
			near = append(near, Pair{nameOf(e), nameOf(entries[like])})
		}
	}
	return equal, near
}

// partHashes returns hashes of the marks of t without the small part at each index, or 0 where
// the part is not small, and of all of them.
func partHashes(t choices.Tree) (parts []uint64, all uint64) {
	const base = 0x9E3779B97F4A7C15
	before := make([]uint64, len(t)+1) // hashes of t[:i]
	after := make([]uint64, len(t)+1)  // hashes of t[i:]
	power := make([]uint64, len(t)+1)
	power[0] = 1
	marks := make([]uint64, len(t))
	for i := range t {
		m := t[i].Mark()
		marks[i] = hash.Mix(hash.FNV64(m.Tag)+uint64(m.Kind), uint64(m.N)) | 1
		before[i+1] = before[i]*base + marks[i]
		power[i+1] = power[i] * base
	}
	for i := len(t) - 1; i >= 0; i-- {
		after[i] = marks[i]*power[len(t)-1-i] + after[i+1]
	}
	parts = make([]uint64, len(t))
	for i := range t {
		if end := t.End(i); end-i <= smallPart {
			parts[i] = before[i]*power[len(t)-end] + after[end]
		}
	}
	return parts, before[len(t)]
}
