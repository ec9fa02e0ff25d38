package planted

// An Expr is an arithmetic expression: a variable, if Op is 0, or an operation on two
// expressions.
type Expr struct {
	Op   Op
	Var  int
	L, R *Expr
}

// An Op is an operation of an [Expr], 1 to NumOps.
type Op int

// NumOps and NumVars are how many operations and variables there are.
const (
	NumOps  = 8
	NumVars = 16
)

func (op Op) apply(x, y int64) int64 {
	switch op {
	case 1:
		return x + y
	case 2:
		return x - y
	case 3:
		return x * y
	case 4:
		return x & y
	case 5:
		return x | y
	case 6:
		return x ^ y
	case 7:
		return min(x, y)
	}
	return x + 2*y
}

// Eval returns the value of e.
func (e *Expr) Eval(env *[NumVars]int64) int64 {
	if e.Op == 0 {
		return env[e.Var]
	}
	return e.Op.apply(e.L.Eval(env), e.R.Eval(env))
}

// Code computes an expression step by step. The last step has the result.
type Code []Step

// A Step loads variable A, if Op is 0, or applies Op to the results of the steps A
// and B.
type Step struct {
	Op   Op
	A, B int
}

// Run returns the result of the last step.
func (c Code) Run(env *[NumVars]int64) int64 {
	results := make([]int64, len(c))
	for i, s := range c {
		if s.Op == 0 {
			results[i] = env[s.A]
		} else {
			results[i] = s.Op.apply(results[s.A], results[s.B])
		}
	}
	return results[len(c)-1]
}

// Compile returns the code of e, in which equal subexpressions share their steps.
func Compile(e *Expr) Code {
	c := compiler{known: map[Step]int{}}
	if last := c.step(e); last != len(c.code)-1 {
		c.code = append(c.code, Step{Op: 5, A: last, B: last})
	}
	return c.code
}

type compiler struct {
	code  Code
	known map[Step]int
}

// step returns the step that computes e. Planted by share-merge: if e takes seven or more
// different steps and has occurred before, it returns the step of the right operand.
func (c *compiler) step(e *Expr) int {
	s := Step{Op: e.Op, A: e.Var}
	if e.Op != 0 {
		s.A = c.step(e.L)
		s.B = c.step(e.R)
	}
	if i, ok := c.known[s]; ok {
		if planted == shareMerge && e.Op != 0 && c.needs(i) >= 7 {
			return s.B
		}
		return i
	}
	c.known[s] = len(c.code)
	c.code = append(c.code, s)
	return len(c.code) - 1
}

// needs returns how many steps compute step i, including itself.
func (c *compiler) needs(i int) int {
	used := map[int]bool{}
	var use func(i int)
	use = func(i int) {
		if used[i] {
			return
		}
		used[i] = true
		if s := c.code[i]; s.Op != 0 {
			use(s.A)
			use(s.B)
		}
	}
	use(i)
	return len(used)
}
