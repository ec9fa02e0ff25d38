package api_test

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
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

type (
	validates struct{ sums }
	valids    struct{ sums }
	isValids  struct{ sums }
	verifies  struct{ sums }
	checks    struct{ sums }
	consists  struct{ sums }
	moves     struct{ sums }
	never     struct{ sums }
)

func (s *validates) Validate() error        { return s.check() }
func (s *valids) Valid() bool               { return s.check() == nil }
func (s *isValids) IsValid() bool           { return s.check() == nil }
func (s *verifies) Verify() error           { return s.check() }
func (s *checks) Check() error              { return s.check() }
func (s *consists) CheckConsistency() error { return s.check() }
func (s *moves) Valid() bool                { return s.check() == nil }
func (s *moves) Next() bool                 { s.n++; return s.Valid() }
func (s *never) Validate() error            { return errors.New("never") }

var ticks atomic.Int64

// half forgets whether it is odd, which Odd and Pop say.
type half struct{ n int }

func (h *half) MarshalText() ([]byte, error) { return []byte(fmt.Sprint(h.n / 2)), nil }
func (h *half) UnmarshalText(b []byte) error {
	_, err := fmt.Sscan(string(b), &h.n)
	h.n *= 2
	return err
}
func (h *half) Odd() bool { return h.n%2 == 1 }
func (h *half) Pop() int  { h.n += 2; return h.n % 2 }
func (h *half) Beat() int { return int(ticks.Add(1)) }
func (h *half) Cap() int  { return h.n % 2 }

// noted has a note that the text lacks, so it may lack more.
type noted struct {
	half
	Note int
}

func TestMethodContracts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, class, code string // "" if nothing is violated
		api               *api.API
	}{
		{"Validate", "contract Validate of x: more than #", "x1.Add(2)\nif err := x1.Validate(); err != nil {\n\tt.Error(err)\n}",
			methodAPI(func() *validates { return &validates{} }, map[string]any{"Add": func(s *validates, n int) { s.Add(n) }})},
		{"Valid", "contract Valid of x: x.Valid(): got false, want true", "x1.Add(2)\nif got, want := x1.Valid(), true; got != want {\n\tt.Errorf(\"x1.Valid(): got %#v, want %#v\", got, want)\n}",
			methodAPI(func() *valids { return &valids{} }, map[string]any{"Add": func(s *valids, n int) { s.Add(n) }})},
		{"IsValid", "contract IsValid of x: x.IsValid(): got false, want true", "x1.IsValid()",
			methodAPI(func() *isValids { return &isValids{} }, map[string]any{"Add": func(s *isValids, n int) { s.Add(n) }})},
		{"Verify", "contract Verify of x: more than #", "x1.Verify()",
			methodAPI(func() *verifies { return &verifies{} }, map[string]any{"Add": func(s *verifies, n int) { s.Add(n) }})},
		{"Check", "contract Check of x: more than #", "x1.Check()",
			methodAPI(func() *checks { return &checks{} }, map[string]any{"Add": func(s *checks, n int) { s.Add(n) }})},
		{"CheckConsistency", "contract CheckConsistency of x: more than #", "x1.CheckConsistency()",
			methodAPI(func() *consists { return &consists{} }, map[string]any{"Add": func(s *consists, n int) { s.Add(n) }})},
		{"observer", "contract MarshalText of x: back differs", "if got, want := back.Odd(), x1.Odd(); got != want {",
			methodAPI(func() *half { return &half{3} }, map[string]any{"Odd": func(*half, int) {}})},
		{"no observers", "", "", methodAPI(func() *half { return &half{3} }, map[string]any{"Pop": func(*half, int) {}, "Cap": func(*half, int) {}, "Odd": func(*half, int) {}, "SetOdd": func(*half, int) {}, "Beat": func(*half, int) {}})},
		{"untold", "", "", methodAPI(func() *noted { return &noted{half{3}, 1} }, map[string]any{"Odd": func(*noted, int) {}})},
		{"never valid", "", "", methodAPI(func() *never { return &never{} }, map[string]any{"Add": func(s *never, n int) { s.Add(n) }})},
		{"invalid from the start", "", "", methodAPI(func() *validates { return &validates{sums{n: 4}} }, map[string]any{"Add": func(s *validates, n int) { s.Add(n) }})},
		{"set", "", "", methodAPI(func() *validates { return &validates{} }, map[string]any{"SetSum": func(s *validates, n int) { s.Set(n) }, "Count": func(s *validates, n int) { s.Count(n) }})},
		{"a field", "", "", methodAPI(func() *validates { return &validates{} }, map[string]any{"n =": func(s *validates, n int) { s.Add(n) }})},
		{"refused", "", "", methodAPI(func() *validates { return &validates{} }, map[string]any{"Try": func(s *validates, n int) error { return s.Try(n) }})},
		{"moves", "", "", methodAPI(func() *moves { return &moves{} }, map[string]any{"Next": func(s *moves, _ int) { s.Next() }})},
	} {
		s := c.api.Generate(api.Options{Sequences: 60, MaxRegressions: -1})
		if c.class == "" {
			require.Empty(t, s.Errors, c.name)
			continue
		}
		require.Len(t, s.Errors, 1, c.name)
		require.Equal(t, c.class, s.Errors[0].Class, c.name)
		require.Contains(t, s.Errors[0].Code, c.code, c.name)
		require.LessOrEqual(t, len(s.Errors[0].Calls), 4, c.name)
		require.Contains(t, strings.ReplaceAll(output(c.api, s.Errors[0].Calls), "\n    ", "\n"), c.code, c.name)
	}
}

// A call may change a value by another result that is the same pointer.
func TestClonesOfAliases(t *testing.T) {
	t.Parallel()
	a := api.New(func(c *api.C) {
		xs := api.Type[*shelf](c, "x")
		ints := api.Type(c, "int", api.Literals(bigen.OneOf(0, 1)))
		c.Op("newShelf", func() {
			x := xs.Result()
			c.Do(func() { x.V = newShelf(cmp.Compare[int]); c.Got(x) })
		})
		c.Op("x.Put", func() {
			x, n := xs.Arg("x"), ints.Arg("n")
			c.Do(func() { x.V.Put(n.V) })
		}).When(xs.Any)
		c.Op("x.Clone", func() {
			x, clone := xs.Arg("x"), xs.Result()
			c.Do(func() { clone.V = x.V.Clone(); c.Got(clone) })
		}).When(xs.Any)
		c.Op("x.Self", func() {
			x, self := xs.Arg("x"), xs.Result()
			c.Do(func() { self.V = x.V; c.Got(self) })
		}).When(xs.Any)
		c.Op("x.Swap", func() {
			x, y := xs.Arg("x"), xs.Arg("y")
			c.Do(func() { x.V.items, y.V.items = y.V.items, x.V.items })
		}).When(xs.Any)
	})
	s := a.Generate(api.Options{Sequences: 1000, MaxRegressions: -1})
	require.Empty(t, s.Errors)
}

// However many validators there are, each counts.
func TestManyValidators(t *testing.T) {
	defer api.AddValidators(20, func(v any) bool { return v.(*sums).check() == nil })()
	a := methodAPI(func() *sums { return &sums{} }, map[string]any{"Add": (*sums).Add})
	s := a.Generate(api.Options{Sequences: 100, MaxRegressions: -1})
	require.Len(t, s.Errors, 1)
	require.Equal(t, "contract Last of x: x.Last(): got false, want true", s.Errors[0].Class)
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
