package api_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/espalier-go/espalier/fuzzext"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

type (
	calls = callseq.Calls
	name  = callseq.Name
	code  = api.Code
)

var correct = shelfAPI("")

func TestShelf(t *testing.T) { fuzzext.Sequence(t, correct) }

// TestShelf runs many sequences already.
func FuzzShelf(f *testing.F) { fuzzext.Sequence(f, correct, fuzzext.Variants(long.Count(8, 64))) }

func TestLaws(t *testing.T) {
	t.Parallel()
	bigentest.Laws(t, shelfAPI("", api.Length(5, 40)).Gen(), bigentest.Runs(long.Count(2, 100)))
}

func rng(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// A recorder is a test that keeps what it is told.
type recorder struct {
	testing.TB
	log    strings.Builder
	failed bool
}

func (r *recorder) Helper()           {}
func (r *recorder) Failed() bool      { return r.failed }
func (r *recorder) Skipped() bool     { return false }
func (r *recorder) Output() io.Writer { return &r.log }
func (r *recorder) Errorf(format string, args ...any) {
	r.failed = true
	fmt.Fprintf(&r.log, format+"\n", args...)
}
func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

// output returns what a run writes. A panic of the run is written last.
func output(a *api.API, v calls) string {
	r := &recorder{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				fmt.Fprintf(&r.log, "panic: %v\n", p)
			}
		}()
		a.Run(r, v)
	}()
	<-done
	return r.log.String()
}

func TestRun(t *testing.T) {
	t.Parallel()
	made := func(more ...callseq.Call) calls {
		return append(calls{{"newShelf", code("cmp.Compare[int]"), name("shelf1")}}, more...)
	}
	for _, c := range []struct {
		name    string
		planted string
		calls   calls
		want    string // "" if the run passes
	}{
		{"returns", "", made(callseq.Call{"shelf.Put", name("shelf1"), 1}, callseq.Call{"fmt.Sprint", name("shelf1")}), ""},
		{"runtime error", "panic", made(
			callseq.Call{"shelf.Put", name("shelf1"), -1}, callseq.Call{"shelf.Put", name("shelf1"), 0},
			callseq.Call{"shelf.Get", name("shelf1"), 0, name("")}, callseq.Call{"shelf.Put", name("shelf1"), 10}), `
calls:
    shelf1 := newShelf(cmp.Compare[int])
    shelf1.Put(-1)
    shelf1.Put(0)
    shelf1.Get(0) // -1
    shelf1.Put(10) // panic: runtime error: index out of range [2] with length 2
panic: runtime error: index out of range [2] with length 2
`},
		{"expected panic", "", made(callseq.Call{"shelf.Get", name("shelf1"), 10, name("int1")}, callseq.Call{"none"}), ""},
		{"expected error", "", made(callseq.Call{"shelf.Take", name("shelf1"), 10}, callseq.Call{"none"}), ""},
		{"nil input", "", made(callseq.Call{"shelf.First", name("shelf1"), name("cursor1")}, callseq.Call{"cursor.Value", name("cursor1")}, callseq.Call{"none"}), ""},
		{"field, result as argument, alias", "next", made(
			callseq.Call{"shelf.Put", name("shelf1"), 1}, callseq.Call{"shelf.First", name("shelf1"), name("cursor1")}, callseq.Call{"fmt.Sprint", name("shelf1")}, callseq.Call{"fmt.Sprint", code("new(strings.Builder)")},
			callseq.Call{"shelf.Get", name("shelf1"), 0, name("int1")}, callseq.Call{"cursor.i =", name("cursor1"), name("int1")}, callseq.Call{"cursor.Value", name("cursor1")}), `
calls:
    shelf1 := newShelf(cmp.Compare[int])
    shelf1.Put(1)
    cursor1 := shelf1.First()
    fmt.Sprint(shelf1) // "[1]"
    fmt.Sprint(new(strings.Builder)) // ""
    int1 := shelf1.Get(0) // 1
    cursor1.i = int1
    cursor1.Value() // panic: runtime error: index out of range [1] with length 1
panic: runtime error: index out of range [1] with length 1
`},
		{"no such operation", "", calls{{"none"}}, "\napi: none: there is no such operation\ncalls:\n    \n"},
		{"no such name", "", calls{{"shelf.Put", name("shelf1"), 1}}, "\napi: shelf.Put: it is not possible here: its precondition does not hold\ncalls:\n    \n"},
		{"too many arguments", "", made(callseq.Call{"shelf.Put", name("shelf1"), 1, 2}), "\napi: shelf.Put: it has 3 arguments, not 2\n"},
		{"too few arguments", "", made(callseq.Call{"shelf.Put", name("shelf1")}), "\napi: shelf.Put: it has no argument x\n"},
		{"type", "", made(callseq.Call{"shelf.Put", name("shelf1"), "a"}), "\napi: shelf.Put: the argument x is string(a): want a value of the type int\n"},
	} {
		got := output(shelfAPI(c.planted), c.calls)
		if c.want == "" {
			require.Empty(t, got, c.name)
		} else if strings.HasPrefix(c.want, "\napi: ") {
			require.Contains(t, "\n"+got, c.want, c.name)
		} else {
			require.Equal(t, c.want, "\n"+got, c.name)
		}
	}
}

// Random sequences find what is planted.
func TestCheckFinds(t *testing.T) {
	t.Parallel()
	for _, planted := range []string{"panic", "next"} {
		a := shelfAPI(planted)
		found := false
		for seed := uint64(0); seed < 1000 && !found; seed++ {
			found = output(a, bigen.Sample(a.Gen(), rng(seed))) != ""
		}
		require.True(t, found, planted)
	}
}

// Literals and expressions of a type stand for an interface, too.
func TestAssign(t *testing.T) {
	t.Parallel()
	got := map[string]bool{}
	a := api.New(func(c *api.C) {
		stringers := api.Type[fmt.Stringer](c, "stringer")
		numbers := api.Type(c, "number", api.Literals(bigen.OneOf[number](1, 2)))
		pairs := api.Type(c, "pair", api.Make("pair{}", func() pair { return pair{} }))
		api.Assign(stringers, numbers, func(v number) fmt.Stringer { return v })
		api.Assign(stringers, pairs, func(v pair) fmt.Stringer { return v })
		c.Op("show", func() {
			s := stringers.Arg("s")
			c.Do(func() { got[fmt.Sprint(s.V)] = true })
		}).When(stringers.Any)
	})
	suite := a.Generate(api.Options{Sequences: 100})
	require.Equal(t, map[string]bool{"number 1": true, "number 2": true, "a pair": true}, got)
	require.Empty(t, suite.Errors)
	for _, arg := range []any{number(2), code("pair{}")} {
		require.NoError(t, bigen.Check(a.Gen(), calls{{"show", arg}}))
		require.Empty(t, output(a, calls{{"show", arg}}))
	}
	require.Contains(t, output(a, calls{{"show", code("pair{1}")}}), "there is no expression pair{1} for the argument s")
}

type number int

func (n number) String() string { return fmt.Sprint("number ", int(n)) }

type pair [2]int

func (pair) String() string { return "a pair" }

// What several goroutines rarely call does not get rarer.
func TestLiveOffers(t *testing.T) {
	t.Parallel()
	first, again := api.New(func(c *api.C) {
		ints := api.Type[*int](c, "n", api.Concurrent)
		c.Op("new(int)", func() { ints.Result() })
		c.Op("p.Use", func() { ints.Arg("n") }).When(ints.Any)
	}).LiveOffers()
	require.Equal(t, []float64{1. / 8, 1}, first)
	require.Equal(t, first, again)
}

// A check of an operation, within Do, is an error of its sequence alone.
func TestChecksWithinDo(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(c *api.C){
		"Errorf": func(c *api.C) { c.Errorf("lost") },
		"Fatalf": func(c *api.C) { c.Fatalf("lost") },
	} {
		ran := 0
		a := api.New(func(c *api.C) {
			ints := api.Type(c, "n", api.Literals(bigen.IntRange(-9, 9)))
			c.Op("check", func() {
				n := ints.Arg("n")
				c.Do(func() {
					if ran++; n.V < -3 {
						fail(c)
					}
				})
			})
		})
		suite := a.Generate(api.Options{Sequences: 200})
		require.Len(t, suite.Errors, 1, name)
		require.Equal(t, calls{{"check", -4}}, suite.Errors[0].Calls, name)
		require.Contains(t, suite.Errors[0].Message, "lost", name)
		require.Contains(t, suite.Errors[0].Code, `.Run(t, callseq.Calls{{"check", -4}})`, name)
		require.Empty(t, suite.Errors[0].Doubt, name)
		require.Greater(t, ran, 200, name)
	}
}
