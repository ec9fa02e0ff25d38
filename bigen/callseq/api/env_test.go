package api_test

import (
	"os"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/espalier-go/espalier/fuzzext"
	"github.com/stretchr/testify/require"
)

// What a call sets of the environment reaches later calls, but no other sequence, and is gone at
// the end.
func TestEnvironment(t *testing.T) {
	t.Setenv("ESPALIER_KEPT", "a=b")
	seen, sets := map[string]bool{}, 0
	a := api.New(func(c *api.C) {
		keys := api.Type(c, "key", api.Literals(bigen.Just("ESPALIER_SET")))
		c.Op("os.Setenv", func() {
			key := keys.Arg("key")
			c.Do(func() {
				_, set := os.LookupEnv(key.V)
				seen["again"] = seen["again"] || set && sets > 0
				seen["first"] = seen["first"] || set && sets == 0
				sets++
				c.Got(os.Setenv(key.V, ""), os.Unsetenv("ESPALIER_KEPT"))
			})
		})
	})
	gone := func() {
		_, set := os.LookupEnv("ESPALIER_SET")
		require.False(t, set)
		require.Equal(t, "a=b", os.Getenv("ESPALIER_KEPT"))
	}
	for range 2 {
		sets = 0
		require.Empty(t, output(a, calls{{"os.Setenv", "ESPALIER_SET"}, {"os.Setenv", "ESPALIER_SET"}}))
		gone()
	}
	require.Equal(t, map[string]bool{"again": true, "first": false}, seen)
	a.Generate(api.Options{Sequences: 100})
	gone()
}

// The operations are declared again only if sequences are made or run at once.
func TestDeclaredOnce(t *testing.T) {
	t.Parallel()
	declared := 0
	a := api.New(func(c *api.C) {
		declared++
		c.Op("none", func() { c.Do(func() { c.Got() }) })
	})
	fuzzext.Check(t, a.Gen(), func(t *fuzzext.T, s calls) { a.Run(t, s) })
	require.LessOrEqual(t, declared, 2)
}
