package bigen_test

import (
	"errors"
	"fmt"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// Packed runs come to the same as others, also for values whose parts are shared and
// for generators whose choices depend on what is around them.
func TestZooPacked(t *testing.T) {
	for seed := range uint64(long.Count(40, 600)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			z := zoo{r: rng(seed)}
			g := z.wild(3)
			defer func() {
				if t.Failed() {
					t.Logf("the generator: %s", z.text)
				}
			}()
			for range 4 {
				v, _, err := bigen.Run(g, choices.Random(z.r))
				if errors.Is(err, bigen.ErrRejected) {
					continue
				}
				require.NoError(t, err)
				comparePacked(t, g, z.share(v))
			}
		})
	}
}

func comparePacked(t *testing.T, g bigen.Gen[any], v any) {
	plain, err := bigen.Choices(g, v)
	packed, ok := bigen.ChoicesPacked(g, v)
	f, forestErr := bigen.Forest(g, v)
	require.Equal(t, err, forestErr, "%#v", v)
	require.Equal(t, err == nil, ok)
	if err != nil {
		return
	}
	require.True(t, slices.Equal(plain, packed), "%v\n%v", plain, packed)
	require.True(t, slices.Equal(plain, f.First()), "%v\n%v", plain, f.First())
	left := 20
	for tree := range f.All() {
		w, again, err := bigen.Run(g, choices.Replay(tree, nil))
		require.NoError(t, err)
		require.Equal(t, v, w)
		require.True(t, slices.Equal(tree, again), "%v\n%v", tree, again)
		require.True(t, f.Has(tree))
		if left--; left == 0 {
			break
		}
	}
}

// share returns v with equal parts held by one interface value, and perhaps one part
// in the place of another.
func (z *zoo) share(v any) any {
	parts := map[string]any{}
	v = cons(parts, v)
	if a, ok := v.(animal); ok && z.r.IntN(2) == 0 {
		var keys []string
		for k := range parts {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		a.C = parts[keys[z.r.IntN(len(keys))]]
		v = a
	}
	return v
}

func cons(m map[string]any, v any) any {
	switch x := v.(type) {
	case animal:
		x = animal{cons(m, x.A), cons(m, x.B), cons(m, x.C)}
		v = x
	case []any:
		if x == nil {
			return v
		}
		y := make([]any, len(x))
		for i := range x {
			y[i] = cons(m, x[i])
		}
		v = y
	}
	k := fmt.Sprintf("%#v", v)
	if w, ok := m[k]; ok {
		return w
	}
	m[k] = v
	return v
}

// wild is gen with Recursive, Distinct and parts that several alternatives read.
func (z *zoo) wild(depth int) bigen.Gen[any] {
	if depth == 0 {
		return z.leaf()
	}
	switch z.r.IntN(6) {
	case 0:
		z.text += "Rec("
		base := z.leaf()
		kind := z.r.IntN(3)
		opts := []bigen.RecursiveOption{}
		if z.r.IntN(2) == 0 {
			opts = append(opts, bigen.MaxNesting(z.r.IntN(3)))
		}
		other := z.wild(depth - 1)
		g := bigen.Recursive(base, func(self bigen.Gen[any]) bigen.Gen[any] {
			z.pool = append(z.pool, self)
			switch kind {
			case 0:
				return erase(bigen.SliceOf(self, 0, 3))
			case 1:
				return erase(
					bigen.SliceOf(bigen.Pick(bigen.Tag("o", other), bigen.Tag("s", self)), 0, 3),
				)
			}
			return erase(bigen.Struct(func(c *bigen.C, a *animal) {
				bigen.At(c, &a.A, self)
				bigen.At(c, &a.B, other)
				bigen.At(c, &a.C, self)
			}))
		}, 1+z.r.IntN(4), opts...)
		z.text += ") "
		return g
	case 1:
		z.text += "Distinct "
		k := z.leaf()
		return erase(bigen.SliceOf(erase(bigen.Distinct(k, 0, 3)), 0, 3))
	case 2:
		return erase(bigen.SliceOf(z.wild(depth-1), 0, 4))
	case 3:
		a, b := z.wild(depth-1), z.wild(depth-1)
		return bigen.Pick(
			bigen.Tag("l", z.leaf()), bigen.Tag("x", a), bigen.Tag("x", b),
			bigen.Tag("y", erase(bigen.SliceOf(a, 0, 2))),
		)
	case 4:
		a, b := z.wild(depth-1), z.wild(depth-1)
		return erase(bigen.Struct(func(c *bigen.C, x *animal) {
			bigen.At(c, &x.A, a)
			bigen.At(c, &x.B, b)
			bigen.At(c, &x.C, a)
		}))
	}
	return z.gen(depth)
}
