package callseq_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/choices"
	"github.com/stretchr/testify/require"
)

// A recorder is a test that keeps what it is told.
type recorder struct {
	testing.TB
	log     strings.Builder
	failed  bool
	skipped bool
}

func (r *recorder) Helper()           {}
func (r *recorder) Failed() bool      { return r.failed }
func (r *recorder) Skipped() bool     { return r.skipped }
func (r *recorder) Output() io.Writer { return &r.log }
func (r *recorder) Fail()             { r.failed = true }
func (r *recorder) Logf(format string, args ...any) {
	fmt.Fprintf(&r.log, format+"\n", args...)
}
func (r *recorder) Errorf(format string, args ...any) {
	r.failed = true
	fmt.Fprintf(&r.log, format+"\n", args...)
}
func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}
func (r *recorder) SkipNow() {
	r.skipped = true
	runtime.Goexit()
}

// output returns what a run writes. A panic of the run is written last.
func output(m *callseq.Model, v calls) string {
	r := &recorder{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				fmt.Fprintf(&r.log, "panic: %v\n", p)
			}
		}()
		m.Run(r, v)
	}()
	<-done
	return r.log.String()
}

// one returns a model with one operation.
func one(op func(c *callseq.C)) *callseq.Model {
	return callseq.New(func(c *callseq.C) { c.Op("op", func() { op(c) }) })
}

func TestWant(t *testing.T) {
	t.Parallel()
	eof := fmt.Errorf("read: %w", io.EOF)
	for _, c := range []struct {
		got, want []any
		text      string // "" if they are the same
	}{
		{[]any{1, true}, []any{1, true}, ""},
		{[]any{1, true}, []any{2, true}, "1, true; want 2, true"},
		{[]any{1}, []any{int64(1)}, "1; want int64(1)"},
		{[]any{nil}, []any{nil}, ""},
		{[]any{io.EOF}, []any{nil}, `error "EOF"; want nil`},
		{[]any{nil}, []any{io.EOF}, `nil; want error "EOF"`},
		{[]any{eof}, []any{io.EOF}, ""},
		{[]any{io.EOF}, []any{eof}, `error "EOF"; want error "read: EOF"`},
		{[]any{[]int{}}, []any{[]int(nil)}, ""},
		{[]any{[]int{}}, []any{[]string{}}, `[]int{}; want []string{}`},
		{[]any{map[string]int{}}, []any{map[string]int(nil)}, ""},
		{[]any{[]int{1}}, []any{[]int{}}, "[]int{1}; want []int{}"},
		{[]any{errors.New("x")}, []any{"x"}, `error "x"; want "x"`},
		{[]any{errors.New("x")}, []any{callseq.AnyError}, ""},
		{[]any{"x"}, []any{callseq.AnyError}, `"x"; want an error`},
		{[]any{[]any{math.NaN()}, math.NaN()}, []any{[]any{math.NaN()}, math.NaN()}, ""},
		{[]any{math.NaN()}, []any{1.0}, `math.NaN(); want float64(1)`},
		{[]any{[]any{[]int{}}}, []any{[]any{[]int(nil)}}, `[]any{[]int{}}; want []any{[]int(nil)}`},
	} {
		want := c.text
		if want != "" {
			want = "call 1: op() returns " + want + "\n"
		}
		first := one(func(x *callseq.C) {
			x.Want(c.want...)
			x.Do(func() { x.Got(c.got...) })
		})
		last := one(func(x *callseq.C) {
			x.Do(func() { x.Got(c.got...) })
			x.Want(c.want...)
		})
		for _, m := range []*callseq.Model{first, last} {
			got, _, _ := strings.Cut(output(m, calls{{"op"}}), "calls:\n")
			require.Equal(t, want, got)
		}
	}
}

// A run stops at the first call that fails, after a panic, and when it is skipped.
func TestRunStops(t *testing.T) {
	t.Parallel()
	var log []string
	m := callseq.New(func(c *callseq.C) {
		n := 0
		c.Op("add", func() {
			x := callseq.Arg(c, "x", bigen.IntRange(0, 9))
			n += x
			c.Do(func() {
				switch x {
				case 7:
					panic("seven")
				case 8:
					c.Errorf("eight")
				case 9:
					c.SkipNow()
				}
			})
		})
		c.Invariant(func() { log = append(log, fmt.Sprint("sum ", n)) })
		c.End(func() { log = append(log, "end") })
	})
	for _, c := range []struct {
		last int
		log  []string
		out  string
	}{
		{3, []string{"sum 0", "sum 1", "sum 4", "sum 6", "end"}, ""},
		{7, []string{"sum 0", "sum 1"}, "calls:\n    add(1)\n    add(7)\npanic: seven\n"},
		{8, []string{"sum 0", "sum 1"}, "eight\ncalls:\n    add(1)\n    add(8)\n    // then: eight\n"},
		{9, []string{"sum 0", "sum 1"}, ""},
	} {
		log = nil
		out := output(m, calls{{"add", 1}, {"add", c.last}, {"add", 2}})
		require.Equal(t, c.log, log)
		require.Equal(t, c.out, out)
	}
}

// A panic of the model is a panic of a run: it is shrunk, and reported with the calls.
func TestModelPanics(t *testing.T) {
	t.Parallel()
	for inWhen, want := range map[bool]string{
		false: "calls:\n    add(0)\n    take(false)\n    take(false)\n" +
			"panic: runtime error: slice bounds out of range [1:0]\n",
		true: "calls:\n    add(0)\n    take(false)\n    take()\n" +
			"panic: runtime error: index out of range [0] with length 0\n",
	} {
		m := callseq.New(func(c *callseq.C) {
			list, added := []int{}, false
			c.Op("add", func() {
				list, added = append(list, callseq.Arg(c, "x", bigen.IntRange(0, 9))), true
			})
			c.Op("take", func() {
				callseq.Arg(c, "x", bigen.Bool())
				list = list[1:]
			}).When(func() bool { return added && (!inWhen || list[0] >= 0) })
		})
		found := 0
		for seed := range uint64(10) {
			v, tree, err := bigen.Run(m.Gen(), choices.Random(rng(seed)))
			require.NoError(t, err)
			if output(m, v) != "" {
				found++
				require.Equal(t, want, output(m, minimal(t, m, tree)))
			}
		}
		require.Positive(t, found)
	}
	g := bigen.New(func(*bigen.C, *struct{}) { panic("of a generator") })
	panics(t, "of a generator", func() {
		sample(one(func(c *callseq.C) { callseq.Arg(c, "x", g) }), 1)
	})
}

// After a setup that is invalid, no call is made. Calls end where one is.
func TestAssume(t *testing.T) {
	t.Parallel()
	made := 0
	m := callseq.New(func(c *callseq.C) {
		c.Assume(callseq.Arg(c, "x", bigen.Bool()))
		c.Op("op", func() {
			made++
			n := callseq.Arg(c, "n", bigen.IntRange(0, 9))
			c.Assume(n < 5)
		})
	})
	lengths := map[int]bool{}
	sample(m, 1) // the first makes more, to examine the model
	for seed := range uint64(100) {
		before := made
		v := sample(m, seed)
		made := made - before
		r := &recorder{}
		done := make(chan bool)
		go func() {
			defer close(done)
			m.Run(r, v)
		}()
		<-done
		if v[0][1] == false {
			require.True(t, made == 0 && r.skipped && !r.failed, "%v", v)
			continue
		}
		lengths[len(v)] = true
		last := v[len(v)-1]
		require.Equal(t, len(v) > 1 && last[1].(int) >= 5, r.skipped, "%v", v)
		require.NoError(t, bigen.Check(m.Gen(), v))
	}
	require.Greater(t, len(lengths), 3)
}

func TestRunRefuses(t *testing.T) {
	t.Parallel()
	m := listModel("")
	for _, c := range []struct {
		calls calls
		want  string
	}{
		{calls{{"impl.Push", 1}}, "callseq: call 1, impl.Push: there is no such operation"},
		{calls{{"impl.Set", 0, 1}}, "callseq: call 1, impl.Set: it is not possible here: its " +
			"precondition does not hold"},
		{calls{{"impl.Add", "a"}}, "callseq: call 1, impl.Add: the argument x is of type " +
			"string, not int"},
		{calls{{"impl.Add"}}, "callseq: call 1, impl.Add: it has no argument x"},
		{calls{{"impl.Add", 1, 2}}, "callseq: call 1, impl.Add: it has 2 arguments, not 1"},
		{calls{{"impl.Add", 10}}, "callseq: call 1, impl.Add: the argument x is not one that " +
			"the operation draws here: not produced by the generator: at /: 10 not in [0,9]"},
		{calls{{"impl.Iter", name("it1")}, {"it.Next", name("it2")}}, "callseq: call 2, it.Next: "},
	} {
		require.Contains(t, output(m, c.calls), c.want)
	}
}

// What the real thing does has no influence on what a sequence is.
func TestRunFindsDependence(t *testing.T) {
	t.Parallel()
	when := callseq.New(func(c *callseq.C) {
		opened := false
		c.Op("open", func() { c.Do(func() { opened = true }) })
		c.Op("wait", func() {}).When(func() bool { return !opened })
	})
	require.Contains(t, output(when, calls{{"wait"}, {"open"}, {"wait"}}),
		"call 3, wait: it is not possible here: its precondition does not hold\n"+
			"If it was when the sequence was made, the model depends on results")
	arg := callseq.New(func(c *callseq.C) {
		most := 3
		c.Op("op", func() {
			x := callseq.Arg(c, "x", bigen.IntRange(0, most))
			c.Do(func() { most = x })
		})
	})
	require.Contains(t, output(arg, calls{{"op", 1}, {"op", 2}}),
		"call 2, op: the argument x is not one that the operation draws here: not produced by "+
			"the generator: at /: 2 not in [0,1]\nIf it was")
}

// A labeled is a test that counts values under names.
type labeled struct {
	recorder
	labels []string
}

func (l *labeled) Label(name string) { l.labels = append(l.labels, name) }

func TestLabel(t *testing.T) {
	t.Parallel()
	m := one(func(c *callseq.C) {
		c.Label("called")
		c.Do(func() { c.Label("done") })
	})
	l := &labeled{}
	m.Run(l, calls{{"op"}})
	require.Equal(t, []string{"called", "done"}, l.labels)
	m.Run(&recorder{}, calls{{"op"}})
	sample(m, 1)
}

func TestNeverCalled(t *testing.T) {
	t.Parallel()
	m := callseq.New(func(c *callseq.C) {
		n := callseq.Arg(c, "n", bigen.IntRange(0, 1))
		c.Op("a", func() {})
		if n == 1 {
			c.Op("b", func() {})
		}
		c.Op("c", func() {})
	})
	for _, s := range []struct {
		calls calls
		never []string
	}{
		{calls{{"setup", 0}}, []string{"a", "c"}},
		{calls{{"setup", 1}, {"c"}}, []string{"a", "b"}},
		{calls{{"setup", 0}, {"a"}}, []string{"b"}},
		{calls{{"setup", 1}, {"b"}}, nil},
	} {
		m.Run(&recorder{}, s.calls)
		require.Equal(t, s.never, m.NeverCalled(), "%v", s.calls)
	}
}
