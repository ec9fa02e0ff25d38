package mutants

import (
	"errors"
	"slices"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
)

var interpreters = New(Spec[runCase]{
	Name: "interpreter",
	Bugs: []string{
		"fold: minus is swapped", "fold: division by zero is zero", "fold: zero times anything is zero", "fold: quotient of the same is one",
		"fold: zero plus anything is zero", "fold: less is less or equal", "fold: products have 32 bits", "fold: half is a shift",

		"propagate: branches forget nothing", "propagate: loops forget nothing", "propagate: else knows what then knew", "propagate: unknown forgets nothing",
		"dead store: own operand is no read", "dead store: nested reads are not seen", "dead store: nested writes suffice", "dead store: loses division by zero",
		"common: operand changes", "common: holder changes", "common: own operand", "common: lasts behind a branch",

		"compile: without then runs else", "compile: else follows then", "compile: only one is true", "compile: zero times is once",
		"run: nested loops share a counter", "compile: thrice is twice",
		"run: stack of three", "run: less by difference", "run: equal by 32 bits", "run: last variable is the first", "run: quotient rounds down",
	},
	Valid: func(c runCase) bool {
		_, ok := inScope(c.Code, inputs)
		return ok
	},
	Fails: func(bug string, c runCase) bool {
		want := memory{left: 10_000}
		copy(want.is[:], c.Inputs[:])
		wantErr := want.do(c.Code)
		if wantErr == errLong {
			return false
		}
		got, err := compile(bug, c.Code).run(bug, c.Inputs)
		return err != wantErr || err == nil && got != want.is
	},
	Built: genRunCase(func() bigen.Gen[[]statement] { return genBlock(inputs, 8) }),
	Naive: genRunCase(func() (g bigen.Gen[[]statement]) {
		self := bigen.Lazy(func() bigen.Gen[[]statement] { return g })
		s := genStatement(everything, func(scope) bigen.Gen[[]statement] { return self })
		g = bigen.SliceOf(s, 0, 4)
		return bigen.SliceOf(s, 0, 8)
	}),
	RapidBuilt: func(t *rapid.T) runCase {
		return runCase{rapidInputs(t), rapidBlock(t, inputs, 8)}
	},
	RapidNaive: func(t *rapid.T) runCase {
		return runCase{rapidInputs(t), rapidAnyBlock(t, 8)}
	},
})

const variables = 5

type runCase struct {
	Inputs [2]int // what the first variables are
	Code   []statement
}

type statement interface{ statement() }

type (
	assign struct {
		To variable
		X  term
	}
	branches struct {
		If         term
		Then, Else []statement
	}
	repeat struct {
		Times int
		Body  []statement
	}
)

func (assign) statement()   {}
func (branches) statement() {}
func (repeat) statement()   {}

type term interface {
	// value returns errZero if something is divided by zero.
	value(m *memory) (int, error)
	reads(v variable) bool
}

type (
	constant  int
	variable  int
	operation struct {
		Op   string
		X, Y term
	}
)

var operators = []string{"+", "-", "*", "/", "<", "="}

// A scope has a bit for each variable that is set.
type scope uint8

const (
	inputs     scope = 1<<2 - 1
	everything scope = 1<<variables - 1
)

func genRunCase(code func() bigen.Gen[[]statement]) bigen.Gen[runCase] {
	in, block := bigen.ArrayOf[[2]int](bigen.Int[int]()), code()
	return bigen.Struct(func(c *bigen.C, r *runCase) {
		bigen.At(c, &r.Inputs, in)
		bigen.At(c, &r.Code, block)
	})
}

// genBlock makes statements that read only what has been set.
func genBlock(s scope, most int) bigen.Gen[[]statement] {
	return bigen.SliceBy(func(prev []statement) (bigen.Gen[statement], bool) {
		now, _ := inScope(prev, s)
		return statementsIn[now], true
	}, 0, most)
}

var statementsIn [everything + 1]bigen.Gen[statement]

func init() {
	for s := inputs; s <= everything; s++ {
		statementsIn[s] = genStatement(s, func(s scope) bigen.Gen[[]statement] { return genBlock(s, 4) })
	}
}

func genStatement(s scope, block func(s scope) bigen.Gen[[]statement]) bigen.Gen[statement] {
	x := genTerm(s)
	return bigen.Pick(
		bigen.Case[statement]("assign", bigen.Struct(func(c *bigen.C, a *assign) {
			bigen.At(c, &a.To, bigen.IntRange[variable](0, variables-1))
			bigen.At(c, &a.X, x)
		})).Weight(6),
		bigen.Case[statement]("branches", bigen.Struct(func(c *bigen.C, b *branches) {
			bigen.At(c, &b.If, x)
			bigen.At(c, &b.Then, block(s))
			bigen.At(c, &b.Else, block(s))
		})),
		bigen.Case[statement]("repeat", bigen.Struct(func(c *bigen.C, r *repeat) {
			bigen.At(c, &r.Times, bigen.IntRange(0, 3))
			bigen.At(c, &r.Body, block(s))
		})),
	)
}

func genTerm(s scope) (g bigen.Gen[term]) {
	var set []variable
	for v := range variable(variables) {
		if s>>v&1 != 0 {
			set = append(set, v)
		}
	}
	op, self := bigen.OneOf(operators...), bigen.Lazy(func() bigen.Gen[term] { return g })
	g = bigen.Pick(
		bigen.Case[term]("constant", bigen.Int[constant]()).Weight(3),
		bigen.Case[term]("variable", bigen.OneOf(set...)).Weight(3),
		bigen.Case[term]("operation", bigen.Struct(func(c *bigen.C, o *operation) {
			bigen.At(c, &o.Op, op)
			bigen.At(c, &o.X, self)
			bigen.At(c, &o.Y, self)
		})).Weight(2),
	)
	return g
}

func rapidInputs(t *rapid.T) [2]int {
	return [2]int{rapid.Int().Draw(t, "input"), rapid.Int().Draw(t, "input")}
}

func rapidBlock(t *rapid.T, s scope, most int) (block []statement) {
	for range rapid.IntRange(0, most).Draw(t, "statements") {
		now, _ := inScope(block, s)
		block = append(block, rapidStatement(t, now, func(t *rapid.T) []statement { return rapidBlock(t, now, 4) }))
	}
	return block
}

func rapidAnyBlock(t *rapid.T, most int) []statement {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) statement {
		return rapidStatement(t, everything, func(t *rapid.T) []statement { return rapidAnyBlock(t, 4) })
	}), 0, most).Draw(t, "block")
}

func rapidStatement(t *rapid.T, s scope, block func(t *rapid.T) []statement) statement {
	switch rapid.IntRange(0, 7).Draw(t, "kind") {
	case 6:
		return branches{rapidTerm(t, s), block(t), block(t)}
	case 7:
		return repeat{rapid.IntRange(0, 3).Draw(t, "times"), block(t)}
	}
	return assign{variable(rapid.IntRange(0, variables-1).Draw(t, "to")), rapidTerm(t, s)}
}

func rapidTerm(t *rapid.T, s scope) term {
	switch kind := rapid.IntRange(0, 7).Draw(t, "kind"); {
	case kind < 3:
		return constant(rapid.Int().Draw(t, "constant"))
	case kind < 6:
		var set []variable
		for v := range variable(variables) {
			if s>>v&1 != 0 {
				set = append(set, v)
			}
		}
		return rapid.SampledFrom(set).Draw(t, "variable")
	}
	return operation{rapid.SampledFrom(operators).Draw(t, "op"), rapidTerm(t, s), rapidTerm(t, s)}
}

// inScope returns what is set behind a block, and whether it reads nothing else.
func inScope(block []statement, s scope) (scope, bool) {
	readable := func(x term) bool {
		for v := range variable(variables) {
			if s>>v&1 == 0 && x.reads(v) {
				return false
			}
		}
		return true
	}
	for _, st := range block {
		switch st := st.(type) {
		case assign:
			if !readable(st.X) {
				return s, false
			}
			s |= 1 << st.To
		case branches:
			then, ok := inScope(st.Then, s)
			otherwise, alsoOK := inScope(st.Else, s)
			if !readable(st.If) || !ok || !alsoOK {
				return s, false
			}
			s = then & otherwise
		case repeat:
			if _, ok := inScope(st.Body, s); !ok {
				return s, false
			}
		}
	}
	return s, true
}

// A memory has the values of the variables. Its methods are the reference.
type memory struct {
	is   values
	left int // statements
}

type values [variables]int

var (
	errZero = errors.New("division by zero")
	errLong = errors.New("the program takes too long")
)

func (m *memory) do(block []statement) error {
	for _, s := range block {
		if m.left--; m.left < 0 {
			return errLong
		}
		switch s := s.(type) {
		case assign:
			x, err := s.X.value(m)
			if err != nil {
				return err
			}
			m.is[s.To] = x
		case branches:
			x, err := s.If.value(m)
			if err != nil {
				return err
			}
			way := s.Then
			if x == 0 {
				way = s.Else
			}
			if err := m.do(way); err != nil {
				return err
			}
		case repeat:
			for range s.Times {
				m.left--
				if err := m.do(s.Body); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (x constant) value(*memory) (int, error)   { return int(x), nil }
func (x variable) value(m *memory) (int, error) { return m.is[x], nil }
func (o operation) value(m *memory) (int, error) {
	x, err := o.X.value(m)
	if err != nil {
		return 0, err
	}
	y, err := o.Y.value(m)
	if err != nil {
		return 0, err
	}
	return calculate(o.Op, x, y)
}

func calculate(op string, x, y int) (int, error) {
	is := false
	switch op {
	case "+":
		return x + y, nil
	case "-":
		return x - y, nil
	case "*":
		return x * y, nil
	case "/":
		if y == 0 {
			return 0, errZero
		}
		return x / y, nil
	case "<":
		is = x < y
	case "=":
		is = x == y
	}
	if is {
		return 1, nil
	}
	return 0, nil
}

func (x constant) reads(variable) bool    { return false }
func (x variable) reads(v variable) bool  { return x == v }
func (o operation) reads(v variable) bool { return o.X.reads(v) || o.Y.reads(v) }

// reading reports whether a block reads a variable, and writing whether it writes it.
func reading(block []statement, v variable) bool {
	return slices.ContainsFunc(block, func(s statement) bool {
		switch s := s.(type) {
		case assign:
			return s.X.reads(v)
		case branches:
			return s.If.reads(v) || reading(s.Then, v) || reading(s.Else, v)
		}
		return reading(s.(repeat).Body, v)
	})
}

func writing(block []statement, v variable) bool {
	return slices.ContainsFunc(block, func(s statement) bool {
		switch s := s.(type) {
		case assign:
			return s.To == v
		case branches:
			return writing(s.Then, v) || writing(s.Else, v)
		}
		return writing(s.(repeat).Body, v)
	})
}
