package syntax_test

import (
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/syntax"
	"github.com/stretchr/testify/require"
)

// A page is lines of words, with tags among them. What is a token depends on the mode.
type (
	page     struct{ Lines []pageLine }
	pageLine struct {
		Parts []part
		End   end
	}
	part    interface{ isPart() }
	tag     struct{ Name, Value *text }
	loop    struct{ Part part }
	word    string
	other   string
	text    string
	end     string
	keyword string
)

func (tag) isPart()     {}
func (loop) isPart()    {}
func (word) isPart()    {}
func (other) isPart()   {}
func (keyword) isPart() {}

var (
	lexerPage = syntax.NewLexer([]syntax.Kind{
		{Text: "for", Expr: `(?i:for)`},
		{Name: "IN", Text: "in"},
		{Name: "INT", Text: "int"},
		{Text: "."},
		{Text: ".."},
		{Text: "..."},
		{Name: "WORD", Expr: `\pL+`},
		{Name: "OTHER", Expr: `[0-9]+|/`},
		{Name: "END", Expr: `\r?\n`},
		{Expr: `[ \t]+`, Hidden: true},
		{Expr: `/\*(?s:.)*?\*/`, Hidden: true},
		{Expr: `#[^\n]*(?:\n|\z)`, Hidden: true},
		{Name: "OPEN", Text: "<", Then: "push TAG"},
		{Name: "CLOSE", Text: ">", Mode: "TAG", Then: "pop"},
		{Name: "NAME", Expr: `[a-z]+`, Mode: "TAG"},
		{Name: "BEGIN", Text: "'", Mode: "TAG", More: true, Then: "mode TEXT"},
		{Name: "TEXT", Expr: `'`, Mode: "TEXT", Then: "mode TAG"},
		{Name: "ESCAPE", Expr: `\\(?s:.)`, Mode: "TEXT", More: true},
		{Name: "CHAR", Expr: `[^'\\]`, Mode: "TEXT", More: true},
	})
	lexWord    = syntax.TokensOf[word](lexerPage, "WORD")
	lexOther   = syntax.TokensExcept[other](lexerPage, "WORD", "END", "OPEN", "CLOSE", "NAME", "TEXT", "IN", "INT", "'for'")
	lexText    = syntax.TokensOf[text](lexerPage, "TEXT", "NAME")
	lexEnd     = syntax.TokensOf[end](lexerPage, "END")
	lexKeyword = syntax.TokensOf[keyword](lexerPage, "IN", "INT")

	pages   = syntax.NewLexed(textPage, lexerPage)
	genPage = bigen.SuchThat(bigen.For[page](
		bigen.Variants[part](tag{}, loop{}, word(""), other(""), keyword("")),
		bigen.With(lexWord.Gen()), bigen.With(lexOther.Gen()), bigen.With(lexText.Gen()),
		bigen.With(lexEnd.Gen()), bigen.With(lexKeyword.Gen())), pages.Splits)
)

func textPage(c *syntax.C, p *page) { syntax.List(c, &p.Lines, 0, "", textPageLine) }

func textPageLine(c *syntax.C, p *pageLine) {
	syntax.List(c, &p.Parts, 0, "", textPart)
	lexEnd.Text(c, &p.End)
}

func textPart(c *syntax.C, p *part) {
	switch {
	case syntax.Is(c, p, textTag):
	case syntax.Is(c, p, textLoop):
	case syntax.Is(c, p, lexKeyword.Text):
	case syntax.Is(c, p, lexWord.Text):
	case syntax.Is(c, p, lexOther.Text):
	default:
		c.None()
	}
}

func textTag(c *syntax.C, p *tag) {
	c.Token("<")
	syntax.Opt(c, &p.Name, lexText.Text)
	syntax.Opt(c, &p.Value, lexText.Text)
	c.Token(">")
}

func textLoop(c *syntax.C, p *loop) {
	c.Token("for")
	syntax.At(c, &p.Part, textPart)
}

// The longest token counts; of equally long ones, the kind that is first.
func TestLexer(t *testing.T) {
	for _, c := range []struct {
		text, printed string
		parts         []part
	}{
		{"\n", "\n", nil},
		{"in int inter\r\n", "in int inter\r\n", []part{keyword("in"), keyword("int"), word("inter")}},
		{"FOR form\n", "for form\n", []part{loop{word("form")}}},
		{".....\n", ".....\n", []part{other("..."), other("..")}},
		{". . .\n", ". . .\n", []part{other("."), other("."), other(".")}},
		{"a/* b */c*/**/\n", "", nil},
		{"a/* b\n */b# c\nd\n", "a b d\n", []part{word("a"), word("b"), word("d")}},
		{"/ /*/*/ 1\n", "/1\n", []part{other("/"), other("1")}},
		{`<a'b\'>'>in` + "\n", `<a'b\'>'>in` + "\n", []part{tag{ptr("a"), ptr(`'b\'>'`)}, keyword("in")}},
	} {
		v, err := pages.Parse(c.text)
		if c.printed == "" {
			require.EqualError(t, err, `1:10: want "<" or "for" or end or keyword or other or word`)
			continue
		}
		require.NoError(t, err, c.text)
		require.Equal(t, c.parts, v.Lines[0].Parts, c.text)
		require.Equal(t, c.printed, pages.Print(v))
		require.NoError(t, bigen.Check(genPage, v), c.text)
	}
}

func ptr(s text) *text { return &s }

// Errors name what is wanted beyond the first token of each rule, too, however often rules were
// tried.
func TestLexerErrors(t *testing.T) {
	for _, c := range []struct{ text, err string }{
		{"a", `1:2: want "<" or "for" or end or keyword or other or word`},
		{"a a\na €\n", `2:3: want "<" or "for" or end or keyword or other or word`},
		{"a <\n", `1:4: want ">" or text`},
		{"for\n", `1:4: want "<" or "for" or keyword or other or word`},
		{"<'a", `1:2: want ">" or text`},
	} {
		_, err := pages.Parse(c.text)
		require.EqualError(t, err, c.err, c.text)
	}
}

// What is printed is split into the same tokens.
func TestLexerPrint(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		v := bigen.Sample(genPage, r)
		text := pages.Print(v)
		again, err := pages.Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, text, pages.Print(again))
		require.NoError(t, bigen.Check(genPage, again), text)
	}
}

// Without hidden tokens, a tree may have no text.
func TestSplits(t *testing.T) {
	lexer := syntax.NewLexer([]syntax.Kind{{Name: "W", Expr: `[a-z]+`}, {Text: ","}})
	lexW := syntax.TokensOf[word](lexer, "W")
	l := syntax.NewLexed(func(c *syntax.C, p *[]word) {
		syntax.List(c, p, 0, "", func(c *syntax.C, p *word) {
			lexW.Text(c, p)
			syntax.Flag(c, new(bool), ",")
		})
	}, lexer)
	require.True(t, l.Splits([]word{"a"}))
	require.False(t, l.Splits([]word{"a", "b"}))
	require.True(t, exprs.Splits(number("1")))
}

func TestLexerMisuse(t *testing.T) {
	for _, c := range []struct {
		kind syntax.Kind
		says string
	}{
		{syntax.Kind{Name: "A", Expr: "("}, "syntax: error parsing regexp: missing closing ): `(`"},
		{syntax.Kind{Name: "A", Expr: `\b`}, `syntax: \b cannot be part of a token`},
		{syntax.Kind{Name: "A", Expr: "a", Then: "push B"}, `syntax: kind A: no kind has the mode "B"`},
		{syntax.Kind{Name: "A", Expr: "a", Then: "back"},
			`syntax: kind A: "back" is not a change of modes: want push NAME, pop or mode NAME`},
	} {
		require.PanicsWithValue(t, c.says, func() { syntax.NewLexer([]syntax.Kind{c.kind}) })
	}
	require.PanicsWithValue(t, `syntax: the lexer has no kind "B"`, func() {
		syntax.TokensOf[word](syntax.NewLexer([]syntax.Kind{{Text: "a"}}), "B")
	})
}
