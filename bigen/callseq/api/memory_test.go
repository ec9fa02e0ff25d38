package api_test

import (
	"fmt"
	"testing"

	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/stretchr/testify/require"
)

// What leaves much memory behind is not kept, but what takes it and gives it back is. Once the
// memory is full, another process has to resume, and restores what does not fill it again.
func TestFull(t *testing.T) {
	var held [][]byte
	a := api.New(func(c *api.C) {
		blocks := api.Type[[]byte](c, "block")
		api.State(blocks, func(b []byte) any { return len(b) })
		for _, op := range []string{"Make", "Hold"} {
			c.Op(op, func() {
				block := blocks.Result()
				c.Do(func() {
					block.V = make([]byte, 100<<20)
					if op == "Hold" {
						held = append(held, block.V, make([]byte, 200<<20))
					}
					c.Got(block)
				})
			})
		}
		c.Op("Len", func() {
			block := blocks.Arg("block")
			c.Do(func() { c.Got(len(block.V)) })
		}).When(blocks.Any)
	})
	var kept [][]byte
	ended, made := 0, map[string]bool{}
	opts := api.Options{Sequences: 60, Length: 2, MaxRegressions: -1, Kept: func(calls calls, entry []byte) {
		kept = append(kept, append([]byte(nil), entry...))
		for _, call := range calls {
			made[fmt.Sprint(call[0])] = true
		}
	}}.Full(func() { ended, held = max(ended, len(held)), nil })
	a.Generate(opts)
	require.Positive(t, ended)
	require.LessOrEqual(t, ended, 8)
	require.Equal(t, map[string]bool{"Make": true, "Len": true}, made)

	runs := 0
	held = append(held, make([]byte, 300<<20))
	opts.Restore, opts.Time = kept, 1
	opts.Kept, opts.Before = nil, func(calls, []byte) { runs++ }
	a.Generate(opts)
	require.Zero(t, runs)
}

// If sequences fill the disk, the process ends, too.
func TestFills(t *testing.T) { // not beside others, which take memory
	a := api.New(func(c *api.C) { c.Op("none", func() { c.Do(func() { c.Got() }) }) })
	for _, test := range []struct {
		each uint64 // bytes that each look takes
		ends bool
	}{{0, false}, {1 << 20, false}, {1 << 29, true}} {
		ended, space := false, uint64(1<<40)
		a.Generate(api.Options{Sequences: 100, MaxRegressions: -1}.Full(func() { ended = true }).Space(func() uint64 { space -= test.each; return space }))
		require.Equal(t, test.ends, ended, "%+v", test)
	}
}
