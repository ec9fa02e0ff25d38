package api_test

import (
	"errors"
	"reflect"
	"testing"

	"golang.org/x/exp/maps"
	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/stretchr/testify/require"
)

// methodAPI has a constructor, and methods that take a number and may return an error.
func methodAPI[T any](make func() T, methods map[string]any) *api.API {
	return api.New(func(c *api.C) {
		xs := api.Type[T](c, "x")
		ints := api.Type(c, "int", api.Literals(bigen.OneOf(0, 1, 2)))
		c.Op("make", func() {
			x := xs.Result()
			c.Do(func() { x.V = make(); c.Got(x) })
		})
		names := maps.Keys(methods)
		slices.Sort(names)
		for _, name := range names {
			c.Op("x."+name, func() {
				x := xs.Arg("x")
				switch f := methods[name].(type) {
				case func(T, int):
					n := ints.Arg("n")
					c.Do(func() { f(x.V, n.V) })
				case func(T, int) error:
					n := ints.Arg("n")
					c.Do(func() { c.Got(f(x.V, n.V)) })
				}
			}).When(xs.Any)
		}
	})
}

// sums has at most 3 in sum, says Validate.
type sums struct{ n, calls int }

func (s *sums) Add(n int)       { s.n += n }
func (s *sums) Set(n int)       { s.n = 2 * n }
func (s *sums) Try(n int) error { s.n += n; return s.check() }
func (s *sums) Count(int)       { s.calls++ }
func (s *sums) check() error {
	if s.n > 3 {
		return errors.New("more than 3")
	}
	return nil
}

// A [reflect.Value] is compared by no contract: its methods are those of any type.
func TestNoContractsOfReflect(t *testing.T) {
	t.Parallel()
	suite := api.New(func(a *api.C) {
		values := api.Type[reflect.Value](a, "value")
		a.Op("p.Of", func() {
			to := values.Result()
			a.Do(func() { to.V = reflect.ValueOf(1); a.Got(to) })
		})
	}).Generate(api.Options{Sequences: 20, MaxRegressions: -1})
	require.Empty(t, suite.Errors)
}
