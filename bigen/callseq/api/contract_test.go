package api_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"regexp"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/stretchr/testify/require"
)

// valuesAPI has one operation, which returns one of some values.
func valuesAPI[T any](values ...func() T) *api.API {
	return api.New(func(c *api.C) {
		results := api.Type[T](c, "x")
		indexes := api.Type(c, "index", api.Literals(bigen.IntRange(0, len(values)-1)))
		c.Op("value", func() {
			i, x := indexes.Arg("i"), results.Result()
			c.Do(func() { x.V = values[i.V](); c.Got(x) })
		})
	})
}

func is[T any](v T) func() T { return func() T { return v } }

type (
	panicky  struct{ s string }
	unstable struct{ n *int }
	formats  struct{}
	badErr   struct{ n *int }
)

func (p panicky) String() string              { _ = p.s[0]; return p.s }
func (u unstable) GoString() string           { *u.n++; return fmt.Sprint(*u.n) }
func (formats) Format(s fmt.State, verb rune) { panic("no") }
func (b badErr) Error() string                { *b.n++; return fmt.Sprint(*b.n) }

type (
	notReflexive  struct{ n int }
	notSymmetric  struct{ n int }
	notTransitive struct{ n int }
	badHash       struct{ n, m int }
	badClone      struct{ n int }
)

func (a notReflexive) Equal(b notReflexive) bool   { return a.n == b.n && a.n != 2 }
func (a notSymmetric) Equal(b notSymmetric) bool   { return a.n <= b.n }
func (a notTransitive) Equal(b notTransitive) bool { return a.n-b.n <= 1 && b.n-a.n <= 1 }
func (a badHash) Equal(b badHash) bool             { return a.n == b.n }
func (a badHash) Hash() uint64                     { return uint64(a.m) }
func (a *badClone) Equal(b *badClone) bool         { return a.n == b.n }
func (a *badClone) Clone() *badClone               { return &badClone{} }

type (
	badCompare struct{ n int }
	cyclic     struct{ n int }
	badLess    struct{ n int }
	badSort    []int
	badLen     struct{ n int }
	badEmpty   struct{ badLen }
	invalid    struct{ n int }
)

func (a badCompare) Compare(b badCompare) int { return a.n - min(b.n, 1) }
func (a cyclic) Cmp(b cyclic) int             { return []int{0, 1, -1}[(a.n-b.n+3)%3] }
func (a badLess) Less(b badLess) bool         { return a.n <= b.n }
func (s badSort) Len() int                    { return len(s) }
func (s badSort) Less(i, j int) bool          { return s[i] <= s[j] }
func (s badSort) Swap(i, j int)               { s[i], s[j] = s[j], s[i] }
func (b badLen) Len() int                     { return b.n }
func (b badEmpty) IsEmpty() bool              { return b.n != 0 }
func (x *invalid) CheckInvariants() error {
	if x.n > 1 {
		return errors.New("more than 1")
	}
	return nil
}

func TestContracts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		api   *api.API
		class string // "" if nothing is violated
	}{
		{"String", valuesAPI(is(panicky{"a"}), is(panicky{})), "contract String of x: panic: runtime error: index out of range [#] with length #"},
		{"GoString", valuesAPI(is(unstable{new(int)})), `contract GoString of x: x.GoString(): got "", want ""`},
		{"Format", valuesAPI(is(formats{})), `contract Format of x: strings.Contains(fmt.Sprint(x), ""): got true, want false`},
		{"Error", valuesAPI(is(badErr{new(int)})), `contract Error of x: x.Error(): got "", want ""`},
		{"of an interface", valuesAPI(is[any](panicky{}), is[any](1)), "contract String of panicky: panic: runtime error: index out of range [#] with length #"},
		{"reflexive", valuesAPI(is(notReflexive{1}), is(notReflexive{2})), "contract Equal is reflexive of x: x.Equal(x): got false, want true"},
		{"symmetric", valuesAPI(is(notSymmetric{1}), is(notSymmetric{2})), "contract Equal is symmetric of x: x.Equal(y): got false, want true"},
		{"transitive", valuesAPI(is(notTransitive{1}), is(notTransitive{2}), is(notTransitive{3})), "contract Equal is transitive of x: x.Equal(y) && y.Equal(z) && !x.Equal(z): got true, want false"},
		{"Hash", valuesAPI(is(badHash{1, 2}), is(badHash{1, 3})), "contract Hash of x: x.Equal(y) && x.Hash() != y.Hash(): got true, want false"},
		{"Clone", valuesAPI(is(&badClone{1})), "contract Clone is equal of x: x.Clone().Equal(x): got false, want true"},
		{"Compare", valuesAPI(is(badCompare{1}), is(badCompare{2})), "contract Compare is antisymmetric of x: x.Compare(y) < #: got false, want true"},
		{"Cmp", valuesAPI(is(cyclic{1}), is(cyclic{2}), is(cyclic{0})), "contract Cmp is transitive of x: x.Cmp(y) <= # && y.Cmp(z) <= # && x.Cmp(z) > #: got true, want false"},
		{"Less", valuesAPI(is(badLess{1})), "contract Less is asymmetric of x: x.Less(y) && y.Less(x): got true, want false"},
		{"sort", valuesAPI(is(badSort{1, 2})), "contract Less of elements is irreflexive of x: x.Len() > # && x.Less(#, #): got true, want false"},
		{"sort correct", valuesAPI(is(sort.IntSlice{1, 2})), ""},
		{"Len", valuesAPI(is(badLen{-1})), "contract Len of x: x.Len() < #: got true, want false"},
		{"IsEmpty", valuesAPI(is(badEmpty{badLen{1}})), "contract IsEmpty of x: x.IsEmpty(): got true, want false"},
		{"CheckInvariants", valuesAPI(is(&invalid{1}), is(&invalid{2})), "contract CheckInvariants of x: more than #"},
		{"big.Int", valuesAPI(is(big.NewInt(-1)), is(big.NewInt(1e9)), is(new(big.Int))), ""},
		{"netip.Addr", valuesAPI(is(netip.MustParseAddr("::1")), is(netip.MustParseAddr("1.2.3.4")), is(netip.Addr{})), ""},
		{"time.Time", valuesAPI(is(time.Unix(1, 2)), is(time.Time{}), is(time.Unix(1, 2).UTC())), ""},
	} {
		s := shortRun(c.api, c.class != "")
		if c.class == "" {
			require.Empty(t, s.Errors, c.name)
			continue
		}
		require.NotEmpty(t, s.Errors, c.name)
		require.Equal(t, c.class, s.Errors[0].Class, c.name)
		require.LessOrEqual(t, len(s.Errors[0].Calls), 3, c.name)
		require.Contains(t, s.Errors[0].Code, "t.", c.name)
		found := false
		for seed := uint64(0); seed < 50 && !found; seed++ { // Check finds it, too
			found = output(c.api, bigen.Sample(c.api.Gen(), rng(seed))) != ""
		}
		require.True(t, found, c.name)
	}
}

type (
	shape  interface{ Equal(shape) bool }
	circle struct{}
	square struct{}
)

func (circle) Equal(shape) bool   { return true }
func (square) Equal(s shape) bool { _, is := s.(square); return is }

// The name of a broken contract says whose it is.
func TestFaults(t *testing.T) {
	t.Parallel()
	for fault, a := range map[string]*api.API{
		"notSymmetric.Equal is not symmetric":       valuesAPI(is(notSymmetric{1}), is(notSymmetric{2})),
		"badClone.Clone is not equal":               valuesAPI(is(&badClone{1})),
		"badLen.Len breaks its contract":            valuesAPI(is(badLen{-1})),
		"circle.Equal is not symmetric with square": valuesAPI(is[shape](circle{}), is[shape](square{})),
	} {
		s := shortRun(a, true)
		require.Len(t, s.Errors, 1, fault)
		require.Equal(t, fault, s.Errors[0].Op)
		require.Contains(t, output(a, s.Errors[0].Calls), ": "+fault+": x")
	}
}

// A user's own contracts hold for values of a type. Each is one class, whatever it says. A sequence
// ends at a contract that is no error to break.
func TestOwnContracts(t *testing.T) {
	t.Parallel()
	of := func(opts ...api.Option) *api.API {
		return api.New(func(c *api.C) {
			shelves := api.Type(c, "shelf", api.Holds("few items", func(s *shelf) error {
				if len(s.items) > 1 {
					return fmt.Errorf("%d items from %d", len(s.items), s.items[0])
				}
				return nil
			}))
			ints := api.Type(c, "int", api.Literals(bigen.OneOf(0, 1, -1)))
			c.Op("newShelf", func() {
				s := shelves.Result()
				c.Do(func() { s.V = newShelf(func(a, b int) int { return a - b }); c.Got(s) })
			})
			c.Op("shelf.Put", func() {
				s, x := shelves.Arg("shelf"), ints.Arg("x")
				c.Do(func() { s.V.Put(x.V) })
			}).When(shelves.Any)
			c.Op("shelf.Len", func() {
				s := shelves.Arg("shelf")
				c.Do(func() { c.Got(s.V.Len()) })
			}).When(shelves.Any)
		}, opts...)
	}
	s := of().Generate(api.Options{Sequences: 100, MaxRegressions: -1})
	require.Len(t, s.Errors, 1)
	require.Equal(t, `shelf breaks the contract "few items"`, s.Errors[0].Op)
	require.Equal(t, "contract of shelf1: 2 items from 0", s.Errors[0].Message)
	require.True(t, regexp.MustCompile(`^contract_test\.go:\d+$`).MatchString(s.Errors[0].Place), s.Errors[0].Place)
	require.Equal(t, `// shelf1 := newShelf()
// shelf1.Put(0)
// shelf1.Put(1)
calls.Run(t, callseq.Calls{
	{"newShelf", callseq.Name("shelf1")},
	{"shelf.Put", callseq.Name("shelf1"), 0},
	{"shelf.Put", callseq.Name("shelf1"), 1},
})`, s.Errors[0].Code)
	more := append(s.Errors[0].Calls, callseq.Call{"shelf.Len", name("shelf1")})
	require.Contains(t, output(of(), more), "call 3, shelf.Put: "+s.Errors[0].Place+`: shelf breaks the contract "few items": shelf1: 2 items from 0`)
	expected := of(api.Classify(func(o api.Outcome) api.Class {
		if o.Op == "shelf.Put" && o.Contract != "" {
			return api.Expected
		}
		return api.DefaultClass(o)
	}))
	require.Empty(t, output(expected, more))
	s = expected.Generate(api.Options{Sequences: 100, MaxRegressions: -1})
	require.Empty(t, s.Errors)
	require.NotZero(t, s.Stats.Expected)
}

// What returns an error as a value does not refuse: later calls take it.
func TestErrorValues(t *testing.T) {
	t.Parallel()
	a := api.New(func(c *api.C) {
		errs := api.Type(c, "err", api.Expr("io.EOF", io.EOF))
		c.Op("errors.Join", func() {
			a, b, err := errs.Arg("a"), errs.Arg("b"), errs.Result()
			c.Do(func() { err.V = errors.Join(a.V, b.V); c.Got(err) })
		})
		c.Op("err.Error", func() {
			err := errs.Arg("err")
			c.Do(func() {
				if strings.Count(err.V.Error(), "EOF") > 3 {
					panic(errors.ErrUnsupported)
				}
			})
		})
	}, api.Classify(func(o api.Outcome) api.Class {
		if o.Panic != nil {
			return api.Error
		}
		return api.DefaultClass(o)
	}))
	s := a.Generate(api.Options{Sequences: 500, MaxRegressions: -1})
	require.Len(t, s.Errors, 1)
	require.Contains(t, s.Errors[0].Code, `err1 := errors.Join(io.EOF, io.EOF) // error "EOF\nEOF"`)
	require.Contains(t, s.Errors[0].Code, `.Error() // panic: unsupported operation`)
}

// measure is equal to itself unless it is NaN. A part of it never is.
type (
	measure struct{ f float64 }
	part    struct{}
)

func (m *measure) Equal(n *measure) bool { return m.f == n.f }
func (*part) Equal(*part) bool           { return false }

// Contracts do not bind what has a NaN, nor what a value that may not be usable returns.
func TestUnbound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		f       float64
		unready bool
		want    string
	}{{math.NaN(), false, "part"}, {1, true, ""}, {1, false, "part"}} {
		a := api.New(func(a *api.C) {
			floats := api.Type(a, "f", api.Literals(bigen.OneOf(c.f)))
			measures, parts := api.Type[*measure](a, "measure"), api.Type[*part](a, "part")
			o := a.Op("new", func() {
				f, m := floats.Arg("f"), measures.Result()
				a.Do(func() { m.V = &measure{f.V}; a.Got(m) })
			})
			a.Op("measure.Part", func() {
				_, p := measures.Arg("measure"), parts.Result()
				a.Do(func() { p.V = &part{}; a.Got(p) })
			}).When(measures.Any)
			if c.unready {
				o.Unready()
			}
		})
		of := ""
		for _, e := range a.Generate(api.Options{Sequences: 100, MaxRegressions: -1}).Errors {
			_, of, _ = strings.Cut(strings.Split(e.Class, ":")[0], " of ")
		}
		require.Equal(t, c.want, of, "%v", c)
	}
}

// Of two contracts that do not hold, the one counts whose breach is an error.
func TestWorstContract(t *testing.T) {
	t.Parallel()
	no := func(int) error { return errors.New("no") }
	a := api.New(func(c *api.C) {
		xs := api.Type(c, "x", api.Holds("first", no), api.Holds("second", no))
		c.Op("make", func() {
			x := xs.Result()
			c.Do(func() { c.Got(x) })
		})
	}, api.Classify(func(o api.Outcome) api.Class {
		if o.Contract == "first" {
			return api.Expected
		}
		return api.DefaultClass(o)
	}))
	require.Contains(t, output(a, calls{{"make", name("x1")}}), `breaks the contract "second"`)
}

// shortRun makes a few sequences. If one is to fail, it tries up to 20 seeds.
func shortRun(a *api.API, fails bool) (s api.Suite) {
	for seed := range uint64(20) {
		s = a.Generate(api.Options{Seed: seed, Sequences: 30, MaxRegressions: -1})
		if !fails || len(s.Errors) > 0 {
			break
		}
	}
	return s
}

// Messages show texts as such, also in slices of bytes.
func TestShown(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]any{`"a\n"`: "a\n", `"b"`: []byte("b"), "[255]": []byte{255}, "[1]": []int{1}, "1": 1} {
		require.Equal(t, want, api.Shown(v))
	}
}

type says string

func (s says) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, string(s)) }

// Types have no contracts, and who says that something panics may not.
func TestNoContracts(t *testing.T) {
	t.Parallel()
	a := api.New(func(c *api.C) {
		types, texts := api.Type[reflect.Type](c, "type"), api.Type[says](c, "text")
		c.Op("reflect.TypeFor", func() {
			result := types.Result()
			c.Do(func() { result.V = reflect.TypeFor[int]() })
		})
		c.Op("says", func() {
			result := texts.Result()
			c.Do(func() { result.V = "(PANIC=" })
		})
	})
	require.Empty(t, a.Generate(api.Options{Seed: 1, Sequences: 100, MaxRegressions: -1}).Errors)
}
