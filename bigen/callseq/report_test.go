package callseq_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/stretchr/testify/require"
)

func TestReport(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		model *callseq.Model
		calls calls
		want  string
	}{
		{"results", cacheModel("get is not a use"), calls{
			{"setup", 2}, {"impl.Put", "a", 1}, {"impl.Put", "b", 2}, {"impl.Get", "a"},
			{"impl.Put", "c", 3}, {"impl.Delete", "d"}, {"impl.Get", "a"}, {"impl.Get", "b"},
		}, `
call 6: impl.Get("a") returns 0, false; want 1, true
calls:
    impl := newCache(2, "get is not a use")
    impl.Put("a", 1)
    impl.Put("b", 2)
    impl.Get("a") // 1, true
    impl.Put("c", 3)
    impl.Delete("d") // false
    if got1, got2 := impl.Get("a"); got1 != 1 || !got2 { // 0, false; want 1, true
    	t.Error(got1, got2)
    }
`},
		{"instances", listModel("alias"), calls{
			{"impl.Add", 1}, {"impl.Iter", name("it1")}, {"impl.Iter", name("it2")},
			{"it.Next", name("it2")},
			{"impl.Snapshot", name("snap1")}, {"impl.Snapshot", name("snap2")},
			{"same", name("snap1"), name("snap1")}, {"impl.Set", 0, 2},
		}, `
item 0 of snap1 is 2, want 1
item 0 of snap2 is 2, want 1
calls:
    impl := &list{planted: "alias"}
    impl.Add(1)
    impl.Iter()
    it2 := impl.Iter()
    it2.Next() // 1, true
    snap1 := impl.Snapshot()
    snap2 := impl.Snapshot()
    _ = snap1.items == snap1.items // true
    impl.Set(0, 2)
    _ = snap2
    // then: item 0 of snap1 is 2, want 1
`},
		{"setup without code", callseq.New(func(c *callseq.C) {
			callseq.Arg(c, "n", bigen.IntRange(0, 9))
			callseq.Arg(c, "names", bigen.SliceOf(bigen.String(3), 0, 3))
			c.Op("op", func() { c.Do(func() { c.Fatalf("wrong") }) })
		}), calls{{"setup", 3, []string{"a", "b"}}, {"op"}}, `
wrong
calls:
    // n = 3
    // names = []string{"a", "b"}
    op()
    // then: wrong
`},
		{"what the call changes", one(func(c *callseq.C) {
			p := callseq.Arg(c, "p", bigen.Ptr(bigen.IntRange(0, 9)))
			s := callseq.Arg(c, "s", bigen.SliceOf(bigen.IntRange(0, 9), 0, 9))
			c.Want([]int{5}, nil)
			c.Do(func() {
				*p = 9
				c.Got(s, fmt.Errorf("%s", strings.Repeat("long ", 100)))
				clear(s)
			})
		}), calls{{"op", new(int), []int{4}}}, `
call 1: op(new(int), []int{4}) returns []int{4}, error "` + strings.Repeat("long ", 40) + `..."; want []int{5}, nil
calls:
    if got1, got2 := op(new(int), []int{4}); !reflect.DeepEqual(got1, []int{5}) || got2 != nil { // []int{4}, error "` + strings.Repeat("long ", 40) + `..."; want []int{5}, nil
    	t.Error(got1, got2)
    }
`},
		{"errors and NaN", one(func(c *callseq.C) {
			c.Want(0, io.EOF, io.EOF, math.NaN())
			c.Do(func() { c.Got(0, nil, errors.New("closed"), 1.5) })
		}), calls{{"op"}}, `
call 1: op() returns 0, nil, error "closed", 1.5; want 0, error "EOF", error "EOF", math.NaN()
calls:
    if got1, got2, got3, got4 := op(); got1 != 0 || got2 == nil || got3 == nil || !strings.Contains(got3.Error(), "EOF") || !math.IsNaN(got4) { // 0, nil, error "closed", 1.5; want 0, error "EOF", error "EOF", math.NaN()
    	t.Error(got1, got2, got3, got4)
    }
`},
		{"any error", one(func(c *callseq.C) {
			c.Want(0, callseq.AnyError)
			c.Do(func() { c.Got(0, nil) })
		}), calls{{"op"}}, `
call 1: op() returns 0, nil; want 0, an error
calls:
    if got1, got2 := op(); got1 != 0 || got2 == nil { // 0, nil; want 0, an error
    	t.Error(got1, got2)
    }
`},
		{"panics", panicsModel(), calls{{"op", 5}, {"op", 0}, {"op", 1}}, `
call 3: op(1) returns no panic; want a panic
calls:
    op(5)
    func() {
    	defer func() {
    		if recover() == nil {
    			t.Error("no panic")
    		}
    	}()
    	op(0)
    }() // a panic
    func() {
    	defer func() {
    		if recover() == nil {
    			t.Error("no panic")
    		}
    	}()
    	op(1)
    }() // no panic; want a panic
`},
		{"panics, but returns", panicsModel(), calls{{"op", 2}}, `
call 1: op(2) returns 2, 3; want a panic
calls:
    func() {
    	defer func() {
    		if recover() == nil {
    			t.Error("no panic")
    		}
    	}()
    	op(2)
    }() // 2, 3; want a panic
`},
		{"panics after it has returned", panicsModel(), calls{{"op", 3}}, `
call 1: op(3) returns 3; want a panic
calls:
    func() {
    	defer func() {
    		if recover() == nil {
    			t.Error("no panic")
    		}
    	}()
    	op(3)
    }() // 3; want a panic
`},
		{"fatal in place of a panic", panicsModel(), calls{{"op", 4}}, `
fatal
calls:
    func() {
    	defer func() {
    		if recover() == nil {
    			t.Error("no panic")
    		}
    	}()
    	op(4)
    }()
    // then: fatal
`},
		{"code of an expression", one(func(c *callseq.C) {
			c.Code("m[%v]", "a")
			c.Want(1)
			c.Do(func() { c.Got(2) })
		}), calls{{"op"}}, `
call 1: m["a"] returns 2; want 1
calls:
    if got := m["a"]; got != 1 { // 2; want 1
    	t.Error(got)
    }
`},
		{"code of an instance without a name", callseq.New(func(c *callseq.C) {
			its := callseq.NewPool[*int](c, "it")
			c.Op("op", func() {
				it := its.Add(new(int))
				c.Code("%v := s.Iter(); %v.Next()", it, it)
				c.Do(func() { c.Fatalf("wrong") })
			})
		}), calls{{"op", name("")}}, `
wrong
calls:
    it_1 := s.Iter(); it_1.Next()
    // then: wrong
`},
		{"code of an instance that no call uses", callseq.New(func(c *callseq.C) {
			its := callseq.NewPool[*int](c, "it")
			first := its.Add(new(int))
			c.Code("%v := open()", first)
			c.Op("op", func() {
				it := its.Add(new(int))
				c.Code("%v := s.Iter()", it)
				c.Do(func() { c.Fatalf("wrong") })
			})
		}), calls{{"setup", name("it1")}, {"op", name("")}}, `
wrong
calls:
    it1 := open()
    it_1 := s.Iter()
    _ = it1
    _ = it_1
    // then: wrong
`},
		{"check that panics", callseq.New(func(c *callseq.C) {
			n := 0
			c.Op("op", func() { n++ })
			c.Invariant(func() { _ = 1 / (1 - n) })
		}), calls{{"op"}}, `
calls:
    op()
    // then: a function given to Invariant or End fails
panic: runtime error: integer divide by zero
`},
		{"code of statements", one(func(c *callseq.C) {
			c.Code("it := s.Iter(); it.Next()")
			c.Want(1)
			c.Do(func() { c.Got(2) })
		}), calls{{"op"}}, `
call 1: it := s.Iter(); it.Next() returns 2; want 1
calls:
    it := s.Iter(); it.Next() // 2; want 1
`},
		{"long results", callseq.New(func(c *callseq.C) {
			c.Op("op", func() {
				c.Want([]string{"x  y", strings.Repeat("z", 70)})
				c.Do(func() { c.Got([]string{"x", strings.Repeat("z", 70)}) })
			})
		}), calls{{"op"}}, `
call 1: op() returns []string{"x", "Z"}; want []string{"x  y", "Z"}
calls:
    if got := op(); !reflect.DeepEqual(got, []string{"x  y", "Z"}) { // []string{"x", "Z"}; want []string{"x  y", "Z"}
    	t.Error(got)
    }
`},
		{"check without any call", callseq.New(func(c *callseq.C) {
			c.Op("op", func() {})
			c.Invariant(func() {
				c.Errorf("\n\tError Trace:\ta.go:1\n\tError:      \tNot equal: \n" +
					"\t\texpected: 1\n\tTest:       \tTestX")
			})
		}), nil, `

	Error Trace:	a.go:1
	Error:      	Not equal: 
		expected: 1
	Test:       	TestX
calls:
    // without any call: Not equal: expected: 1
`},
		{"check without a text", callseq.New(func(c *callseq.C) {
			c.Op("op", func() {})
			c.End(func() { c.Fail() })
		}), calls{{"op"}}, `
calls:
    op()
    // then: a function given to Invariant or End fails
`},
	} {
		c.want = strings.ReplaceAll(c.want, "Z", strings.Repeat("z", 70))
		require.Equal(t, c.want, "\n"+output(c.model, c.calls), c.name)
	}
}

// panicsModel describes calls that must panic with arguments below 5. Only 0 does.
func panicsModel() *callseq.Model {
	return one(func(c *callseq.C) {
		x := callseq.Arg(c, "x", bigen.IntRange(0, 9))
		if x < 5 {
			c.WantPanic()
		}
		c.Do(func() {
			switch x {
			case 0:
				panic("zero")
			case 2:
				c.Got(2, 3)
			case 3:
				c.Got(3)
				panic("three")
			case 4:
				c.Fatalf("fatal")
			}
		})
	})
}

func TestReportOfManyCalls(t *testing.T) {
	t.Parallel()
	m := callseq.New(func(c *callseq.C) {
		n := 0
		c.Op("op", func() {
			n++
			c.Do(func() {
				if n == 205 {
					c.Errorf("too many")
				}
			})
		})
	})
	v := make(calls, 210)
	for i := range v {
		v[i] = call{"op"}
	}
	require.Equal(t, "too many\ncalls:\n    // 5 calls\n"+strings.Repeat("    op()\n", 200)+
		"    // then: too many\n", output(m, v))
}
