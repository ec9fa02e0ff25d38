//go:build !race

package api_test

import (
	"testing"
	"unsafe"

	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/stretchr/testify/require"
)

// What unsafe code has made of another type has no state that can be told, and ends no process.
// The race detector checks pointers, and would end it.
func TestStateOfBroken(t *testing.T) {
	t.Parallel()
	s := api.New(func(c *api.C) {
		nodes := api.Type[*node](c, "node")
		c.Op("New", func() {
			n := nodes.Result()
			c.Do(func() {
				n.V = &node{}
				*(*uintptr)(unsafe.Pointer(&n.V.left)) = 8
				c.Got(n)
			})
		})
	}).Generate(api.Options{Sequences: 3, MaxRegressions: -1})
	require.Positive(t, s.Stats.Kept)
	require.Empty(t, s.Errors)
}
