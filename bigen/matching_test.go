package bigen_test

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/espalier-go/espalier/mutate"
	"github.com/stretchr/testify/require"
)

// expressions with strings that they match and strings that they do not.
var expressions = []struct {
	name, expr string
	match      []string
	not        []string
}{
	{"empty", ``, []string{""}, []string{"a"}},
	{"literal", `abc`, []string{"abc"}, []string{"", "ab", "abcd", "abd"}},
	{"UUID", `[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`,
		[]string{"6ba7b810-9dad-11d1-80b4-00c04fd430c8", "f47ac10b-58cc-4372-a567-0e02b2c3d479"},
		[]string{
			"6ba7b810-9dad-11d1-80b4-00c04fd430c", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8",
			"6ba7b810-9dad-61d1-80b4-00c04fd430c8",
		}},
	{"semver", `^(?P<major>0|[1-9]\d*)\.(?P<minor>0|[1-9]\d*)\.(?P<patch>0|[1-9]\d*)(?:-(?P<prerelease>(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+(?P<build>[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$`,
		[]string{
			"1.0.0", "0.0.4", "1.1.2-prerelease+meta",
			"1.0.0-alpha-a.b-c-somethinglong+build.1-aef.1-its-okay", "2.0.0-rc.1+build.123",
			"1.0.0-0A.is.legal", "1.2.3----R-S.12.9.1--.12+meta",
		},
		[]string{
			"1", "1.2", "1.2.3-0123", "1.2.3-0123.0123", "01.1.1", "1.2.3.DEV", "1.1.2+.123",
			"-1.0.3-gamma+b7718",
		}},
	{"RFC 3339", `\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)`,
		[]string{
			"1985-04-12T23:20:50.52Z", "1996-12-19T16:39:57-08:00", "1990-12-31T23:59:60Z",
			"1937-01-01T12:00:27.87+00:20",
		},
		[]string{
			"1985-04-12 23:20:50Z", "1985-13-12T23:20:50Z", "1985-04-12T24:20:50Z",
			"1985-04-12T23:20:50",
		}},
	{"IPv4", `(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`,
		[]string{"127.0.0.1", "255.255.255.255", "8.8.8.8", "192.168.10.249"}, []string{
			"256.1.1.1", "1.2.3", "01.2.3.4", "1.2.3.4.5",
		}},
	{"IPv6", `(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}|(?:[0-9a-fA-F]{1,4}:){1,7}:|(?:[0-9a-fA-F]{1,4}:){1,6}:[0-9a-fA-F]{1,4}|::(?:[0-9a-fA-F]{1,4}:){0,5}[0-9a-fA-F]{1,4}|::`,
		[]string{
			"2001:0db8:85a3:0000:0000:8a2e:0370:7334", "::1", "::", "fe80::1", "2001:db8::",
		}, []string{"2001:db8", ":::", "g::1", "1:2:3:4:5:6:7:8:9"}},
	{"e-mail", `[a-zA-Z0-9._%+-]+@(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,63}`,
		[]string{"gopher@golang.org", "first.last+tag@mail-1.example.co.uk"}, []string{
			"gopher@golang", "@golang.org", "a b@c.de", "a@-b.de",
		}},
	{
		"hex color", `(?i)#(?:[0-9a-f]{3}){1,2}`, []string{"#fff", "#00FF7f"},
		[]string{"#ffff", "fff", "#ggg"},
	},
	{
		"Go identifier", `[\p{L}_][\p{L}_\p{Nd}]*`,
		[]string{"x", "_", "αβγ1", "thisVariableIsExported", "世界"}, []string{"", "1x", "a-b", "é́"},
	},
	{"URL", `https?://(?:[\w-]+\.)+[a-z]{2,6}(?::\d{1,5})?(?:/[\w.~%-]*)*(?:\?\w+=\w*(?:&\w+=\w*)*)?(?:#\S*)?`,
		[]string{
			"https://go.dev", "http://www.example.com:8080/a/b.html?x=1&y=#top",
			"https://pkg.go.dev/regexp/syntax",
		}, []string{"ftp://go.dev", "https://go", "https://go.dev/?x"}},
	{
		"phone", `(?:\+\d{1,3}[ -]?)?(?:\(\d{3}\)|\d{3})[ -]?\d{3}[ -]?\d{4}`,
		[]string{"+1 (555) 123-4567", "5551234567", "+49-555 123 4567"},
		[]string{"555-1234", "(555 123-4567"},
	},
	{
		"ISO date",
		`\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2\d))`,
		[]string{"2024-02-29", "1999-12-31"}, []string{"2024-02-30", "2024-04-31", "24-01-01"},
	},
	{
		"JSON number", `-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`,
		[]string{"0", "-0.5e+10", "123456789012345678901234567890", "1E400"},
		[]string{"01", ".5", "1.", "+1", "1e"},
	},
	{
		"base64", `(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?`,
		[]string{"", "Zg==", "Zm8=", "Zm9v", "Zm9vYmFyCg=="},
		[]string{"Z", "Zg=", "Zm9v=", "Zm9v\n"},
	},
	{
		"MAC", `(?:[0-9A-F]{2}[:-]){5}[0-9A-F]{2}`,
		[]string{"00:1B:44:11:3A:B7", "00-1B-44-11-3A-B7"},
		[]string{"00:1B:44:11:3A", "00:1b:44:11:3a:b7"},
	},
	{
		"credit card",
		`4\d{12}(?:\d{3})?|(?:5[1-5]\d{2}|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}|3[47]\d{13}`,
		[]string{"4111111111111111", "5500000000000004", "340000000000009", "2720990000000007"},
		[]string{"6011000000000004", "41111111111111"},
	},
	{
		"cron",
		`(?:\*|(?:[1-5]?\d)(?:-[1-5]?\d)?(?:,[1-5]?\d(?:-[1-5]?\d)?)*)(?:/[1-9]\d?)?(?: (?:\*|\d{1,2}(?:-\d{1,2})?)(?:/\d{1,2})?){4}`,
		[]string{"* * * * *", "*/15 0 1 * 1-5", "0,30-45 8-18/2 * 1 5"},
		[]string{"* * * *", "61 * * * *"},
	},
	{
		"HTTP header", "[!#$%&'*+.^_`|~0-9A-Za-z-]+",
		[]string{"Content-Type", "X-Forwarded-For", "ETag"},
		[]string{"", "Content Type", "Ä", "a:b"},
	},
	{
		"quoted string", `"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"`,
		[]string{`""`, `"a \"quoted\" word\n\u00e4"`, `"世界"`},
		[]string{`"`, `"a"b"`, `"\x"`, `"\u12"`, "\"\n\""},
	},
	{
		"fold", `(?i)straße|KELVIN|select \* from`,
		[]string{"STRAßE", "kelvin", "Kelvin", "SeLeCt * FrOm"},
		[]string{"strasse", "select  from"},
	},
	{"anchors", `^(?:\Aabc|^x+)$\z`, []string{"abc", "xx"}, []string{"", "abcx"}},
	{
		"anchor inside", `(?:^|,)a+(?:$|,)b*`, []string{"a", ",aa", "aa,", ",a,bb"},
		[]string{"", "ab", "a,c"},
	},
	{
		"anchor in a repetition", `(?:^a|b)+c?`, []string{"a", "abb", "bbc"},
		[]string{"ba", "", "aa"},
	},
	{
		"lines", `(?m)(?:^\w+$\n?)+`, []string{"a", "a\nb\n", "ab\ncd\nef"},
		[]string{"", "a\n\nb", "a b"},
	},
	{
		"word boundary", `\b\w+\b(?:[ ,]+\b\w+\b)*`, []string{"a", "a b", "hello, world"},
		[]string{"", "a ", ", a", "a-b"},
	},
	{
		"boundary chosen", `.*\bfoo\b.*`, []string{"foo", "a foo b", "-foo-"},
		[]string{"food", "afoo", "fo"},
	},
	{
		"no boundary", `[a-c ]*\Bb[a-c ]*`, []string{"abc", "bab", " ab"},
		[]string{"", "b", " b a", "ac"},
	},
	{
		"Unicode class", `\p{Greek}+ \p{Lu}\p{Ll}*`, []string{"αβγ Ärger", "Ω A"},
		[]string{"abc Abc", "α a"},
	},
	{"not", `[^a-z]{2,5}`, []string{"AB", "é1 "}, []string{"a", "ab", "A", "ABCDEF"}},
	{
		"nested repeats", `(?:(?:a|bc){2,3}|(?:d(?:e|f)*)+;){0,3}`,
		[]string{"", "abc", "aaabcbcdefd;", "d;d;d;"},
		[]string{"a", "aaaaaaaaaaa", "d", "d;d;d;d;"},
	},
	{
		"common prefixes", `go(?:pher|phers|ld|)|gopher!|golden`,
		[]string{"go", "gopher", "gophers", "gold", "gopher!", "golden"},
		[]string{"g", "goph", "gopher!!"},
	},
	{"ambiguous", `(?:a|aa)*b`, []string{"b", "aaab"}, []string{"a", "aba"}},
	{"nested stars", `(?:a*)*b|(?:(?:c?)+)*d`, []string{"b", "aab", "ccd"}, []string{"a", "ac"}},
	{
		"empty parts", `(?:|a|b?){3}(?:x*){2,}c{0}`, []string{"", "aab", "xxx", "bx"},
		[]string{"aaaa", "c"},
	},
	{"lazy", `<.+?>.*?`, []string{"<a>", "<a><b>"}, []string{"<>", "a"}},
	{"any", `(?s).{3}.`, []string{"a\nb\n", "世界世界"}, []string{"abc", "abcde"}},
	{
		"one rune classes", `[a][b]{3}[c]?(?:d){2}(?:ef){2}`, []string{"abbbcddefef", "abbbddefef"},
		[]string{"abbbcddef"},
	},
	{"quoting", `\Qa.b*c\E+\t\x41\x{1F600}`, []string{"a.b*cc\tA😀"}, []string{"aXb*c\tA😀"}},
	{
		"no string in a branch", `a|[^\x00-\x{10FFFF}]b|c(?:[^\x00-\x{10FFFF}])?`,
		[]string{"a", "c"}, []string{"b"},
	},
	{
		"many", `(?:ab|c){1000}`, []string{strings.Repeat("ab", 500) + strings.Repeat("c", 500)},
		[]string{strings.Repeat("ab", 999), ""},
	},
	{
		"long", `x{1000}y{0,1000}`, []string{strings.Repeat("x", 1000)},
		[]string{strings.Repeat("x", 999), strings.Repeat("x", 1000) + strings.Repeat("y", 1001)},
	},
}

func TestMatching(t *testing.T) {
	for _, tt := range expressions {
		t.Run(tt.name, func(t *testing.T) {
			g := bigen.Matching(tt.expr)
			re := regexp.MustCompile(`\A(?:` + tt.expr + `)\z`)
			accepts := func(s string) {
				require.True(t, utf8.ValidString(s) && re.MatchString(s), "%q", s)
				b, err := bigen.Encode(g, s)
				require.NoError(t, err, "%q", s)
				back, err := bigen.Decode(g, b)
				require.NoError(t, err)
				require.Equal(t, s, back)
			}
			for _, s := range tt.match {
				accepts(s)
			}
			rejects := func(s string) {
				require.False(t, re.MatchString(s), "%q", s)
				var e *bigen.Error
				require.ErrorAs(t, bigen.Check(g, s), &e, "%q", s)
				require.Contains(t, e.Reason, " does not match")
			}
			for _, s := range tt.not {
				rejects(s)
			}
			require.Error(t, bigen.Check(g, tt.match[0]+"\xff"))

			n := long.Count(6, 100)
			if len(tt.expr) < 20 && strings.Contains(tt.expr, "1000") {
				n = min(n, 20)
			}
			r := rng(21)
			var other choices.Tree
			seen := map[string]bool{}
			for range n {
				s, tree, err := bigen.Run(g, choices.Random(r))
				require.NoError(t, err)
				seen[s] = true
				accepts(s)
				fromBytes, err := bigen.Decode(g, randomBytes(r))
				require.NoError(t, err)
				accepts(fromBytes)
				for _, edited := range []choices.Tree{
					mutate.Any(tree, mutate.SameTag, r), spliced(tree, other, r),
				} {
					for _, replayed := range []*rand.Rand{nil, r} {
						s, _, err := bigen.Run(g, choices.Replay(edited, replayed))
						require.NoError(t, err)
						accepts(s)
					}
				}
				// A string that is off by a rune is accepted if and only if it matches.
				if changed := offByOne(s, r); re.MatchString(changed) {
					accepts(changed)
				} else {
					rejects(changed)
				}
				other = tree
			}
			t.Logf("%d different strings", len(seen))
		})
	}
}

// Package regexp is the judge of random expressions, too.
func TestMatchingRandomExpressions(t *testing.T) {
	t.Parallel()
	n := long.Count(200, 4_000)
	r := rng(33)
	matched := 0
	for range n {
		expr := randomExpr(r, 4)
		re := regexp.MustCompile(`\A(?:` + expr + `)\z`)
		g, err := matchingOrNot(expr)
		for range 20 {
			s := ""
			for range r.IntN(9) {
				s += string("aabbc \n"[r.IntN(7)])
			}
			if err != nil {
				require.False(t, re.MatchString(s), "%q %q: %v", expr, s, err)
				continue
			}
			require.Equal(t, re.MatchString(s), bigen.Check(g, s) == nil, "%q %q", expr, s)
			if v, _, err := bigen.Run(g, choices.Random(r)); s != "" {
				require.NoError(t, err)
				s = v
			}
			if re.MatchString(s) {
				matched++
				b, err := bigen.Encode(g, s)
				require.NoError(t, err)
				back, err := bigen.Decode(g, b)
				require.NoError(t, err)
				require.Equal(t, s, back, "%q", expr)
			} else {
				require.Empty(t, s, "%q makes %q", expr, s)
			}
		}
	}
	require.Greater(t, matched, 5*n)
}

func matchingOrNot(expr string) (g bigen.Gen[string], err any) {
	defer func() { err = recover() }()
	return bigen.Matching(expr), nil
}

// randomExpr returns an expression of words of a, b and c.
func randomExpr(r *rand.Rand, depth int) string {
	if depth == 0 || r.IntN(6) == 0 {
		return []string{
			"a", "b", "ab", "[ab]", "[^a]", ".", "", "(?i)B", `\w`, "c+", "a*", "[ab]{2,}",
			"b{0,2}", "a??", "[a-c]{1,3}",
		}[r.IntN(15)]
	}
	x := "(?:" + randomExpr(r, depth-1) + ")"
	switch r.IntN(9) {
	case 0, 1:
		return x + "|" + randomExpr(r, depth-1)
	case 2, 3, 4:
		return x + "(?:" + randomExpr(r, depth-1) + ")"
	case 5:
		return x + []string{"*", "+", "?"}[r.IntN(3)]
	case 6:
		return x + []string{"{2}", "{0,2}", "{1,3}?", "{2,}"}[r.IntN(4)]
	case 7:
		return []string{"^", "(?m:^)", `\b`, `\B`}[r.IntN(4)] + x
	}
	return x + []string{"$", "(?m:$)", `\b`, `\B`}[r.IntN(4)]
}

// The text of an expression is that of package regexp/syntax, also with large classes.
func TestExpressionText(t *testing.T) {
	t.Parallel()
	r := rng(34)
	classes := []string{"[^a]", "[^k]", "[^bK]", `\W`, `\PL`, "[^Kk\u212a]", `[\x{100}-\x{1000}]`, `\D`, "[^x]"}
	for range long.Count(500, 10_000) {
		expr := randomExpr(r, 4)
		for range r.IntN(4) {
			expr = "(?:" + expr + ")" + classes[r.IntN(len(classes))] + "(?i:" + randomExpr(r, 2) + ")|" +
				classes[r.IntN(len(classes))] + "*?"
		}
		re, err := syntax.Parse(expr, syntax.Perl)
		require.NoError(t, err)
		require.Equal(t, re.String(), bigen.ExpressionText(re), "%q", expr)
	}
}

// spliced puts a part of one tree in the place of any part of another.
func spliced(t, other choices.Tree, r *rand.Rand) choices.Tree {
	if len(t) == 0 || len(other) == 0 {
		return t
	}
	return t.Splice(r.IntN(len(t)), other.At(r.IntN(len(other))))
}

// offByOne returns s with a rune left out, put in or exchanged.
func offByOne(s string, r *rand.Rand) string {
	runes := []rune(s)
	i := r.IntN(len(runes) + 1)
	out := append([]rune{}, runes[:i]...)
	if r.IntN(3) > 0 {
		out = append(out, []rune("a0 -:.Z\nβ")[r.IntN(9)])
	}
	if i < len(runes) && r.IntN(2) == 0 {
		i++
	}
	return string(append(out, runes[i:]...))
}
