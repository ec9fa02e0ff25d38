package api_test

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

type node struct {
	n           int
	left, right *node
}

// Values that differ for a program have other states. Equal ones at other addresses do not.
func TestStates(t *testing.T) {
	t.Parallel()
	shared := &node{n: 1}
	loop := func() *node { x := &node{}; x.left = x; return x }
	long := loop()
	long.left = &node{left: long}
	ones := []int{1, 2, 3}
	lock := &struct {
		mu sync.Mutex
		n  int
	}{n: 1}
	lock.mu.Lock()
	var one, two atomic.Int64
	one.Store(1)
	two.Store(2)
	for _, c := range []struct {
		name string
		a, b any
		same bool
	}{
		{"copies", &node{1, &node{n: 2}, nil}, &node{1, &node{n: 2}, nil}, true},
		{"fields", &node{1, &node{n: 2}, nil}, &node{1, nil, &node{n: 2}}, false},
		{"shared", &node{0, shared, shared}, &node{0, &node{n: 1}, &node{n: 1}}, false},
		{"loops", loop(), loop(), true},
		{"longer loop", loop(), long, false},
		{"maps", map[string]int{"a": 1, "b": 2, "c": 3}, map[string]int{"c": 3, "b": 2, "a": 1}, true},
		{"other maps", map[string]int{"a": 1, "b": 2}, map[string]int{"a": 2, "b": 1}, false},
		{"maps by pointers", map[*node]int{{n: 1}: 1, {n: 2}: 2}, map[*node]int{{n: 2}: 2, {n: 1}: 1}, true},
		{"nil and empty", []int(nil), []int{}, false},
		{"slices that share", [2][]int{ones, ones[:2]}, [2][]int{ones, {1, 2}}, false},
		{"NaN", math.NaN(), math.NaN(), true},
		{"zeros", 0.0, math.Copysign(0, -1), false},
		{"functions", []any{cmpInts}, []any{cmpInts}, true},
		{"other functions", []any{cmpInts}, []any{rng}, false},
		{"types", []any{int64(1)}, []any{int32(1)}, false},
		{"strings", "a\x00\x00\x00\x00\x00\x00\x00", "a\x00\x00\x00\x00\x00\x00", false},
		{"bytes", []byte("abc"), []byte("abd"), false},
		{"the first of many bytes", []byte("abcdefghi"), []byte("bbcdefghi"), false},
		{"the last of many bytes", []byte("abcdefghi"), []byte("abcdefghj"), false},
		{"locks", lock, &struct {
			mu sync.Mutex
			n  int
		}{n: 1}, true},
		{"times", time.Unix(1, 0), time.Unix(2, 0), true},
		{"atomics", &one, &two, false},
		{"nothing", nil, (*node)(nil), false},
	} {
		require.Equal(t, c.same, api.StateOf(c.a) == api.StateOf(c.b), c.name)
	}
}

func cmpInts(a, b int) int { return a - b }

// A walk ends after so many parts: what differs beyond them makes no other state.
func TestStatesAreBounded(t *testing.T) {
	t.Parallel()
	list := func(length, last int) *node {
		l := &node{n: last}
		for range length - 1 {
			l = &node{left: l}
		}
		return l
	}
	ints := func(n, last int) []int {
		s := make([]int, n)
		s[n-1] = last
		return s
	}
	entries := func(n, last int) map[int]int {
		m := map[int]int{}
		for i := range n {
			m[i] = last
		}
		return m
	}
	for _, c := range []struct {
		name string
		of   func(size, last int) any
	}{
		{"list", func(size, last int) any { return list(size, last) }},
		{"slice", func(size, last int) any { return ints(size, last) }},
	} {
		require.NotEqual(t, api.StateOf(c.of(100, 1)), api.StateOf(c.of(100, 2)), c.name)
		require.Equal(t, api.StateOf(c.of(100_000, 1)), api.StateOf(c.of(100_000, 2)), c.name)
	}
	require.NotEqual(t, api.StateOf(entries(100, 1)), api.StateOf(entries(100, 2)))
	require.NotEqual(t, api.StateOf(entries(10_000, 1)), api.StateOf(entries(10_001, 1)), "the number of entries counts")
	var self, other any
	self, other = &self, &other
	require.Equal(t, api.StateOf(self), api.StateOf(other))
}

// A bag holds each number once, in the order of insertion.
type bag struct{ ns []int }

func (b *bag) Add(n int) {
	if !slices.Contains(b.ns, n) {
		b.ns = append(b.ns, n)
	}
}

func (b *bag) Remove(n int) {
	b.ns = slices.DeleteFunc(b.ns, func(m int) bool { return m == n })
}

func (b *bag) sorted() any {
	ns := append([]int(nil), b.ns...)
	slices.Sort(ns)
	return ns
}

// Where State tells values apart, fewer sequences are kept, and reach as many of these states.
func TestState(t *testing.T) {
	t.Parallel()
	generate := func(withState bool) (kept, states int) {
		reached := map[string]bool{}
		a := api.New(func(c *api.C) {
			bags := api.Type[*bag](c, "bag")
			ints := api.Type(c, "int", api.Literals(bigen.IntRange(0, 5)))
			if withState {
				api.State(bags, (*bag).sorted)
			}
			c.Op("new", func() {
				b := bags.Result()
				c.Do(func() { b.V = &bag{}; c.Got(b) })
			})
			method := func(name string, f func(*bag, int)) {
				c.Op(name, func() {
					b, n := bags.Arg("bag"), ints.Arg("n")
					c.Do(func() { f(b.V, n.V); reached[fmt.Sprint(b.V.sorted())] = true })
				}).When(bags.Any)
			}
			method("bag.Add", (*bag).Add)
			method("bag.Remove", (*bag).Remove)
		})
		return a.Generate(api.Options{Sequences: long.Count(800, 1500), MaxRegressions: -1}).Stats.Kept, len(reached)
	}
	kept, states := generate(false)
	fewer, same := generate(true)
	require.Less(t, 3*fewer, kept)
	require.LessOrEqual(t, fewer, 1<<6+1)
	require.GreaterOrEqual(t, same, states-1)
}

// A walker stands where a function says that it does.
type walker struct{ at func() int }

func (w *walker) step() {
	n := w.at() + 1
	w.at = func() int { return n }
}

func (w *walker) jump() {
	if w.at() > 4 {
		_ = []int{}[w.at()]
	}
}

// States that differ by what a function does are told apart, by the last calls.
func TestGenerateByFunctions(t *testing.T) {
	t.Parallel()
	a := api.New(func(c *api.C) {
		walkers := api.Type[*walker](c, "walker")
		c.Op("new(walker)", func() {
			w := walkers.Result()
			c.Do(func() { w.V = &walker{func() int { return 0 }}; c.Got(w) })
		})
		c.Op("walker.step", func() {
			w := walkers.Arg("walker")
			c.Do(func() { w.V.step(); c.Got() })
		}).When(walkers.Any)
		c.Op("walker.jump", func() {
			w := walkers.Arg("walker")
			c.Do(func() { w.V.jump(); c.Got() })
		}).When(walkers.Any)
	})
	suite := a.Generate(api.Options{Seed: 1, Sequences: 300, MaxRegressions: -1})
	require.NotEmpty(t, suite.Errors)
	require.Greater(t, suite.Stats.Kept, 8)
}
