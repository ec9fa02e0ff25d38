package api_test

import (
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/stretchr/testify/require"
)

// What writes files is called only by a process that the system confines, and no test does so but
// one of an error that is marked.
func TestWrites(t *testing.T) {
	t.Parallel()
	type place struct{ path string }
	written := map[string]int{}
	a := api.New(func(c *api.C) {
		paths := api.Type(c, "path", api.Literals(bigen.OneOf("a", "b")))
		places := api.Type[*place](c, "place")
		op := func(name string, do func(path string)) *api.Op {
			return c.Op(name, func() {
				path, result := paths.Arg("path"), places.Result()
				c.Do(func() {
					do(path.V)
					result.V = &place{path.V}
					c.Got(result, path.V)
				})
			})
		}
		op("p.Read", func(string) {})
		c.Op("place.Join", func() {
			at, path, result := places.Arg("place"), paths.Arg("path"), places.Result()
			c.Do(func() {
				result.V = &place{at.V.path + path.V}
				c.Got(result, at.V.path)
			})
		}).When(places.Any)
		op("p.Check", func(path string) {
			if path == "b" {
				_ = none[len(none)]
			}
		})
		op("p.Write", func(path string) { written[path]++ }).Writes()
		op("p.Fail", func(path string) {
			written[path]++
			_ = none[len(none)]
		}).Writes()
	})
	t.Run("go test", func(t *testing.T) {
		a.Run(t, callseq.Calls{{"p.Read", "a", callseq.Name("")}, {"p.Write", "a", callseq.Name("")}})
	})
	errorsOf := func(confined bool) map[string]bool {
		suite := a.Generate(api.Options{Seed: 1, Sequences: 1000, MaxRegressions: 100, Confined: confined})
		require.True(t, len(suite.Regressions) > 0)
		for _, test := range suite.Regressions {
			require.False(t, strings.Contains(test.Code, "Write"), test.Code)
		}
		found := map[string]bool{}
		for _, e := range suite.Errors {
			found[e.Op] = e.Writes
		}
		return found
	}
	require.Equal(t, map[string]bool{"p.Check": false}, errorsOf(false))
	require.Zero(t, len(written))
	require.Equal(t, map[string]bool{"p.Check": false, "p.Fail": true}, errorsOf(true))
	require.True(t, written["a"] > 0 && written["b"] > 0)
}
