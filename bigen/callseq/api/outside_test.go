package api_test

import (
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/espalier-go/espalier/internal/testing/require"
)

// What writes files is given no path that may lead out of the working directory, nor is what has been made of one.
func TestWrites(t *testing.T) {
	t.Parallel()
	type place struct{ path any }
	inside := []string{"", "a", "a/b", ".", "a..b", "..a", "http:a"}
	outside := []string{"/", "/a", `\a`, "..", "../a", "a/..", `a\..\b`, "a/../b", "C:", "c:a", "~/a"}
	written, read := map[string]bool{}, map[string]bool{}
	a := api.New(func(c *api.C) {
		paths := api.Type(c, "path", api.Literals(bigen.OneOf(append(inside, outside...)...)))
		lists := api.Type(c, "paths", api.Literals(bigen.SliceOf(bigen.OneOf(append(inside, outside...)...), 0, 2)))
		places := api.Type[*place](c, "place")
		c.Op("p.Read", func() {
			path := paths.Arg("path")
			c.Do(func() {
				read[path.V] = true
				c.Got(path.V)
			})
		})
		c.Op("p.Write", func() {
			path, result := paths.Arg("path"), places.Result()
			c.Do(func() {
				written[path.V] = true
				result.V = &place{path.V + "!"}
				c.Got(result)
			})
		}).Writes()
		c.Op("p.WriteAll", func() {
			all := lists.Arg("all")
			c.Do(func() {
				for _, path := range all.V {
					written[path] = true
				}
			})
		}).Writes()
		c.Op("&place{path: path}", func() {
			path, result := paths.Arg("path"), places.Result()
			c.Do(func() {
				result.V = &place{path.V}
				c.Got(result)
			})
		})
		c.Op("place.Write", func() {
			at := places.Arg("place")
			c.Do(func() { written[strings.TrimSuffix(at.V.path.(string), "!")] = true })
		}).When(places.Any).Writes()
	})
	t.Run("go test", func(t *testing.T) { // it runs in the directory of the package
		a.Run(t, callseq.Calls{{"p.Read", "a"}, {"p.Write", "a", callseq.Name("")}})
	})
	require.Zero(t, len(written))
	suite := a.Generate(api.Options{Seed: 1, Sequences: 3000, MaxRegressions: 100})
	require.True(t, len(suite.Regressions) > 0)
	for _, test := range suite.Regressions {
		require.False(t, strings.Contains(test.Code, "Write"), test.Code)
	}
	for _, path := range inside {
		require.True(t, written[path], path)
	}
	for _, path := range outside {
		require.True(t, read[path], path)
		require.False(t, written[path], path)
	}
}
