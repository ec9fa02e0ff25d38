package bigen

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
)

// Favor makes the values of g, and gives some of them an extra chance: of random
// values, one in eight is one of values. Use it for magic numbers and keywords that
// chance would not find. A favored value is recorded as the choices with which g
// makes it, so it can be changed and simplified like any other. A run panics if g
// does not make all of values.
func Favor[A any](g Gen[A], values ...A) Gen[A] { return favor(g, 7, values) }

// Prefer is [Favor] the other way around: of random values, 31 in 32 are of values. Use it
// for what users typically give, where the other values of g matter, too.
func Prefer[A any](g Gen[A], values ...A) Gen[A] { return favor(g, 1./31, values) }

// favor is Favor for values that come up once in usual+1 times.
func favor[A any](g Gen[A], usual float64, values []A) Gen[A] {
	if len(values) == 0 {
		return g
	}
	values = append([]A(nil), values...)
	return Gen[A]{u: untyped{op: &favorOp{
		gen:  typedOf(&g),
		alts: []choices.Alt{NewAlt("usual", usual), NewAlt("favored", 1)},
		trees: sync.OnceValue(func() []choices.Tree {
			trees := make([]choices.Tree, len(values))
			for i, v := range values {
				t, err := Choices(g, v)
				if err != nil {
					panic(fmt.Sprintf(
						"bigen.Favor: %s: %v", show(reflect.ValueOf(&values[i]).Elem()), err,
					))
				}
				trees[i] = t
			}
			return trees
		}),
	}}}
}

type favorOp struct {
	gen   *typed
	alts  []choices.Alt // usual, favored
	trees func() []choices.Tree
}

// forward asks whether a favored value is wanted, and which. If so, the answers that
// make it take the place of the source's, and what is recorded is the usual way.
func (g *favorOp) forward(c *C, _, _ int64, p unsafe.Pointer) {
	trees := g.trees()
	src := c.src
	n, b := c.pick(g.alts)
	if n == 1 {
		c.tree[b.i] = choices.Choice{
			Kind: choices.Pick, Slot: b.at.slot, Index: b.at.index, Size: 1,
		}
		c.record(b.i, g.alts, 0)
		c.src = choices.Replay(trees[c.askInt(choices.Int, 0, int64(len(trees)-1), false)], nil)
	}
	g.gen.forward(c, p)
	if _, ends := c.src.(firstAlternatives); ends && n == 1 {
		src = firstAlternatives{src}
	}
	c.src = src
	c.leavePick(b)
}

func (g *favorOp) backward(c *C, _, _ int64, p unsafe.Pointer) bool {
	c.inexact()
	return c.readPick(g.alts, 0, func() bool { return g.gen.backward(c, p) })
}
