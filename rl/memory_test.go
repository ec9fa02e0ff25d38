package rl

import (
	"runtime"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// held returns the bytes of the parts of a guide that grow with its runs.
func (g *Guide) held() int {
	n := 20 * (len(g.seen.young.index) + g.seen.most)
	if g.trie != nil {
		n += g.trie.size()
	}
	switch l := g.learner.(type) {
	case *factors:
		n += tableBytes(l.table)
	case *monteCarlo:
		n += tableBytes(l.table)
	}
	return n
}

func tableBytes[R any](t *table[R]) int {
	n := (len(t.young.index)) * (8 + 128)
	if t.old != nil {
		n += len(t.old.index) * (8 + 128)
	}
	return n
}

// A guide with little memory keeps its bound, however many inputs it makes.
func TestMemory(t *testing.T) {
	const memory = 1 << 20
	gen := bigen.SliceOf(bigen.Int[int32](), 10, 30)
	for _, p := range []policy{policies()[0], policies()[3]} {
		t.Run(p.name, func(t *testing.T) {
			g := New(seeded(1), append(p.opts, little(memory))...)
			most := 0
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			for i := range long.Count(1500, 20000) {
				v, err := bigen.Value(gen, g.Begin())
				require.NoError(t, err)
				if v[0]%3 == 0 {
					g.Invalid()
				} else {
					g.Valid(g.Input())
				}
				if i%100 == 0 {
					most = max(most, g.held())
				}
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			require.LessOrEqual(t, most, memory*5/4, "the parts")
			require.Less(t, int(after.HeapAlloc)-int(before.HeapAlloc), 3*memory, "the heap")
			require.Greater(t, most, memory/40, "memory is there to be used")
			runtime.KeepAlive(g)
		})
	}
}

// A table keeps the rows that were asked for recently, and returns fresh ones otherwise.
func TestTable(t *testing.T) {
	t.Parallel()
	r := seeded(1)
	for _, memory := range []int{0, 10000, 100000} {
		table := newTable(memory, 7, 8)
		model, asked := map[uint64]int{}, map[uint64]int{}
		lost := 0
		for i := range 30000 {
			key := r.Uint64N(1 + uint64(r.IntN(6000)))
			row := table.row(table.at(key))
			since := i - asked[key]
			want, ok := model[key]
			if !ok {
				want = 7
			}
			switch {
			case *row == want:
			case *row == 7 && since >= table.most: // enough others came since
				lost++
			default:
				t.Fatalf("row %d is %d, want %d, asked for %d ago; at most %d", key, *row, want,
					since, table.most)
			}
			*row = i + 100
			model[key], asked[key] = i+100, i
			table.tidy()
			if len(table.young.index) > table.most ||
				table.old != nil && len(table.old.index) > table.most+1 {
				t.Fatalf("more than %d rows", table.most)
			}
		}
		require.NotZero(t, lost)
	}
}
