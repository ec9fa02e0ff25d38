package combinations

import (
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/chance"
	"github.com/espalier-go/espalier/internal/hash"
	"golang.org/x/exp/slices"
)

// view is what descriptions see of a tree: the choices that have a label.
type view struct {
	strength int
	tree     choices.Tree
	at       []int    // their indices in the tree, in its order
	labels   []uint64 // hashes

	chosen [maxStrength]int
	rows   [maxStrength][]uint64 // [d][j]: a hash of how choice j relates to the earlier chosen[d]
	hashes [maxStrength][]uint64 // [d][j]: how choice j relates to the d chosen before; [0] stays 0

	parents []int // by index in the tree; -1 if there is none
	seen    []int // by index in the tree: its index in the view, or -1
}

// mostChoices[k] is the largest number of choices from which k can be chosen in at most
// 1<<20 ways.
var mostChoices = [maxStrength + 1]int{1: 1 << 20, 2: 1448, 3: 185, 4: 72}

// look makes v the view of t.
func (v *view) look(t choices.Tree, strength int, label func(*choices.Choice) string) {
	v.strength, v.tree, v.at, v.labels = strength, t, v.at[:0], v.labels[:0]
	v.parents = slices.Grow(v.parents[:0], len(t))[:len(t)]
	v.seen = slices.Grow(v.seen[:0], len(t))[:len(t)]
	for i, around := range t.Walk() {
		v.parents[i], v.seen[i] = -1, -1
		if n := len(around); n > 0 {
			v.parents[i] = around[n-1]
		}
		if text := label(&t[i]); text != "" {
			v.at, v.labels = append(v.at, i), append(v.labels, hash.FNV64(text))
		}
	}
	v.limit(mostChoices[strength])
	n := len(v.at)
	for k, i := range v.at {
		v.seen[i] = k
	}
	for d := range strength {
		v.rows[d] = slices.Grow(v.rows[d][:0], n)[:n]
		v.hashes[d] = slices.Grow(v.hashes[d][:0], n)[:n]
	}
}

// limit reduces the view to an even sample of at most most choices, the same for all trees
// of a size.
func (v *view) limit(most int) {
	if len(v.at) <= most {
		return
	}
	r := chance.Words(0)
	kept := 0
	for k, i := range v.at {
		if r.Below(len(v.at)-k) < most-kept {
			v.at[kept], v.labels[kept] = i, v.labels[k]
			kept++
		}
	}
	v.at, v.labels = v.at[:kept], v.labels[:kept]
}

// relate fills in a row for choice k.
func (v *view) relate(k int, row []uint64) {
	t := v.tree
	// spread fills in how the subtrees in t[j:end] are related to choice k.
	spread := func(j, end int, how func(slot uint32) uint64) {
		for ; j < end; j = t.End(j) {
			h := how(t[j].Slot)
			for i := j; i < t.End(j); i++ {
				if v.seen[i] >= 0 {
					row[v.seen[i]] = h
				}
			}
		}
	}
	i := v.at[k]
	spread(i+1, t.End(i), func(slot uint32) uint64 { return hash.Mix(1, uint64(slot)) })
	for i >= 0 {
		up, end := v.parents[i], len(t)
		if up >= 0 {
			end = t.End(up)
		}
		own := t[i].Slot
		spread(t.End(i), end, func(slot uint32) uint64 {
			return hash.Mix(2, uint64(own)<<32|uint64(slot))
		})
		i = up
	}
}

// descriptions yields the hashes of the descriptions. v.chosen holds the indices, in the
// view, of the choices of each.
func (v *view) descriptions(yield func(h uint64) bool) { v.choose(0, 0, yield) }

func (v *view) choose(d, from int, yield func(h uint64) bool) bool {
	for i := from; i < len(v.at); i++ {
		v.chosen[d] = i
		h := hash.Mix(v.hashes[d][i], v.labels[i])
		if d+1 == v.strength {
			if !yield(h) {
				return false
			}
			continue
		}
		v.relate(i, v.rows[d])
		row, before, next := v.rows[d], v.hashes[d], v.hashes[d+1]
		for j := i + 1; j < len(next); j++ {
			next[j] = hash.Mix(before[j], hash.Mix(h, row[j]))
		}
		if !v.choose(d+1, i+1, yield) {
			return false
		}
	}
	return true
}
