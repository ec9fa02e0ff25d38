package syntax_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/syntax"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// An expr is expr "+" expr | expr "." name | call | name | number | "-" expr. That is left
// recursive, and ambiguous.
type (
	expr interface{ isExpr() }
	sum  struct{ X, Y expr }
	dot  struct {
		X expr
		N name
	}
	call struct {
		F    name
		Args []expr
		Go   bool
		Else *name
	}
	neg    struct{ X expr }
	name   string
	number string
)

func (sum) isExpr()    {}
func (dot) isExpr()    {}
func (call) isExpr()   {}
func (neg) isExpr()    {}
func (name) isExpr()   {}
func (number) isExpr() {}

var (
	lexName   = syntax.NewLexeme[name](`[a-z]+`, "else", "go")
	lexNumber = syntax.NewLexeme[number](`[0-9]+|[0-9]+\.[0-9]+`)
)

func textExpr(c *syntax.C, p *expr) {
	switch {
	case syntax.Is(c, p, textSum):
	case syntax.Is(c, p, textDot):
	case syntax.Is(c, p, textCall):
	case syntax.Is(c, p, lexName.Text):
	case syntax.Is(c, p, lexNumber.Text):
	case syntax.Is(c, p, textNeg):
	default:
		c.None()
	}
}

func textSum(c *syntax.C, p *sum) {
	syntax.At(c, &p.X, textExpr)
	c.Token("+")
	syntax.Last(c, &p.Y, textExpr)
}

func textDot(c *syntax.C, p *dot) {
	syntax.At(c, &p.X, textExpr)
	c.Token(".")
	lexName.Text(c, &p.N)
}

func textCall(c *syntax.C, p *call) {
	syntax.Flag(c, &p.Go, "go")
	lexName.Text(c, &p.F)
	c.Token("(")
	syntax.List(c, &p.Args, 0, ",", textExpr)
	c.Token(")")
	syntax.Opt(c, &p.Else, func(c *syntax.C, p *name) {
		c.Token("else")
		lexName.Text(c, p)
	})
}

func textNeg(c *syntax.C, p *neg) {
	c.Token("-")
	syntax.Last(c, &p.X, textExpr)
}

var (
	exprs   = syntax.New(textExpr, `[ \n]|#[^\n]*\n`)
	genExpr = bigen.For[expr](bigen.Variants[expr](name(""), number(""), neg{}, dot{}, call{}, sum{}),
		bigen.With(lexName.Gen()), bigen.With(lexNumber.Gen()))
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, printed string }{
		{"a", "a"},
		{" a+ b.c\n+1.5 # end\n", "a+b.c+1.5"},
		{"- -1 .x", "- -1 .x"},
		{"go f(1, -g(), h(i+2)else j)", "go f(1,-g(),h(i+2)else j)"},
		{"goto", "goto"},
		{"elsewhere+golang()", "elsewhere+golang()"},
	} {
		v, err := exprs.Parse(c.text)
		require.NoError(t, err, c.text)
		require.Equal(t, c.printed, exprs.Print(v))
		require.NoError(t, bigen.Check(genExpr, v))
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, err string }{
		{"", `1:1: want "-" or "go" or name or number`},
		{"a +\n\n  *", `3:3: want "-" or "go" or name or number`},
		{"a b", `1:3: want "(" or "+" or "." or the end`},
		{"f(1", `1:4: want ")" or "+" or "," or "."`},
		{"go else()", `1:4: want name`},
		{strings.Repeat("-", 20_000) + "1", `syntax: gave up: the text is nested too deep`},
	} {
		_, err := exprs.Parse(c.text)
		require.EqualError(t, err, c.err)
	}
}

// Parse gives up on a text that can be read in very many ways, unless the operand at the end is
// a Last.
func TestGaveUp(t *testing.T) {
	if !long.Enabled() {
		defer syntax.SetMaxSteps(1 << 18)()
	}
	text := strings.Repeat("1 ", 400)
	pairs := func(operand func(*syntax.C, *expr, syntax.Rule[expr])) *syntax.Language[expr] {
		var rule syntax.Rule[expr]
		rule = func(c *syntax.C, p *expr) {
			switch {
			case syntax.Is(c, p, func(c *syntax.C, p *sum) {
				syntax.At(c, &p.X, rule)
				operand(c, &p.Y, rule)
			}):
			case syntax.Is(c, p, lexNumber.Text):
			default:
				c.None()
			}
		}
		return syntax.New(rule, " ")
	}
	_, err := pairs(syntax.At).Parse(text)
	require.EqualError(t, err, "syntax: gave up: the text can be read in too many ways")
	v, err := pairs(syntax.Last).Parse(text)
	require.NoError(t, err)
	require.Equal(t, number("1"), v.(sum).Y)
}

// What is printed parses to a tree that prints the same.
func TestPrint(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		text := exprs.Print(bigen.Sample(genExpr, r))
		v, err := exprs.Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, text, exprs.Print(v))
	}
	require.Panics(t, func() { exprs.Print(nil) })
}

// Elements that are empty, and rules that lead to themselves without a token, are read, too.
func TestNullable(t *testing.T) {
	type group struct {
		Lists [][]name
		Self  *struct{}
	}
	var text func(c *syntax.C, p *group)
	text = func(c *syntax.C, p *group) {
		syntax.Opt(c, &p.Self, func(c *syntax.C, _ *struct{}) {
			var g group
			syntax.At(c, &g, text)
		})
		syntax.List(c, &p.Lists, 0, "", func(c *syntax.C, p *[]name) {
			syntax.List(c, p, 0, ",", lexName.Text)
		})
	}
	for _, s := range []string{"", "a", "a,b c,d e"} {
		_, err := syntax.New(text, " ").Parse(s)
		require.NoError(t, err, s)
	}
}

// Without spaces, tokens are next to each other, and a space is not a token.
func TestNoSpace(t *testing.T) {
	dense := syntax.New(textSum, "")
	text := dense.Print(sum{number("1"), call{Go: true, F: "f"}})
	require.Equal(t, "1+gof()", text)
	_, err := dense.Parse("1 +2")
	require.EqualError(t, err, `1:2: want "+" or "."`)
	lines := syntax.New(textSum, "\n")
	require.Equal(t, "1+go\nf()", lines.Print(sum{number("1"), call{Go: true, F: "f"}}))
}

// A space is written if the previous lexeme would continue, and only then.
func TestApart(t *testing.T) {
	type dashed string
	lexDashed := syntax.NewLexeme[dashed](`[a-z][a-z0-9-]*`)
	follows := func(text string) *syntax.Language[dashed] {
		return syntax.New(func(c *syntax.C, p *dashed) {
			lexDashed.Text(c, p)
			c.Token(text)
		}, " ")
	}
	for _, c := range []struct {
		first     dashed
		then, all string
	}{
		{"a-", "or", "a- or"},
		{"a", "-", "a -"},
		{"a0", ".a", "a0.a"},
		{"a-", "+", "a- +"},
		{"a", "(", "a("},
	} {
		l := follows(c.then)
		require.Equal(t, c.all, l.Print(c.first))
		v, err := l.Parse(c.all)
		require.NoError(t, err, c.all)
		require.Equal(t, c.first, v)
	}
}

// Lists whose elements can be split among them in many ways are read in polynomial time.
func TestSplitLists(t *testing.T) {
	type line struct{ Before, After []name }
	type text struct {
		Lines, More []line
		None        struct{}
		End         *name
	}
	textLine := func(c *syntax.C, p *line) {
		syntax.List(c, &p.Before, 0, "", lexName.Text)
		c.Token(";")
		syntax.List(c, &p.After, 0, "", lexName.Text)
	}
	l := syntax.New(func(c *syntax.C, p *text) {
		syntax.List(c, &p.Lines, 1, "", textLine)
		syntax.List(c, &p.More, 0, "", textLine)
		syntax.At(c, &p.None, func(c *syntax.C, _ *struct{}) {})
		syntax.Opt(c, &p.End, lexName.Text)
	}, " ")
	defer syntax.SetMaxSteps(200_000)()
	texts := strings.Repeat("a b; c d ", 40)
	v, err := l.Parse(texts)
	require.NoError(t, err)
	require.Len(t, append(v.Lines, v.More...), 40)
	_, err = l.Parse(texts + "1")
	require.ErrorContains(t, err, "1:361: want ")
}
