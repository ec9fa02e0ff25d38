package rltargets

import (
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/choices"
)

// The example of each target is valid, and made by its generator.
func TestExample(t *testing.T) {
	for _, target := range All() {
		tree, err := target.Example()
		if err != nil {
			t.Errorf("%s: %v", target.Name, err)
			continue
		}
		run := func() Input { return target.Run(choices.Replay(tree, rand.New(rand.NewPCG(1, 1))), "") }
		in := run()
		if !in.Valid || in.Size < 3 {
			t.Errorf("%s: %+v", target.Name, in)
		}
		if again := run(); again != in {
			t.Errorf("%s: %+v and %+v of the same value", target.Name, in, again)
		}
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
			if was, seen := keys[in.Key]; seen && was != in.Size {
				t.Errorf("%s: values of sizes %d and %d have one key", target.Name, was, in.Size)
			}
			keys[in.Key] = in.Size
		}
		if n < inputs/20 || n > inputs/2 || len(keys) < 10 || shown > n/20 {
			t.Errorf("%s: %d of %d valid, %d keys, %d show a bug", target.Name, n, inputs, len(keys), shown)
		}
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
		"search tree":       {ordered(black(5, black(2, nil, black(4, nil, nil)), black(7, nil, nil))), true},
		"equal keys":        {ordered(black(5, black(5, nil, nil), nil)), false},
		"too great below":   {ordered(black(5, black(2, nil, black(6, nil, nil)), nil)), false},
		"red-black":         {black(5, red(2, black(1, nil, nil), black(3, nil, nil)), black(7, nil, nil)), true},
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
		if valid != c.valid {
			t.Errorf("%s: valid %t: %+v", name, !c.valid, c.value)
		}
	}
}
