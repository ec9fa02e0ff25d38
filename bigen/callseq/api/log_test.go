package api_test

import (
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/stretchr/testify/require"
)

// A noted is a log of a harness.
type noted struct{ calls []string }

func (n *noted) add(call string) { n.calls = append(n.calls, call) }
func (n *noted) Calls() []string { return n.calls }
func (n *noted) Reset()          { n.calls = nil }

// A test compares how functions are called, and wants refusals, if a mistake changes that.
func TestSelectLogged(t *testing.T) {
	t.Parallel()
	changes := api.NewChanges()
	a := api.New(func(c *api.C) {
		log := new(noted)
		c.Log("log", "new(noted)", log)
		funcs := api.Type(c, "f", api.Expr(`func(s string) { log.add(s) }`, func(s string) { log.add(s) }))
		c.Op("each", func() {
			f := funcs.Arg("f")
			c.Do(func() {
				if f.V("a"); !changes.Made(1) {
					f.V("b")
				}
				c.Got()
			})
		})
		c.Op("refuse", func() {
			c.Do(func() {
				if !changes.Made(2) {
					panic("it is refused")
				}
				c.Got()
			})
		})
	})
	const each = `func(s string) { log.add(s) }`
	tests := changes.SelectOf(a, 3, calls{{"each", api.Code(each)}}, calls{{"refuse"}})
	require.Len(t, tests, 2)
	all := tests[0].Code + "\n" + tests[1].Code
	for _, want := range []string{
		"log := new(noted)\neach(" + each + ")\n",
		`!reflect.DeepEqual(log.Calls(), []string{"a", "b"}) {`,
		`if recover() == nil {`,
		`t.Error("refuse(): does not panic")`,
	} {
		require.Contains(t, all, want)
	}
	require.Equal(t, 1, strings.Count(all, "recover()"))
}

// A function that panics when it is called is not an error of what calls it.
func TestCallbackPanics(t *testing.T) {
	t.Parallel()
	a := api.New(func(c *api.C) {
		log := new(noted)
		c.Log("log", "new(noted)", log)
		funcs := api.Type(c, "f", api.Expr(`func(n *int) { log.add(string(rune(*n))) }`,
			func(n *int) { log.add(string(rune(*n))) }))
		c.Op("call", func() {
			f := funcs.Arg("f")
			c.Do(func() { callNil(f.V); c.Got() })
		})
	})
	suite := a.Generate(api.Options{Seed: 1, Sequences: 20, MaxRegressions: -1})
	require.Empty(t, suite.Errors)
	require.NotZero(t, suite.Stats.Invalid)
}

//go:noinline
func callNil(f func(n *int)) { f(nil) }
