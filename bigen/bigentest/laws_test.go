package bigentest_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write testdata/failures.txt")

// recorder is a testing.TB that keeps what a check reports.
type recorder struct {
	testing.TB
	failed bool
	errors []string
	logs   []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.failed = true
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}
func (r *recorder) Logf(format string, args ...any) {
	r.logs = append(r.logs, fmt.Sprintf(format, args...))
}

// Fatalf panics, since Goexit would end the test.
func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	panic(errFatal)
}

var errFatal = fmt.Errorf("Fatalf")

// record runs check on a recorder.
func record(t *testing.T, check func(testing.TB)) (r *recorder) {
	r = &recorder{TB: t}
	defer func() {
		if e := recover(); e != nil && e != any(errFatal) {
			panic(e)
		}
	}()
	check(r)
	return r
}

type pair struct{ A, B int }

// pointing has something that is not its own.
type pointing struct{ To *int }

type sorted struct{ Keys []int }

func genKeys() bigen.Gen[[]int] { return bigen.SliceOf(bigen.IntRange(0, 9), 0, 5) }

// counter makes a generator whose function counts its calls.
func counter() bigen.Gen[pair] {
	n := 0
	return bigen.Struct(func(c *bigen.C, p *pair) {
		bigen.At(c, &p.A, bigen.IntRange(0, 9))
		n++
		p.B = n % 7
	})
}

// dice makes a generator whose function has randomness of its own.
func dice() bigen.Gen[pair] {
	r := rand.New(rand.NewPCG(1, 2))
	return bigen.Struct(func(c *bigen.C, p *pair) {
		bigen.At(c, &p.A, bigen.IntRange(0, 9))
		if p.A > 3 {
			p.B = r.IntN(100)
		}
	})
}

// shared makes a generator whose function changes what Just gives.
func shared() bigen.Gen[struct{ P *pair }] {
	constant := &pair{1, 2}
	return bigen.Struct(func(c *bigen.C, s *struct{ P *pair }) {
		bigen.At(c, &s.P, bigen.Just(constant))
		s.P.A++
	})
}

// backToFront makes trees by a Pick whose first alternative recurses.
func backToFront() bigen.Gen[*bsttest.Tree] {
	return bigen.Pick(
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *bsttest.Tree) {
			bigen.At(c, &t.X, bigen.IntRange(0, 9))
			bigen.At(c, &t.L, bigen.Lazy(backToFront))
		})),
		bigen.Tag("leaf", bigen.Nil[bsttest.Tree]()).Weight(2),
	)
}

// bushy makes trees that are too large although they have an end: the first
// alternative recurses down to depth 0.
func bushy(depth int) bigen.Gen[*bsttest.Tree] {
	if depth == 0 {
		return bigen.Nil[bsttest.Tree]()
	}
	return bigen.Pick(
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *bsttest.Tree) {
			bigen.At(c, &t.L, bushy(depth-1))
			bigen.At(c, &t.R, bushy(depth-1))
		})),
		bigen.Tag("leaf", bigen.Nil[bsttest.Tree]()).Weight(9),
	)
}

// notRight makes search trees without a node that has only a right child.
func notRight(lo, hi int) bigen.Gen[*bsttest.Tree] {
	if lo > hi {
		return bigen.Nil[bsttest.Tree]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[bsttest.Tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *bsttest.Tree) {
			bigen.At(c, &t.X, bigen.IntRange(lo, hi))
			bigen.At(c, &t.L, notRight(lo, t.X-1))
			if t.L != nil {
				bigen.At(c, &t.R, notRight(t.X+1, hi))
			}
		})),
	)
}

// offByOne makes search trees, except that the right child may repeat the key.
func offByOne(lo, hi int) bigen.Gen[*bsttest.Tree] {
	if lo > hi {
		return bigen.Nil[bsttest.Tree]()
	}
	return bigen.Pick(
		bigen.Tag("leaf", bigen.Nil[bsttest.Tree]()),
		bigen.Tag("node", bigen.New(func(c *bigen.C, t *bsttest.Tree) {
			bigen.At(c, &t.X, bigen.IntRange(lo, hi))
			bigen.At(c, &t.L, offByOne(lo, t.X-1))
			bigen.At(c, &t.R, offByOne(t.X, hi))
		})),
	)
}

func runs() bigentest.Option { return bigentest.Runs(100) }

func isBST(t *bsttest.Tree) bool { return t.Valid(0, 9) }

// upTo99 is an error for other integers.
func upTo99(n int) error {
	if n > 99 {
		return fmt.Errorf("%d is above 99", n)
	}
	return nil
}

// planted are generators each with one mistake, and the law that it breaks.
var planted = []struct {
	name  string
	law   string
	check func(t testing.TB)
}{
	{"a function with randomness of its own", "determinism",
		func(t testing.TB) { bigentest.Laws(t, dice(), runs()) }},
	{"a function that counts its calls", "determinism",
		func(t testing.TB) { bigentest.Laws(t, counter(), runs()) }},
	{"a function that changes what Just gives", "no changes",
		func(t testing.TB) { bigentest.Laws(t, shared(), runs()) }},
	{"from of an Iso is wrong", "round trip", func(t testing.TB) {
		bigentest.Laws(t,
			bigen.Iso(bigen.IntRange(0, 99), func(n int) int { return n * n },
				func(n int) (int, bool) { return n / 10, true }), runs())
	}},
	{"from of an Iso is wrong where random choices seldom lead", "mutation", func(t testing.TB) {
		g := bigen.SliceOf(bigen.IntRange(0, math.MaxInt32), 0, 5)
		bigentest.Laws(t, bigen.Iso(g, slices.Clone[[]int], func(s []int) ([]int, bool) {
			return s, len(s) < 2 || len(s) == len(slices.Compact(slices.Clone(s)))
		}), runs())
	}},
	{"get of a Let is wrong", "round trip", func(t testing.TB) {
		bigentest.Laws(t, bigen.Struct(func(c *bigen.C, p *pair) {
			bigen.At(c, &p.A, bigen.IntRange(0, 9))
			n := bigen.Let(c, p, func(p *pair) (int, bool) { return p.B, true }, bigen.IntRange(0, 9))
			p.B = p.A + n
		}), runs())
	}},
	{"Equal hides that from of an Iso is wrong", "canonicity", func(t testing.TB) {
		bigentest.Laws(t, bigen.Iso(bigen.IntRange(0, 9),
			func(n int) modulo { return modulo{n / 2, n % 2} },
			func(m modulo) (int, bool) { return 2*m.N + 1 - m.M, true }), runs())
	}},
	{"a function that changes what a pointer refers to", "no changes", func(t testing.TB) {
		bigentest.Laws(t, bigen.Struct(func(c *bigen.C, s *pointing) {
			bigen.At(c, &s.To, bigen.NonNil(bigen.IntRange(0, 9)))
			*s.To /= 2
		}), runs())
	}},
	{"an Iso whose from sorts in place", "no changes", func(t testing.TB) {
		bigentest.Laws(t, bigen.Iso(genKeys(),
			func(s []int) []int { s = slices.Clone(s); slices.Sort(s); return s },
			func(s []int) ([]int, bool) { slices.Sort(s); return s, true }), runs())
	}},
	{"an Iso that remembers", "exactness", func(t testing.TB) {
		asked := map[int]string{}
		bigentest.Laws(t, bigen.Iso(bigen.IntRange(0, 9),
			func(n int) string {
				if s, ok := asked[n]; ok {
					delete(asked, n)
					return s
				}
				return fmt.Sprint(n)
			},
			func(s string) (n int, ok bool) {
				_, err := fmt.Sscan(s, &n)
				if err == nil {
					asked[n] = s
				}
				return n, err == nil
			}), runs())
	}},
	{"the first alternative recurses", "boundedness",
		func(t testing.TB) { bigentest.Laws(t, backToFront(), runs()) }},
	{"first alternatives have an end, but a distant one", "boundedness",
		func(t testing.TB) { bigentest.Laws(t, bushy(40), runs()) }},
	{"SuchThat accepts nothing", "few rejections", func(t testing.TB) {
		bigentest.Laws(t, bigen.SuchThat(bigen.Bool(), func(bool) bool { return false }), runs())
	}},
	{"SuchThat accepts next to nothing", "few rejections", func(t testing.TB) {
		bigentest.Laws(t,
			bigen.SuchThat(bigen.IntRange(0, 1_000_000), func(n int) bool {
				return n == 0 || n == 77
			}), runs())
	}},
	{"a function panics", "totality", func(t testing.TB) {
		bigentest.Laws(t, bigen.Struct(func(c *bigen.C, p *pair) {
			bigen.At(c, &p.A, bigen.IntRange(0, 99))
			bigen.At(c, &p.B, bigen.IntRange(0, 99))
			if p.A > 30 {
				panic("too much")
			}
		}), runs())
	}},
	{"from of an Iso panics", "totality", func(t testing.TB) {
		bigentest.Laws(t, bigen.Iso(bigen.IntRange(1, 9),
			func(n int) string { return strings.Repeat("a", n) },
			func(s string) (int, bool) {
				return len(s) + strings.Index("aaaaaaaaaa"[len(s)-1:], "a"), true
			}), runs())
	}},
	{"get of a Let is not total", "totality", func(t testing.TB) {
		bigentest.Laws(t, bigen.Struct(func(c *bigen.C, s *sorted) {
			n := bigen.Let(c, s, func(s *sorted) (int, bool) { return s.Keys[0], true },
				bigen.IntRange(0, 9))
			s.Keys = []int{n}
		}), runs())
	}},
	{"a bound is exceeded", "soundness",
		func(t testing.TB) { bigentest.Sound(t, bigen.IntRange(0, 1000), upTo99, runs()) }},
	{"a bound is too low", "soundness",
		func(t testing.TB) { bigentest.Sound(t, offByOne(0, 9), isBST, runs()) }},
	{"a shape is missing", "completeness", func(t testing.TB) {
		bigentest.Complete(t, bsttest.Any(0, 9, 3), isBST, notRight(0, 9), runs())
	}},
	{"no value is valid", "some valid values", func(t testing.TB) {
		bigentest.Complete(t, bsttest.Any(10, 19, 3),
			func(t *bsttest.Tree) bool { return t != nil && isBST(t) }, notRight(0, 9), runs())
	}},
}

type modulo struct{ N, M int }

func (m modulo) Equal(n modulo) bool { return m.N == n.N }

var lineNumber = regexp.MustCompile(`_test\.go:\d+`)

// Each mistake is found, reported as a breach of its law, and the report is that in
// the golden file.
func TestFailures(t *testing.T) {
	var got strings.Builder
	for _, p := range planted {
		r := record(t, p.check)
		laws := ""
		for _, e := range r.errors {
			laws += strings.Split(e, ": ")[1] + "\n"
		}
		require.Contains(t, laws, p.law+"\n", p.name)
		fmt.Fprintf(&got, "== %s\n\n%s\n\n", p.name, strings.Join(r.errors, "\n\n"))
	}
	text := lineNumber.ReplaceAllString(got.String(), "_test.go:N")
	golden := filepath.Join("testdata", "failures.txt")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(text), 0o666))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	was := strings.Split(string(want), "\n== ")
	for i, section := range strings.Split(text, "\n== ") {
		if i >= len(was) || section != was[i] {
			t.Errorf("not as in %s: run go test -update, and read the difference\n%s", golden, section)
		}
	}
	require.Len(t, was, len(planted))
}

// Generators without a mistake pass, among them some that come close to one.
func TestLawful(t *testing.T) {
	few := bigentest.Runs(long.Count(4, 100))
	bigentest.Laws(t, bsttest.Gen(0, 99), few)
	bigentest.Laws(t, bigen.SuchThat(bigen.IntRange(0, 9), func(n int) bool { return n > 4 }), few)
	bigentest.Laws(t, bigen.Just(&pair{1, 2}), few)
	bigentest.Laws(t, bigen.Just([]float64{math.NaN(), math.Copysign(0, -1)}), few)
	bigentest.Laws(t, bigen.Just(func() {}), few)
	bigentest.Laws(t, bigen.Iso(genKeys(), // several lists lead to one value
		func(s []int) sorted { s = slices.Clone(s); slices.Sort(s); return sorted{s} },
		func(s sorted) ([]int, bool) { return s.Keys, true }), few)
	bigentest.Value(t, bsttest.Gen(0, 9), &bsttest.Tree{X: 9})
	require.NotNil(t, bigentest.Bytes(t, bigen.New(func(*bigen.C, *pair) {}), []byte("anything")))

	bigentest.Sound(t, bsttest.Gen(0, 9), isBST, few)
	bigentest.Sound(t, bigen.IntRange(-9, 99), upTo99, few)
	bigentest.Complete(t, bsttest.Any(0, 9, 3), isBST, bsttest.Gen(0, 9), few)
	bigentest.Complete(t, bigen.IntRange(0, 999), upTo99, bigen.IntRange(0, 99))
}

func TestValue(t *testing.T) {
	r := record(t, func(t testing.TB) { bigentest.Value(t, bigen.IntRange(0, 9), 10) })
	require.Contains(t, strings.Join(r.errors, ""),
		"not produced by the generator: at /: 10 not in [0,9]")
}

// Complete goes by size, so that what random values seldom are is not missed; and
// where it can, it takes all values.
func TestCompleteEnumerates(t *testing.T) {
	r := record(t, func(t testing.TB) {
		bigentest.Complete(t, bigen.IntRange(0, math.MaxInt32), func(int) bool { return true },
			bigen.IntRange(0, math.MaxInt32-1))
		bigentest.Complete(t, bigen.IntRange(0, math.MaxInt32), func(int) bool { return true },
			bigen.IntRange(1, math.MaxInt32))
		bigentest.Complete(t, bigen.IntRange(0, 9), func(n int) bool { return n == 7 },
			bigen.IntRange(7, 7))
		bigentest.Complete(t, bigen.IntRange(0, 9), func(n int) bool { return n > 9 },
			bigen.IntRange(7, 7))
	})
	require.Len(t, r.errors, 2)
	require.Contains(t, r.errors[0], "/: 0 not in [1,2147483647]")
	require.Contains(t, r.errors[1], "some valid values: 0 of 10 values")
	require.Equal(t, "bigentest.Complete: 1 of 10 values, all that the wide generator makes, "+
		"are valid, the largest made by 1 choices", r.logs[2])
}

// A run without end is reported with what led to it.
func TestNoEnd(t *testing.T) {
	defer bigentest.SetMaxTime(time.Second / 10)()
	wait := make(chan bool)
	defer close(wait)
	r := record(t, func(t testing.TB) {
		bigentest.Laws(t, bigen.Struct(func(c *bigen.C, n *pair) {
			bigen.At(c, &n.A, bigen.IntRange(7, 8))
			if n.A == 7 {
				<-wait
			}
		}))
	})
	require.Len(t, r.errors, 1)
	require.Contains(t, r.errors[0],
		"bigentest.Laws: totality: a run forward takes more than 100ms\nthe choices so far:\n    7\n")

	r = record(t, func(t testing.TB) {
		bigentest.Laws(t,
			bigen.Iso(bigen.IntRange(0, 0), func(int) string { return "0" }, func(s string) (int, bool) {
				if s != "0" {
					<-wait
				}
				return 0, true
			}))
	})
	require.Len(t, r.errors, 1)
	require.Contains(t, r.errors[0],
		"bigentest.Laws: totality: a run backward takes more than 100ms\n"+
			"the smallest value found:\n    \"")
}

// A generator that ends the test does not end it silently.
func TestFailNow(t *testing.T) {
	g := bigen.Struct(func(c *bigen.C, p *pair) { runtime.Goexit() })
	r := record(t, func(t testing.TB) { bigentest.Laws(t, g) })
	require.Equal(t,
		[]string{"bigentest.Laws: a function of the generator ends its goroutine, by t.FailNow " +
			"or the like"}, r.errors)
}

func TestOptions(t *testing.T) {
	count := func(opts ...bigentest.Option) (n int, first int) {
		g := bigen.Iso(bigen.IntRange(0, math.MaxInt32), func(v int) int { return v },
			func(v int) (int, bool) { return v, true })
		bigentest.Sound(t, g, func(v int) bool {
			if n++; n == 1 {
				first = v
			}
			return true
		}, opts...)
		return n, first
	}
	short := func(on string) { require.NoError(t, flag.Set("test.short", on)) }
	defer short(fmt.Sprint(testing.Short()))
	short("true")
	fewer, _ := count(bigentest.Runs(10))
	require.Equal(t, 4*10/5, fewer)
	fewer, _ = count(bigentest.Runs(1))
	require.Equal(t, 4, fewer)
	short("false")
	one, a := count(bigentest.Runs(1))
	require.Equal(t, 4, one) // at random, mutated, spliced, from bytes
	ten, b := count(bigentest.Runs(10))
	require.Equal(t, 40, ten)
	_, c := count(bigentest.Runs(1), bigentest.Seed(2))
	require.Equal(t, a, b)
	require.NotEqual(t, a, c)
}

// An Iso that takes several values to one keeps to the laws, but it is told.
func TestNotInjective(t *testing.T) {
	r := record(t, func(t testing.TB) {
		bigentest.Laws(t, bigen.Iso(bigen.IntRange(-2, 2),
			func(n int) int { return max(n, -n) },
			func(n int) (int, bool) { return n, n >= 0 }))
	})
	require.Empty(t, r.errors)
	require.Contains(t, strings.Join(r.logs, "\n"),
		"so bigen.Prob is too low for it: one is made by -")
}

// What is made anew for each value, although it takes long, is told.
func TestMadeAnew(t *testing.T) {
	variants := bigen.Variants[any](0, "")
	told := func(g bigen.Gen[pair]) string {
		r := record(t, func(t testing.TB) { bigentest.Laws(t, g, bigentest.Runs(10)) })
		require.Empty(t, r.errors)
		return strings.Join(r.logs, "\n")
	}
	require.Contains(t, told(bigen.Struct(func(c *bigen.C, p *pair) {
		bigen.At(c, &p.A, bigen.For[int](variants))
	})), "bigentest.Laws: the generator makes bigen.For[int] anew for most values, which takes "+
		"long: make it once")
	require.Contains(t, told(bigen.Struct(func(c *bigen.C, p *pair) {
		bigen.At(c, &p.A,
			bigen.Recursive(bigen.Just(0),
				func(bigen.Gen[int]) bigen.Gen[int] { return bigen.IntRange(1, 9) }, 3))
	})), "makes a bigen.Recursive of int anew")
	once := bigen.Recursive(bigen.Just(0),
		func(bigen.Gen[int]) bigen.Gen[int] { return bigen.IntRange(1, 9) }, 3)
	require.NotContains(t, told(bigen.Struct(func(c *bigen.C, p *pair) {
		bigen.At(c, &p.A, once)
		bigen.At(c, &p.B, bigen.For[int]())
	})), "anew")
}
