package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bench/linearbugs"
	"github.com/espalier-go/espalier/bench/rltrial"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/linear"
	"github.com/espalier-go/espalier/choices"
)

// linearModels describe the structures of package linearbugs, by the bugs to plant.
var linearModels = map[string]func(c *callseq.C){
	"aba": linearStack, "map": linearMap, "counter": linearCounter, "cache": linearCache,
}

const linearLimit = 60 * time.Second

// A linearFound is what a hunt has found.
type linearFound struct {
	Failed    bool
	Seconds   float64 // of CPU time
	Sequences int
}

// linearHits counts the hunts with -race that find the bug of a structure that goroutines use.
func linearHits(r run) (ours, base figure, err error) {
	all, err := linearHunts(r, true)
	for _, h := range all {
		if base.value++; h.Failed {
			ours.value++
		}
	}
	return ours, base, err
}

// linearTimes compares how long hunts take with -race and without.
func linearTimes(r run) (ours, base figure, err error) {
	hunts := func(race bool) func() ([]linearFound, error) {
		return func() ([]linearFound, error) { return linearHunts(r, race) }
	}
	return both(hunts(true), hunts(false), func(all []linearFound) figure {
		return medianOf(all, func(h linearFound) figure { return figure{value: h.Seconds, more: !h.Failed} })
	})
}

func linearHunts(r run, race bool) ([]linearFound, error) {
	return times(fmt.Sprint("linear ", r.args[0], race), pick(r, 10, 3), func(seed int) (linearFound, error) {
		return linearHunt(r.args[0], "planted", race, seed, linearLimit)
	})
}

// linearRight counts the reports on structures without a bug, in how many CPU seconds.
func linearRight(r run) (ours, base figure, err error) {
	for bug := range linearModels {
		for _, race := range []bool{false, true} {
			h, err := linearHunt(bug, "right", race, 1, pick(r, 75*time.Second, 2*time.Second))
			if err != nil {
				return ours, base, err
			}
			if base.value += h.Seconds; h.Failed {
				ours.value++
			}
		}
	}
	return ours, base, nil
}

// linearHunt hunts in another process, whose binary may be built with -race.
func linearHunt(bug, how string, race bool, seed int, limit time.Duration) (h linearFound, err error) {
	binary, err := buildTests(".", "bench.test", nil)
	if race {
		binary, err = buildTests(".", "bench.race.test", nil, "-race")
	}
	if err != nil {
		return h, err
	}
	err = inScratch(func(dir string) error {
		return order{Do: "linear", On: bug, How: how, Seed: uint64(seed), Limit: limit}.send(binary, dir, &h)
	})
	fmt.Fprintf(os.Stderr, "linear: %s, %s, -race %t, seed %d: %+v\n", bug, how, race, seed, h)
	return h, err
}

// linearOrder runs sequences until one fails, or for some CPU time.
func linearOrder(o order, _ *testing.T) {
	if o.How == "planted" {
		linearbugs.Planted = o.On
	}
	model := linear.New(linearModels[o.On])
	r := rand.New(rand.NewPCG(o.Seed, sampleStream))
	var h linearFound
	for start := rltrial.CPU(); !h.Failed && h.Seconds < o.Limit.Seconds(); h.Sequences++ {
		v, err := bigen.Value(model.Gen(), choices.Varied(r, h.Sequences))
		if err != nil {
			panic(err)
		}
		tb := &seqTB{}
		model.Run(tb, v)
		h.Failed, h.Seconds = tb.failed, (rltrial.CPU() - start).Seconds()
	}
	o.answer(h)
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
