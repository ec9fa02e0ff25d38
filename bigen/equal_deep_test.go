package bigen_test

import (
	"math"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/stretchr/testify/require"
)

// What a pointer leads to that a function assigns is compared deeply, floats by
// their bits.
func TestDeepEqual(t *testing.T) {
	type deep struct {
		F    float64
		C    complex128
		L    []any
		M    map[string]*float32
		Next *deep
		f    func()
	}
	nan32, zero32 := float32(math.NaN()), float32(0)
	build := func(edit func(*deep)) *deep {
		d := &deep{
			F: math.NaN(), C: complex(math.NaN(), 0), L: []any{1, math.NaN(), nil, []int(nil)},
			M: map[string]*float32{"nan": &nan32, "none": nil},
		}
		d.Next = &deep{F: 1, Next: d}
		edit(d)
		return d
	}
	other := math.Float64frombits(math.Float64bits(math.NaN()) ^ 2)
	tests := []struct {
		name string
		edit func(*deep)
		same bool
	}{
		{"nothing", func(d *deep) {}, true},
		{"another NaN", func(d *deep) { d.F = other }, false},
		{"a number", func(d *deep) { d.F = 1 }, false},
		{"-0", func(d *deep) { d.C = complex(math.NaN(), math.Copysign(0, -1)) }, false},
		{"an element", func(d *deep) { d.L[0] = 2 }, false},
		{"its type", func(d *deep) { d.L[0] = int64(1) }, false},
		{"a NaN in an interface", func(d *deep) { d.L[1] = other }, false},
		{"a nil", func(d *deep) { d.L[2] = 0 }, false},
		{"an empty slice", func(d *deep) { d.L[3] = []int{} }, false},
		{"a shorter slice", func(d *deep) { d.L = d.L[:3] }, false},
		{"a key", func(d *deep) { delete(d.M, "none"); d.M["more"] = nil }, false},
		{"an entry", func(d *deep) { d.M["nan"] = &zero32 }, false},
		{"a map", func(d *deep) { d.M = nil }, false},
		{"no cycle", func(d *deep) { d.Next.Next = nil }, false},
		{"a longer cycle", func(d *deep) { d.Next.Next = &deep{} }, false},
		{"a function", func(d *deep) { d.f = func() {} }, false},
	}
	type holder struct {
		NaN float64
		D   *deep
	}
	g := bigen.Struct(func(c *bigen.C, h *holder) {
		bigen.At(c, &h.NaN, bigen.Float[float64]())
		h.D = build(func(*deep) {})
	})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := bigen.Check(g, holder{math.NaN(), build(tt.edit)})
			if tt.same {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, bigen.ErrNotProduced)
			}
		})
	}
}
