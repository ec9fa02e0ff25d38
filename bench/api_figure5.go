package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/espalier-go/espalier/bench/issta2006"
	"github.com/espalier-go/espalier/bench/rltrial"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/api"
)

// figure5Keys makes the paper's keys: five numbers, and any below 100 in repeated calls.
var figure5Keys = bigen.Pick(
	bigen.Tag("usual", bigen.OneOf(-1, 0, 1, 10, 100)),
	bigen.Tag("other", bigen.IntRange(0, 99)),
)

// figure5Calls has the containers of Randoop's Figure 5, with the methods that its authors test.
var figure5Calls = map[string]func(c *api.C){
	"BinTree": binTreeCalls, "BinomialHeap": binomialHeapCalls, "FibHeap": fibHeapCalls,
	"TreeMap": treeMapCalls,
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

// figure5Reach is what the calls of a container reach.
type figure5Reach struct{ Blocks, Predicates float64 }

func (r figure5Reach) blocks() float64     { return r.Blocks }
func (r figure5Reach) predicates() float64 { return r.Predicates }

// figure5 compares the branches that generated sequences reach, or the branches with fingerprints
// of the nodes at hand, with what sequences without feedback reach. Figures are means of several
// seeds. In the paper, undirected generation reaches nearly all predicates of BinTree, too: 53.9.
func figure5(without figure5Way, of func(figure5Reach) float64) measure {
	return func(r run) (o, b figure, err error) {
		mean := func(way figure5Way) func() (figure, error) {
			return func() (figure, error) { return figure5Mean(r, way, of) }
		}
		return pair(mean(figure5Feedback), mean(without))
	}
}

// figure5Printed compares predicates with what feedback-directed generation reaches in the paper.
func figure5Printed(predicates float64) measure {
	return func(r run) (ours, base figure, err error) {
		ours, err = figure5Mean(r, figure5Feedback, figure5Reach.predicates)
		return ours, number(predicates), err
	}
}

// A figure5Way makes sequences, until stop reports true.
type figure5Way struct {
	name string
	make func(define func(c *api.C), seed uint64, stop func() bool)
}

var (
	figure5Feedback   = figure5Way{"feedback", generate(false)}
	figure5Undirected = figure5Way{"undirected", generate(true)}
	figure5Anew       = figure5Way{"anew", eachAnew}
)

func generate(undirected bool) func(define func(c *api.C), seed uint64, stop func() bool) {
	return func(define func(c *api.C), seed uint64, stop func() bool) {
		api.New(define).Generate(api.Options{Seed: seed, Undirected: undirected, Stop: stop})
	}
}

// eachAnew makes each sequence of nothing, as JCrasher does, the baseline of Randoop's section
// 3.2.3: arguments fit by their types, and nothing that has run matters. A panic ends a sequence,
// and is not reported.
func eachAnew(define func(c *api.C), seed uint64, stop func() bool) {
	calls := api.New(define, api.Classify(func(api.Outcome) api.Class { return api.Expected }))
	for r := rand.New(rand.NewPCG(seed, 0)); !stop(); {
		calls.Run(&seqTB{}, bigen.Sample(calls.Gen(), r))
	}
}

func figure5Mean(r run, way figure5Way, of func(figure5Reach) float64) (figure, error) {
	define, key := figure5Calls[r.args[0]], fmt.Sprint("figure5 ", r.args[0], way.name)
	all, err := times(key, pick(r, 5, 1), func(seed int) (figure5Reach, error) {
		end := rltrial.CPU() + pick(r, 10*time.Second, 2*time.Second)
		issta2006.Reset()
		way.make(define, uint64(seed+1), func() bool { return rltrial.CPU() >= end })
		return figure5Reach{float64(issta2006.Blocks), float64(issta2006.Predicates)}, nil
	})
	return number(meanOf(all, of)), err
}
