package api_test

import (
	"errors"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/stretchr/testify/require"
)

type ratio float64

// What fails only by a zero, negative or large number may be a mistake of the caller, unless the call refuses others
// by an error, or the number is data.
func TestOddNumbers(t *testing.T) {
	t.Parallel()
	type box struct{ n int }
	fails := func(fail bool) {
		if fail {
			var s []int
			_ = s[len(s)/2]
		}
	}
	for _, c := range []struct {
		parameter string
		make      func(n int) (*box, error)
		use       func(b *box)
		doubt     bool
	}{
		{"part", nil, func(b *box) { fails(b.n <= 0) }, true},
		{"part", nil, func(b *box) { fails(b.n > 1000) }, true},
		{"part", nil, func(b *box) { fails(b.n > 100) }, false},
		{"part", nil, func(b *box) { fails(true) }, false},
		{"part", nil, func(b *box) { fails(b.n == 0 || b.n == 3) }, false},
		{"key", nil, func(b *box) { fails(b.n <= 0) }, false},
		{"part", func(n int) (*box, error) {
			if n < 0 {
				return nil, errors.New("negative")
			}
			return &box{n}, nil
		}, func(b *box) { fails(b.n == 0) }, false},
	} {
		suite := api.New(func(a *api.C) {
			ints := api.Type(a, "int", api.Literals(bigen.OneOf(0, 1, 2, 3, 5, 10, -1, 1000, 2000, 500)))
			boxes := api.Type[*box](a, "box")
			a.Op("pack", func() {
				n, b := ints.Arg(c.parameter), boxes.Result()
				a.Do(func() {
					if c.make == nil {
						b.V = &box{n.V}
						a.Got(b)
						return
					}
					var err error
					b.V, err = c.make(n.V)
					a.Got(b, err)
				})
			})
			a.Op("box.use", func() {
				b := boxes.Arg("box")
				a.Do(func() { c.use(b.V) })
			}).When(boxes.Any)
		}).Generate(api.Options{Sequences: 300, MaxRegressions: -1})
		require.Len(t, suite.Errors, 1)
		require.Equal(t, c.doubt, suite.Errors[0].Doubt != "", suite.Errors[0].Code)
	}
}

// What the user calls an error is not doubtful.
func TestOddButSure(t *testing.T) {
	t.Parallel()
	suite := api.New(func(a *api.C) {
		ints := api.Type(a, "int", api.Literals(bigen.OneOf(-1, 1)))
		a.Op("make", func() {
			n := ints.Arg("size")
			a.Do(func() { _ = make([]int, n.V) })
		})
	}, api.Classify(func(o api.Outcome) api.Class {
		if o.Index {
			return api.Error
		}
		return api.DefaultClass(o)
	})).Generate(api.Options{Sequences: 20, MaxRegressions: -1})
	require.Len(t, suite.Errors, 1)
	require.Empty(t, suite.Errors[0].Doubt)
}

// What is wrong with a struct that a user fills with odd numbers may be a mistake of the caller.
func TestOddFields(t *testing.T) {
	t.Parallel()
	type hour struct{ H int }
	for _, c := range []struct {
		wrong func(h hour) bool
		doubt bool
	}{
		{func(h hour) bool { return h.H > 1000 }, true},
		{func(h hour) bool { return h.H < 0 }, true},
		{func(h hour) bool { return h.H == 0 }, false},
		{func(h hour) bool { return h.H == 3 || h.H < 0 }, false},
	} {
		suite := api.New(func(a *api.C) {
			hours := api.Type(a, "hour", api.Literals(bigen.OneOf(hour{0}, hour{1}, hour{2}, hour{3}, hour{-1}, hour{2000})), api.Holds("is right", func(h hour) error {
				if c.wrong(h) {
					return errors.New("wrong")
				}
				return nil
			}))
			a.Op("use", func() {
				h, to := hours.Arg("hour"), hours.Result()
				a.Do(func() { to.V = h.V; a.Got(to) })
			})
		}).Generate(api.Options{Sequences: 100, MaxRegressions: -1})
		require.Len(t, suite.Errors, 1)
		require.Equal(t, c.doubt, suite.Errors[0].Doubt != "", suite.Errors[0].Code)
	}
}

// So may it be if a user sets a field to an odd number.
func TestOddNumberOfField(t *testing.T) {
	t.Parallel()
	type hour struct{ H int }
	for least, doubt := range map[int]bool{0: true, 1: false} {
		suite := api.New(func(a *api.C) {
			ints := api.Type(a, "int", api.Literals(bigen.OneOf(1, -1)))
			hours := api.Type(a, "hour", api.Holds("is right", func(h *hour) error {
				if h.H >= -1 && h.H <= least && h.H != 0 {
					return errors.New("wrong")
				}
				return nil
			}))
			a.Op("new", func() {
				to := hours.Result()
				a.Do(func() { to.V = &hour{}; a.Got(to) })
			})
			a.Op("hour.H =", func() {
				h, n := hours.Arg("hour"), ints.Arg("n")
				a.Do(func() { h.V.H = n.V })
			}).When(hours.Any)
		}).Generate(api.Options{Sequences: 100, MaxRegressions: -1})
		require.Len(t, suite.Errors, 1)
		require.Equal(t, doubt, suite.Errors[0].Doubt != "", suite.Errors[0].Code)
	}
}

// A division by zero may be a mistake of the caller if any argument is zero, or has a field that is.
func TestDivision(t *testing.T) {
	t.Parallel()
	type point struct{ X, y int }
	for _, c := range []struct {
		point
		doubt bool
	}{{point{0, 1}, true}, {point{1, 0}, false}} {
		suite := api.New(func(a *api.C) {
			points := api.Type(a, "point", api.Make("point", func() *point { return &c.point }))
			a.Op("divide", func() {
				p := points.Arg("value")
				a.Do(func() { _ = 1 / (p.V.X * p.V.y) })
			})
		}).Generate(api.Options{Sequences: 20, MaxRegressions: -1})
		require.Len(t, suite.Errors, 1)
		require.Equal(t, c.doubt, suite.Errors[0].Doubt != "", c)
	}
}

// Which numbers are odd depends on their type.
func TestIsOdd(t *testing.T) {
	t.Parallel()
	type size struct{ W, H int }
	for _, c := range []struct {
		v    any
		odds bool
	}{
		{0, true}, {1, false}, {-1, true}, {1000, false}, {1001, true}, {uint(0), true}, {uint8(0), false},
		{0.5, false}, {1.0, false}, {2.0, true}, {0.0, true}, {-0.5, true}, {1e9, true},
		{ratio(0), false}, {ratio(-1), true},
		{size{}, false}, {size{1, -1}, true}, {size{1 << 20, 0}, true}, {time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), false},
		{"", false}, {true, false}, {[]int{0}, false},
	} {
		require.Equal(t, c.odds, api.IsOdd(c.v), "%T(%[1]v)", c.v)
	}
}

// What has no end after a negative size may be a mistake of the caller.
func TestOddWithoutEnd(t *testing.T) {
	t.Parallel()
	a := api.New(func(a *api.C) {
		sizes := api.Type(a, "size", api.Literals(bigen.OneOf(0, 1, -1)))
		a.Op("p.Skip", func() {
			size := sizes.Arg("size")
			a.Do(func() { a.Got(size.V) })
		})
	})
	for size, want := range map[int]string{0: "", -1: "a number is zero, negative or large", 1: ""} {
		require.Equal(t, want, a.Doubt(calls{{"p.Skip", size}}), size)
	}
}
