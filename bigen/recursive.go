package bigen

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"sync"
	"unsafe"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/remade"
)

// Recursive makes a value by base, which must not recurse, or by the generator that
// step returns, in which self makes further such values. It is a [Pick] of the tags
// base and step, with weights that keep random values near a size: on average a value
// takes about size steps, whether a step has one self, as in a list, two, as in a
// binary tree, or any number, as in a slice of selves. Sizes spread from none to
// several times that many. Values of any size can be recovered and decoded.
//
// Call Recursive once for a type, outside of the functions given to [New] and
// [Struct]: in these, it would measure each time, for each value. Recursive calls
// step once. It panics unless size >= 1.
func Recursive[A any](
	base Gen[A], step func(self Gen[A]) Gen[A], size int, opts ...RecursiveOption,
) Gen[A] {
	if size < 1 {
		panic(fmt.Sprintf("bigen.Recursive: a mean of %d steps: want 1 or more", size))
	}
	g := &recursiveOp{
		typ: reflect.TypeFor[A](), size: size, options: recursiveOptions{nesting: math.MaxInt},
	}
	for _, o := range opts {
		o(&g.options)
	}
	self := Gen[A]{u: untyped{op: g}}
	g.base, g.step = Tag("base", base).untypedAlt, Tag("step", step(self)).untypedAlt
	g.end, g.even = newPick([]untypedAlt{g.base}, g.typ), g.weighted(1)
	g.plan = sync.OnceValue(g.newPlan)
	return self
}

// A RecursiveOption changes what [Recursive] makes.
type RecursiveOption func(*recursiveOptions)

type recursiveOptions struct {
	nesting   int
	branching float64 // 0: to be measured
}

// MaxNesting bounds how deep steps nest: 1 allows steps whose selves are all made by
// base. Deeper values are neither made nor recovered. It panics if n is negative.
func MaxNesting(n int) RecursiveOption {
	if n < 0 {
		panic(fmt.Sprintf("bigen.MaxNesting: %d is negative", n))
	}
	return func(o *recursiveOptions) { o.nesting = n }
}

// Branching gives [Recursive] the mean number of selves of a step. Then Recursive
// neither measures it nor bounds the choices of a value. It panics unless mean is a
// number above 0.
func Branching(mean float64) RecursiveOption {
	if !(mean > 0) || math.IsInf(mean, 1) {
		panic(fmt.Sprintf("bigen.Branching: a mean of %v: want a number above 0", mean))
	}
	return func(o *recursiveOptions) { o.branching = mean }
}

// The weights of a recursiveOp
//
// The outermost value has an allowance of b = size steps. A value with an allowance of b
// takes a step with the odds b to s, and the selves of the step have an allowance of
// (b+s-1)/k each, where k is how many selves a step has on average. So the mean is
// b/(b+s) * (1 + k*(b+s-1)/k) = b steps, whatever s. The greater s, the wider the spread:
// s is k, but 2 at most.
//
// k is measured, once for each call of Recursive and with the same result in every
// process, on up to 1000 random steps with base for self; or [Branching] gives it. The
// measure misleads if the number of selves depends on what they are. So once a value has
// 10 times the choices of size steps, random values take base only.

type recursiveOp struct {
	typ        reflect.Type
	base, step untypedAlt
	end        *pickOp // base only
	even       *pickOp // base or step, without weights
	size       int
	options    recursiveOptions
	plan       func() recursivePlan
}

// recursivePlan holds the picks, which differ only in their weights.
type recursivePlan struct {
	levels []*pickOp // by nesting; the last also further in
	most   int       // choices of a value, beyond which over holds
	over   *pickOp
}

func (g *recursiveOp) forward(c *C, _, _ int64, u unsafe.Pointer) {
	pick, i := g.enter(c)
	pick.forward(c, 0, 0, u)
	c.leaveRecursion(i)
}

func (g *recursiveOp) backward(c *C, _, _ int64, u unsafe.Pointer) bool {
	pick, i := g.enter(c)
	ok := pick.backward(c, 0, 0, u)
	c.leaveRecursion(i)
	return ok
}

// enter returns the pick for the next value, and the index of the recursion in
// which it is. They depend only on the tree so far.
func (g *recursiveOp) enter(c *C) (*pickOp, int) {
	i := len(c.recursions) - 1
	for i >= 0 && c.recursions[i].of != any(g) {
		i--
	}
	if i < 0 {
		i = len(c.recursions)
		c.recursions = append(c.recursions, recursion{of: g, nesting: -1, start: c.size()})
	}
	r := &c.recursions[i]
	r.nesting++
	if c.measures() {
		r.selves++
		if r.measures || r.nesting >= min(3, g.options.nesting) {
			return g.end, i
		}
		return g.even, i // of another Recursive, within a step that is measured
	}
	plan := g.plan()
	switch {
	case r.nesting >= g.options.nesting:
		return g.end, i
	case c.beyond(r.start + plan.most):
		return plan.over, i
	}
	return plan.levels[min(r.nesting, len(plan.levels)-1)], i
}

func (c *C) leaveRecursion(i int) {
	r := &c.recursions[i]
	if r.nesting--; r.nesting < 0 && !r.measures {
		c.recursions = c.recursions[:i]
	}
}

func (g *recursiveOp) newPlan() recursivePlan {
	const maxLevels = 256
	p := recursivePlan{over: g.weighted(0), most: maxChoices}
	k, b := g.options.branching, float64(g.size)
	if k == 0 {
		var perStep float64
		k, perStep = g.measure()
		p.most = int(min(maxChoices, 10*b*perStep))
	}
	k = max(1, k)
	s := min(2, k)
	for {
		p.levels = append(p.levels, g.weighted(b/s))
		next := (b + s - 1) / k
		if b-next < 0.001*b || len(p.levels) == maxLevels {
			return p
		}
		b = next
	}
}

// weighted returns the pick with a weight of the step.
func (g *recursiveOp) weighted(w float64) *pickOp {
	step := g.step
	step.weight = w
	return newPick([]untypedAlt{g.base, step}, g.typ)
}

// measure returns how many selves and choices a step has on average.
func (g *recursiveOp) measure() (selves, perStep float64) {
	remade.Note(fmt.Sprintf("a bigen.Recursive of %v", g.typ))
	const maxSteps, enoughIfEqual = 1000, 20
	r := rand.New(rand.NewPCG(1, 1))
	steps, asked, size := 0, 0, 0
	varies := false
	for ; steps < maxSteps && size < maxChoices && (varies || steps < enoughIfEqual); steps++ {
		c := newC()
		c.recursions = append(c.recursions, recursion{of: g, measures: true})
		// If the run is rejected, what it made so far counts.
		_ = c.forward(
			&untyped{op: g.step.op}, reflect.New(g.typ).UnsafePointer(), choices.Random(r),
		)
		n := c.recursions[0].selves
		varies = varies || steps > 0 && n*steps != asked
		asked += n
		size += 1 + len(c.tree)
		c.release()
	}
	return float64(asked) / float64(steps), float64(size) / float64(steps)
}
