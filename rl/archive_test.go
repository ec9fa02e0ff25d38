package rl

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"
)

// The archive keeps its bounds, and removes inputs with fruitless revisits first.
func TestArchive(t *testing.T) {
	t.Parallel()
	r := seeded(1)
	a := archive{most: 1 << 16}
	for range 10_000 {
		answers := make([]answered, 1+r.IntN(60))
		for i := range answers {
			answers[i].size = 1 + int32(r.IntN(10)/9)
		}
		a.add(answers, r)
		answers[0].n = 1 // it has a copy
		if a.bytes > a.most || a.draw(r).answers[0].n != 0 {
			t.Fatalf("%d bytes of %d, or an answer has changed", a.bytes, a.most)
		}
	}
	bytes, kept := 0, 0
	for k, class := range a.classes {
		require.Equal(t, len(class) > 0, slices.Contains(a.used, k))
		for _, c := range class {
			bytes += c.bytes
			kept++
			require.Equal(t, k, classOf(c.answers))
		}
	}
	require.Equal(t, []int{bytes, kept}, []int{a.bytes, a.kept})

	a = archive{most: 1 << 24}
	for i := range 2 * maxKept {
		a.add(make([]answered, 1), r)
		if i < maxKept && i%2 == 0 {
			a.classes[0][i].fruitless = 9
		}
	}
	require.Len(t, a.classes[0], maxKept)
	fruitless, drawn := 0, 0
	for _, c := range a.classes[0] {
		fruitless += c.fruitless / 9
	}
	for range 1000 {
		drawn += a.draw(r).fruitless / 9
	}
	// Of 512 at first, by chance 188 would be left.
	require.Less(t, fruitless, 150)
	require.Less(t, drawn, fruitless*1000/maxKept*2/3)
	a.add(make([]answered, 1<<20), r)
	require.Equal(t, maxKept, a.kept, "an input that is too large does not displace the others")
}

// A size of which there are few inputs keeps them, and is drawn in half of the cases in which
// no other has been revisited less often.
func TestArchiveSizes(t *testing.T) {
	t.Parallel()
	r := seeded(1)
	a := archive{most: 1 << 24}
	rare := []answered{{size: 2}, {size: 1}}
	a.add(rare, r)
	for range 2 * maxKept {
		a.add(make([]answered, 1), r)
		a.classes[0][len(a.classes[0])-1].fruitless = 1
	}
	require.Len(t, a.classes[1], 1)
	drawn := 0
	for range 1000 {
		if len(a.draw(r).answers) == len(rare) {
			drawn++
		}
	}
	require.InDelta(t, 500, drawn, 60)
}

// The strategy with the best yield prevails, and every strategy keeps a chance.
func TestStrategies(t *testing.T) {
	t.Parallel()
	r := seeded(1)
	all := newStrategies([]float32{1, 2}, true)
	require.Len(t, all, 4)
	all[2].yield, all[1].yield = 0.8, 0.9
	counts := make([]int, 4)
	for range 10_000 {
		counts[drawStrategy(all, true, r)]++
	}
	require.Greater(t, counts[1], 5000)
	require.Greater(t, counts[2], 1500)
	require.Greater(t, counts[0], 50)
	require.Greater(t, counts[3], 50)
	for range 1000 {
		require.False(t, all[drawStrategy(all, false, r)].revisits)
	}
	for range 3 * yieldWindow {
		all[1].credit(0)
		all[2].credit(1)
		all[3].credit(0.25)
	}
	require.Less(t, all[1].yield, 0.1)
	require.Greater(t, all[2].yield, 0.9)
	require.InDelta(t, 0.25, all[3].yield, 0.01)
}
