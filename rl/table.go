package rl

import (
	"math"
	"math/bits"
)

// table holds rows by their keys. It is bounded: when it is full, it loses the rows that
// nobody has asked for since it was half full.
type table[R any] struct {
	young, old *generation[R]
	most       int // rows in young before it becomes old
	fresh      R
	frozen     bool // young is shared and must not be changed
}

// generation is a hash table with linear probing. Its rows are in blocks, which never move.
type generation[R any] struct {
	index  []int32 // of rows, plus 1
	keys   []uint64
	blocks [][]R
}

const blockRows = 1 << 8

// row returns the i-th row.
func (g *generation[R]) row(i int32) *R { return &g.blocks[uint32(i)/blockRows][uint32(i)%blockRows] }

func newTable[R any](memory int, fresh R, size int) *table[R] {
	t := &table[R]{most: max(64, memory/2/(size+16)), fresh: fresh}
	t.young = newGeneration[R]()
	return t
}

func newGeneration[R any]() *generation[R] {
	return &generation[R]{index: make([]int32, 1<<10)}
}

// at returns the index in young of the row for a key, which is valid until tidy. It returns -1
// if the table is frozen and has no such row.
func (t *table[R]) at(key uint64) int32 {
	i := t.find(key)
	if i < 0 && !t.frozen {
		i = t.young.add(key, &t.fresh)
	}
	return i
}

// find is at, but returns -1 for a fresh row.
func (t *table[R]) find(key uint64) int32 {
	i := t.young.find(key)
	if i < 0 && t.old != nil && !t.frozen {
		if j := t.old.find(key); j >= 0 {
			i = t.young.add(key, t.old.row(j))
		}
	}
	return i
}

func (t *table[R]) row(i int32) *R { return t.young.row(i) }

func (g *generation[R]) find(key uint64) int32 {
	mask := uint64(len(g.index) - 1)
	for h := key * 0x9E3779B97F4A7C15 >> 20 & mask; ; h = (h + 1) & mask {
		i := g.index[h]
		if i == 0 {
			return -1
		}
		if g.keys[i-1] == key {
			return i - 1
		}
	}
}

// add adds a row for a key that has none, and returns its index.
func (g *generation[R]) add(key uint64, row *R) int32 {
	mask := uint64(len(g.index) - 1)
	h := key * 0x9E3779B97F4A7C15 >> 20 & mask
	for g.index[h] != 0 {
		h = (h + 1) & mask
	}
	i := int32(len(g.keys))
	if i%blockRows == 0 {
		g.blocks = append(g.blocks, make([]R, blockRows))
	}
	g.keys = append(g.keys, key)
	*g.row(i) = *row
	g.index[h] = i + 1
	if 2*len(g.keys) > len(g.index) {
		g.rehash()
	}
	return i
}

// generationOf returns a generation with the rows of distinct keys. It returns nil if the
// keys collide as only keys chosen for that do.
func generationOf[R any](keys []uint64, rows []R) *generation[R] {
	g := &generation[R]{index: make([]int32, max(1<<10, 1<<bits.Len(uint(2*len(keys))))), keys: keys}
	for i := 0; i < len(rows); i += blockRows {
		g.blocks = append(g.blocks, rows[i:min(i+blockRows, len(rows))])
	}
	mask := uint64(len(g.index) - 1)
	for i, key := range keys {
		h := key * 0x9E3779B97F4A7C15 >> 20 & mask
		for steps := 0; g.index[h] != 0; steps++ {
			if steps == 1<<12 {
				return nil
			}
			h = (h + 1) & mask
		}
		g.index[h] = int32(i + 1)
	}
	return g
}

func (g *generation[R]) rehash() {
	g.index = make([]int32, 2*len(g.index))
	mask := uint64(len(g.index) - 1)
	for i, key := range g.keys {
		h := key * 0x9E3779B97F4A7C15 >> 20 & mask
		for g.index[h] != 0 {
			h = (h + 1) & mask
		}
		g.index[h] = int32(i + 1)
	}
}

// tidy keeps the table within its bound.
func (t *table[R]) tidy() {
	if len(t.young.keys) > t.most && !t.frozen {
		t.old = t.young
		t.young = newGeneration[R]()
	}
}

// counts counts hashes, bounded like a table.
type counts struct {
	young, old map[uint64]uint32
	most       int
}

func newCounts(memory int) *counts {
	return &counts{young: map[uint64]uint32{}, most: max(64, memory/2/24)}
}

// add counts h, and returns how often it has.
func (s *counts) add(h uint64) uint32 {
	n, ok := s.young[h]
	if !ok {
		n = s.old[h]
	}
	if n < math.MaxUint32 {
		n++
	}
	s.young[h] = n
	if len(s.young) > s.most {
		s.old, s.young = s.young, make(map[uint64]uint32, len(s.young))
	}
	return n
}
