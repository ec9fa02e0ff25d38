package api_test

import (
	"errors"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/espalier-go/espalier/internal/testing/require"
)

// Calls that refuse their arguments lead further if the code is instrumented: by what it compares them
// with, and by edits of what has reached new code.
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
