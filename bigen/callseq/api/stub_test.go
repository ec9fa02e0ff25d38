package api_test

import (
	"fmt"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/stretchr/testify/require"
)

// A run-time error after a call that was given a stub is an error.
func TestStub(t *testing.T) {
	t.Parallel()
	s := api.New(func(a *api.C) {
		stubs := api.Type(a, "stub", api.Stub[shower]("showStub{}", showStub{}))
		a.Op("call", func() {
			x := stubs.Arg("x")
			a.Do(func() { _ = none[len(x.V.Show())] })
		})
	}).Generate(api.Options{Sequences: 10, MaxRegressions: -1})
	require.Len(t, s.Errors, 1)
	require.Contains(t, s.Errors[0].Code, "call(showStub{}) // panic: runtime error: index out of range")
}

// A panic of an expression is one of the call that has it as an argument.
func TestMakePanics(t *testing.T) {
	t.Parallel()
	s := api.New(func(a *api.C) {
		ints := api.Type(a, "n", api.Make("broken()", func() int { return []int{}[len(t.Name())] }))
		values := api.Type[any](a, "value")
		api.Assign(values, ints, func(n int) any { return n })
		a.Op("own", func() {
			n := ints.Arg("n")
			a.Do(func() { a.Got(n) })
		})
		a.Op("other", func() {
			v := values.Arg("v")
			a.Do(func() { a.Got(v) })
		})
	}).Generate(api.Options{Sequences: 10, MaxRegressions: -1})
	found := ""
	for _, e := range s.Errors {
		found += e.Code
	}
	require.Contains(t, found, "own(broken()) // panic: runtime error: index out of range")
	require.Contains(t, found, "other(broken()) // panic: runtime error: index out of range")
}

// A shower is what stubs stand for.
type shower interface{ Show() string }

type showStub struct{}

func (showStub) Show() string { return "" }

type shown struct{ by []shower }

func (s *shown) Show() string { return s.by[0].Show() }

// Stubs are arguments, but no receivers. What is given a stub, or in a slice itself, may have no
// end.
func TestStubIsNoReceiver(t *testing.T) {
	t.Parallel()
	showers := 0
	a := api.New(func(c *api.C) {
		stubs := api.Type(c, "shower", api.Stub[shower]("showStub{}", showStub{}))
		lists := api.Type[[]shower](c, "list")
		all := api.Type[*shown](c, "shown")
		api.Assign(stubs, all, func(v *shown) shower { return v })
		c.Op("shower.Show", func() {
			x := stubs.Arg("shower")
			c.Do(func() {
				showers++
				_ = x.V.(*shown)
			})
		}).When(stubs.Any)
		c.Op("New", func() {
			by, x := stubs.Arg("by"), all.Result()
			c.Do(func() { x.V = &shown{[]shower{by.V}}; c.Got(x) })
		})
		c.Op("list", func() {
			of, list := stubs.Arg("of"), lists.Result()
			c.Do(func() { list.V = []shower{of.V}; c.Got(list) })
		})
		c.Op("shown.by =", func() {
			x, by := all.Arg("shown"), lists.Arg("by")
			c.Do(func() {
				x.V.by = by.V
				require.False(t, slices.Contains(by.V, shower(x.V)), "a value contains itself")
			})
		}).When(api.Any(all, lists))
		c.Op("zero", func() {
			x := all.Result()
			c.Do(func() { x.V = &shown{}; c.Got(x) })
		})
		c.Op("copy", func() {
			to, from := stubs.Arg("to"), stubs.Arg("from")
			c.Do(func() { _, _ = to, from })
		})
	})
	s := a.Generate(api.Options{Sequences: 300, MaxRegressions: -1})
	require.Empty(t, s.Errors)
	require.Positive(t, s.Stats.Invalid) // no value is set to contain itself
	require.Greater(t, showers, 50)
	for _, c := range []struct {
		name  string
		calls calls
		want  bool
	}{
		{"no stub", calls{{"zero", name("")}}, false},
		{"a stub", calls{{"New", code("showStub{}"), name("")}}, true},
		{"a stub before", calls{{"New", code("showStub{}"), name("")}, {"zero", name("")}}, true},
		{"another in a slice", calls{{"zero", name("shown1")}, {"zero", name("shown2")}, {"list", name("shown2"), name("list1")}, {"shown.by =", name("shown1"), name("list1")}}, false},
		{"itself in a slice", calls{{"zero", name("shown1")}, {"list", name("shown1"), name("list1")}, {"shown.by =", name("shown1"), name("list1")}}, true},
		{"two", calls{{"zero", name("shown1")}, {"zero", name("shown2")}, {"copy", name("shown1"), name("shown2")}}, false},
		{"itself twice", calls{{"zero", name("shown1")}, {"copy", name("shown1"), name("shown1")}}, true},
	} {
		require.Equal(t, c.want, a.Tainted(c.calls), c.name)
	}
}

// A value may have been put into itself if a call of a method was given a part of a tree that its
// receiver has to do with.
func TestNests(t *testing.T) {
	t.Parallel()
	type tree struct{ parts []*tree }
	type book struct{}
	a := api.New(func(c *api.C) {
		trees, books := api.Type[*tree](c, "tree"), api.Type[*book](c, "book")
		c.Op("New", func() {
			x, b := trees.Result(), books.Result()
			c.Do(func() { x.V, b.V = &tree{}, &book{}; c.Got(x, b) })
		})
		c.Op("tree.Add", func() {
			x, part := trees.Arg("tree"), trees.Arg("part")
			c.Do(func() { x.V.parts = append(x.V.parts, part.V) })
		}).When(trees.Any)
		c.Op("tree.Name", func() {
			x, b := trees.Arg("tree"), books.Arg("book")
			c.Do(func() { _, _ = x, b })
		}).When(api.Any(trees, books))
		faces := api.Type[fmt.Stringer](c, "face")
		c.Op("tree.Face", func() {
			_, face := trees.Arg("tree"), faces.Result()
			c.Do(func() { face.V = nil; c.Got(face) })
		}).When(trees.Any)
		c.Op("tree.Wear", func() {
			_, _ = trees.Arg("tree"), faces.Arg("face")
			c.Do(func() {})
		}).When(trees.Any)
		c.Op("tree.Depth", func() {
			_ = trees.Arg("tree")
			c.Do(func() { t.Error("the last call runs") })
		}).When(trees.Any)
	})
	for _, c := range []struct {
		name  string
		add   calls
		doubt bool
	}{
		{"itself", calls{{"tree.Add", name("tree1"), name("tree1")}}, true},
		{"nothing", calls{{"tree.Face", name("tree1"), name("face1")}, {"tree.Wear", name("tree1"), name("face1")}}, false},
		{"another", calls{{"tree.Add", name("tree1"), name("tree2")}}, false},
		{"no tree", calls{{"tree.Name", name("tree1"), name("book1")}}, false},
	} {
		doubt := a.Doubt(append(append(calls{{"New", name("tree1"), name("book1")}, {"New", name("tree2"), name("")}}, c.add...), calls{{"tree.Depth", name("tree1")}}...))
		require.Equal(t, c.doubt, doubt != "", c.name)
	}
}

// A call never has a value that is not there: how many there are and how many stubs are two things.
func TestStubsAndValues(t *testing.T) {
	t.Parallel()
	a := api.New(func(c *api.C) {
		showers := api.Type(c, "shower", api.Stub[shower]("showStub{}", showStub{}), api.Stub[shower]("one", showStub{}))
		c.Op("make", func() {
			s := showers.Result()
			c.Do(func() { s.V = showStub{}; c.Got(s) })
		})
		c.Op("shower.Use", func() { // a receiver is no stub
			_ = showers.Arg("shower")
			c.Do(func() { c.Got() })
		}).When(showers.Any)
		c.Op("use", func() {
			_ = showers.Arg("s")
			c.Do(func() { c.Got() })
		})
	})
	a.Generate(api.Options{Sequences: 100, Length: 20, MaxRegressions: -1})
}
