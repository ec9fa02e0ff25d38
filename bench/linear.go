package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/espalier-go/espalier/bench/linearbugs"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/linear"
	"github.com/espalier-go/espalier/choices"
)

// A linearModel describes a structure of package linearbugs. bug is the one to plant.
type linearModel struct {
	bug    string
	define func(c *callseq.C)
}

func linearModels() []linearModel {
	return []linearModel{
		{"aba", linearStack},
		{"map", linearMap},
		{"counter", linearCounter},
		{"cache", linearCache},
	}
}

const (
	linearSeeds = 10
	linearLimit = 60 * time.Second
)

// linearRows measure how many of 10 hunts find the bug of a structure that goroutines use, in 60
// CPU seconds each, and how long they take; and how often the right structures are reported.
func linearRows() []row {
	var rows []row
	for _, m := range linearModels() {
		var found []float64
		hunts := func(quick bool) ([]float64, error) {
			n := linearSeeds
			if quick {
				n = 3
			}
			for seed := len(found); seed < n; seed++ {
				took, failed, err := m.hunt(m.bug, uint64(seed), linearLimit)
				if err != nil {
					return nil, err
				}
				if !failed {
					took = 2 * linearLimit
				}
				found = append(found, took.Seconds())
			}
			return found, nil
		}
		rows = append(rows,
			row{"callseq/linear/" + m.bug + "/found", "hunts", ratioAtLeast(1), func(quick bool) (ours, base figure, err error) {
				all, err := hunts(quick)
				for _, s := range all {
					if base.value++; s <= linearLimit.Seconds() {
						ours.value++
					}
				}
				return ours, base, err
			}},
			row{"callseq/linear/" + m.bug + "/cpu-s", "the limit", ratioAtMost(1), func(quick bool) (figure, figure, error) {
				all, err := hunts(quick)
				if err != nil {
					return figure{}, figure{}, err
				}
				sorted := slices.Sorted(slices.Values(all))
				return figure{value: sorted[len(sorted)/2]}, figure{value: linearLimit.Seconds()}, nil
			}})
	}
	return append(rows, row{"callseq/linear/right ones reported", "CPU seconds", oursAtMost(0), func(quick bool) (ours, base figure, err error) {
		limit := 600 * time.Second
		if quick {
			limit = 12 * time.Second
		}
		for _, m := range linearModels() {
			took, failed, err := m.hunt("", 1, limit/4)
			if err != nil {
				return ours, base, err
			}
			if base.value += took.Seconds(); failed {
				ours.value++
			}
		}
		return ours, base, nil
	}})
}

// hunt runs sequences until one fails, or for some CPU time. It returns the time.
func (m *linearModel) hunt(bug string, seed uint64, limit time.Duration) (took time.Duration, failed bool, err error) {
	model := linear.New(m.define)
	r := rand.New(rand.NewPCG(seed, sampleStream))
	linearbugs.Planted = bug
	start := cpuTime()
	n := 0
	for ; !failed && took < limit; n++ {
		v, err := bigen.Value(model.Gen(), choices.Varied(r, n))
		if err != nil {
			return took, false, err
		}
		tb := &seqTB{}
		model.Run(tb, v)
		failed, took = tb.failed, cpuTime()-start
		if failed && bug == "" {
			fmt.Fprintln(os.Stderr, tb.log.String())
		}
	}
	fmt.Fprintf(os.Stderr, "linear: %s, planted %q: failed %t after %d sequences, %.2f CPU s; %v\n", m.bug, bug, failed, n, took.Seconds(), model.Notes())
	return took, failed, nil
}

func linearStack(c *callseq.C) {
	stack, model := new(linearbugs.Stack), []int(nil)
	c.Code("stack := new(linearbugs.Stack)")
	c.Op("stack.Push", func() {
		v := callseq.Arg(c, "v", bigen.IntRange(0, 99))
		model = append(model, v)
		c.Do(func() { stack.Push(v) })
	})
	c.Op("stack.Pop", func() {
		last := len(model) - 1
		if last < 0 {
			c.Want(0, false)
		} else {
			c.Want(model[last], true)
			model = model[:last]
		}
		c.Do(func() { c.Got(stack.Pop()) })
	})
}

func linearMap(c *callseq.C) {
	m, model := linearbugs.NewMap(), map[int]int{}
	key := bigen.IntRange(0, 3)
	c.Code("m := linearbugs.NewMap()")
	c.Op("m.Set", func() {
		k, v := callseq.Arg(c, "k", key), callseq.Arg(c, "v", bigen.IntRange(0, 99))
		_, known := model[k]
		model[k] = v
		c.Want(!known)
		c.Do(func() { c.Got(m.Set(k, v)) })
	})
	c.Op("m.Get", func() {
		k := callseq.Arg(c, "k", key)
		v, ok := model[k]
		c.Want(v, ok)
		c.Do(func() { c.Got(m.Get(k)) })
	})
	c.Op("m.Delete", func() {
		k := callseq.Arg(c, "k", key)
		_, ok := model[k]
		delete(model, k)
		c.Want(ok)
		c.Do(func() { c.Got(m.Delete(k)) })
	})
	c.Op("m.Len", func() {
		c.Want(len(model))
		c.Do(func() { c.Got(m.Len()) })
	})
}

func linearCounter(c *callseq.C) {
	var counter linearbugs.Counter
	model := 0
	c.Code("var counter linearbugs.Counter")
	c.Op("counter.Add", func() {
		d := callseq.Arg(c, "d", bigen.IntRange(1, 9))
		model += d
		c.Want(model)
		c.Do(func() { c.Got(counter.Add(d)) })
	})
	c.Op("counter.Get", func() {
		c.Want(model)
		c.Do(func() { c.Got(counter.Get()) })
	})
}

func linearCache(c *callseq.C) {
	cache, model, made := linearbugs.NewCache(), map[int]int{}, 0
	key := bigen.IntRange(0, 2)
	c.Code("cache := linearbugs.NewCache()")
	c.Op("cache.Get", func() {
		k := callseq.Arg(c, "k", key)
		if model[k] == 0 {
			made++
			model[k] = made
		}
		c.Want(model[k])
		c.Do(func() { c.Got(cache.Get(k)) })
	})
	c.Op("cache.Forget", func() {
		k := callseq.Arg(c, "k", key)
		delete(model, k)
		c.Do(func() { cache.Forget(k) })
	})
}
