package main

import (
	"sync"
	"syscall"
	"time"

	"github.com/espalier-go/espalier/bench/issta2006"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/api"
)

// A figure5 is a container of papers/002, Figure 5, with the methods that its authors test.
type figure5 struct {
	name       string
	calls      *api.API
	predicates float64 // what feedback-directed generation reaches in the paper
}

// figure5Keys are those of the paper: five numbers, and any below 100 in repeated calls.
var figure5Keys = bigen.Pick(bigen.Tag("usual", bigen.OneOf(-1, 0, 1, 10, 100)), bigen.Tag("other", bigen.IntRange(0, 99)))

func figure5s() []figure5 {
	return []figure5{
		{"BinTree", api.New(binTreeCalls), 54},
		{"BinomialHeap", api.New(binomialHeapCalls), 101},
		{"FibHeap", api.New(fibHeapCalls), 96},
		{"TreeMap", api.New(treeMapCalls), 106},
	}
}

func binTreeCalls(c *api.C) {
	trees := api.Type[*issta2006.BinTree](c, "tree")
	keys := api.Type[int](c, "key", api.Literals(figure5Keys))
	c.Op("issta2006.NewBinTree", func() {
		tree := trees.Result()
		c.Do(func() { tree.V = issta2006.NewBinTree(); c.Got(tree) })
	})
	c.Op("tree.Add", func() {
		tree, key := trees.Arg("tree"), keys.Arg("key")
		c.Do(func() { tree.V.Add(key.V) })
	})
	c.Op("tree.Remove", func() {
		tree, key := trees.Arg("tree"), keys.Arg("key")
		c.Do(func() { c.Got(tree.V.Remove(key.V)) })
	})
}

func binomialHeapCalls(c *api.C) {
	heaps := api.Type[*issta2006.BinomialHeap](c, "heap")
	keys := api.Type[int](c, "key", api.Literals(figure5Keys))
	c.Op("issta2006.NewBinomialHeap", func() {
		heap := heaps.Result()
		c.Do(func() { heap.V = issta2006.NewBinomialHeap(); c.Got(heap) })
	})
	c.Op("heap.Insert", func() {
		heap, key := heaps.Arg("heap"), keys.Arg("key")
		c.Do(func() { heap.V.Insert(key.V) })
	})
	c.Op("heap.ExtractMin", func() {
		heap := heaps.Arg("heap")
		c.Do(func() { c.Got(heap.V.ExtractMin()) })
	})
	c.Op("heap.DecreaseKey", func() {
		heap, old, key := heaps.Arg("heap"), keys.Arg("old"), keys.Arg("key")
		c.Do(func() { heap.V.DecreaseKey(old.V, key.V) })
	})
	c.Op("heap.Delete", func() {
		heap, key := heaps.Arg("heap"), keys.Arg("key")
		c.Do(func() { heap.V.Delete(key.V) })
	})
}

func fibHeapCalls(c *api.C) {
	heaps := api.Type[*issta2006.FibHeap](c, "heap")
	nodes := api.Type[*issta2006.FibNode](c, "node")
	costs := api.Type[int](c, "cost", api.Literals(figure5Keys))
	c.Op("issta2006.NewFibHeap", func() {
		heap := heaps.Result()
		c.Do(func() { heap.V = issta2006.NewFibHeap(); c.Got(heap) })
	})
	c.Op("heap.Insert", func() {
		heap, cost := heaps.Arg("heap"), costs.Arg("cost")
		c.Do(func() { heap.V.Insert(cost.V) })
	})
	c.Op("heap.RemoveMin", func() {
		heap, node := heaps.Arg("heap"), nodes.Result()
		c.Do(func() { node.V = heap.V.RemoveMin(); c.Got(node) })
	})
	c.Op("heap.DeleteRandomNode", func() {
		heap := heaps.Arg("heap")
		c.Do(func() { heap.V.DeleteRandomNode() })
	})
}

func treeMapCalls(c *api.C) {
	trees := api.Type[*issta2006.TreeMap](c, "tree")
	keys := api.Type[int](c, "key", api.Literals(figure5Keys))
	c.Op("issta2006.NewTreeMap", func() {
		tree := trees.Result()
		c.Do(func() { tree.V = issta2006.NewTreeMap(); c.Got(tree) })
	})
	c.Op("tree.Put", func() {
		tree, key := trees.Arg("tree"), keys.Arg("key")
		c.Do(func() { tree.V.Put(key.V) })
	})
	c.Op("tree.Remove", func() {
		tree, key := trees.Arg("tree"), keys.Arg("key")
		c.Do(func() { tree.V.Remove(key.V) })
	})
}

// figure5Reach is the mean of what the calls of a container reach.
type figure5Reach struct{ blocks, predicates float64 }

// reach generates sequences for some CPU time, with each of some seeds.
func (f figure5) reach(quick bool, options api.Options) (mean figure5Reach) {
	seeds, seconds := 5, 10
	if quick {
		seeds, seconds = 1, 2
	}
	for seed := range seeds {
		options.Seed, options.Stop = uint64(seed), afterCPU(time.Duration(seconds)*time.Second)
		issta2006.Reset()
		f.calls.Generate(options)
		mean.blocks += float64(issta2006.Blocks) / float64(seeds)
		mean.predicates += float64(issta2006.Predicates) / float64(seeds)
	}
	return mean
}

// figure5Rows are papers/002, Figure 5: the branches that generated sequences reach, and the
// branches with fingerprints of the nodes at hand. The paper's undirected generation reaches nearly
// all predicates of BinTree, too: 53.9.
func figure5Rows(quick bool) []row {
	var rows []row
	for _, f := range figure5s() {
		directed := sync.OnceValue(func() figure5Reach { return f.reach(quick, api.Options{}) })
		undirected := sync.OnceValue(func() figure5Reach { return f.reach(quick, api.Options{Undirected: true}) })
		measure := func(base func() figure5Reach, of func(figure5Reach) float64) func(bool) (figure, figure, error) {
			return func(bool) (figure, figure, error) {
				return figure{value: of(directed())}, figure{value: of(base())}, nil
			}
		}
		blocks := func(r figure5Reach) float64 { return r.blocks }
		predicates := func(r figure5Reach) float64 { return r.predicates }
		name := "callseq/figure5/" + f.name
		rows = append(rows,
			row{name + "/blocks", "undirected", ratioAtLeast(1), measure(undirected, blocks)},
			row{name + "/predicates", "paper", oursAtLeast(f.predicates), measure(func() figure5Reach { return figure5Reach{predicates: f.predicates} }, predicates)},
			row{name + "/predicates", "undirected", ratioAbove(1), measure(undirected, predicates)})
		if f.name == "FibHeap" {
			once := sync.OnceValue(func() figure5Reach { return f.reach(quick, api.Options{Repeat: -1}) })
			rows = append(rows, row{name + "/predicates", "without repetition", ratioAbove(1), measure(once, predicates)})
		}
	}
	return rows
}

// afterCPU returns a function that reports whether the process has used so much CPU time since.
func afterCPU(d time.Duration) func() bool {
	used := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			panic(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	end := used() + d
	return func() bool { return used() >= end }
}
