package bigen_test

import (
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/stretchr/testify/require"
)

// A brackets is a machine whose steps are brackets. Its state is how many are open.
type brackets struct {
	open  int
	most  int
	alts  [3]choices.Alt
	steps *int // how many have been made or read
}

// bracket is ( or ), or a letter.
type bracket string

var bracketAlts = [3]choices.Alt{
	bigen.NewAlt("letter", 1), bigen.NewAlt("open", 1), bigen.NewAlt("close", 1),
}

func (b *brackets) Offer() []choices.Alt {
	b.alts = bracketAlts
	for n := range b.alts {
		if !b.Allows(n) {
			b.alts[n].Weight = 0
		}
	}
	if b.open == b.most+1 {
		return nil
	}
	return b.alts[:]
}

func (b *brackets) Allows(n int) bool { return n != 2 || b.open > 0 }

func (b *brackets) Find(c *bigen.C, a *bracket) int {
	switch *a {
	case "(":
		return 1
	case ")":
		return 2
	case "":
		c.Refuse("it is empty")
	}
	return 0
}

func (b *brackets) Step(c *bigen.C, n int, a *bracket) {
	*b.steps++
	switch n {
	case 0:
		bigen.Part(c, "letter", (*string)(a), bigen.OneOf("a", "b"))
	case 1:
		*a = "("
		b.open++
	case 2:
		*a = ")"
		b.open--
	}
}

// genBrackets makes texts in which no bracket is closed that is not open. They end when
// more than most are open, which is their first element if headed.
func genBrackets(most int, headed bool, steps *int) bigen.Gen[[]bracket] {
	return bigen.Steps(func(c *bigen.C, s []bracket) (bigen.Machine[bracket], []bracket) {
		m := &brackets{most: most, steps: steps}
		if !headed {
			return m, nil
		}
		var first string
		if c.Backward() {
			if len(s) == 0 {
				c.Refuse("the first element is missing")
			}
			first = string(s[0])
		}
		bigen.Part(c, "most", &first, bigen.OneOf("1", "2"))
		m.most = int(first[0] - '0')
		return m, []bracket{bracket(first)}
	}, 9, 40)
}

func balanced(s []bracket) bool {
	open := 0
	for _, b := range s {
		switch b {
		case "(":
			open++
		case ")":
			open--
		}
		if open < 0 {
			return false
		}
	}
	return true
}

func init() {
	laws = append(laws,
		lawful("Steps", genBrackets(3, false, new(int)), balanced),
		lawful("Steps/headed", genBrackets(0, true, new(int)), balanced),
		lawful("Steps/within", bigen.SliceOf(
			genBrackets(2, true, new(int)), 0, 3,
		), func(all [][]bracket) bool {
			for _, s := range all {
				if !balanced(s) {
					return false
				}
			}
			return true
		}),
	)
}

func bracketsOf(s string) (all []bracket) {
	for _, b := range strings.Split(s, "") {
		all = append(all, bracket(b))
	}
	return all
}

func TestStepsErrors(t *testing.T) {
	g := genBrackets(3, false, new(int))
	for text, want := range map[string]string{
		"(a)a)b": "at /4: close is not possible here",
		"((ax":   "at /3/letter/letter: none of the alternatives a, b makes it",
		"((((a":  "at /: 5 steps, but none can follow the first 4",
	} {
		require.ErrorContains(t, bigen.Check(g, bracketsOf(text)), want, text)
	}
	require.ErrorContains(t, bigen.Check(g, []bracket{"a", ""}), "at /1: it is empty")
	require.ErrorContains(
		t, bigen.Check(genBrackets(0, true, new(int)), nil), "at /: the first element is missing",
	)
	require.ErrorContains(
		t, bigen.Check(genBrackets(0, true, new(int)), bracketsOf("3a")), "at /most",
	)
	require.PanicsWithValue(t, "bigen.Steps: a mean of 3 of up to 2 steps", func() {
		bigen.Steps[int](nil, 3, 2)
	})
	require.PanicsWithValue(t, "bigen.Steps: a mean of 0 of up to 0 steps", func() {
		bigen.Steps[int](nil, 0, 0)
	})
}

// A step that is no longer possible is left out, and the others remain.
func TestStepsLeaveOut(t *testing.T) {
	g := genBrackets(3, false, new(int))
	tree, err := bigen.Choices(g, bracketsOf("(a)b(a)"))
	require.NoError(t, err)
	for i, want := range []string{
		"ab(a)", "()b(a)", "(ab(a)", "(a)(a)", "(a)ba", "(a)b()", "(a)b(a",
	} {
		at := 0
		for range i {
			at = tree.End(at)
		}
		edited := tree.Cut(at, tree.End(at))
		v, made, err := bigen.Run(g, choices.Replay(edited, nil))
		require.NoError(t, err)
		require.Equal(t, bracketsOf(want), v)
		again, err := bigen.Choices(g, v)
		require.NoError(t, err)
		require.Equal(t, again, made)
	}
}

// Backward, each step is read once, whatever the length of the slice.
func TestStepsAreLinear(t *testing.T) {
	steps := 0
	g := genBrackets(3, false, &steps)
	v := bracketsOf(strings.Repeat("(a)b", 10))
	require.NoError(t, bigen.Check(g, v))
	require.Equal(t, len(v), steps)
}

// A source that always asks for what is not possible comes to an end.
func TestStepsEnd(t *testing.T) {
	v, tree, err := bigen.Run(genBrackets(3, false, new(int)), closing{})
	require.NoError(t, err)
	require.Empty(t, v)
	require.Equal(t, "stop", tree.String())
}

// closing takes the last alternatives.
type closing struct{}

func (closing) Pick(q *choices.Question) int    { return len(q.Alts) - 1 }
func (closing) Int(q *choices.Question) int64   { return q.Lo }
func (closing) Text(q *choices.Question) string { return q.SimplestText() }
func (closing) Leave()                          {}
