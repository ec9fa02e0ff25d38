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

// favor is Favor for values that come up once in usual+1 times.
func favor[A any](g Gen[A], usual float64, values []A) Gen[A] {
	if len(values) == 0 {
		return g
	}
	values = append([]A(nil), values...)
	return Gen[A]{op: &favorOp[A]{
		gen:  g,
		alts: [2]choices.Alt{choices.MakeAlt("usual", usual), choices.MakeAlt("favored", 1)},
		trees: sync.OnceValue(func() []choices.Tree {
			trees := make([]choices.Tree, len(values))
			for i, v := range values {
				t, err := Choices(g, v)
				if err != nil {
					panic(fmt.Sprintf("bigen.Favor: %s: %v", show(reflect.ValueOf(&values[i]).Elem()), err))
				}
				trees[i] = t
			}
			return trees
		}),
	}}
}

type favorOp[A any] struct {
	gen   Gen[A]
	alts  [2]choices.Alt // usual, favored
	trees func() []choices.Tree
}

// forward asks whether a favored value is wanted, and which. If so, the answers that
// make it take the place of the source's, and what is recorded is the usual way.
func (g *favorOp[A]) forward(c *C, _, _ int64, u unsafe.Pointer) {
	p := (*A)(u)
	trees := g.trees()
	src := c.src
	n, b := c.pick(g.alts[:])
	if n == 1 {
		c.tree[b.i] = choices.Choice{Kind: choices.Pick, Slot: b.at.slot, Index: b.at.index, Size: 1}
		c.record(b.i, g.alts[:], 0)
		c.src = choices.Replay(trees[c.askInt(choices.Int, 0, int64(len(trees)-1), false)], nil)
	}
	makeBy(c, &g.gen, p)
	if _, ends := c.src.(firstAlternatives); ends && n == 1 {
		src = firstAlternatives{src}
	}
	c.src = src
	c.src.Leave()
	c.leaveBranch(b)
}

func (g *favorOp[A]) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	p := (*A)(u)
	alts := g.alts[:]
	if !c.free() {
		alts = alts[:1]
	}
	b := c.enterBranch(0)
	ok := readBy(c, &g.gen, p)
	c.leaveBranch(b)
	if ok {
		c.record(b.i, alts, 0)
		c.inexact()
	}
	return ok
}
