package api_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/stretchr/testify/require"
)

// An index or a size that the caller has chosen is no error of the call, unless Classify says so.
func TestIndexes(t *testing.T) {
	t.Parallel()
	s := make([]int, 3)
	for _, c := range []struct {
		parameter string
		call      func(n int)
		class     string // "" if it is invalid
	}{
		{"i", func(n int) { _ = s[n] }, ""},
		{"index", func(n int) { _ = s[uint(n)] }, ""},
		{"startPos", func(n int) { _ = s[n:] }, ""},
		{"end", func(n int) { _ = s[2:n] }, ""},
		{"i", func(n int) { _ = s[n+1] }, "index out of range [#] with length #"},
		{"value", func(n int) { _ = s[n] }, "index out of range"},
		{"i", func(n int) { _ = s[max(n, 0)/10:][:0][0] }, "index out of range [#] with length #"},
		{"n", func(n int) { _ = s[1 : 1+min(n, 1)] }, ""},
		{"size", func(n int) { _ = make([]int, n) }, ""},
		{"quantity", func(n int) { _ = make([]int, n) }, ""},
		{"size", func(n int) { _ = make([]int, -1-n) }, "makeslice: len out of range"},
		{"i", func(n int) { _ = 1 / n }, "integer divide by zero"},
		{"id", func(n int) { _ = s[min(n, 1)*20] }, "index out of range"},
		{"id", func(n int) { _ = s[min(n, 0)] }, ""},
	} {
		of := func(opts ...api.Option) api.Suite {
			return api.New(func(a *api.C) {
				ints := api.Type(a, "int", api.Literals(bigen.OneOf(-1, 0, 1, 2, 5)))
				a.Op("call", func() {
					n := ints.Arg(c.parameter)
					a.Do(func() { c.call(n.V) })
				})
			}, opts...).Generate(api.Options{Sequences: 50, MaxRegressions: -1})
		}
		suite := of()
		found := ""
		for _, e := range suite.Errors {
			found += e.Class
		}
		require.Equal(t, c.class != "", found != "", "%s: %s", c.parameter, found)
		require.True(t, strings.Contains(found, c.class), "%s: %s", c.parameter, found)
		require.Equal(t, c.class == "", suite.Stats.Failed == 0, c.parameter)
		strict := of(api.Classify(func(o api.Outcome) api.Class {
			if o.Index {
				return api.Error
			}
			return api.DefaultClass(o)
		}))
		require.NotEmpty(t, strict.Errors, c.parameter)
	}
}

// Callers know what can be the key of a map, and what a part of a structure may be set to.
func TestCallersKnow(t *testing.T) {
	t.Parallel()
	type node struct{ n int }
	type tree struct{ root *node }
	a := api.New(func(c *api.C) {
		trees := api.Type[*tree](c, "tree")
		keys := api.Type(c, "key", api.Literals(bigen.Just[any]([]int{})))
		nodes := api.Type[*node](c, "node")
		c.Op("count", func() {
			k := keys.Arg("key")
			c.Do(func() { _ = map[any]int{1: 1}[k.V] })
		})
		c.Op("node.n =", func() {
			n := nodes.Arg("node")
			c.Do(func() { n.V.n = 1 })
		}).When(nodes.Any).Unready()
		c.Op("node.Get", func() {
			n := nodes.Arg("node")
			c.Do(func() { _ = []int{5}[n.V.n] })
		}).When(nodes.Any)
		c.Op("plant", func() {
			t := trees.Result()
			c.Do(func() {
				t.V = &tree{new(node)}
				c.Got(t)
			})
		})
		c.Op("tree.Root", func() {
			t, n := trees.Arg("tree"), nodes.Result()
			c.Do(func() {
				n.V = t.V.root
				c.Got(n)
			})
		}).When(trees.Any)
		c.Op("tree.Get", func() { // its root may have been set
			t := trees.Arg("tree")
			c.Do(func() { _ = []int{5}[t.V.root.n] })
		}).When(trees.Any)
		c.Op("new", func() {
			n := nodes.Result()
			c.Do(func() {
				n.V = new(node)
				c.Got(n)
			})
		})
	})
	s := a.Generate(api.Options{Sequences: 200, MaxRegressions: -1})
	require.Empty(t, s.Errors)
	require.Greater(t, s.Stats.Invalid, 3)

	// Nor does a contract hold for such a key.
	keys := valuesAPI(is(likened{[]int{}}))
	require.Empty(t, keys.Generate(api.Options{Sequences: 20, MaxRegressions: -1}).Errors)

	// What is made of nil may not be written.
	a = api.New(func(c *api.C) {
		funcs := api.Type[func() string](c, "f")
		writers := api.Type[named](c, "writer")
		c.Op("write", func() {
			f, w := funcs.Arg("f"), writers.Result()
			c.Do(func() {
				w.V = named{f.V}
				c.Got(w)
			})
		})
	})
	require.Empty(t, a.Generate(api.Options{Sequences: 20, MaxRegressions: -1}).Errors)
}

type likened struct{ key any }

func (l likened) Equal(m likened) bool { return l.key == m.key }

type named struct{ f func() string }

func (n named) String() string { return n.f() }

// A runtime error is an error unless the operation may panic. Classify decides about contracts, too.
func TestDefaultClass(t *testing.T) {
	t.Parallel()
	slip := func() (err error) {
		defer func() { err, _ = recover().(error) }()
		return errors.New(any(0).(string))
	}()
	for _, c := range []struct {
		name string
		o    api.Outcome
		want api.Class
	}{
		{"an error", api.Outcome{Err: slip}, api.Expected},
		{"a run-time error", api.Outcome{Panic: slip}, api.Error},
		{"of nil", api.Outcome{Panic: slip, Nil: true}, api.Invalid},
		{"of an index", api.Outcome{Panic: slip, Index: true}, api.Invalid},
		{"announced", api.Outcome{Panic: slip, Warned: true}, api.Invalid},
		{"words", api.Outcome{Panic: "too small"}, api.Expected},
		{"words of nil", api.Outcome{Panic: "too small", Nil: true}, api.Expected},
		{"a contract", api.Outcome{Contract: "String", Warned: true}, api.Error},
	} {
		require.Equal(t, c.want, api.DefaultClass(c.o), c.name)
	}
	const stop = "x.Stop: panic: runtime error: index out of range [#] with length #\n"
	calls := func(opts ...api.Option) string {
		a := api.New(func(c *api.C) {
			xs := api.Type[*loose](c, "x")
			c.Op("new", func() {
				x := xs.Result()
				c.Do(func() { x.V = &loose{}; c.Got(x) })
			})
			c.Op("x.Stop", func() {
				x := xs.Arg("x")
				c.Do(func() { x.V.Stop() })
			}).When(xs.Any)
			c.Op("x.Halt", func() {
				x := xs.Arg("x")
				c.Do(func() { x.V.Stop() })
			}).When(xs.Any).MayPanic()
			c.Op("x.Rest", func() {
				x := xs.Arg("x")
				c.Do(func() { x.V.Len() })
			}).When(xs.Any).MayPanic()
		}, opts...)
		all := ""
		for _, e := range a.Generate(api.Options{Sequences: 100}).Errors {
			all += e.Class + "\n"
		}
		return all
	}
	require.Equal(t, stop+"contract Len of x: x.Len() < #: got true, want false\n", calls())
	warned := map[string]bool{}
	require.Equal(t, stop+"", calls(api.Classify(func(o api.Outcome) api.Class {
		if o.Contract == "Len" {
			warned[o.Op] = o.Warned
			return api.Expected
		}
		return api.DefaultClass(o)
	})))
	require.Equal(t, map[string]bool{"x.Rest": true}, warned)
}

type loose struct{}

func (*loose) Len() int { return -1 }
func (*loose) Stop()    { _ = none[len(none)] }

var none []int
