package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
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
// CPU seconds each, with -race and without; and how often the right structures are reported.
func linearRows() []row {
	var rows []row
	for _, m := range linearModels() {
		var found [2][]float64
		hunts := func(quick, race bool) ([]float64, error) {
			n, mode := linearSeeds, 0
			if quick {
				n = 3
			}
			if race {
				mode = 1
			}
			for seed := len(found[mode]); seed < n; seed++ {
				h, err := linearHunt(m.bug, true, race, seed, linearLimit)
				if err != nil {
					return nil, err
				}
				if !h.Failed {
					h.Seconds = 2 * linearLimit.Seconds()
				}
				found[mode] = append(found[mode], h.Seconds)
			}
			return slices.Sorted(slices.Values(found[mode])), nil
		}
		median := func(all []float64) figure {
			return figure{value: all[len(all)/2], more: all[len(all)/2] > linearLimit.Seconds()}
		}
		rows = append(rows,
			row{"callseq/linear/" + m.bug + "/found with -race", "hunts", ratioAtLeast(1), func(quick bool) (ours, base figure, err error) {
				all, err := hunts(quick, true)
				for _, s := range all {
					if base.value++; s <= linearLimit.Seconds() {
						ours.value++
					}
				}
				return ours, base, err
			}},
			row{"callseq/linear/" + m.bug + "/cpu-s with -race", "without", oursAtMost(linearLimit.Seconds()), func(quick bool) (ours, base figure, err error) {
				with, err := hunts(quick, true)
				if err != nil {
					return ours, base, err
				}
				without, err := hunts(quick, false)
				if err != nil {
					return ours, base, err
				}
				return median(with), median(without), nil
			}})
	}
	return append(rows, row{"callseq/linear/right ones reported", "CPU seconds", oursAtMost(0), func(quick bool) (ours, base figure, err error) {
		limit := 600 * time.Second
		if quick {
			limit = 16 * time.Second
		}
		for _, m := range linearModels() {
			for _, race := range []bool{false, true} {
				h, err := linearHunt(m.bug, false, race, 1, limit/8)
				if err != nil {
					return ours, base, err
				}
				if base.value += h.Seconds; h.Failed {
					ours.value++
				}
			}
		}
		return ours, base, nil
	}})
}

// A linearFound is what a hunt has found.
type linearFound struct {
	Failed    bool
	Seconds   float64 // of CPU time
	Sequences int
}

// linearEnv makes another process hunt: its value is the model, whether to plant its bug, the seed
// and the limit.
const linearEnv = "ESPALIER_BENCH_LINEAR"

// linearHunt hunts in another process.
func linearHunt(bug string, planted, race bool, seed int, limit time.Duration) (h linearFound, err error) {
	binary := os.Args[0]
	if race {
		if binary, err = linearRace(); err != nil {
			return h, err
		}
	}
	cmd := exec.Command(binary)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %t %d %v", linearEnv, bug, planted, seed, limit), "GORACE=exitcode=0 log_path="+filepath.Join(scratch, "race"))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &h)
	}
	fmt.Fprintf(os.Stderr, "linear: %s, planted %t, -race %t, seed %d: %+v\n", bug, planted, race, seed, h)
	return h, err
}

// linearRace builds this command with -race.
var linearRace = sync.OnceValues(func() (string, error) {
	_, file, _, _ := runtime.Caller(0)
	binary := filepath.Join(scratch, "bench-race")
	build := exec.Command("go", "build", "-race", "-o", binary, ".")
	build.Dir = filepath.Dir(file)
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return binary, nil
})

// linearMain is the other process: it runs sequences until one fails, or for some CPU time.
func linearMain(what string) {
	var bug string
	var planted bool
	var seed uint64
	var within string
	if _, err := fmt.Sscan(what, &bug, &planted, &seed, &within); err != nil {
		panic(err)
	}
	limit, err := time.ParseDuration(within)
	if err != nil {
		panic(err)
	}
	if planted {
		linearbugs.Planted = bug
	}
	define := linearModels()[slices.IndexFunc(linearModels(), func(m linearModel) bool { return m.bug == bug })].define
	model := linear.New(define)
	r := rand.New(rand.NewPCG(seed, sampleStream))
	var h linearFound
	for start := cpuTime(); !h.Failed && h.Seconds < limit.Seconds(); h.Sequences++ {
		v, err := bigen.Value(model.Gen(), choices.Varied(r, h.Sequences))
		if err != nil {
			panic(err)
		}
		tb := &seqTB{}
		model.Run(tb, v)
		h.Failed, h.Seconds = tb.failed, (cpuTime() - start).Seconds()
		if h.Failed && !planted {
			fmt.Fprintln(os.Stderr, tb.log.String())
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(h); err != nil {
		panic(err)
	}
	os.Exit(0)
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
