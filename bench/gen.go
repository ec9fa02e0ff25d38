package main

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// genRows measures the generators themselves: CPU nanoseconds, or allocations, for
// each part (node, element, field) of the values made. The peers make values of the
// same distribution.
func genRows() []row {
	var rows []row
	for _, s := range subjects() {
		rows = append(rows, subjectRows(s)...)
	}
	return rows
}

func subjects() []subject { return []subject{trees("bst20", 20), trees("bst1000", 1000), ints()} }

// subject is a type of values with the ways to make them. Each function makes or
// reads values and returns how many parts they had.
type subject struct {
	name string
	own  float64 // allocations per part that the value itself needs

	random func() int // from a random source, with its tree
	bytes  func() int // from the bytes of a value
	record func() int // from the bytes of a value, with its tree
	back   func() int // backward

	hand      func() int // hand-written, from bytes of its own format
	rapid     func(*rapid.T) int
	fuzzBytes int // how many bytes rapid.MakeFuzz gets
}

func subjectRows(s subject) []row {
	cpu := func(kind, baseline string, atMost float64, ours, base func() cost) row {
		return row{"gen/" + s.name + "/" + kind, baseline, atMost, func(quick bool) (figure, figure, error) {
			o, b := inTurn(quick, ours, base)
			return figure{value: o}, figure{value: b}, nil
		}}
	}
	return []row{
		cpu("bytes/hand ns", "hand-written", 4, loop(s.bytes), loop(s.hand)),
		{"gen/" + s.name + "/bytes/own allocs", "the value's own", 2, func(bool) (figure, figure, error) {
			return figure{value: allocs(s.bytes) - s.own}, figure{value: max(1, s.own)}, nil
		}},
		cpu("random/Check ns", "rapid.Check", 1./3, loop(s.random), rapidCost(s, "Check")),
		cpu("bytes/MakeFuzz ns", "rapid.MakeFuzz", 1./20, loop(s.bytes), rapidCost(s, "MakeFuzz")),
		cpu("record ns", "without its tree", 1.5, loop(s.record), loop(s.bytes)),
		cpu("backward ns", "forward, recording", 2, loop(s.back), loop(s.record)),
	}
}

// cost is CPU time and what was made in it.
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

// inTurn returns the medians of several measurements of each, made alternately.
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

// rapid runs only in a test, so each measurement of it is a process of its own: this
// program again, told by the environment what to do.
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
			t.Run("", func(t *testing.T) { fuzz(t, b) }) // it skips what is too short
		}
	}
	c.cpu = cpuTime() - start
	return c
}

// A tree is the search tree of the measurements.
type tree struct {
	L, R *tree
	X    int
}

func (t *tree) size() int {
	if t == nil {
		return 0
	}
	return 1 + t.L.size() + t.R.size()
}

const bound = 1 << 20

func genTree(lo, hi int) bigen.Gen[*tree] {
	if lo > hi {
		return bigen.Nil[tree]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *tree) {
			bigen.At(c, &t.X, bigen.IntRange(lo, hi))
			bigen.At(c, &t.L, genTree(lo, t.X-1))
			bigen.At(c, &t.R, genTree(t.X+1, hi))
		})),
	)
}

func rapidTree(t *rapid.T, lo, hi int) *tree {
	if lo > hi || rapid.IntRange(0, 1).Draw(t, "node") == 0 {
		return nil
	}
	x := rapid.IntRange(lo, hi).Draw(t, "x")
	return &tree{X: x, L: rapidTree(t, lo, x-1), R: rapidTree(t, x+1, hi)}
}

// trees measures search trees of n nodes; from random sources, of few.
func trees(name string, n int) subject {
	g := genTree(0, bound)
	r := rand.New(rand.NewPCG(1, uint64(n)))
	var v *tree
	for range n {
		v = v.insert(r.IntN(bound + 1))
	}
	s := valueSubject(g, v, v.size(), func(t *tree) int { return 1 + t.size() })
	s.name, s.own = name, 1
	var h hand
	h.putTree(v, 0, bound)
	s.hand = func() int {
		h := hand{h.b}
		return h.tree(0, bound).size()
	}
	s.rapid = func(t *rapid.T) int { return 1 + rapidTree(t, 0, bound).size() }
	s.fuzzBytes = 4096
	return s
}

// valueSubject measures g on the value v, of n parts, and on random values.
func valueSubject[A any](g bigen.Gen[A], v A, n int, parts func(A) int) subject {
	b, err := bigen.Encode(g, v)
	if err != nil {
		panic(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	return subject{
		random: func() int {
			v, _, err := bigen.Run(g, choices.Random(r))
			must(err)
			return parts(v)
		},
		bytes: func() int {
			_, err := bigen.Decode(g, b)
			must(err)
			return n
		},
		record: func() int {
			_, _, err := bigen.Run(g, choices.FromBytes(b))
			must(err)
			return n
		},
		back: func() int {
			_, err := bigen.Choices(g, v)
			must(err)
			return n
		},
	}
}

func (t *tree) insert(x int) *tree {
	switch {
	case t == nil:
		return &tree{X: x}
	case x < t.X:
		t.L = t.L.insert(x)
	case x > t.X:
		t.R = t.R.insert(x)
	}
	return t
}

// ints measures slices of integers.
func ints() subject {
	const most = 50
	g := bigen.SliceOf(bigen.IntRange(0, most), 0, 100)
	r := rand.New(rand.NewPCG(1, 3))
	v := make([]int, 50)
	for i := range v {
		v[i] = r.IntN(most + 1)
	}
	s := valueSubject(g, v, len(v), func(v []int) int { return 1 + len(v) })
	s.name = "ints50"
	var h hand
	h.putInts(v)
	s.hand = func() int {
		h := hand{h.b}
		return len(h.ints(most))
	}
	s.rapid = func(t *rapid.T) int {
		return 1 + len(rapid.SliceOfN(rapid.IntRange(0, most), 0, 100).Draw(t, "v"))
	}
	s.fuzzBytes = 4096
	return s
}

// hand reads and writes values as a hand-written decoder would.
type hand struct{ b []byte }

func (h *hand) byte() byte {
	if len(h.b) == 0 {
		return 0
	}
	x := h.b[0]
	h.b = h.b[1:]
	return x
}

func (h *hand) int(lo, hi int) int {
	u, n := binary.Uvarint(h.b)
	if n <= 0 {
		h.b = nil
		return lo
	}
	h.b = h.b[n:]
	return lo + int(u%uint64(hi-lo+1))
}

func (h *hand) putInt(x, lo int) { h.b = binary.AppendUvarint(h.b, uint64(x-lo)) }

func (h *hand) tree(lo, hi int) *tree {
	if lo > hi || h.byte()%2 == 0 {
		return nil
	}
	t := new(tree)
	t.X = h.int(lo, hi)
	t.L = h.tree(lo, t.X-1)
	t.R = h.tree(t.X+1, hi)
	return t
}

func (h *hand) putTree(t *tree, lo, hi int) {
	switch {
	case lo > hi:
	case t == nil:
		h.b = append(h.b, 0)
	default:
		h.b = append(h.b, 1)
		h.putInt(t.X, lo)
		h.putTree(t.L, lo, t.X-1)
		h.putTree(t.R, t.X+1, hi)
	}
}

func (h *hand) ints(most int) (v []int) {
	for h.byte()%2 == 1 {
		v = append(v, h.int(0, most))
	}
	return v
}

func (h *hand) putInts(v []int) {
	for _, x := range v {
		h.b = append(h.b, 1)
		h.putInt(x, 0)
	}
	h.b = append(h.b, 0)
}
