package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"

	"github.com/espalier-go/espalier/bench/rltargets"
	"github.com/espalier-go/espalier/bench/rltrial"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/rl"
)

// rlExampleRows count in how many of 10 trials one example leads to another valid input
// within 100 inputs, on the target with the fewest valid inputs by chance. The baseline
// has no example.
func rlExampleRows() []row {
	const trials, limit = 10, 100
	count := func(t rltargets.Target, example choices.Tree) figure {
		reached, inputs, how := 0, 0, "without an example"
		if example != nil {
			how = "after an example"
		}
		for i := range trials {
			guide := rltrial.Default.Guide(rand.New(rand.NewPCG(rlSeed+uint64(i), 0)))
			if example != nil {
				_, key, _ := t.Run(guide.Replay(example))
				guide.Valid(key)
			}
			for n := range limit {
				if rlStep(t, guide, guide.Begin()) {
					reached++
					inputs += n + 1
					break
				}
			}
		}
		fmt.Fprintf(os.Stderr, "rl: %s, %s: %d of %d trials reach a new valid input, with %.3g inputs in the mean\n",
			t.Name, how, reached, trials, float64(inputs)/float64(max(1, reached)))
		return figure{value: float64(reached)}
	}
	return []row{{"rl/example", "no example", oursAtLeast(trials), func(bool) (figure, figure, error) {
		t := rltargets.Workflow()
		example, err := t.Example()
		if err != nil {
			return figure{}, figure{}, err
		}
		return count(t, example), count(t, nil), nil
	}}}
}

// rlStep runs an episode and reports whether its input was valid and new.
func rlStep(t rltargets.Target, guide *rl.Guide, src choices.Source) bool {
	if valid, key, _ := t.Run(src); valid {
		return guide.Valid(key)
	}
	guide.Invalid()
	return false
}

// rlBound is the default bound of a guide's memory, in MB of 2^20 bytes.
const rlBound = 64

// rlMemoryRows measure a guide of the study over ten million inputs: its greatest memory in
// MB, and the CPU time of a choice in the last tenth against the second.
func rlMemoryRows() []row {
	var done *rlLongRun
	run := func(quick bool) *rlLongRun {
		if done == nil {
			inputs := 10_000_000
			if quick {
				inputs = 1_000_000
			}
			done = newLongRun(inputs)
		}
		return done
	}
	return []row{
		{"rl/memory MB", "stated bound", oursAtMost(rlBound), func(quick bool) (figure, figure, error) {
			return figure{value: run(quick).memory}, figure{value: rlBound}, nil
		}},
		{"rl/steady choice ns", "second tenth", ratioAtMost(1.2), func(quick bool) (figure, figure, error) {
			ns := run(quick).ns
			return figure{value: ns[9]}, figure{value: ns[1]}, nil
		}},
	}
}

// rlLongRun is the cost of many inputs of one guide.
type rlLongRun struct {
	memory float64     // MB of 2^20 bytes, at most
	ns     [10]float64 // CPU nanoseconds of a choice: the median of each tenth of the inputs
}

func newLongRun(inputs int) *rlLongRun {
	t := rltargets.Study()
	before := heap()
	guide := rltrial.Default.Guide(rand.New(rand.NewPCG(rlSeed, 0)))
	l := &rlLongRun{}
	for tenth := range l.ns {
		const parts = 10
		var ns []float64
		unique := 0
		for part := range parts {
			start := cpuTime()
			n := 0
			for range inputs / len(l.ns) / parts {
				src := counted{Source: guide.Begin()}
				if rlStep(t, guide, &src) {
					unique++
				}
				n += src.n
			}
			ns = append(ns, float64((cpuTime()-start).Nanoseconds())/float64(n))
			if part%5 == 4 {
				l.memory = max(l.memory, (heap()-before)/(1<<20))
			}
		}
		l.ns[tenth] = median(ns)
		fmt.Fprintf(os.Stderr, "rl: tenth %d of %d inputs: %.4g ns for each choice, %d unique, at most %.3g MB so far\n",
			tenth+1, inputs, l.ns[tenth], unique, l.memory)
	}
	runtime.KeepAlive(guide)
	return l
}

// heap returns the bytes of live objects.
func heap() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// counted counts the questions of a run.
type counted struct {
	choices.Source
	n int
}

func (c *counted) Pick(q *choices.Question) int {
	c.n++
	return c.Source.Pick(q)
}

func (c *counted) Int(q *choices.Question) int64 {
	c.n++
	return c.Source.Int(q)
}

func (c *counted) Text(q *choices.Question) string {
	c.n++
	return c.Source.Text(q)
}
