package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bench/linearbugs"
	"github.com/espalier-go/espalier/bench/rltrial"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/linear"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/fuzzext"
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
	all, err := linearHunts(r, "race")
	for _, h := range all {
		if base.value++; h.Failed {
			ours.value++
		}
	}
	return ours, base, err
}

// linearTimes compares how long hunts take under schedules, and by chance with -race.
func linearTimes(r run) (ours, base figure, err error) {
	hunts := func(by string) func() ([]linearFound, error) {
		return func() ([]linearFound, error) { return linearHunts(r, by) }
	}
	return both(hunts("schedules"), hunts("race"), func(all []linearFound) figure {
		return medianOf(all, func(h linearFound) figure {
			return figure{value: h.Seconds, more: !h.Failed}
		})
	})
}

func linearHunts(r run, by string) ([]linearFound, error) {
	return times(fmt.Sprint("linear ", r.args[0], by), pick(r, 10, 3),
		func(seed int) (linearFound, error) {
			return linearHunt(r.args[0], "planted", by, seed, linearLimit)
		})
}

// linearRight counts the reports on structures without a bug, in how many CPU seconds.
func linearRight(r run) (ours, base figure, err error) {
	for bug := range linearModels {
		for _, by := range []string{"chance", "race", "schedules"} {
			h, err := linearHunt(bug, "right", by, 1, pick(r, 50*time.Second, 2*time.Second))
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

// linearHunt hunts in another process, by its schedules, or by chance in a binary that may have the
// race detector.
func linearHunt(bug, how, by string, seed int, limit time.Duration) (h linearFound, err error) {
	binary, err := linearBinary(by)
	if err != nil {
		return h, err
	}
	err = inScratch(func(dir string) error {
		return order{
			Do:    "linear",
			On:    bug,
			How:   how,
			By:    by,
			Seed:  uint64(seed),
			Limit: limit,
		}.send(binary, dir, &h)
	})
	fmt.Fprintf(os.Stderr, "linear: %s, %s, by %s, seed %d: %+v\n", bug, how, by, seed, h)
	return h, err
}

func linearBinary(by string) (string, error) {
	switch by {
	case "race":
		return buildTests(".", "bench.race.test", nil, "-race")
	case "schedules":
		const name = "bench.points.test"
		return built(name, "..", nil, "go", "run", "./cmd/corpusgen", "test", "-C", "bench", "-c",
			"-o", filepath.Join(scratch, name))
	}
	return buildTests(".", "bench.test", nil)
}

// fourCalls stands for two goroutines, each of which calls the counter twice.
const fourCalls = "four calls"

// scheduleRates compares how often the four calls run in a CPU second, under schedules and in go
// test.
func scheduleRates(r run) (ours, base figure, err error) {
	return beside(fourCalls, pick(r, 5, 1), "schedules", "chance",
		func(by string, i int) (linearFound, error) {
			return linearHunt(fourCalls, "right", by, i, pick(r, 10*time.Second, 3*time.Second))
		}, func(h linearFound) figure { return number(float64(h.Sequences) / h.Seconds) })
}

// scheduleOrder has fuzzext run what linearOrder runs, or the four calls.
func scheduleOrder(o order, t *testing.T) {
	var h linearFound
	start := rltrial.CPU()
	setFlag("fuzzext.seed", o.Seed+1)
	setFlag("fuzzext.checks", endless)
	setFlag("fuzzext.time", o.Limit)
	t.Cleanup(func() {
		h.Failed, h.Seconds = t.Failed(), (rltrial.CPU() - start).Seconds()
		o.answer(h)
	})
	if o.On != fourCalls {
		fuzzext.Sequence(t, linear.New(linearModels[o.On]), fuzzext.Schedules())
		return
	}
	fuzzext.Concurrent(t, func(*fuzzext.T) {
		var counter linearbugs.Counter
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				counter.Add(1)
				counter.Add(2)
			})
		}
		wg.Wait()
		h.Sequences++
	})
}

// linearOrder runs sequences until one fails, or for some CPU time.
func linearOrder(o order, t *testing.T) {
	if o.How == "planted" {
		linearbugs.Planted = o.On
	}
	if o.By == "schedules" || o.On == fourCalls {
		scheduleOrder(o, t)
		return
	}
	model := linear.New(linearModels[o.On])
	r := rand.New(rand.NewPCG(o.Seed, sampleStream))
	var h linearFound
	for start := rltrial.CPU(); !h.Failed && h.Seconds < o.Limit.Seconds(); h.Sequences++ {
		v, err := bigen.Value(model.Gen(), varied.Source(r, h.Sequences))
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
