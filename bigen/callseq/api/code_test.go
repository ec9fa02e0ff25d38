package api_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/stretchr/testify/require"
)

// Calls that refuse their arguments lead further if the code is instrumented: by what it compares
// them with, and by edits of what has reached new code.
func TestCode(t *testing.T) {
	t.Parallel()
	for _, instrumented := range []bool{false, true} {
		link := &engine.Link{Counters: make([]byte, 8), Trace: new(engine.Trace)}
		parse := func(s string) error {
			link.Counters[2]++
			link.Trace.Text(1, s[:min(len(s), 7)], "keyword")
			if len(s) < 7 || s[:7] != "keyword" {
				return errors.New("another word")
			}
			link.Counters[0]++
			link.Trace.Text(2, s[7:], "(1+1)")
			if s[7:] != "(1+1)" {
				return errors.New("no number")
			}
			link.Counters[1]++
			_ = link.Counters[len(s):] // 12 bytes: out of range
			return nil
		}
		a := api.New(func(c *api.C) {
			texts := api.Type(c, "text", api.Literals(bigen.String(30)))
			c.Op("parse", func() {
				text := texts.Arg("s")
				c.Do(func() { c.Got(parse(text.V)) })
			})
		})
		opts := api.Options{Sequences: 3000, MaxRegressions: -1}
		if instrumented {
			opts = opts.Instrumented(link)
		}
		require.Equal(t, instrumented, len(a.Generate(opts).Errors) > 0)
	}
}

// Texts lose parts, and get parts of others: words as a rule.
func TestWeave(t *testing.T) {
	t.Parallel()
	r, made := rand.New(rand.NewPCG(1, 2)), map[string]bool{}
	for range 100_000 {
		made[api.Weave("if a+b", "x or (y)", r)] = true
	}
	for _, want := range []string{"if b", "if ", "if a+b", "or a+b", "if (a+b", "if a+y", "if y", "if a+a+b", "f a+b"} {
		require.True(t, made[want], want)
	}
}

// A new call gets literals of earlier ones, of the same type.
func TestAlias(t *testing.T) {
	t.Parallel()
	a := api.New(func(c *api.C) {
		keys := api.Type(c, "key", api.Literals(bigen.IntRange(0, 1<<30)))
		texts := api.Type(c, "text", api.Literals(bigen.String(20)))
		c.Op("put", func() {
			key, text := keys.Arg("key"), texts.Arg("text")
			c.Do(func() { _, _ = key, text })
		})
		c.Op("get", func() {
			key := keys.Arg("by")
			c.Do(func() { _ = key })
		})
	})
	put := callseq.Call{"put", 7_000_000, "seven"}
	got, ok := api.Alias(a, callseq.Calls{put, {"get", 5}}, rand.New(rand.NewPCG(1, 2)))
	require.True(t, ok)
	require.Equal(t, callseq.Calls{put, {"get", 7_000_000}}, got)
	_, ok = api.Alias(a, callseq.Calls{{"get", 5}}, rand.New(rand.NewPCG(1, 2)))
	require.False(t, ok)
}

// So what is put by a key is found, whatever the key is.
func TestAliasFinds(t *testing.T) {
	t.Parallel()
	has := map[string]bool{}
	a := api.New(func(c *api.C) {
		texts := api.Type(c, "text", api.Literals(bigen.String(100)))
		c.Op("put", func() {
			key := texts.Arg("key")
			c.Do(func() { clear(has); has[key.V] = len(key.V) > 9 })
		})
		c.Op("get", func() {
			by := texts.Arg("by")
			c.Do(func() {
				if has[by.V] {
					_ = []int{}[len(by.V)]
				}
			})
		})
	})
	opts := api.Options{Sequences: 1000, MaxRegressions: -1}
	require.NotEmpty(t, a.Generate(opts).Errors)
	opts.Undirected = true
	require.Empty(t, a.Generate(opts).Errors)
}
