package api_test

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq/api"
	"github.com/stretchr/testify/require"
)

// A call that fails declares no result, even if the sequence names it.
func TestResultOfFailure(t *testing.T) {
	t.Parallel()
	a := api.New(func(c *api.C) {
		boxes := api.Type[*int](c, "box")
		c.Op("newBox", func() {
			box := boxes.Result()
			c.Do(func() { box.V = new(int); c.Got(box) })
		})
		c.Op("box.Grow", func() {
			box, big := boxes.Arg("box"), boxes.Result()
			c.Do(func() { big.V = &[]int{*box.V}[1+*box.V]; c.Got(big) })
		}).When(boxes.Any)
	})
	out := output(a, calls{{"newBox", name("box1")}, {"newBox", name("box2")}, {"box.Grow", name("box1"), name("box3")}})
	require.Contains(t, out, "box1.Grow() // panic: ")
	require.Contains(t, out, "\n    newBox()\n", "nothing uses the second box")
	require.NotContains(t, out, "box3")
}

type point struct{ X, Y int }

func (p *point) Fail() { _ = []int(nil)[p.X] }

type level int

func (l *level) Set(n int) { *l = level([]int(nil)[n+5]) }
func (l level) Up(n int)   { _ = []int(nil)[n+5] }

// A receiver that is a literal has a variable if the method needs its address.
func TestAddressable(t *testing.T) {
	t.Parallel()
	a := api.New(func(c *api.C) {
		levels := api.Type(c, "level", api.Literals(bigen.IntRange[level](1, 9)))
		ints := api.Type(c, "int", api.Literals(bigen.IntRange(1, 9)))
		c.Op("level.Set", func() {
			l, n := levels.Arg("level"), ints.Arg("n")
			c.Do(func() { l.V.Set(n.V) })
		})
		c.Op("level.Up", func() {
			l, n := levels.Arg("level"), ints.Arg("n")
			c.Do(func() { l.V.Up(n.V) })
		})
	})
	require.Contains(t, output(a, calls{{"level.Set", level(3), 2}}), "    level1 := level(3)\n    level1.Set(2) // panic: ")
	require.Contains(t, output(a, calls{{"level.Up", level(3), 2}}), "    level(3).Up(2) // panic: ")
}

type task func() int

func (t task) Run() int { return []int(nil)[t()] }

// An expression for a function has no type of its own: it gets one where a parameter of that type
// does not give it.
func TestFunctionsOfDefinedTypes(t *testing.T) {
	t.Parallel()
	a := api.New(func(c *api.C) {
		tasks := api.Type(c, "task", api.Expr[task]("func() int { return 3 }", func() int { return 3 }))
		runners := api.Type[interface{ Run() int }](c, "runner")
		api.Assign(runners, tasks, func(v task) interface{ Run() int } { return v })
		c.Op("task.Run", func() {
			task := tasks.Arg("task")
			c.Do(func() { task.V.Run() })
		})
		c.Op("runAll", func() {
			runner := runners.Arg("r")
			c.Do(func() { runner.V.Run() })
		})
		c.Op("runTask", func() {
			task := tasks.Arg("t")
			c.Do(func() { task.V.Run() })
		})
	})
	three := api.Code("func() int { return 3 }")
	for op, want := range map[string]string{
		"task.Run": "task(func() int { return 3 }).Run()",
		"runAll":   "runAll(task(func() int { return 3 }))",
		"runTask":  "runTask(func() int { return 3 })",
	} {
		require.Contains(t, output(a, calls{{op, three}}), "    "+want+" // panic: ", op)
	}
}

// A receiver that is a literal is in parentheses.
func TestReceiverLiterals(t *testing.T) {
	t.Parallel()
	a := api.New(func(c *api.C) {
		points := api.Type(c, "point", api.Literals(bigen.Ptr(bigen.For[point]())))
		for _, name := range []string{"p.Fail", "p.Again"} {
			c.Op(name, func() {
				p := points.Arg("p")
				if name == "p.Again" {
					c.Code("%v.Fail()", p)
				}
				c.Do(func() { p.V.Fail() })
			})
		}
	})
	for _, op := range []string{"p.Fail", "p.Again"} {
		require.Contains(t, output(a, calls{{op, &point{X: 1}}}), "    (&point{X: 1}).Fail() // panic: ", op)
	}
}
