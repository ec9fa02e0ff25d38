package bigen_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"
)

type shape interface{ area() int }
type square struct{ Side int }
type circle struct{ Radius uint8 }

func (s square) area() int  { return s.Side * s.Side }
func (c *circle) area() int { return 3 * int(c.Radius) * int(c.Radius) }

var genShape = bigen.Pick(
	bigen.Case[shape]("square", bigen.Struct(func(c *bigen.C, s *square) {
		bigen.At(c, &s.Side, bigen.IntRange(1, 100))
	})),
	bigen.Case[shape]("circle", bigen.New(func(c *bigen.C, s *circle) {
		bigen.At(c, &s.Radius, bigen.IntRange[uint8](0, 255))
	})).Weight(2),
)

// rose is a tree without order, whose Size is computed.
type rose struct {
	Name     string
	Children []*rose
	Size     int
}

func genRose(depth int) bigen.Gen[*rose] {
	return bigen.New(func(c *bigen.C, r *rose) {
		bigen.At(c, &r.Name, bigen.String(8))
		if depth > 0 {
			bigen.At(c, &r.Children, bigen.SliceOf(genRose(depth-1), 0, 4))
		}
		r.Size = 1
		for _, child := range r.Children {
			r.Size += child.Size
		}
	})
}

// list recurses through a variable.
type list struct {
	Head int8
	Tail *list
}

var genList = bigen.Pick(
	bigen.Tag("end", bigen.Nil[list]()),
	bigen.Tag("cons", bigen.New(func(c *bigen.C, l *list) {
		bigen.At(c, &l.Head, bigen.IntRange[int8](-128, 127))
		bigen.At(c, &l.Tail, bigen.Lazy(lazyList))
	})).Weight(3),
)

func lazyList() bigen.Gen[*list] { return lists[0] }

var lists []bigen.Gen[*list]

func init() { lists = append(lists, genList) }

// span is given by its middle and half its width, which are not fields.
type span struct{ From, To int }

var genSpan = bigen.Struct(func(c *bigen.C, s *span) {
	mid := bigen.Let(
		c, s, func(s *span) (int, bool) { return (s.From + s.To) / 2, (s.From+s.To)%2 == 0 },
		bigen.IntRange(100, 200),
	)
	half := bigen.Let(
		c, s, func(s *span) (int, bool) { return (s.To - s.From) / 2, true }, bigen.IntRange(0, 50),
	)
	s.From, s.To = mid-half, mid+half
})

// nested has fields of struct and array types, filled from within.
type nested struct {
	Inner struct{ A, B int }
	Arr   [3]uint16
	Deep  [2]struct{ X bool }
}

var genNested = bigen.Struct(func(c *bigen.C, n *nested) {
	bigen.At(c, &n.Inner.A, bigen.IntRange(0, 9))
	bigen.At(c, &n.Inner.B, bigen.IntRange(n.Inner.A, 9))
	for i := range n.Arr {
		bigen.At(c, &n.Arr[i], bigen.IntRange(uint16(i), 1000))
	}
	bigen.At(c, &n.Deep[1].X, bigen.Bool())
})

func genVariables(n int) bigen.Gen[int] {
	var alts []bigen.Alt[int]
	for v := range n {
		alts = append(alts, bigen.Tag("variable", bigen.Just(v)))
	}
	return bigen.Pick(alts...)
}

func genTags(n int) bigen.Gen[int] {
	var alts []bigen.Alt[int]
	for v := range n {
		alts = append(alts, bigen.Tag(fmt.Sprint("tag", v), bigen.Just(v)))
	}
	return bigen.Pick(alts...)
}

func even(n int) bool { return n%2 == 0 }

// laws of one generator, with its type hidden.
type law struct {
	name  string
	check func(t *testing.T)
	bytes func(t *testing.T, c *decoded, n int, seed uint64)
}

func lawful[A any](name string, g bigen.Gen[A], valid func(A) bool) law {
	return law{
		name,
		func(t *testing.T) { checkLaws(t, g, valid) },
		func(t *testing.T, c *decoded, n int, seed uint64) { decodeAny(t, c, g, n, seed) },
	}
}

// checkLaws checks that g makes valid values only, and keeps to the laws.
func checkLaws[A any](t *testing.T, g bigen.Gen[A], valid func(A) bool) {
	t.Helper()
	if !long.Enabled() { // without the largest values
		for seed := range uint64(3) {
			bigentest.Bytes(t, g, randomBytes(rng(seed)))
		}
	} else {
		bigentest.Laws(t, g, bigentest.Runs(lawRuns()))
	}
	bigentest.Sound(t, g, valid, bigentest.Runs(lawRuns()))
	checkForests(t, g)
}

// lawRuns returns how many values of each origin are tested.
func lawRuns() int { return long.Count(1, 6) }

func always[A any](A) bool { return true }

var laws = []law{
	lawful("Just", bigen.Just(5), func(n int) bool { return n == 5 }),
	lawful("Any", bigen.Any(genShape), func(v any) bool { return v.(shape).area() >= 0 }),
	lawful("Any/several types", bigen.Pick(
		bigen.Tag("n", bigen.Any(bigen.IntRange(0, 9))), bigen.Tag("s", bigen.Any(bigen.String(5))),
		bigen.Tag("none", bigen.Any(bigen.Just[error](nil))),
	), always),
	lawful("Nil", bigen.Nil[int](), func(p *int) bool { return p == nil }),
	lawful("Bool", bigen.Bool(), always),
	lawful("IntRange/small", bigen.IntRange(-3, 5), func(n int) bool { return -3 <= n && n <= 5 }),
	lawful("IntRange/one", bigen.IntRange(7, 7), func(n int) bool { return n == 7 }),
	lawful("IntRange/int8", bigen.IntRange[int8](-128, 127), always),
	lawful("IntRange/int64", bigen.IntRange[int64](math.MinInt64, math.MaxInt64), always),
	lawful("IntRange/uint64", bigen.IntRange[uint64](0, math.MaxUint64), always),
	lawful(
		"IntRange/high", bigen.IntRange[uint64](math.MaxUint64-2, math.MaxUint64),
		func(n uint64) bool { return n >= math.MaxUint64-2 },
	),
	lawful("IntRange/uintptr", bigen.IntRange[uintptr](1, 9), func(n uintptr) bool {
		return 1 <= n && n <= 9
	}),
	lawful("String", bigen.String(20), func(s string) bool { return len([]rune(s)) <= 20 }),
	lawful("String/empty", bigen.String(0), func(s string) bool { return s == "" }),
	lawful("SliceOf", bigen.SliceOf(bigen.IntRange(0, 9), 2, 5), func(s []int) bool {
		return 2 <= len(s) && len(s) <= 5
	}),
	lawful("SliceOf/nested", bigen.SliceOf(bigen.SliceOf(bigen.Bool(), 0, 3), 0, 3), always),
	lawful("SliceOf/exact", bigen.SliceOf(bigen.String(3), 3, 3), func(s []string) bool {
		return len(s) == 3
	}),
	lawful("Pick/same tag", genVariables(300), func(n int) bool { return 0 <= n && n < 300 }),
	lawful("Pick/many tags", genTags(1000), func(n int) bool { return 0 <= n && n < 1000 }),
	lawful("Tag", bigen.Pick(
		bigen.Tag("", bigen.Just(0)), bigen.Tag("\x00", bigen.Just(1)).Weight(0),
		bigen.Tag("a b", bigen.Just(1)),
	), func(n int) bool { return n < 2 }),
	lawful("Case", genShape, func(s shape) bool { return s.area() >= 0 }),
	lawful("Pick/several leaves", bigen.Pick(bigen.Tag(
		"none", bigen.Just(span{}),
	), bigen.Tag("both", bigen.Struct(func(c *bigen.C, s *span) {
		bigen.At(c, &s.From, bigen.IntRange(-1000, 1000))
		bigen.At(c, &s.To, bigen.IntRange(s.From, 1000))
	}))), func(s span) bool { return s.From <= s.To }),
	lawful(
		"Case/nil interface",
		bigen.Pick(
			bigen.Case[any]("none", bigen.Just[error](nil)), bigen.Case[any]("bool", bigen.Bool()),
		),
		always,
	),
	lawful("SliceOf/no limit", bigen.SliceOf(bigen.Bool(), 0, math.MaxInt), always),
	lawful("New", bsttest.Gen(-100, 100), func(t *bsttest.Tree) bool { return t.Valid(-100, 100) }),
	lawful("New/computed", genRose(4), func(r *rose) bool { return r.Size >= 1 }),
	lawful("Struct", genNested, func(n nested) bool {
		return n.Inner.A <= n.Inner.B && !n.Deep[0].X
	}),
	lawful("Let", genSpan, func(s span) bool { return s.From <= s.To && s.From >= 50 }),
	lawful("Lazy", genList, always),
	lawful("Iso", bigen.Iso(bigen.IntRange(0, 9), func(n int) string {
		return fmt.Sprint(n)
	}, func(s string) (n int, ok bool) {
		k, err := fmt.Sscan(s, &n)
		return n, k == 1 && err == nil
	}), func(s string) bool { return len(s) == 1 }),
	lawful("SuchThat", bigen.SuchThat(bigen.IntRange(0, 99), even), even),
	lawful("Satisfying", bigen.Satisfying(bigen.IntRange(0, 99), evenOr), even),
	lawful(
		"SuchThat/tree",
		bigen.SuchThat(bsttest.Gen(0, 20), func(t *bsttest.Tree) bool {
			return len(t.Keys()) != 3
		}),
		func(t *bsttest.Tree) bool { return len(t.Keys()) != 3 },
	),
	lawful(
		"SuchThat/fallback",
		bigen.SuchThat(bigen.IntRange(0, 1<<30), func(n int) bool { return n == 12345 }, 12345),
		func(n int) bool { return n == 12345 },
	),
}

func TestLaws(t *testing.T) {
	for _, l := range laws {
		t.Run(l.name, l.check)
	}
}

// Each generator decodes any bytes, and keeps nothing of them. The log says how many.
func TestAnyBytes(t *testing.T) {
	n, seed := long.Times(3, 3500), uint64(1)
	if long.Enabled() {
		seed = uint64(time.Now().UnixNano())
	}
	var c decoded
	before := heap()
	for _, l := range laws {
		t.Run(l.name, func(t *testing.T) { l.bytes(t, &c, n, seed) })
	}
	grown := int64(heap()) - int64(before)
	t.Logf("seed %d: %+v; the heap has grown by %d KiB", seed, c, grown>>10)
	require.True(t, grown < 32<<20, "the heap has grown by %d MiB", grown>>20)
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Every exported function that makes a generator or an alternative has an entry.
func TestLawsAreComplete(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	checked := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range f.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !f.Name.IsExported() || !makesGenerator(f) {
				continue
			}
			checked++
			if !slices.ContainsFunc(laws, func(l law) bool {
				return l.name == f.Name.Name || strings.HasPrefix(l.name, f.Name.Name+"/")
			}) {
				t.Errorf(
					"%s: no entry of laws checks %s: add lawful(%q, ...) to the tests", name,
					f.Name, f.Name,
				)
			}
		}
	}
	require.GreaterOrEqual(t, checked, 14)
}

// makesGenerator reports whether a result of f is a Gen or an Alt, or several.
func makesGenerator(f *ast.FuncDecl) (found bool) {
	if f.Type.Results == nil {
		return false
	}
	for _, r := range f.Type.Results.List {
		ast.Inspect(r.Type, func(n ast.Node) bool {
			if x, ok := n.(*ast.IndexExpr); ok {
				id, _ := x.X.(*ast.Ident)
				found = found || id != nil && (id.Name == "Gen" || id.Name == "Alt")
			}
			return !found
		})
	}
	return found
}

// checkValue checks v, which g is to make.
func checkValue[A any](t *testing.T, g bigen.Gen[A], v A, valid func(A) bool) {
	t.Helper()
	require.True(t, valid(v), "%#v", v)
	bigentest.Value(t, g, v)
}

// fromBytes returns what b decodes to, and checks it.
func fromBytes[A any](t *testing.T, g bigen.Gen[A], b []byte) A {
	t.Helper()
	return bigentest.Bytes(t, g, b)
}

func rng(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func randomBytes(r *rand.Rand) []byte {
	b := make([]byte, r.IntN(100))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// evenOr is even with a reason.
func evenOr(i int) error {
	if !even(i) {
		return fmt.Errorf("%d is odd", i)
	}
	return nil
}

// What Satisfying says is the reason why a value is not made.
func TestSatisfying(t *testing.T) {
	g := bigen.Satisfying(bigen.IntRange(0, 99), evenOr)
	require.NoError(t, bigen.Check(g, 2))
	require.EqualError(t, bigen.Check(g, 3), "not produced by the generator: at /: 3 is odd")
}
