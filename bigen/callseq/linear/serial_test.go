package linear_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/espalier-go/espalier/bigen/callseq/linear"
	"github.com/espalier-go/espalier/bigen/schedule"
	"github.com/espalier-go/espalier/bigen/schedule/point"
	"github.com/espalier-go/espalier/internal/bubble"
	"github.com/stretchr/testify/require"
)

// A cell is a number with some ways to go wrong. Its locks are points.
type cell struct {
	mu, other sync.Mutex
	n         int
	items     chan int
	broken    bool
}

func (x *cell) get() int {
	(*point.Mutex)(&x.mu).Lock()
	defer (*point.Mutex)(&x.mu).Unlock()
	return x.n
}

func (x *cell) set(n int) {
	(*point.Mutex)(&x.mu).Lock()
	defer (*point.Mutex)(&x.mu).Unlock()
	x.n = n
}

// CheckInvariants is a contract.
func (x *cell) CheckInvariants() error {
	if x.broken {
		return errors.New("broken")
	}
	return nil
}

// cellCalls declares operations of cells.
var cellCalls = api.New(func(c *api.C) {
	cells := api.Type[*cell](c, "cell", api.Concurrent)
	ints := api.Type(c, "n", api.Literals(bigen.IntRange(0, 3)))
	c.Op("new(cell)", func() {
		x := cells.Result()
		c.Do(func() { x.V = &cell{items: make(chan int, 9)}; c.Got(x) })
	})
	op := func(name string, call func(x *cell, n int) []any) *api.Op {
		return c.Op("cell."+name, func() {
			x, n := cells.Arg("cell"), ints.Arg("n")
			c.Do(func() { c.Got(call(x.V, n.V)...) })
		}).When(cells.Any)
	}
	op("Get", func(x *cell, _ int) []any { return []any{x.get()} })
	op("Set", func(x *cell, n int) []any { x.set(n); return nil })
	op("Swap", func(x *cell, n int) []any { // not atomic
		old := x.get()
		x.set(n)
		return []any{old}
	})
	op("Random", func(x *cell, n int) []any { return []any{n, x.get() + rand.IntN(1000)} })
	op("Both", func(x *cell, n int) []any {
		first, second := (*point.Mutex)(&x.mu), (*point.Mutex)(&x.other)
		if n > 0 {
			first, second = second, first
		}
		first.Lock()
		defer first.Unlock()
		second.Lock()
		defer second.Unlock()
		return nil
	})
	op("Put", func(x *cell, n int) []any { point.Send(x.items)(n); return nil })
	op("Take", func(x *cell, _ int) []any { return []any{point.Recv(x.items)} })
	op("Divide", func(x *cell, n int) []any { return []any{n / x.get()} })
	op("Dip", func(x *cell, n int) []any { x.set(0); x.set(n); return nil })
	op("Spoil", func(x *cell, n int) []any { // if calls meet
		old := x.get()
		point.Here()
		x.broken = x.broken || x.get() != old
		return nil
	})
	type total struct{ N int }
	totals := api.Type[total](c, "total")
	c.Op("cell.Total", func() { // as Swap
		x, n, sum := cells.Arg("cell"), ints.Arg("n"), totals.Result()
		c.Do(func() {
			sum.V.N = x.V.get()
			x.V.set(n.V)
			c.Got(sum)
		})
	}).When(cells.Any)
	c.Op("cell.Same", func() { // with an error if n is 0
		x, n, same := cells.Arg("cell"), ints.Arg("n"), cells.Result()
		c.Do(func() {
			var err error
			if same.V = x.V; n.V == 0 {
				err = errors.New("refused")
			}
			c.Got(same, err)
		})
	}).When(cells.Any)
	c.Op("cell.Lone", func() {
		x, lone := cells.Arg("cell"), cells.Result()
		c.Do(func() { lone.V = x.V; c.Got(lone) })
	}).When(cells.Any).Alone()
	op("Reset", func(x *cell, n int) []any { x.set(n); return nil }).Alone()
})

// explored runs calls of a cell by each schedule of at most one delay, and returns what is said of
// the first that fails, and of how many some fail.
func explored(v calls) (text string, failures int) {
	v = append(calls{{0, "new(cell)", callseq.Name("cell1")}}, v...)
	for i, call := range v[1:] {
		args := append(linear.Call{call[0], call[1], callseq.Name("cell1"), 0}, call[2:]...)
		if len(call) > 2 && call[2] == any(callseq.Name("cell2")) {
			args = call
		} else if len(call) > 2 {
			args = append(args[:3], call[2:]...)
		}
		v[1+i] = args
	}
	m := linear.Of(cellCalls)
	for g := 2; g <= 3; g++ {
		for p := range 20 {
			s := schedule.Schedule{{Goroutine: g, Point: p}}
			t, stuck := &recorder{}, ""
			bubble.Run(func() {
				r := point.Run(s.Of, false, true, bubble.Wait, func() { m.Run(t, v) }, func(any) {})
				stuck, _, _ = r.Stuck()
			})
			if t.failed || stuck != "" {
				if failures++; text == "" {
					text = stuck + t.log.String()
				}
			}
		}
	}
	return text, failures
}

// Calls from several goroutines must do what they do one after the other.
func TestSerial(t *testing.T) {
	for _, test := range []struct {
		what string
		v    calls
		want string // a regular expression; "" if no run fails
	}{
		{"an update is lost", calls{{1, "cell.Swap", 1}, {2, "cell.Swap", 2}},
			`(?s)^no order of the calls explains what they have returned
\w returns 0, which no order explains: in the order ., ., which explains all results before, want [12]
.*calls:
    cell1 := new\(cell\)
    var threads sync.WaitGroup
    threads.Go\(func\(\) {
    	cell1.Swap\(1\) // a: 0
    }\)`},
		{"a later call tells", calls{{1, "cell.Swap", 1}, {2, "cell.Set", 2}, {0, "cell.Get"}},
			`(?s)c returns 1, which no order explains: in the order a, b, c, .*alone \(goroutine 4\)             \[c-\]\n`},
		{"calls are atomic", calls{{1, "cell.Set", 1}, {2, "cell.Get"}, {1, "cell.Get"}}, ""},
		{"a deadlock", calls{{1, "cell.Both", 0}, {2, "cell.Both", 1}},
			`(?s)^deadlock.*Lock, held by.*// a: has not returned`},
		{"a call waits for another", calls{{1, "cell.Take"}, {2, "cell.Put", 1}}, ""},
		{"a call waits in each order", calls{{1, "cell.Take"}, {2, "cell.Take"}, {2, "cell.Put", 1}}, ""},
		{"one goroutine waits", calls{{0, "cell.Take"}, {1, "cell.Get"}, {2, "cell.Get"}}, ""},
		{"results differ by themselves", calls{{1, "cell.Random", 1}, {2, "cell.Random", 2}}, ""},
		{"others of these results count",
			calls{{1, "cell.Random", 1}, {2, "cell.Swap", 1}, {1, "cell.Swap", 2}},
			`which no order explains`},
		{"a call panics in some order", calls{{1, "cell.Divide", 1}, {2, "cell.Set", 1}}, ""},
		{"a call panics in none", calls{{0, "cell.Dip", 1}, {1, "cell.Dip", 1}, {2, "cell.Divide", 1}},
			`(?s)b returns panic: runtime error: integer divide by zero, which no order explains: in the order ., ., which explains all results before, want 1\n.*linear_test.init`},
		{"a contract", calls{{1, "cell.Spoil"}, {2, "cell.Set", 1}},
			`(?s)^no order.*want nothing\n.*    if err := cell1.CheckInvariants\(\); err != nil {`},
		{"data of a type with a pool",
			calls{{1, "cell.Total", 1, callseq.Name("total1")},
				{2, "cell.Total", 2, callseq.Name("total2")}},
			`\w returns total{}, which no order explains: .* want total{N: [12]}`},
		{"what is returned is used",
			calls{{0, "cell.Same", 1, callseq.Name("cell2")},
				{1, "cell.Swap", callseq.Name("cell2"), 1},
				{2, "cell.Swap", callseq.Name("cell2"), 2}}, "which no order explains"},
		{"what is returned with an error is used",
			calls{{0, "cell.Same", 0, callseq.Name("cell2")},
				{1, "cell.Swap", callseq.Name("cell2"), 1}, {2, "cell.Swap", callseq.Name("cell2"), 2}}, ""},
		{"a prefix panics", calls{{0, "cell.Divide", 1}, {1, "cell.Swap", 1}, {2, "cell.Swap", 2}}, ""},
	} {
		text, failures := explored(test.v)
		if test.want == "" {
			require.Equal(t, "", text, test.what)
			continue
		}
		require.Greater(t, failures, 0, test.what)
		require.Regexp(t, test.want, text, test.what)
	}
}

// Only values of concurrent types, which calls that run alone have made, are used at once.
func TestSerialGen(t *testing.T) {
	m := linear.Of(cellCalls)
	met := 0
	for i := range 200 {
		v, _, err := bigen.Run(m.Gen(), variedSource(1, i))
		require.NoError(t, err)
		require.NoError(t, bigen.Check(m.Gen(), v))
		threads := map[int]bool{}
		for _, call := range v {
			thread := call[0].(int)
			if call[1] == "new(cell)" || call[1] == "cell.Reset" {
				require.Equal(t, 0, thread)
			}
			threads[thread] = true
		}
		if len(threads) > 2 {
			met++
		}
	}
	require.Greater(t, met, 100)
	cell := func(n int) callseq.Name { return callseq.Name(fmt.Sprint("cell", n)) }
	for thread := range 2 { // what an operation returns that is Alone, and what is made of it
		for n := 1; n <= 3; n++ {
			v := calls{{0, "new(cell)", cell(1)}, {0, "cell.Lone", cell(1), cell(2)},
				{0, "cell.Same", cell(2), 1, cell(3)}, {thread, "cell.Get", cell(n), 1}}
			require.Equal(t, thread == 0 ||
				n == 1, bigen.Check(m.Gen(), v) == nil, "thread %d, cell %d", thread, n)
		}
	}
}

// What a harness declares can be changed afterward.
func TestSerialChanged(t *testing.T) {
	for _, test := range []struct {
		what   string
		change func(c *api.C, cells *api.Pool[*cell])
		want   bool // calls may run at once
	}{
		{"nothing", func(*api.C, *api.Pool[*cell]) {}, false},
		{"the type", func(_ *api.C, cells *api.Pool[*cell]) { api.Concurrent(cells) }, true},
		{"the type, and back", func(_ *api.C, cells *api.Pool[*cell]) {
			api.Concurrent(cells)
			api.Alone(cells)
		}, false},
		{"the operation, too", func(c *api.C, cells *api.Pool[*cell]) {
			api.Concurrent(cells)
			c.Declared("cell.Get").Alone()
		}, false},
	} {
		m := linear.Of(api.New(func(c *api.C) {
			cells := api.Type[*cell](c, "cell")
			c.Op("new(cell)", func() {
				x := cells.Result()
				c.Do(func() { x.V = new(cell); c.Got(x) })
			})
			c.Op("cell.Get", func() {
				x := cells.Arg("cell")
				c.Do(func() { c.Got(x.V.get()) })
			}).When(cells.Any)
			test.change(c, cells)
		}))
		err := bigen.Check(m.Gen(),
			calls{{0, "new(cell)", callseq.Name("cell1")}, {1, "cell.Get", callseq.Name("cell1")}})
		require.Equal(t, test.want, err == nil, test.what)
	}
	require.PanicsWithValue(t,
		`api: the harness changes the operation "x", which it has not declared before: see the names given to Op`, func() {
			api.New(func(c *api.C) { c.Declared("x") }).Run(t, nil)
		})
}
