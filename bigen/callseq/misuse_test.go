package callseq_test

import (
	"fmt"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/stretchr/testify/require"
)

func TestMisuse(t *testing.T) {
	t.Parallel()
	digit := bigen.IntRange(0, 9)
	outlives := map[int]bool{}
	wants := 0
	for want, define := range map[string]func(c *callseq.C){
		"callseq: the model declares no operation": func(c *callseq.C) {},
		`callseq: the model declares two operations named "op"`: func(c *callseq.C) {
			c.Op("op", func() {})
			c.Op("op", func() {})
		},
		`callseq: the model declares an operation named "setup"`: func(c *callseq.C) {
			c.Op("setup", func() {})
		},
		`callseq: the model declares the operation "op" without a`: func(c *callseq.C) {
			c.Op("op", nil)
		},
		`callseq: weight -1 of the operation "op" is not a number`: func(c *callseq.C) {
			c.Op("op", func() {}).Weight(-1)
		},
		`callseq: the operation "op" declares the operation "other"`: inOp(func(c *callseq.C) { c.Op("other", func() {}) }),
		`callseq: the operation "op" draws the argument "x" after Do`: inOp(func(c *callseq.C) {
			c.Do(func() {})
			callseq.Arg(c, "x", digit)
		}),
		`callseq: the model draws "x" after Do`: func(c *callseq.C) {
			c.Do(func() {})
			callseq.Arg(c, "x", digit)
		},
		`callseq: the operation "op" draws two arguments named "x"`: inOp(func(c *callseq.C) {
			callseq.Arg(c, "x", digit)
			callseq.Arg(c, "x", digit)
		}),
		`callseq: the operation "op" calls Got outside of the Do of an operation: call it within Do; in Invariant and End, compare what is seen, and call Errorf, or States.Step`: inOp(func(c *callseq.C) { c.Got(1) }),
		`callseq: the model calls Want outside of an operation`: func(c *callseq.C) { c.Want(1) },
		`callseq: the model calls Step outside of an operation`: func(c *callseq.C) { step(c) },
		`callseq: the model gives scenarios a share of 1.1 of the sequences: want more than 0, and no more than 1 in all`: func(c *callseq.C) {
			c.Scenario(0.5, func() *callseq.Op { return nil })
			c.Scenario(0.6, func() *callseq.Op { return nil })
		},
		`callseq: the operation "op" calls Scenario within a`:     inOp(func(c *callseq.C) { c.Scenario(0.5, nil) }),
		`callseq: the operation "op" calls Invariant within a`:    inOp(func(c *callseq.C) { c.Invariant(func() {}) }),
		`callseq: the operation "op" calls End within a call`:     inOp(func(c *callseq.C) { c.End(func() {}) }),
		`callseq: the operation "op" calls NewPool within a call`: inOp(func(c *callseq.C) { callseq.NewPool[*int](c, "p") }),
		`callseq: Errorf is called while a sequence is made or`:   inOp(func(c *callseq.C) { c.Errorf("wrong") }),
		`callseq: Fatal is called while a sequence is made or`:    inOp(func(c *callseq.C) { c.Fatal("wrong") }),
		`callseq: TempDir is called while a sequence is made or`:  func(c *callseq.C) { c.TempDir() },
		`callseq: the operation "op" adds the zero *int to the pool "p"`: func(c *callseq.C) {
			p := callseq.NewPool[*int](c, "p")
			c.Op("op", func() { p.Add(nil) })
		},
		`callseq: the model adds an instance to the pool "p" that equals one in it`: func(c *callseq.C) {
			p := callseq.NewPool[int](c, "p")
			p.Add(1)
			p.Add(1)
		},
		`callseq: the operation "op" calls Pool.Name outside of Do`: func(c *callseq.C) {
			p := callseq.NewPool[int](c, "p")
			c.Op("op", func() { p.Name(p.Add(1)) })
		},
		`callseq: the operation "op" draws "p" from the pool "p", which is empty: declare the operation by Op(...).When(pool.Any)`: func(c *callseq.C) {
			p := callseq.NewPool[*int](c, "p")
			c.Op("op", func() { p.Draw("p") })
		},
		`callseq: no call is possible at the beginning: the preconditions of the operations do not hold: ["a" "b"]`: func(c *callseq.C) {
			never := func() bool { return false }
			c.Op("a", func() {}).When(never)
			c.Op("b", func() {}).When(never)
		},
		`callseq: the model makes another sequence the second time`: func(c *callseq.C) {
			c.Op("op", func() {
				x := callseq.Arg(c, "x", bigen.IntRange(0, 9+len(outlives)))
				outlives[x] = true
			})
		},
		`callseq: the model makes another sequence the second time of the same choices, or wants other results`: func(c *callseq.C) {
			c.Op("op", func() {
				wants++
				c.Want(wants)
				c.Do(func() { c.Got(0) })
			})
		},
		`callseq: the model does not read the sequence that it has made: not produced by the generator: at /`: func(c *callseq.C) {
			c.Op("op", func() { callseq.Arg(c, "x", bigen.Ptr(digit)) }).When(nil)
			c.Op("other", func() {
				x := callseq.Arg(c, "x", bigen.New(func(c *bigen.C, p *[1]int) { bigen.At(c, &p[0], digit) }))
				x[0] = 10
			})
		},
	} {
		panics(t, want, func() { sample(callseq.New(define), 1) })
	}
	require.PanicsWithValue(t, "callseq.New: the function that describes the model is nil",
		func() { callseq.New(nil) })
}

func TestMisuseInRuns(t *testing.T) {
	t.Parallel()
	for want, op := range map[string]func(c *callseq.C){
		`callseq: the operation "op" calls Want, but not Got`: func(c *callseq.C) { c.Want(1) },
		`callseq: the operation "op" calls WantOneOf, but not Got`: func(c *callseq.C) {
			c.WantOneOf(1, 2)
		},
		`callseq: the operation "op" calls Step, but not Got`: step,
		`callseq: the operation "op" has 1 results in Step, but 2 in Got: give all results of the call to one Step and one Got`: func(c *callseq.C) {
			step(c)
			c.Do(func() { c.Got(1, 2) })
		},
		`callseq: the operation "op" calls Step after Want: give all`: func(c *callseq.C) {
			c.Want(1)
			step(c)
		},
		`callseq: the operation "op" calls Got twice`: func(c *callseq.C) {
			c.Do(func() {
				c.Got(1)
				c.Got(1)
			})
		},
		`callseq: the operation "op" has 2 results in Want, but 1 in Got: give all results of the call to one Want and one Got`: func(c *callseq.C) {
			c.Want(1, true)
			c.Do(func() {
				c.Got(1)
				c.Got(true)
			})
		},
		`callseq: the operation "op" calls WantPanic after Do`: func(c *callseq.C) {
			c.Do(func() {})
			c.WantPanic()
		},
		`callseq: the operation "op" calls Want after Want`: func(c *callseq.C) {
			c.Want(1)
			c.Want(1)
		},
		`callseq: the operation "op" calls Do within Do`: func(c *callseq.C) {
			c.Do(func() { c.Do(func() {}) })
		},
		`callseq: the operation "op" draws "x" outside of an operation, or within Do`: func(c *callseq.C) {
			c.Do(func() { callseq.Arg(c, "x", bigen.Bool()) })
		},
	} {
		panics(t, want, func() { callseq.New(inOp(op)).Run(&recorder{}, calls{{"op"}}) })
	}
	checks := callseq.New(func(c *callseq.C) {
		c.Op("op", func() {})
		c.Invariant(func() { callseq.Arg(c, "x", bigen.Bool()) })
	})
	panics(t, `callseq: the model draws "x" outside of an operation`,
		func() { checks.Run(&recorder{}, nil) })
}

// step takes a step of a model with one state.
func step(c *callseq.C) {
	callseq.NewStates(c, 0).Step(func(n int, next func(int, ...any)) { next(n, n) })
}

func inOp(op func(c *callseq.C)) func(c *callseq.C) {
	return func(c *callseq.C) { c.Op("op", func() { op(c) }) }
}

// panics checks that f panics with a text.
func panics(t *testing.T, want string, f func()) (value any) {
	t.Helper()
	defer func() {
		t.Helper()
		value = recover()
		require.Contains(t, fmt.Sprint(value), want)
	}()
	f()
	return nil
}

// That a model is misused needs no stack: the text says where.
func TestMisusePlace(t *testing.T) {
	t.Parallel()
	for _, options := range [][]callseq.Option{nil, {callseq.Bubble()}} {
		m := callseq.New(inOp(func(c *callseq.C) {
			c.Do(func() { c.Do(func() {}) })
		}), options...)
		_, is := panics(t, "within Do, Invariant or End (misuse_test.go:",
			func() { m.Run(&recorder{}, calls{{"op"}}) }).(interface{ Misuse() })
		require.True(t, is)
	}
	_, is := panics(t, "as all that depends on results (misuse_test.go:", func() {
		sample(one(func(c *callseq.C) { c.Fail() }), 1)
	}).(interface{ Misuse() })
	require.True(t, is)
}
