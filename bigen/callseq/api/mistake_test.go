package api_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// A meter counts, with small changes built in.
type meter struct {
	n, most int
	made    func(change int) bool
}

func (m *meter) add(n int) {
	if !m.made(1) {
		m.n += n
	}
	if m.made(2) != (m.n > m.most) && !m.made(3) {
		m.most = m.n
	}
	for i := 0; i < 3 && !m.made(6); {
		if !m.made(4) { // else it does not end
			i++
		}
	}
}

func (m *meter) reset() {
	if m.made(5) {
		panic("no")
	}
	m.n = 0
}

// one returns any number.
func (m *meter) one() int {
	if m.made(7) {
		return -1
	}
	for i := range map[int]bool{1: true, 2: true, 3: true, 4: true, 5: true, 6: true, 7: true, 8: true} {
		return i
	}
	return 0
}

func meterAPI(changes *api.Changes) *api.API {
	return api.New(func(c *api.C) {
		meters := api.Type[*meter](c, "meter")
		ints := api.Type(c, "int", api.Literals(bigen.IntRange(0, 9)))
		c.Op("new(meter)", func() {
			m := meters.Result()
			c.Do(func() { m.V = &meter{made: changes.Made}; c.Got(m) })
		})
		c.Op("meter.add", func() {
			m, n := meters.Arg("meter"), ints.Arg("n")
			c.Do(func() { m.V.add(n.V); c.Got() })
		}).When(meters.Any)
		c.Op("meter.reset", func() {
			m := meters.Arg("meter")
			c.Do(func() { m.V.reset(); c.Got() })
		}).When(meters.Any)
		c.Op("meter.n", func() {
			m := meters.Arg("meter")
			c.Do(func() { c.Got(m.V.n) })
		}).When(meters.Any)
		c.Op("meter.one", func() {
			m := meters.Arg("meter")
			c.Do(func() { c.Got(m.V.one()) })
		}).When(meters.Any)
		c.Op("meter.most", func() {
			m := meters.Arg("meter")
			c.Do(func() { c.Got(m.V.most) })
		}).When(meters.Any)
	})
}

// Each change that can show fails a test: one by its result, by a panic, by having no end. What a
// test has besides is left out: other calls, and comparisons that no change needs. What differs
// from run to run is not compared.
func TestSelect(t *testing.T) {
	t.Parallel()
	changes := api.NewChanges()
	tests := changes.Select(meterAPI(changes), 8, api.Options{Seed: 1, Sequences: long.Count(500, 2000), MaxRegressions: 20})
	var noticed []int
	for _, test := range tests {
		noticed = append(noticed, test.Notices...)
		require.LessOrEqual(t, strings.Count(test.Code, "t.Error"), len(test.Notices), test.Code)
		require.LessOrEqual(t, len(test.Calls), 8, test.Code) // the order of a map decides which sequences there are
	}
	slices.Sort(noticed)
	require.Equal(t, []int{1, 2, 3, 4, 5}, noticed) // 6 shows in nothing, 7 in what differs
	i := slices.IndexFunc(tests, func(test api.Test) bool { return slices.Contains(test.Notices, 5) })
	require.Contains(t, tests[i].Code, "meter1.reset()")
	require.Empty(t, changes.Select(meterAPI(changes), 8, api.Options{Seed: 1, Sequences: 200, MaxRegressions: -1}))
}

// Whatever may end the process is told with the change that is made, or with the candidate that is
// shortened.
func TestSelectTells(t *testing.T) {
	t.Parallel()
	changes, told := api.NewChanges(), map[int]bool{}
	changes.Telling = func(change int) { told[change] = true }
	add := func(n int) callseq.Call { return callseq.Call{"meter.add", name("meter1"), n} }
	tests := changes.SelectOf(meterAPI(changes), 6,
		calls{{"new(meter)", name("meter1")}, add(3), add(4)},
		calls{{"new(meter)", name("meter1")}, add(1), {"meter.reset", name("meter1")}})
	require.NotEmpty(t, tests)
	require.Contains(t, told, ^0)
	require.Contains(t, told, ^1)
	require.Contains(t, told, 1)
	require.NotContains(t, told, 0)
}

// same declares an operation that returns its argument, unless a change is made.
func same[T any](c *api.C, changes *api.Changes, name string, change int, values ...T) {
	pool := api.Type(c, name+"Arg", api.Literals(bigen.OneOf(values...)))
	c.Op(name, func() {
		v := pool.Arg("v")
		c.Do(func() {
			if got := any(v.V); !changes.Made(change) {
				c.Got(got)
			} else {
				c.Got("changed")
			}
		})
	})
}

type spot struct{ X, Y int }

// Arguments of tests are usual ones if these notice the same. A test in which no comparison notices
// anything says so.
func TestSelectArguments(t *testing.T) {
	t.Parallel()
	changes := api.NewChanges()
	a := api.New(func(c *api.C) {
		same(c, changes, "number", 1, 0, 2, 1)
		same(c, changes, "text", 2, "", "a")
		same(c, changes, "list", 3, nil, []int{0, 0}, []int{1}, []int{1, 2}, []int{-7, 4})
		same(c, changes, "spots", 4, []spot{{-1, 2}}, []spot{{1, 2}})
		same(c, changes, "ratio", 5, 0.0, 1e200, 1)
		c.Op("mute", func() { c.Do(func() { _ = changes.Made(6) && panics() }) })
		c.Op("silent", func() { c.Do(func() { _ = changes.Made(7) && panics() }) })
		c.Op("chatty", func() { c.Do(func() { _ = changes.Made(7) && panics(); c.Got([]chan int{make(chan int)}) }) })
		c.Op("hush", func() { c.Do(func() { _ = changes.Made(8) && panics() }) })
	})
	var code []string
	for _, test := range changes.SelectOf(a, 9,
		calls{{"number", 0}, {"text", ""}, {"list", []int{0, 0}}, {"spots", []spot{{-1, 2}}}, {"ratio", 1e200}},
		calls{{"silent"}}, calls{{"chatty"}}, calls{{"mute"}}, calls{{"hush"}, {"number", 2}},
	) {
		code = append(code, test.Code)
	}
	all := strings.Join(code, "\n")
	for _, want := range []string{
		"got1 := number(1); got1 != 1 {",
		`got2 := text("a"); got2 != "a" {`,
		"got3 := list([]int{1}); !reflect.DeepEqual(got3, []int{1}) {",
		"got4 := spots([]spot{{X: 1, Y: 2}}); !reflect.DeepEqual(got4, []spot{{X: 1, Y: 2}}) {",
		"got5 := ratio(float64(1)); got5 != float64(1) {",
		"// Nothing that the calls return can be compared: they must not panic.\nmute()",
	} {
		require.Contains(t, all, want)
	}
}

func panics() bool { panic("no") }

// A test notices more changes than it is shortened for.
func TestSelectCredit(t *testing.T) {
	t.Parallel()
	const number = 60
	changes := api.NewChanges()
	a := api.New(func(c *api.C) {
		c.Op("op", func() {
			c.Do(func() {
				for n := 1; n <= number; n++ {
					if changes.Made(n) {
						c.Got(n)
						return
					}
				}
				c.Got(0)
			})
		})
	})
	tests := changes.SelectOf(a, number+1, calls{{"op"}})
	require.Len(t, tests, 1)
	require.Len(t, tests[0].Notices, number)
}

// Changes are tried in one order, until the one that is named.
func TestSelectUntil(t *testing.T) {
	t.Parallel()
	const number = 5
	changes := api.NewChanges()
	a := api.New(func(c *api.C) {
		for n := 1; n <= number; n++ {
			same(c, changes, fmt.Sprint("op", n, "x"), n, 1)
		}
	})
	noticed := map[int][]int{} // by how many there are
	for until := range number + 1 {
		var found []int
		for n := 1; n <= number; n++ {
			for _, test := range changes.SelectUntil(a, number+1, until, calls{{fmt.Sprint("op", n, "x"), 1}}) {
				found = append(found, test.Notices...)
			}
		}
		require.False(t, until > 0 && slices.Contains(found, until))
		noticed[len(found)] = found
	}
	for n := range number {
		require.Len(t, noticed[n+1], n+1)
		for _, change := range noticed[n] {
			require.Contains(t, noticed[n+1], change)
		}
	}
}

type chained struct {
	Name string
	Next *chained
	Any  any
}

// A test compares what results, and pointers, slices and maps among the arguments, refer to, if all
// of that is data.
func TestSelectData(t *testing.T) {
	t.Parallel()
	changes := api.NewChanges()
	a := api.New(func(c *api.C) {
		anys := api.Type(c, "any", api.Make("&chained{}", func() any { return &chained{} }), api.Make("map[string]int{}", func() any { return map[string]int{} }), api.Make("new(int)", func() any { return new(int) }))
		lists := api.Type(c, "list", api.Literals(bigen.Just([]int{3, 1, 2})))
		result := func(name string, change int, right, wrong any) {
			c.Op(name, func() {
				c.Do(func() {
					if changes.Made(change) {
						c.Got(wrong)
					} else {
						c.Got(right)
					}
				})
			})
		}
		result("header", 1, map[string][]string{"a": {"b"}}, map[string][]string{"a": {"c"}})
		result("link", 2, &chained{"a", &chained{Name: "b"}, []any{1, nil}}, &chained{"a", &chained{Name: "c"}, nil})
		result("nan", 3, []any{math.NaN()}, []any{})
		result("missing", 4, (*chained)(nil), &chained{})
		result("hidden", 5, []spotted{{1}}, []spotted{{2}})
		c.Op("fill", func() {
			v := anys.Arg("v")
			c.Do(func() {
				n := func(change int) int {
					if changes.Made(change) {
						return 2
					}
					return 1
				}
				switch v := v.V.(type) {
				case *chained:
					v.Name = strings.Repeat("a", n(6))
				case map[string]int:
					v["a"] = n(8)
				case *int:
					*v = n(9)
				}
				c.Got(nil)
			})
		})
		c.Op("sort", func() {
			list := lists.Arg("list")
			c.Do(func() {
				if slices.Sort(list.V); changes.Made(7) {
					list.V[0] = 0
				}
				c.Got()
			})
		})
	})
	var code []string
	for _, test := range changes.SelectOf(a, 10,
		calls{{"header"}}, calls{{"link"}}, calls{{"nan"}}, calls{{"missing"}}, calls{{"hidden"}},
		calls{{"fill", api.Code("&chained{}")}}, calls{{"sort", []int{3, 1, 2}}},
		calls{{"fill", api.Code("map[string]int{}")}}, calls{{"fill", api.Code("new(int)")}},
	) {
		code = append(code, test.Code)
	}
	all := strings.Join(code, "\n")
	for _, want := range []string{
		`got1 := header(); !reflect.DeepEqual(got1, map[string][]string{"a": {"b"}}) {`,
		`got1 := link(); !reflect.DeepEqual(got1, &chained{Name: "a", Next: &chained{Name: "b"}, Any: []any{1, nil}}) {`,
		`got1 := nan(); len(got1) != 1 {`,
		`got1 := missing(); got1 != nil {`,
		"any1 := &chained{}\nfill(any1)\nif !reflect.DeepEqual(any1, &chained{Name: \"a\"}) {\n\tt.Errorf(\"fill(any1): any1 = %v, want &chained{Name: \\\"a\\\"}\", any1)\n}",
		`if !reflect.DeepEqual(any2, map[string]int{"a": 1}) {`,
		"if !reflect.DeepEqual(any3, &[]int{1}[0]) {",
		"list1 := []int{3, 1, 2}\nsort(list1)\nif !reflect.DeepEqual(list1, []int{1, 2, 3}) {",
	} {
		require.Contains(t, all, want)
	}
	require.NotContains(t, all, "hidden")
}

type spotted struct{ n int }

// Elements differ where any will do: equal ones hide their order.
func TestDistinctElements(t *testing.T) {
	t.Parallel()
	changes := api.NewChanges()
	a := api.New(func(c *api.C) {
		lists := api.Type[*[]int](c, "list")
		ints := api.Type(c, "int", api.Literals(bigen.IntRange(0, 9)))
		c.Op("newList", func() {
			list := lists.Result()
			c.Do(func() { list.V = new([]int); c.Got(list) })
		})
		c.Op("list.Add", func() {
			list, n := lists.Arg("list"), ints.Arg("n")
			c.Do(func() { *list.V = append(*list.V, n.V) })
		}).When(lists.Any)
		c.Op("list.All", func() {
			list := lists.Arg("list")
			c.Do(func() {
				if all := *list.V; changes.Made(1) && len(all) > 2 {
					*list.V = all[:2]
				}
				c.Got(slices.Clone(*list.V))
			})
		}).When(lists.Any)
	})
	list := name("list1")
	tests := changes.SelectOf(a, 2, calls{
		{"newList", list}, {"list.Add", list, 0}, {"list.Add", list, 0}, {"list.Add", list, 0},
		{"list.All", list},
	})
	require.Len(t, tests, 1)
	require.Contains(t, tests[0].Code, "[]int{1, 2, 3}")
}
