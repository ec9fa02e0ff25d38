package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// genRows measure the generators: CPU nanoseconds or allocations for each part (node,
// element, field) of the values. The peers make values of the same distribution.
func genRows() []row {
	var rows []row
	for _, s := range subjects() {
		rows = append(rows, subjectRows(s)...)
	}
	return rows
}

func subjectRows(s subject) []row {
	cpu := func(kind, baseline string, atMost float64, ours, base func() cost) row {
		return row{"gen/" + s.name + "/" + kind, baseline, ratioAtMost(atMost), func(quick bool) (figure, figure, error) {
			o, b := inTurn(quick, ours, base)
			return figure{value: o}, figure{value: b}, nil
		}}
	}
	return []row{
		cpu("bytes/hand ns", "hand-written", 4, loop(s.bytes), loop(s.hand)),
		{"gen/" + s.name + "/bytes/extra allocs", "one per part", ratioAtMost(2), func(bool) (figure, figure, error) {
			return figure{value: allocs(s.bytes) - s.own}, figure{value: 1}, nil
		}},
		cpu("random/Check ns", "rapid.Check", 1./3, loop(s.random), rapidCost(s, "Check")),
		cpu("bytes/MakeFuzz ns", "rapid.MakeFuzz", 1./20, loop(s.bytes), rapidCost(s, "MakeFuzz")),
		cpu("record ns", "without its tree", 1.5, loop(s.record), loop(s.bytes)),
		cpu("backward ns", "forward, recording", 2, loop(s.back), loop(s.record)),
	}
}

// cost is CPU time, and the parts made in it.
type cost struct {
	cpu   time.Duration
	parts int
}

func loop(f func() int) func() cost {
	return func() (c cost) {
		start := cpuTime()
		for c.cpu < 50*time.Millisecond {
			for range 20 {
				c.parts += f()
			}
			c.cpu = cpuTime() - start
		}
		return c
	}
}

// inTurn returns the medians of several measurements of both, made alternately.
func inTurn(quick bool, ours, base func() cost) (o, b float64) {
	n := 15
	if quick {
		n = 3
	}
	var os, bs []float64
	for range n {
		runtime.GC()
		os = append(os, ours().each())
		runtime.GC()
		bs = append(bs, base().each())
	}
	return median(os), median(bs)
}

func (c cost) each() float64 { return float64(c.cpu.Nanoseconds()) / float64(c.parts) }

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func allocs(f func() int) float64 {
	parts := 0
	n := testing.AllocsPerRun(200, func() { parts += f() })
	return n / (float64(parts) / 201)
}

// rapid runs only in a test, so a process of its own makes each measurement: this program
// again, with instructions in the environment.
const rapidEnv = "ESPALIER_BENCH_RAPID"

// rapidCost measures the subject with rapid's Check or MakeFuzz.
func rapidCost(s subject, how string) func() cost {
	return func() (c cost) {
		cmd := exec.Command(os.Args[0], "-rapid.nofailfile", "-rapid.checks=2000")
		cmd.Env = append(os.Environ(), rapidEnv+"="+s.name+" "+how)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err == nil {
			_, err = fmt.Sscan(string(out), &c.cpu, &c.parts)
		}
		if err != nil {
			panic(fmt.Sprintf("rapid %s %s: %v\n%s", s.name, how, err, out))
		}
		return c
	}
}

// rapidMain is the other process.
func rapidMain(name, how string) {
	testing.Main(func(_, _ string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "T", F: func(t *testing.T) {
		if how == "Shrink" {
			rapidShrink(name)
		}
		if name == "codec" {
			effort, what, _ := strings.Cut(how, " ")
			for _, f := range codecFigures {
				if f.what == what {
					fmt.Println(f.measure(rapidCoder(t), codecEffort(effort == "true")))
				}
			}
		}
		for _, s := range subjects() {
			if s.name == name {
				c := s.runRapid(t, how)
				fmt.Println(int64(c.cpu), c.parts)
			}
		}
	}}}, nil, nil)
}

func (s subject) runRapid(t *testing.T, how string) (c cost) {
	prop := func(t *rapid.T) { c.parts += s.rapid(t) }
	start := cpuTime()
	if how == "Check" {
		rapid.Check(t, prop)
	} else {
		r := rand.New(rand.NewPCG(1, 1))
		b := make([]byte, s.fuzzBytes)
		fuzz := rapid.MakeFuzz(prop)
		for range 100 {
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			t.Run("", func(t *testing.T) { fuzz(t, b) }) // it skips inputs that are too short
		}
	}
	c.cpu = cpuTime() - start
	return c
}
