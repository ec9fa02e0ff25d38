package api

import (
	"math/rand/v2"

	"golang.org/x/exp/slices"
)

// opPlan is what [API.Generate] knows of an operation.
type opPlan struct {
	draws  []draw // the arguments and results, in order
	made   int    // results
	quoted string // the name as JSON
	score  float64
	pure   purity
	heavy  bool // repeated calls get slow
}

// draw is an argument, or a result, of an operation.
type draw struct {
	pool   *base
	result bool
}

// describe finds out which arguments and results an operation has.
func (g *generator) describe(o *Op) {
	o.plan.quoted = quoted(o.name)
	o.plan.score = 1
	g.mode, g.op = describing, o
	o.call()
	for _, d := range o.plan.draws {
		if d.result {
			o.plan.made++
		}
	}
}

// chooser is a sequence that is being made.
type chooser struct {
	g       *generator
	next    sequence
	args    []arg // of its last call
	length  int   // calls of its parts
	results int   // of its parts
}

// extend returns a sequence with a new call, or nil if that is not possible.
func (g *generator) extend() *sequence {
	o := g.guide.pick(g.ops, g.rand)
	g.mode = choosing
	c := &g.chooser
	c.next.parts, c.next.calls, c.args, c.length, c.results = c.next.parts[:0], c.next.calls[:0], nil, 0, 0
	if o.when != nil && !o.when() {
		g.guide.learn(o, false)
		return nil
	}
	o.call()
	more := 1
	if !o.plan.heavy && g.rand.Float64() < g.opts.Repeat {
		more = 1 + g.rand.IntN(g.opts.MostRepeats)
	}
	if more = min(more, g.opts.Length-c.length); more < 1 {
		return nil
	}
	c.next.calls = append(c.next.calls, ownCall{o, c.args})
	anew := g.rand.IntN(2) == 0
	for range more - 1 {
		args := c.args
		if anew {
			args = g.withNewLiterals(o, args)
		}
		c.next.calls = append(c.next.calls, ownCall{o, args})
	}
	return &c.next
}

// withNewLiterals returns arguments in which the literals are chosen again.
func (g *generator) withNewLiterals(o *Op, args []arg) []arg {
	args = slices.Clone(args)
	next := 0
	for _, d := range o.plan.draws {
		if d.result {
			continue
		}
		if args[next].kind == argLiteral {
			args[next] = d.pool.newLiteral(g.rand)
		}
		next++
	}
	return args
}

func (p *base) newLiteral(r *rand.Rand) arg {
	v := p.literal(r)
	return arg{kind: argLiteral, slot: hashLiteral(v), lit: v}
}

// choosable reports whether there is a value for arguments from a pool, other than nil.
func (c *chooser) choosable(p *base) bool {
	return slices.ContainsFunc(p.sources, func(s *base) bool { return len(s.perValue.list)+len(s.joint.list) > 0 })
}

// choose chooses an argument from a pool.
func (c *chooser) choose(p *base) { c.args = append(c.args, c.argument(p)) }

// argument returns an argument from a pool.
func (c *chooser) argument(p *base) arg {
	r := c.g.rand
	constants := p.hasLits || len(p.codes) > 0
	if constants && r.IntN(4) != 0 {
		return c.constant(p)
	}
	if r.IntN(2) == 0 {
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
func (c *chooser) constant(p *base) arg {
	r := c.g.rand
	if p.hasLits && (len(p.codes) == 0 || r.IntN(2) == 0) {
		return p.newLiteral(r)
	}
	return arg{kind: argCode, slot: int32(r.IntN(len(p.codes)))}
}

// alias returns a result of the sequences that have been chosen.
func (c *chooser) alias(p *base) (a arg, ok bool) {
	n, first := 0, int32(0)
	for _, part := range c.next.parts {
		for _, v := range part.values {
			if slices.Contains(p.sources, v.pool) {
				if n++; c.g.rand.IntN(n) == 0 {
					a = arg{kind: argSlot, slot: first + v.slot}
				}
			}
		}
		first += int32(part.results)
	}
	return a, n > 0
}

// component adds a sequence, and returns a result of it.
func (c *chooser) component(p *base) (a arg, ok bool) {
	r := c.g.rand
	var from *components
	n := 0
	for _, s := range p.sources { // one of the lists, by their sizes
		for _, list := range []*components{&s.perValue, &s.joint} {
			if k := len(list.list); k > 0 {
				if list == &s.joint && len(s.perValue.list) > 0 {
					k = len(s.perValue.list) // half of the choices each
				}
				if n += k; r.IntN(n) < k {
					from = list
				}
			}
		}
	}
	if from == nil {
		return a, false
	}
	x := component{}
	if c.g.opts.Undirected {
		x = from.any(r)
	} else {
		x = from.one(r)
	}
	a = arg{kind: argSlot, slot: int32(c.results) + x.slot}
	c.next.parts = append(c.next.parts, x.of)
	c.length += x.of.length
	c.results += x.of.results
	return a, true
}
