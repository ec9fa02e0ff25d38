package mutants

import "errors"

// code is what a compiler makes.
type code []instruction

type instruction struct {
	does string // push, load, store, drop, enter, an operator, or a jump: jump, zero (pops), done (at a counter of zero)
	n    int    // constant, variable, or destination of a jump
}

// A compiler compiles statements. It computes what it can, and leaves out what has no effect.
type compiler struct {
	bug    string
	code   code
	known  map[variable]constant
	common map[operation]variable // which has its value
}

func compile(bug string, block []statement) code {
	c := compiler{bug: bug, known: map[variable]constant{}, common: map[operation]variable{}}
	c.block(block)
	return c.code
}

func (c *compiler) emit(does string, n int) (at int) {
	c.code = append(c.code, instruction{does, n})
	return len(c.code) - 1
}

// land makes the jump at a place lead to here.
func (c *compiler) land(at int) { c.code[at].n = len(c.code) }

func (c *compiler) block(block []statement) {
	for i, s := range block {
		switch s := s.(type) {
		case assign:
			c.assign(s, c.dead(s.To, block[i+1:]))
		case branches:
			c.branches(s)
		case repeat:
			c.repeat(s)
		}
	}
}

func (c *compiler) assign(s assign, dead bool) {
	x := c.fold(s.X)
	if dead && c.bug == "dead store: loses division by zero" {
		return
	}
	o, isOperation := x.(operation)
	holder, common := c.common[o]
	if isOperation && common {
		c.emit("load", int(holder))
	} else {
		c.term(x)
	}
	if dead {
		c.emit("drop", 0)
		return
	}
	c.emit("store", int(s.To))
	c.forget(s.To)
	if value, ok := x.(constant); ok {
		c.known[s.To] = value
	}
	if isOperation && (!x.reads(s.To) || c.bug == "common: own operand") {
		c.common[o] = s.To
	}
}

// forget forgets what depends on a variable that changes.
func (c *compiler) forget(v variable) {
	if c.bug != "propagate: unknown forgets nothing" {
		delete(c.known, v)
	}
	for o, holder := range c.common {
		if o.reads(v) && c.bug != "common: operand changes" || holder == v && c.bug != "common: holder changes" {
			delete(c.common, o)
		}
	}
}

// dead reports whether a variable is written in a rest of a block before it is read.
func (c *compiler) dead(v variable, rest []statement) bool {
	for i, s := range rest {
		a, ok := s.(assign)
		switch {
		case ok && a.To == v && (!a.X.reads(v) || c.bug == "dead store: own operand is no read"):
			return true
		case !ok && c.bug == "dead store: nested reads are not seen":
		case reading(rest[i:i+1], v):
			return false
		case !ok && c.bug == "dead store: nested writes suffice" && writing(rest[i:i+1], v):
			return true
		}
	}
	return false
}

func (c *compiler) branches(s branches) {
	c.term(c.fold(s.If))
	if c.bug == "compile: only one is true" {
		c.emit("push", 1)
		c.emit("=", 0)
	}
	outside, common := clone(c.known), clone(c.common)
	toElse := c.emit("zero", 0)
	if c.bug != "compile: without then runs else" || len(s.Then) > 0 {
		c.block(s.Then)
	}
	toEnd := -1
	if c.bug != "compile: else follows then" && (c.bug != "compile: without then runs else" || len(s.Then) > 0) {
		toEnd = c.emit("jump", 0)
	}
	c.land(toElse)
	if c.bug != "propagate: else knows what then knew" {
		c.known = outside
	}
	c.common = common
	c.block(s.Else)
	if toEnd >= 0 {
		c.land(toEnd)
	}
	c.common = common
	c.join("propagate: branches forget nothing", []statement{s})
	if c.bug != "common: lasts behind a branch" {
		c.common = map[operation]variable{}
	}
}

func (c *compiler) repeat(s repeat) {
	if c.bug == "compile: zero times is once" {
		s.Times = max(1, s.Times)
	}
	if c.bug == "compile: thrice is twice" {
		s.Times = min(2, s.Times)
	}
	c.join("propagate: loops forget nothing", s.Body)
	c.common = map[operation]variable{}
	c.emit("enter", s.Times)
	begin := c.emit("done", 0)
	c.block(s.Body)
	c.emit("jump", begin)
	c.land(begin)
	c.join("propagate: loops forget nothing", s.Body)
	c.common = map[operation]variable{}
}

// join forgets the values of what a block writes, except with a bug.
func (c *compiler) join(bug string, block []statement) {
	for v := range variable(variables) {
		if c.bug != bug && writing(block, v) {
			delete(c.known, v)
		}
	}
}

func clone[K comparable, V any](m map[K]V) map[K]V {
	n := make(map[K]V, len(m))
	for k, v := range m {
		n[k] = v
	}
	return n
}

func (c *compiler) term(x term) {
	switch x := x.(type) {
	case constant:
		c.emit("push", int(x))
	case variable:
		c.emit("load", int(x))
	case operation:
		c.term(x.X)
		c.term(x.Y)
		c.emit(x.Op, 0)
	}
}

// fold simplifies a term by what is known.
func (c *compiler) fold(t term) term {
	if v, ok := t.(variable); ok {
		if x, ok := c.known[v]; ok {
			return x
		}
	}
	o, ok := t.(operation)
	if !ok {
		return t
	}
	o = operation{o.Op, c.fold(o.X), c.fold(o.Y)}
	x, xKnown := o.X.(constant)
	y, yKnown := o.Y.(constant)
	switch {
	case o.Op == "*" && xKnown && x == 0 && c.bug == "fold: zero times anything is zero":
		return constant(0)
	case o.Op == "/" && o.X == o.Y && !xKnown && c.bug == "fold: quotient of the same is one":
		return constant(1)
	case o.Op == "/" && yKnown && y == 0 && c.bug == "fold: division by zero is zero":
		return constant(0)
	case o.Op == "+" && xKnown && x == 0 && c.bug == "fold: zero plus anything is zero":
		return constant(0)
	case o.Op == "+" && xKnown && x == 0, o.Op == "*" && xKnown && x == 1:
		return o.Y
	case !xKnown || !yKnown:
		return o
	case o.Op == "-" && c.bug == "fold: minus is swapped":
		return y - x
	case o.Op == "<" && c.bug == "fold: less is less or equal":
		y++
	case o.Op == "*" && c.bug == "fold: products have 32 bits":
		return constant(int32(x * y))
	case o.Op == "/" && y == 2 && c.bug == "fold: half is a shift":
		return x >> 1
	}
	if value, err := calculate(o.Op, int(x), int(y)); err == nil {
		return constant(value)
	}
	return o
}

// errStack says that a program needs a larger stack.
var errStack = errors.New("stack overflow")

func (c code) run(bug string, in [2]int) (m values, err error) {
	copy(m[:], in[:])
	var stack, counters []int
	pop := func() int {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		return x
	}
	at := func(v int) *int {
		if bug == "run: last variable is the first" && v == variables-1 {
			v = 0
		}
		return &m[v]
	}
	for i, left := 0, 1_000_000; i < len(c); i++ {
		if left--; left < 0 {
			return m, errLong
		}
		switch n := c[i].n; c[i].does {
		case "push":
			stack = append(stack, n)
		case "load":
			stack = append(stack, *at(n))
		case "store":
			*at(n) = pop()
		case "drop":
			pop()
		case "jump":
			i = n - 1
		case "zero":
			if pop() == 0 {
				i = n - 1
			}
		case "enter":
			counters = append(counters, n)
		case "done":
			counter := &counters[len(counters)-1]
			if *counter == 0 {
				counters = counters[:len(counters)-1]
				if bug == "run: nested loops share a counter" && len(counters) > 0 {
					counters[0] = 0
				}
				i = n - 1
			} else {
				*counter--
			}
		default:
			y, x := pop(), pop()
			z, err := operate(bug, c[i].does, x, y)
			if err != nil {
				return m, err
			}
			stack = append(stack, z)
		}
		if len(stack) > 3 && bug == "run: stack of three" {
			return m, errStack
		}
	}
	return m, nil
}

func operate(bug, op string, x, y int) (int, error) {
	switch {
	case op == "<" && bug == "run: less by difference":
		x, y = x-y, 0
	case op == "=" && bug == "run: equal by 32 bits":
		x, y = int(int32(x)), int(int32(y))
	case op == "/" && bug == "run: quotient rounds down" && y != 0 && x%y != 0 && (x < 0) != (y < 0):
		return x/y - 1, nil
	}
	return calculate(op, x, y)
}
