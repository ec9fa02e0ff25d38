package archive

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The archive keeps its bounds, and removes entries with many tries first.
func TestArchive(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	a := New[int](1 << 16)
	require.Nil(t, a.Draw(r))
	for i := range 5000 {
		key := r.Uint64N(4000)
		e, isNew := a.Add(key, int(key%9), 1+r.IntN(60), r)
		if isNew {
			e.Value = i
		}
		same, again := a.Add(key, 3, 7, r)
		if same != e || again {
			t.Fatalf("key %d has two entries", key)
		}
		if a.size > a.most {
			t.Fatalf("a size of %d, at most %d", a.size, a.most)
		}
	}
	size, kept := 0, 0
	for k, class := range a.classes {
		require.Equal(t, len(class) > 0, slices.Contains(a.used, k))
		for _, e := range class {
			size += e.size
			kept++
			require.True(t, e == a.byKey[e.key])
			require.EqualValues(t, k, e.key%9)
		}
	}
	require.Equal(t, []int{size, kept}, []int{a.size, a.Len()})
	n := 0
	a.Each(func(int) { n++ })
	require.Equal(t, kept, n)

	a = New[int](1 << 24)
	for i := range 2 * mostKept {
		e, _ := a.Add(uint64(i), 0, 1, r)
		if i < mostKept && i%2 == 0 {
			e.Tries = 9
		}
	}
	require.Equal(t, mostKept, a.Len())
	tried, drawn := 0, 0
	for _, e := range a.classes[0] {
		tried += e.Tries / 9
	}
	for range 1000 {
		drawn += a.Draw(r).Tries / 9
	}
	// Of 512 at first, by chance 188 would be left.
	require.Less(t, tried, 150)
	require.Less(t, drawn, tried*1000/mostKept*2/3)
	e, _ := a.Add(1<<40, 5, 1<<21, r)
	require.Nil(t, e)
	require.Equal(t, mostKept, a.Len(), "a value that is too large does not displace the others")
}

// A size with few values keeps them, and is drawn in half of the cases in which
// no other has fewer tries.
func TestSizes(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	a := New[int](1 << 24)
	rare, _ := a.Add(0, 1, 1, r)
	for i := range 2 * mostKept {
		e, _ := a.Add(uint64(i+1), 0, 1, r)
		e.Tries = 1
	}
	require.Equal(t, []*Entry[int]{rare}, a.classes[1])
	drawn := 0
	for range 1000 {
		if a.Draw(r) == rare {
			drawn++
		}
	}
	require.InDelta(t, 500, drawn, 60)
}
