package bigen

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"
	"unsafe"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/literal"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

type fillTree struct {
	L *fillTree
	X int
	R *fillTree
}

func genFillTree(lo, hi int) Gen[*fillTree] {
	if lo > hi {
		return Nil[fillTree]()
	}
	return Pick(
		Tag("leaf", Nil[fillTree]()),
		Tag("node", New(func(c *C, t *fillTree) {
			At(c, &t.X, IntRange(lo, hi))
			At(c, &t.L, genFillTree(lo, t.X-1))
			At(c, &t.R, genFillTree(t.X+1, hi))
		})).Weight(2),
	)
}

type fillServer struct {
	Name  string `bigen:"match=[a-z]{1,8}"`
	Ports []uint16
	Limit *fillLimit
}

type fillLimit struct {
	Soft, Hard uint8
	On         bool
}

type fillConfig struct {
	Servers [2]fillServer
	More    []fillServer
	Level   int `bigen:"range=1..9"`
	Ratio   float64
}

// parts returns the addressable parts of a value that a generator makes by At or as elements.
func parts(at location, found []any) []any {
	v := reflect.NewAt(at.typ, at.p)
	found = append(found, v.Interface())
	switch v = v.Elem(); v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Type().Elem().Kind() == reflect.Struct {
			inner := parts(location{v.UnsafePointer(), v.Type().Elem()}, nil)
			found = append(found, inner[1:]...) // New makes the pointer
		}
	case reflect.Struct:
		for i := range v.NumField() {
			found = parts(location{v.Field(i).Addr().UnsafePointer(), v.Field(i).Type()}, found)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			found = parts(location{v.Index(i).Addr().UnsafePointer(), v.Type().Elem()}, found)
		}
	}
	return found
}

// fills hides up to three parts of random values, and counts how many values Fill completes.
func fills[A any](t *testing.T, g Gen[A], n int) (completed int) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		tree, err := Choices(g, Sample(g, r))
		require.NoError(t, err)
		v, _, _ := Run(g, choices.Replay(tree, nil))
		all := parts(location{unsafe.Pointer(&v), reflect.TypeFor[A]()}, nil)
		var holes []any
		for range 1 + r.IntN(3) {
			holes = append(holes, all[r.IntN(len(all))])
		}
		before := literal.Of(v, "")
		if err := Fill(g, &v, r, holes...); err != nil {
			require.True(t, errors.Is(err, ErrNotProduced) || errors.Is(err, ErrGaveUp), "%v", err)
			require.Equal(t, before, literal.Of(v, ""))
			continue
		}
		completed++
		require.NoError(t, Check(g, v))
		// All but the holes is as it was: with the old holes, the whole value is.
		whole, _, _ := Run(g, choices.Replay(tree, nil))
		for _, h := range holes {
			if i := slices.Index(all, h); i >= 0 {
				was := parts(location{unsafe.Pointer(&whole), reflect.TypeFor[A]()}, nil)
				reflect.ValueOf(h).Elem().Set(reflect.ValueOf(was[i]).Elem())
			}
		}
		require.Equal(t, before, literal.Of(v, ""))
	}
	return completed
}

func TestFill(t *testing.T) {
	n := long.Count(50, 5000)
	require.GreaterOrEqual(t, fills(t, genFillTree(0, 999), n), n*99/100)
	require.Equal(t, n, fills(t, For[fillConfig](), n), "nothing depends on anything else")
	require.GreaterOrEqual(t, fills(t, SliceOf(genFillTree(0, 99), 0, 4), n), n*99/100)
}

// What is there decides which alternative makes a value, and which ranges holes have.
func TestFillAround(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	sizes := map[bool]int{}
	n := long.Count(60, 200)
	for range n {
		tree := &fillTree{X: 7, L: &fillTree{R: &fillTree{X: 500}}}
		known := &tree.L.R.X
		require.NoError(t, FillAround(genFillTree(0, 999), &tree, r, known))
		require.NoError(t, Check(genFillTree(0, 999), tree))
		require.Equal(t, 500, tree.L.R.X)
		require.True(t, known == &tree.L.R.X, "the part is the same")
		require.Greater(t, tree.X, 500)
		sizes[tree.R != nil]++
	}
	require.Greater(t, min(sizes[true], sizes[false]), n/10)

	var c fillConfig
	c.More = []fillServer{{}, {Limit: &fillLimit{Hard: 9}}}
	require.NoError(t, FillAround(For[fillConfig](), &c, r, &c.More[1].Limit.Hard))
	require.NoError(t, Check(For[fillConfig](), c))
	require.Equal(t, uint8(9), c.More[1].Limit.Hard)
	require.Len(t, c.More, 2)

	var whole *fillTree
	require.NoError(t, FillAround(genFillTree(1, 3), &whole, r), "nothing is known")
	require.ErrorContains(
		t, FillAround(genFillTree(1, 3), &whole, r, new(int)), "leads to no part of the value",
	)
	require.Panics(t, func() { _ = Fill(genFillTree(1, 3), &whole, r, 3) })
	require.Panics(t, func() { _ = Fill(genFillTree(1, 3), &whole, r, (*int)(nil)) })
}

// What cannot be completed stays as it was, and the error says why.
func TestFillErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	tree := &fillTree{L: &fillTree{X: 5}, X: 2, R: &fillTree{X: 1}}
	err := Fill(genFillTree(0, 9), &tree, r, &tree.L.X)
	require.ErrorIs(t, err, ErrNotProduced)
	require.ErrorContains(t, err, "/node/R/node/X")
	require.Equal(t, 5, tree.L.X)

	type celsius struct{ Degrees int }
	g := Iso(
		IntRange(0, 9), func(i int) celsius { return celsius{i} },
		func(c celsius) (int, bool) { return c.Degrees, true },
	)
	warm := celsius{4}
	err = Fill(g, &warm, r, &warm.Degrees)
	require.ErrorContains(
		t, err, "makes the hole of type int: it is not a part of the value, or within what an Iso",
	)
	require.Equal(t, 4, warm.Degrees)
	require.NoError(t, Fill(g, &warm, r, &warm))

	type point struct{ X, Y int }
	points := SliceOf(Iso(For[[2]int](), func(p [2]int) point {
		return point{p[0], p[1]}
	}, func(p point) ([2]int, bool) { return [2]int{p.X, p.Y}, true }), 1, 2)
	two := []point{{X: 1}, {}}
	require.ErrorContains(t, FillAround(points, &two, r, &two[0].X), "makes the hole of type int")
	require.Equal(t, []point{{X: 1}, {}}, two)
	require.NoError(t, FillAround(points, &two, r, &two[0]))
	require.NotEqual(t, point{}, two[1])

	type square struct{ Side, Area int }
	squares := Struct(func(c *C, s *square) {
		At(c, &s.Side, IntRange(0, 9))
		s.Area = s.Side * s.Side
	})
	s := square{Side: 3}
	require.ErrorContains(
		t, Fill(squares, &s, r, &s.Area), "the generator makes it 9", "no generator makes it",
	)

	var elsewhere int
	require.ErrorContains(t, Fill(g, &warm, r, &elsewhere), "is not a part of the value")
}

// Values are filtered, picked and remembered as in other runs.
func TestFillOps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	type pair struct{ A, B int }
	even := SuchThat(Struct(func(c *C, p *pair) {
		At(c, &p.A, IntRange(0, 50))
		At(c, &p.B, Pick(Tag("low", IntRange(0, 3)), Tag("high", IntRange(100, 103))))
	}), func(p pair) bool { return (p.A+p.B)%2 == 0 })
	type node struct {
		Name string
		Next []node
	}
	nodes := Recursive(Struct(func(c *C, n *node) {
		At(c, &n.Name, Matching("[a-c]{2}"))
	}), func(self Gen[node]) Gen[node] {
		return Struct(func(c *C, n *node) {
			At(c, &n.Name, OneOf("root", "inner"))
			At(c, &n.Next, SliceOf(self, 1, 3))
		})
	}, 5)
	for range 100 {
		p := pair{B: 101}
		require.NoError(t, Fill(even, &p, r, &p.A))
		require.Equal(t, 1, p.A%2)
		p = pair{A: 7}
		require.NoError(t, Fill(even, &p, r, &p.B))
		require.Equal(t, 1, p.B%2)

		n := node{Next: []node{{Name: "ab"}, {Name: "inner", Next: []node{{}}}}}
		require.NoError(t, Fill(nodes, &n, r, &n.Name, &n.Next[1].Next[0]))
		require.NoError(t, Check(nodes, n))
		require.Contains(t, []string{"root", "inner"}, n.Name)
		require.NotEqual(t, "", n.Next[1].Next[0].Name)
	}
}
