package rl

// table holds rows by their keys. It is bounded: when it is full, it loses the rows that
// nobody has asked for since it was half full.
type table[R any] struct {
	young, old *generation[R]
	most       int // rows in young before it becomes old
	fresh      R
	frozen     bool // young is shared and must not be changed
}

// generation is a table without a bound. Its rows are in blocks, which never move.
type generation[R any] struct {
	index  map[uint64]int32
	blocks [][]R
}

const blockRows = 1 << 8

// row returns the i-th row.
func (g *generation[R]) row(i int32) *R {
	return &g.blocks[uint32(i)/blockRows][uint32(i)%blockRows]
}

func newTable[R any](memory int, fresh R, size int) *table[R] {
	t := &table[R]{most: max(64, memory/2/(size+16)), fresh: fresh}
	t.young = newGeneration[R]()
	return t
}

func newGeneration[R any]() *generation[R] {
	return &generation[R]{index: map[uint64]int32{}}
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
	if i, ok := g.index[key]; ok {
		return i
	}
	return -1
}

// add adds a row for a key that has none, and returns its index.
func (g *generation[R]) add(key uint64, row *R) int32 {
	i := int32(len(g.index))
	if i%blockRows == 0 {
		g.blocks = append(g.blocks, make([]R, blockRows))
	}
	*g.row(i) = *row
	g.index[key] = i
	return i
}

// tidy keeps the table within its bound.
func (t *table[R]) tidy() {
	if len(t.young.index) > t.most && !t.frozen {
		t.old = t.young
		t.young = newGeneration[R]()
	}
}
