package issta2006

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each container does what a slice does, and its calls reach at least what the paper's reach.
func TestContainers(t *testing.T) {
	for _, c := range []struct {
		name               string
		blocks, predicates int
		run                func(r *rand.Rand, keys []int) (got, want []int)
	}{
		{"BinTree", 14, 54, runBinTree},
		{"BinomialHeap", 21, 101, runBinomialHeap},
		{"FibHeap", 25, 96, runFibHeap},
		{"TreeMap", 39, 106, runTreeMap},
	} {
		Reset()
		r := rand.New(rand.NewPCG(1, 2))
		for range 10_000 {
			keys := make([]int, 1+r.IntN(1+r.IntN(60)))
			for i := range keys {
				keys[i] = 1 + r.IntN(60)
			}
			if got, want := c.run(r, keys); !slices.Equal(got, want) {
				require.Equal(t, want, got, "%s of %v", c.name, keys)
			}
		}
		require.Equal(t, c.blocks, Blocks, c.name)
		require.GreaterOrEqual(t, Predicates, c.predicates, c.name)
	}
}

// half returns the keys in two parts, one of them in random order.
func half(r *rand.Rand, keys []int) (removed, kept []int) {
	for _, k := range slices.Compact(slices.Sorted(slices.Values(keys))) {
		if r.IntN(2) == 0 {
			removed = append(removed, k)
		} else {
			kept = append(kept, k)
		}
	}
	r.Shuffle(len(removed), func(i, k int) { removed[i], removed[k] = removed[k], removed[i] })
	return removed, kept
}

// runBinTree compares keys after the first removal: a removal may leave them out of order.
func runBinTree(r *rand.Rand, keys []int) (got, want []int) {
	tree := NewBinTree()
	tree.Remove(keys[0])
	for _, k := range keys {
		tree.Add(k)
	}
	tree.Remove(keys[0])
	var walk func(*binNode)
	walk = func(n *binNode) {
		if n != nil {
			got = append(got, n.key)
			walk(n.left)
			walk(n.right)
		}
	}
	walk(tree.root)
	removed, kept := half(r, keys)
	for _, k := range append(removed, 0) {
		tree.Remove(k)
	}
	want = append(removed, kept...)
	if len(want) > 1 { // the last key stays
		want = slices.DeleteFunc(want, func(k int) bool { return k == keys[0] })
	}
	slices.Sort(got)
	slices.Sort(want)
	return got, want
}

func runTreeMap(r *rand.Rand, keys []int) (got, want []int) {
	tree := NewTreeMap()
	for _, k := range keys {
		tree.Put(k)
	}
	removed, want := half(r, keys)
	for _, k := range removed {
		tree.Remove(k)
	}
	black := func(e *entry) bool { return !e.isRed() }
	var walk func(e *entry) (blacks int)
	walk = func(e *entry) int {
		if e == nil {
			return 0
		}
		left := walk(e.left)
		got = append(got, e.key)
		if right := walk(e.right); left != right || e.red && !(black(e.left) && black(e.right)) {
			got = append(got, -1)
		}
		if black(e) {
			left++
		}
		return left
	}
	walk(tree.root)
	if tree.Size() != len(got) {
		got = append(got, -2)
	}
	return got, want
}

// runBinomialHeap compares the sizes before removals, and the order of what they remove: they
// may lose keys.
func runBinomialHeap(r *rand.Rand, keys []int) (got, want []int) {
	heap := NewBinomialHeap()
	for _, k := range keys {
		heap.Insert(k)
	}
	for _, k := range keys[:len(keys)/2] {
		heap.DecreaseKey(k, k-1)
	}
	size := heap.trees.count()
	for _, k := range keys[len(keys)*3/4:] {
		heap.Delete(k)
	}
	for heap.trees != nil {
		got = append(got, heap.ExtractMin())
	}
	want = slices.Sorted(slices.Values(got))
	return append(got, size), append(want, len(keys))
}

func runFibHeap(r *rand.Rand, keys []int) (got, want []int) {
	heap := NewFibHeap()
	for _, k := range keys {
		heap.Insert(k)
		want = append(want, k)
	}
	remove := func(k int) {
		i := slices.Index(want, k)
		want = slices.Delete(want, i, i+1)
	}
	for range len(keys) * 3 / 4 {
		if r.IntN(2) == 0 {
			remove(heap.RemoveMin().cost)
			continue
		}
		left := slices.Clone(want)
		heap.DeleteRandomNode()
		costs := []int{}
		for _, n := range heap.nodes {
			costs = append(costs, n.cost)
		}
		for _, k := range costs {
			i := slices.Index(left, k)
			left = slices.Delete(left, i, i+1)
		}
		remove(left[0])
	}
	slices.Sort(want)
	for heap.min != nil {
		got = append(got, heap.RemoveMin().cost)
	}
	return got, want
}
