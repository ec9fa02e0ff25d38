package rltargets

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/espalier-go/espalier/bench/guidebugs"
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The example of each target is valid, and made by its generator.
func TestExample(t *testing.T) {
	for _, target := range All() {
		tree, err := target.Example()
		require.NoError(t, err, target.Name)
		run := func() Input { return target.Run(choices.Replay(tree, rand.New(rand.NewPCG(1, 1))), "") }
		in := run()
		assert.True(t, in.Valid, target.Name)
		assert.GreaterOrEqual(t, in.Size, 3, target.Name)
		assert.Equal(t, in, run(), target.Name)
	}
}

// Some inputs are valid by chance, but not most, keys distinguish them, and few show a bug.
func TestRandom(t *testing.T) {
	for _, target := range All() {
		r := rand.New(rand.NewPCG(1, 2))
		const inputs = 2000
		n, shown := 0, 0
		keys := map[uint64]int{}
		for i := range inputs {
			bug := ""
			if len(target.Bugs) > 0 {
				bug = target.Bugs[i%len(target.Bugs)]
			}
			in := target.Run(choices.Random(r), bug)
			if !in.Valid {
				continue
			}
			n++
			if in.Shows {
				shown++
			}
			if was, seen := keys[in.Key]; seen {
				assert.Equal(t, was, in.Size, "%s: sizes of values with one key", target.Name)
			}
			keys[in.Key] = in.Size
		}
		assert.GreaterOrEqual(t, n, inputs/20, "%s: valid inputs", target.Name)
		assert.LessOrEqual(t, n, inputs/2, "%s: valid inputs", target.Name)
		assert.GreaterOrEqual(t, len(keys), 10, "%s: keys", target.Name)
		assert.LessOrEqual(t, shown, n/20, "%s: inputs that show a bug", target.Name)
	}
}

func TestValid(t *testing.T) {
	black := func(key int, l, r *node) *node { return &node{Key: key, Left: l, Right: r} }
	red := func(key int, l, r *node) *node { return &node{Red: true, Key: key, Left: l, Right: r} }
	op := func(op string, parts ...*term) *term {
		all := append(parts, nil, nil, nil)
		return &term{Op: op, A: all[0], B: all[1], C: all[2]}
	}
	fun := &typ{"fun", number, boolean}
	lam := func(bound *typ, body *term) *term { return &term{Op: "lam", Type: bound, A: body} }
	x, y := op("var"), &term{Op: "var", N: 1}
	for name, c := range map[string]struct {
		value any
		valid bool
	}{
		"search tree": {ordered(
			black(5, black(2, nil, black(4, nil, nil)), black(7, nil, nil))), true},
		"equal keys":      {ordered(black(5, black(5, nil, nil), nil)), false},
		"too great below": {ordered(black(5, black(2, nil, black(6, nil, nil)), nil)), false},
		"red-black": {black(5, red(2, black(1, nil, nil), black(3, nil, nil)),
			black(7, nil, nil)), true},
		"red root":          {red(5, nil, nil), false},
		"red below red":     {black(5, red(2, red(1, nil, nil), nil), nil), false},
		"uneven":            {black(5, black(2, nil, nil), nil), false},
		"unordered":         {black(5, red(7, nil, nil), nil), false},
		"closed":            {lam(number, lam(boolean, op("add", y, y))), true},
		"ill-typed":         {lam(number, lam(boolean, op("add", x, x))), false},
		"open":              {lam(number, y), false},
		"applied":           {lam(fun, op("app", x, op("number"))), true},
		"applied to itself": {lam(fun, op("app", x, x)), false},
		"no function":       {op("app", op("true"), op("true")), false},
		"branches alike":    {op("if", op("true"), lam(number, x), lam(number, op("number"))), true},
		"branches differ":   {op("if", op("true"), lam(number, x), lam(boolean, x)), false},
		"condition":         {op("if", op("number"), op("true"), op("true")), false},
		"break in a loop":   {&js{Text: "while (@) $", Name: "a", A: &js{Text: "break;"}}, true},
		"break outside":     {&js{Text: "break;"}, false},
	} {
		valid := false
		switch v := c.value.(type) {
		case bool:
			valid = v
		case *node:
			valid = v.Valid()
		case *term:
			valid = v.valid()
		case *js:
			valid = v.valid()
		}
		assert.Equal(t, c.valid, valid, "%s: %+v", name, c.value)
	}
}

// A valid value, which the generator makes, shows each bug, and not without the bug.
func TestBugs(t *testing.T) {
	red := func(l *node, key int, r *node) *node {
		return &node{Red: true, Key: key, Left: l, Right: r}
	}
	black := func(l *node, key int, r *node) *node { return &node{Key: key, Left: l, Right: r} }
	leaf := func(key int) *node { return black(nil, key, nil) }
	trees := map[string]*node{
		"rotate: high subtrees are swapped": black(
			red(black(red(nil, 1, nil), 3, red(nil, 5, nil)), 7, leaf(9)), 11, leaf(13)),
		"join: inner red and black loses a subtree": black(red(leaf(1), 3, leaf(5)), 7,
			leaf(9)),
		"insert: old value stays in an inner red node":         black(leaf(1), 3, red(leaf(5), 7, leaf(9))),
		"left and right: sibling with two red nodes loses one": black(leaf(1), 3, black(red(nil, 5, nil), 7, red(nil, 9, nil))),
		"delete: neighbors are taken for one": black(red(nil, 1, nil), 2,
			red(nil, 3, nil)),
	}
	for _, bug := range guidebugs.Rare() {
		x := trees[bug]
		check(t, bug, x.Valid(), bigen.Check(genNode(4), x), x.Finds)
	}

	terms := bugTerms()
	for _, bug := range termBugs {
		x := terms[bug]
		check(t, bug, x.valid(), bigen.Check(genTerm(5), x), x.shows)
	}

	atom := &js{Text: "@", Name: "a"}
	block := func(list ...*js) *js { return &js{Text: "{%\n}", List: list} }
	let := &js{Text: "let @;", Name: "b"}
	jump := func(text string) *js {
		p := &js{Text: text}
		switch text {
		case "return $;":
			p.A = atom
		case "break @;", "continue @;":
			p.Name = "a"
		}
		return p
	}
	label := func(p *js) *js { return &js{Text: "@: $", Name: "a", A: p} }
	while := func(body *js) *js { return &js{Text: "while ($) $", A: atom, B: body} }
	forOf := func(body *js) *js { return &js{Text: "for (@ e of $) $", Name: "let", A: atom, B: body} }
	tryFinally := func(body *js) *js { return &js{Text: "try $ finally $", A: body, B: block()} }
	programs := map[string]*js{
		"continue: switch keeps its scope": while(
			block(&js{Text: "switch ($) {%\n}", A: atom, List: []*js{
				{Text: "case $: $", A: atom, B: let}, {Text: "default: $", A: jump("continue;")}}})),
		"continue: label skips finally":    label(while(block(tryFinally(block(jump("continue @;")))))),
		"break: label closes one iterator": label(forOf(block(forOf(block(jump("break @;")))))),
		"return: finally hides iterators": {Text: "function @(#) $", Name: "a",
			A: block(forOf(block(tryFinally(block(jump("return $;"))))))},
		"break: catch hides the scope of a loop": {Text: "for (@ a = $; $; a++) $", Name: "let",
			A: atom, B: atom,
			C: block(&js{Text: "try $ catch (@) $", Name: "b", A: block(), B: block(jump("break;"))})},
	}
	for _, bug := range exitBugs {
		p := &js{Text: "%", List: []*js{programs[bug]}}
		check(t, bug, p.valid(), bigen.Check(genProgram(3), p), p.shows)
	}
}

// bugTerms returns a term that shows each bug of a reducer.
func bugTerms() map[string]*term {
	op := func(op string, parts ...*term) *term {
		all := append(parts, nil, nil, nil)
		return &term{Op: op, A: all[0], B: all[1], C: all[2]}
	}
	v := func(n int) *term { return &term{Op: "var", N: n} }
	fun := func(from, to *typ) *typ { return &typ{"fun", from, to} }
	lam := func(bound *typ, body *term) *term { return &term{Op: "lam", Type: bound, A: body} }
	return map[string]*term{
		"substitute: argument is not shifted": lam(number,
			op("app", lam(number, lam(boolean, v(1))), v(0))),
		"substitute: free variables keep their binders": lam(number, op("app", lam(boolean, lam(boolean, v(2))), op("true"))),
		"apply: both branches become one": lam(boolean, op("app",
			op("if", v(0), lam(boolean, v(0)), lam(boolean, v(1))), op("true"))),
		"equal: arguments are ignored": lam(boolean, lam(fun(boolean, boolean),
			op("if", v(1), op("app", v(0), v(1)), op("app", v(0), op("true"))))),
		"eta: variable in an argument is not seen": lam(fun(boolean, fun(boolean, boolean)),
			lam(boolean, op("app", op("app", v(1), v(0)), v(0)))),
	}
}

func check(t *testing.T, bug string, valid bool, err error, shows func(bug string) bool) {
	t.Helper()
	assert.NoError(t, err, bug)
	assert.True(t, valid, bug)
	assert.True(t, shows(bug), "%s: not shown", bug)
	assert.False(t, shows(""), "%s: the correct program fails", bug)
}

// The reducer without a bug keeps the type of a term and what it evaluates to.
func TestReduce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	gen := genTerm(5)
	reduced := 0
	terms := slices.Collect(maps.Values(bugTerms()))
	for range 20_000 {
		terms = append(terms, bigen.Sample(gen, r))
	}
	for _, x := range terms {
		if !x.valid() {
			continue
		}
		w := reducer{steps: maxSteps}
		y := w.normal(x)
		require.True(t, x.check(nil).equal(y.check(nil)), "%v becomes %v", x.hash(), y.hash())
		require.Equal(t, probe(x.check(nil), x.eval(nil)), probe(y.check(nil), y.eval(nil)))
		if !x.equal(y) {
			reduced++
		}
	}
	assert.GreaterOrEqual(t, reduced, 100, "terms that are not normal")
}

type function func(x any) any

func (t *term) eval(bound []any) any {
	switch t.Op {
	case "true":
		return true
	case "number":
		return t.N
	case "var":
		return bound[len(bound)-1-t.N]
	case "lam":
		bound = slices.Clone(bound)
		return function(func(x any) any { return t.A.eval(append(slices.Clone(bound), x)) })
	case "app":
		return t.A.eval(bound).(function)(t.B.eval(bound))
	case "add":
		return t.A.eval(bound).(int) + t.B.eval(bound).(int)
	}
	if t.A.eval(bound).(bool) {
		return t.B.eval(bound)
	}
	return t.C.eval(bound)
}

// probe describes a value of a type by what it returns for some arguments.
func probe(of *typ, v any) string {
	f, ok := v.(function)
	if !ok {
		return fmt.Sprint(v)
	}
	s := ""
	for _, x := range arguments(of.From) {
		s += "(" + probe(of.To, f(x)) + ")"
	}
	return s
}

func arguments(of *typ) []any {
	switch of.Op {
	case "number":
		return []any{3, 8}
	case "bool":
		return []any{true, false}
	}
	var all []any
	for _, y := range arguments(of.To) {
		all = append(all, function(func(any) any { return y }))
	}
	if of.From.equal(of.To) {
		all = append(all, function(func(x any) any { return x }))
	}
	return all
}

// What jumps leave, from the inside out.
func TestExits(t *testing.T) {
	atom := &js{Text: "@", Name: "a"}
	block := func(list ...*js) *js { return &js{Text: "{%\n}", List: list} }
	loop := func(p *js) *js { return &js{Text: "for (@ e of $) $", Name: "const", A: atom, B: p} }
	p := &js{Text: "@: $", Name: "a", A: &js{Text: "@: $", Name: "b", A: loop(block(
		&js{Text: "let @;", Name: "c"},
		&js{
			Text: "try $ finally $",
			A:    block(&js{Text: "break @;", Name: "a"}),
			B:    block(&js{Text: "break;"}),
		},
		loop(block(&js{Text: "continue @;", Name: "b"}, &js{Text: "continue;"})),
		&js{Text: "switch ($) {%\n}", A: atom, List: []*js{{Text: "default: $", A: &js{Text: "break;"}}}},
	))}}
	require.True(t, p.valid())
	want := []string{"break finally pop close pop", "break pop close pop", "continue close pop pop",
		"continue", "break"}
	require.Equal(t, want, p.exits(""))
}
