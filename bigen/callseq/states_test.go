package callseq_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/varied"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"
)

// A set keeps up to 2 keys: a full one drops any. In the planted bug, it may drop both.
type set struct {
	keys    map[string]bool
	planted bool
}

func (s *set) Add(k string) {
	if len(s.keys) == 2 && !s.keys[k] {
		for old := range s.keys {
			delete(s.keys, old)
			if !s.planted {
				break
			}
		}
	}
	s.keys[k] = true
}

func (s *set) Has(k string) bool { return s.keys[k] }
func (s *set) Len() int          { return len(s.keys) }

// Any returns any key, or "".
func (s *set) Any() string {
	for k := range s.keys {
		return k
	}
	return ""
}

// A setModel says what a set may do.
type setModel struct {
	c    *callseq.C
	sets *callseq.States[string]
}

func (m *setModel) Add(k string) {
	m.sets.Step(func(set string, next func(string, ...any)) {
		switch {
		case strings.Contains(set, k):
			next(set)
		case len(set) < 2:
			next(set + k)
		default:
			next(set[:1] + k)
			next(set[1:] + k)
		}
	})
}

func (m *setModel) Has(k string) {
	m.sets.Step(func(set string, next func(string, ...any)) { next(set, strings.Contains(set, k)) })
}

func (m *setModel) Any() {
	m.sets.Step(func(set string, next func(string, ...any)) {
		for _, k := range set {
			next(set, string(k))
		}
		if set == "" {
			next(set, "")
		}
	})
}

func setCalls(planted bool, opts ...callseq.Option) *callseq.Model {
	return callseq.New(func(c *callseq.C) {
		m := &setModel{c, callseq.NewStates(c, "")}
		var s *set
		c.Code("s := newSet()")
		c.Do(func() { s = &set{map[string]bool{}, planted} })
		callseq.Methods(c, "s", &s, m, callseq.Draw(bigen.OneOf("a", "b", "c", "d")),
			callseq.Without("Len"))
		c.Invariant(func() {
			m.sets.Step(func(set string, next func(string, ...any)) {
				if s.Len() == len(set) {
					next(set)
				}
			})
			if c.Failed() {
				c.Logf("Len is %d", s.Len())
			}
		})
	}, opts...)
}

// A model with several states allows what any of them does, and finds what none does.
func TestStates(t *testing.T) {
	t.Parallel()
	for _, m := range []*callseq.Model{bagCalls, setCalls(false), setCalls(false, callseq.Bubble())} {
		bigentest.Laws(t, m.Gen(), bigentest.Runs(long.Count(3, 100)))
		for seed := range uint64(100) {
			require.Empty(t, output(m, sample(m, seed)))
		}
	}
	for _, m := range []*callseq.Model{setCalls(true), setCalls(true, callseq.Bubble())} {
		for i := 0; ; i++ {
			require.Less(t, i, 100)
			v, tree, err := bigen.Run(m.Gen(), varied.Source(rng(1), i))
			require.NoError(t, err)
			if output(m, v) == "" {
				continue
			}
			require.Equal(t, `no state of the model fits: "ac" or "bc"
Len is 1
calls:
    s := newSet()
    s.Add("a")
    s.Add("b")
    s.Add("c")
    // then: no state of the model fits: "ac" or "bc"
`, output(m, minimal(t, m, tree)))
			break
		}
	}
}

// What results tell is known from then on.
func TestStatesAreDecided(t *testing.T) {
	t.Parallel()
	kept := ""
	m := callseq.New(func(c *callseq.C) {
		m := &setModel{c, callseq.NewStates(c, "")}
		c.Op("add", func() { m.Add(callseq.Arg(c, "k", bigen.OneOf("a", "b", "c", "d"))) })
		c.Op("has", func() {
			k := callseq.Arg(c, "k", bigen.OneOf("a", "b", "c", "d"))
			c.Do(func() { c.Got(strings.Contains(kept, k)) })
			m.Has(k)
		})
		c.Op("any", func() {
			m.Any()
			c.Do(func() { c.Got("e") })
		})
		c.Op("two", func() {
			m.sets.Step(func(set string, next func(string, ...any)) {
				next(set, set[:1], true)
				next(set, set[1:], false)
			})
			c.Do(func() { c.Got("b", true) })
		})
		c.Op("never", func() { m.sets.Step(func(string, func(string, ...any)) {}) })
	})
	full := calls{{"add", "a"}, {"add", "b"}, {"add", "c"}}
	for _, c := range []struct {
		kept  string
		calls calls
		want  string
	}{
		{"ac", calls{{"has", "a"}, {"has", "b"}, {"has", "c"}}, ""},
		{"bc", calls{{"has", "a"}, {"has", "b"}, {"has", "c"}}, ""},
		{"abc", calls{{"has", "a"}, {"has", "b"}}, `call 5: has("b") returns true; want false
`},
		{"", calls{{"has", "c"}}, `call 4: has("c") returns false; want true
`},
		{"", calls{{"any"}}, `call 4: any() returns "e"; the model allowed "a" or "c" or "b"
calls:
    add("a")
    add("b")
    add("c")
    if got := any(); got != "a" && got != "c" && got != "b" { // "e"; the model allowed "a" or "c" or "b"
    	t.Error(got)
    }
`},
		{"a", calls{{"has", "a"}, {"two"}}, `call 5: two() returns "b", true; the model allowed "a", true or "c", false
calls:
    add("a")
    add("b")
    add("c")
    has("a") // true
    if got1, got2 := two(); (got1 != "a" || !got2) && (got1 != "c" || got2) { // "b", true; the model allowed "a", true or "c", false
    	t.Error(got1, got2)
    }
`},
		{"", calls{{"never"}}, "call 4: never() returns nothing; the model allowed no such call " +
			"in any of its states\n"},
	} {
		kept = c.kept
		out := output(m, append(slices.Clone(full), c.calls...))
		if !strings.HasSuffix(c.want, "}\n") {
			out, _, _ = strings.Cut(out, "calls:\n")
		}
		require.Equal(t, c.want, out)
	}
}

func TestWantOneOf(t *testing.T) {
	t.Parallel()
	for want, got := range map[string][]any{
		"": {2, true},
		"call 1: op() returns 2, false; the model allowed 1, false or 2, true\n": {2, false},
	} {
		m := one(func(c *callseq.C) {
			c.WantOneOf(callseq.Results{1, false}, callseq.Results{2, true}, callseq.Results{1, false})
			c.Do(func() { c.Got(got...) })
		})
		out, _, _ := strings.Cut(output(m, calls{{"op"}}), "calls:\n")
		require.Equal(t, want, out)
	}
	single := one(func(c *callseq.C) {
		c.WantOneOf(1, 2)
		c.Do(func() { c.Got(3) })
	})
	require.Contains(t, output(single, calls{{"op"}}),
		"if got := op(); got != 1 && got != 2 { // 3; the model allowed 1 or 2\n")
	many := one(func(c *callseq.C) {
		c.WantOneOf(1, 2, 3, 4, 5, 6, 7)
		c.Do(func() { c.Got(0) })
	})
	require.Contains(t, output(many, calls{{"op"}}),
		"    op() // 0; the model allowed 1 or 2 or 3 or 4 or 5 or one of 2 others\n")
}

func TestStatesMisuse(t *testing.T) {
	t.Parallel()
	for want, step := range map[string]func(c *callseq.C, s *callseq.States[map[int]int]){
		"callseq: the operation \"op\" has a Step that does something else the second time": func(c *callseq.C, s *callseq.States[map[int]int]) {
			s.Step(func(m map[int]int, next func(map[int]int, ...any)) {
				m[0]++
				next(maps.Clone(m))
			})
		},
		"callseq: the operation \"op\" has more than 1000 States at once": func(c *callseq.C, s *callseq.States[map[int]int]) {
			s.Step(func(m map[int]int, next func(map[int]int, ...any)) {
				for i := range 1001 {
					next(map[int]int{i: i})
				}
			})
		},
		"callseq: the operation \"op\" calls Step within Do": func(c *callseq.C, s *callseq.States[map[int]int]) {
			c.Do(func() { s.Step(nil) })
		},
		"callseq: the operation \"op\" calls Step after Want": func(c *callseq.C, s *callseq.States[map[int]int]) {
			c.Want(1)
			s.Step(nil)
		},
		"callseq: the operation \"op\" has 1 results in Step, but 0 in Got": func(c *callseq.C, s *callseq.States[map[int]int]) {
			s.Step(func(m map[int]int, next func(map[int]int, ...any)) { next(m, 1) })
			c.Do(func() { c.Got() })
		},
	} {
		m := callseq.New(func(c *callseq.C) {
			s := callseq.NewStates(c, map[int]int{})
			c.Op("op", func() { step(c, s) })
		})
		panics(t, want, func() { m.Run(&recorder{}, calls{{"op"}}) })
	}
}

// An iterator is over what is left of a map, in any order.
type iterator struct {
	left *callseq.States[string]
	keys []string
}

// Each instance of a pool may have states of its own.
func TestStatesOfInstances(t *testing.T) {
	t.Parallel()
	for _, planted := range []bool{false, true} {
		m := callseq.New(func(c *callseq.C) {
			set := ""
			real := map[string]bool{}
			its := callseq.NewPool[*iterator](c, "it")
			c.Op("m.Add", func() {
				k := callseq.Arg(c, "k", bigen.OneOf("a", "b", "c"))
				set = strings.ReplaceAll(set, k, "") + k
				c.Do(func() { real[k] = true })
			})
			c.Op("m.Iter", func() {
				it := its.Add(&iterator{left: callseq.NewStates(c, set)})
				c.Do(func() {
					it.keys = nil
					for k := range real {
						it.keys = append(it.keys, k)
					}
					if planted && len(it.keys) == 2 {
						it.keys[1] = it.keys[0]
					}
				})
			})
			c.Op("it.Next", func() {
				it := its.Draw("it")
				it.left.Step(func(left string, next func(string, ...any)) {
					if left == "" {
						next("", "")
					}
					for i := range left {
						next(left[:i]+left[i+1:], left[i:i+1])
					}
				})
				c.Do(func() {
					k := ""
					if len(it.keys) > 0 {
						k, it.keys = it.keys[0], it.keys[1:]
					}
					c.Got(k)
				})
			}).When(its.Any)
		})
		failed := false
		for i := 0; i < 100 && !failed; i++ {
			v, tree, err := bigen.Run(m.Gen(), choices.Random(rng(uint64(i))))
			require.NoError(t, err)
			if failed = output(m, v) != ""; failed {
				require.Len(t, minimal(t, m, tree), 5)
			}
		}
		require.Equal(t, planted, failed)
	}
}
