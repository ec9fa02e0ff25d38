package api

import (
	"math/rand/v2"

	"golang.org/x/exp/slices"
)

// A draft is a sequence that is being made: it chooses the arguments of its last call.
type draft struct {
	rand       *rand.Rand
	undirected bool
	stock      []stock // by pool
	next       sequence
	args       []arg // of its last call
	length     int   // calls of its parts
	results    int   // of its parts
}

// begin begins another sequence.
func (c *draft) begin() {
	c.next.parts, c.next.calls, c.args, c.length, c.results = c.next.parts[:0], c.next.calls[:0], nil, 0, 0
}

// repeat ends the sequence with calls of an operation, n times, half of the time each with new
// literals.
func (c *draft) repeat(o *Op, n int) {
	c.next.calls = append(c.next.calls, opCall{op: o, args: c.args})
	anew := c.rand.IntN(2) == 0
	for range n - 1 {
		args := c.args
		if anew {
			args = c.withNewLiterals(o, args)
		}
		c.next.calls = append(c.next.calls, opCall{op: o, args: args})
	}
}

// withNewLiterals returns arguments in which the literals are chosen again.
func (c *draft) withNewLiterals(o *Op, args []arg) []arg {
	args = slices.Clone(args)
	next := 0
	for _, d := range o.plan.draws {
		if d.result {
			continue
		}
		if args[next].kind == argLiteral {
			args[next] = newLiteral(d.pool, c.rand)
		}
		next++
	}
	return args
}

func newLiteral(p *base, r *rand.Rand) arg {
	v := p.literal(r)
	return arg{kind: argLiteral, slot: hashLiteral(v), lit: v}
}

// choosable implements [chooser].
func (c *draft) choosable(p *base) bool {
	return slices.ContainsFunc(p.sources, func(s *base) bool {
		of := &c.stock[s.index]
		return len(of.perValue.list)+len(of.joint.list) > 0
	})
}

// choose implements [chooser].
func (c *draft) choose(p *base) { c.args = append(c.args, c.argument(p)) }

// argument returns an argument from a pool.
func (c *draft) argument(p *base) arg {
	constants := p.hasLits || len(p.codes) > 0
	if constants && c.rand.IntN(4) != 0 {
		return c.constant(p)
	}
	if c.rand.IntN(2) == 0 {
		if a, ok := c.alias(p); ok {
			return a
		}
	}
	if a, ok := c.component(p); ok {
		return a
	}
	if a, ok := c.alias(p); ok {
		return a
	}
	if constants {
		return c.constant(p)
	}
	return arg{kind: argNil}
}

// constant returns a literal or an expression.
func (c *draft) constant(p *base) arg {
	if p.hasLits && (len(p.codes) == 0 || c.rand.IntN(2) == 0) {
		return newLiteral(p, c.rand)
	}
	return arg{kind: argCode, slot: int32(c.rand.IntN(len(p.codes)))}
}

// alias returns a result of the sequences that have been chosen.
func (c *draft) alias(p *base) (a arg, ok bool) {
	n, first := 0, int32(0)
	for _, part := range c.next.parts {
		for _, v := range part.values {
			if slices.Contains(p.sources, v.pool) {
				if n++; c.rand.IntN(n) == 0 {
					a = arg{kind: argSlot, slot: first + v.slot}
				}
			}
		}
		first += int32(part.results)
	}
	return a, n > 0
}

// component adds a sequence, and returns a result of it.
func (c *draft) component(p *base) (a arg, ok bool) {
	var from *components
	n := 0
	for _, s := range p.sources { // one of the lists, by their sizes
		of := &c.stock[s.index]
		for _, list := range []*components{&of.perValue, &of.joint} {
			if k := len(list.list); k > 0 {
				if list == &of.joint && len(of.perValue.list) > 0 {
					k = len(of.perValue.list) // half of the choices each
				}
				if n += k; c.rand.IntN(n) < k {
					from = list
				}
			}
		}
	}
	if from == nil {
		return a, false
	}
	var x component
	if c.undirected {
		x = from.any(c.rand)
	} else {
		x = from.one(c.rand)
	}
	a = arg{kind: argSlot, slot: int32(c.results) + x.slot}
	c.next.parts = append(c.next.parts, x.of)
	c.length += x.of.length
	c.results += x.of.results
	return a, true
}
