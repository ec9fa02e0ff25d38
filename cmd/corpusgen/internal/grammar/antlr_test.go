package grammar

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// written converts a grammar, and returns the Go file.
func written(t *testing.T, text string) (g *Grammar, file string, err error) {
	path := filepath.Join(t.TempDir(), "x.g4")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	if g, err = Read([]string{path}); err != nil {
		return g, "", err
	}
	rules, err := g.Resolve("")
	if err != nil {
		return g, "", err
	}
	out, err := File{Package: "x", From: "x.g4"}.Write(g, rules)
	return g, string(out), err
}

// What lexical rules become.
func TestKinds(t *testing.T) {
	for _, c := range []struct{ rules, want string }{
		// Literals and names of them are one; a literal that no rule has comes first.
		{`a : 'x' Y ; X : 'x' ; Y : 'y' ;`, "{Name: `X`, Text: \"x\"},\n\t{Name: `Y`, Text: \"y\"},"},
		{`a : 'z' 'x' ; X : 'x' ;`, "{Text: \"z\"},\n\t{Name: `X`, Text: \"x\"},"},
		{`a : X ; X : '\uD83D\uDE00' ;`, `Text: "😀"`},
		// Case.
		{`a : X ; X : I F ; fragment I : [iI] ; fragment F : 'f' | 'F' ;`,
			"Text: \"if\", Expr: `(?i:if)`"},
		{`a : X ; X : [iI] [fF]? ;`, "Expr: `[iI][fF]?`"},
		{`a : X ; X : [aB] ;`, "Expr: `[aB]`"},
		{`options { caseInsensitive = true; } a : X ; X : 'if' [a-c7] ;`,
			"Expr: `[iI][fF][a-c7A-C]`"},
		{`a : X ; X options { caseInsensitive = true; } : 'if' ; Y : 'iff' ;`,
			"{Name: `X`, Text: \"if\", Expr: `(?i:if)`},\n\t{Name: `Y`, Text: \"iff\"}"},
		// Sets.
		{"a : X ; X : [a-c\n\t\\-\\]] ;", "Expr: `[a-c\\n\\t\\-\\]]`"},
		{`a : X ; X : [\p{Lu}\p{Script=Greek}\P{gc=Letter}] ;`, "Expr: `[\\p{Lu}\\p{Greek}\\P{L}]`"},
		{`a : X ; X : [\p{Alphabetic}] ;`, "Expr: `[\\p{L}\\p{Nl}\\x{345}"},
		{`a : X ; X : [\p{White_Space}] ;`, "Expr: `[\\t-\\r \\x{85}\\x{a0}"},
		{`a : X ; X : ~('a' | [b-d] | Y) ; fragment Y : 'e' ;`, "Expr: `[^ab-de]`"},
		{`a : X ; X : [\uD800-\uD801] [\uDC00-\uDFFF] ;`, "Expr: `[𐀀-\\x{107ff}]`"},
		{`a : X ; X : [a\uD800-\uDFFF\uFFFF] ;`, "Expr: `[a\\x{ffff}]`"},
		{`a : X ; X : . 'b'..'d' ;`, "Expr: `(?s:.)[b-d]`"},
		// Repetitions, the end of the text, recursion.
		{`a : X ; X : '#' .*? ('\n' | EOF) ;`, "Expr: `#(?s:.)*?(?:\\n|\\z)`"},
		{`a : X ; X : 'a'+? 'b'?? ;`, "Expr: `a+?b??`"},
		{`a : X ; X : '(' X? ')' ;`, "Expr: `\\((?:\\((?:\\((?:\\([^\\x00-\\x{10FFFF}]?\\))?\\))?\\))?\\)`"},
		// Commands.
		{`a : X ; X : 'x' ; S : ' ' -> channel(HIDDEN) ; T : '\t' -> channel(0) ;`,
			"{Text: \" \", Hidden: true},\n\t{Name: `T`, Text: \"\\t\"},"},
		{`a : X ; X : 'x' -> pushMode(M), type(Z) ; mode M ; Y : 'y' -> popMode, mode(DEFAULT_MODE) ;`,
			"{Name: `Z`, Text: \"x\", Then: `push M`},\n\t{Name: `Y`, Text: \"y\", Mode: `M`, Then: `pop, mode`},"},
		{`a : X ; X : 'x' | 'y' -> skip ; Y : 'z' -> type(X) ;`,
			"{Name: `X`, Text: \"x\"},\n\t{Text: \"y\", Hidden: true},\n\t{Name: `X`, Text: \"z\"},"},
		{`a : X ; B : '"' -> more, mode(M) ; mode M ; X : '"' -> mode(DEFAULT_MODE) ;`,
			"{Name: `X`, Expr: `\"`, Mode: `M`, Then: `mode`},"},
	} {
		if strings.Contains(c.rules, "type(Z)") {
			c.rules = strings.Replace(c.rules, "a : X", "a : Z", 1)
		}
		_, file, err := written(t, "grammar x;\n"+c.rules)
		require.NoError(t, err, c.rules)
		require.Contains(t, file, c.want, c.rules)
	}
}

// What rules of a parser become.
func TestTokens(t *testing.T) {
	for _, c := range []struct{ rules, want string }{
		{`a : ~X* ;`, `syntax.TokensExcept[AX](lexerA, "X")`},
		{`a : ~(X | 'y')+ ;`, `syntax.TokensExcept[AX](lexerA, "X", "Y")`},
		{`a : . ;`, `syntax.TokensExcept[A](lexerA)`},
		{`a : X | 'y' ;`, `syntax.TokensOf[A](lexerA, "X", "Y")`},
		{`a : Z W ;`, `syntax.TokensOf[Z](lexerA, "Z")`},
		{`a : (X | NONE) Z (NONE | ) NONE? ;`, "c.Token(\"x\")\n\tlexZ.Text(c, &p.Z)\n}"},
		{`a[int n] returns [int m] locals [int k] options { k = 1; } @init { f(); } : b[1] ; ` +
			`b : {f()}? x=X {g('}');} <assoc=right> y+=Y # Both ; catch [E e] { } finally { }`,
			"c.Token(\"x\")\n\tc.Token(\"y\")"},
		{`a : (options { greedy = false; } : X)* ;`, `"x"`},
	} {
		_, file, err := written(t, "grammar x;\n"+c.rules+"\nX : 'x' ; Y : 'y' ; Z : [0-9] ; V : 'v' -> type(W) ;")
		require.NoError(t, err, c.rules)
		require.Contains(t, file, c.want, c.rules)
	}
}

// What is left out has its place in the report.
func TestNotes(t *testing.T) {
	for _, c := range []struct{ rules, note string }{
		{`a : {p()}? X ;`, "2:5: rule a: the predicate {p()} is taken to be true"},
		{"a : X { do\n();  } ;", "2:7: rule a: the action { do ();  } is left out"},
		{`options { superClass = Base; } a : X ;`,
			"2:11: the superclass Base is left out: what its code does to tokens is unknown"},
		{`@lexer::members { int i; } a : X ;`, "2:1: code { int i; } is left out"},
		{`a : X | NONE ;`, "2:9: rule a: no lexical rule makes the token NONE: what needs it is left out"},
		{`a : X ; Y : [] ;`, "2:9: rule Y: no token is of its form"},
		{`a : X ; Y : [\uD800-\uDFFF] ;`, "2:9: rule Y: no token is of its form"},
		{`a : X ; Y options { caseInsensitive = true; } : 'y' ; Z : 'Y' ;`,
			`2:59: "Y" is always another token, which is before it`},
		{`a : X ; Y : [a-z]+ '1' ; Z : 'b1' -> skip ;`,
			`2:30: "b1" is always another token, which is before it`},
		{`a : X {` + strings.Repeat("x", 100) + `} ;`,
			"2:7: rule a: the action {" + strings.Repeat("x", 58) + "… is left out"},
	} {
		g, _, err := written(t, "grammar x;\n"+c.rules+"\nX : 'x' ;")
		require.NoError(t, err, c.rules)
		require.Len(t, g.Notes, 1, c.rules)
		where, says, _ := strings.Cut(c.note, ": ")
		require.Contains(t, strings.Join(strings.Fields(g.Notes[0]), " "),
			"x.g4:"+where+": "+strings.Join(strings.Fields(says), " "), c.rules)
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct{ rules, err string }{
		{`a : X ; X : [\p{Nothing}] ;`,
			`2:13: \p{Nothing} is not a property of characters that is known here: list its ranges`},
		{`a : X ; X : [z-a] ;`, `2:13: 'z' to 'a' is not a range: want two characters in their order`},
		{`a : X ; X : 'ab'..'c' ;`, `2:13: "ab" to "c" is not a range: want two characters in their order`},
		{`a : b ;`, `2:5: the rule b is not defined`},
		{`a : 'x' a ;`, `2:1: the rule a has no text: each alternative needs a token that no lexical rule makes, or another a`},
		{`a : NONE ;`, `2:1: the rule a has no text: each alternative needs a token that no lexical rule makes, or another a`},
		{`a : X ; X : Y ;`, `2:13: the rule Y is not defined`},
		{`a : X ; X : '\u{110000000}' ;`, `2:13: "\\u{110000000}" is not an escape sequence`},
	} {
		_, _, err := written(t, "grammar x;\n"+c.rules)
		require.ErrorContains(t, err, "x.g4:"+c.err, c.rules)
	}
}

// Imported rules come after the rules of a grammar, which replace them; a grammar that is imported
// twice, or imports itself, counts once.
func TestImports(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"main": "grammar main; import one, two; a : b C D ; C : 'c' ;",
		"one":  "grammar one; import two, main; b : 'one' ; C : 'not' ;",
		"two":  "grammar two; import one; b : 'two' ; D : 'd' ;",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".g4"), []byte(text), 0o666))
	}
	g, err := Read([]string{filepath.Join(dir, "main.g4")})
	require.NoError(t, err)
	_, err = g.Resolve("a")
	require.NoError(t, err)
	var texts []string
	for _, k := range g.kinds {
		texts = append(texts, k.Text)
	}
	require.Equal(t, []string{"one", "c", "d"}, texts)
}

// The time for many equal parts, and for many rules that lead to each other, is not quadratic.
func TestLarge(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, "grammar x; r0 : %s ; X : [0-9] ;\n", strings.Repeat("X ", 20_000))
	const n = 3000
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "r%d : X | r%d ',' r%d ;\n", i, i%(n-1)+1, (i*7)%(n-1)+1)
	}
	_, file, err := written(t, b.String())
	require.NoError(t, err)
	require.Contains(t, file, "X20000 X\n")
	require.Contains(t, file, "lexX.Text(c, &p.X20000)")
}
