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
