package bigen_test

import (
	"math"
	"net/url"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

func TestTextErrors(t *testing.T) {
	digits := choices.RuneRanges('0', '9')
	matching := bigen.Matching
	urlOf := func(s string) *url.URL {
		u, err := url.Parse(s)
		require.NoError(t, err)
		return u
	}
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"long", bigen.Check(bigen.StringOf(digits, 2, 3), "1234"), "4 runes, more than 3"},
		{"short", bigen.Check(bigen.StringOf(digits, 2, 3), "1"), "1 runes, fewer than 2"},
		{
			"other rune", bigen.Check(bigen.StringOf(digits, 2, 3), "1a"),
			"at position 1: 'a' is not one of [0-9]",
		},
		{"UTF-8", bigen.Check(bigen.StringOf(nil, 2, 3), "a\xff"), `"a\xff" is not valid UTF-8`},
		{"rune", bigen.Check(bigen.Rune(digits), 'x'), "U+0078 'x' is not one of [0-9]"},
		{"surrogate", bigen.Check(bigen.Rune(nil), 0xD800), "0xd800 is not valid in UTF-8"},
		{"no rune", bigen.Check(bigen.Rune(nil), -1), "-0x1 is not valid in UTF-8"},
		{"bytes", bigen.Check(bigen.Bytes(1, 2), []byte("abc")), "3 bytes, not 1 to 2"},
		{
			"Matching", bigen.Check(matching(`[0-9]{4}-[0-9]+`), "123x"),
			`at position 3: "x" does not match [0-9]`,
		},
		{
			"several", bigen.Check(matching(`[0-9]+(?:-|/)x?`), "12?34567890123456789012"),
			`at position 2: "?3456789012345678901..." does not match [0-9] or [\-/]`,
		},
		{
			"end", bigen.Check(matching(`abc|abd`), "ab"),
			"at position 2: the end does not match [cd]",
		},
		{"rest", bigen.Check(matching(`abc`), "abcd"), `at position 3: "d" does not match the end`},
		{
			"inside a literal", bigen.Check(matching(`käse|kühl`), "käs!"),
			`at position 4: "!" does not match "e"`,
		},
		{
			"furthest", bigen.Check(matching(`(?:a|ab)(?:c|bcd)x`), "abcdy"),
			`at position 4: "y" does not match "x"`,
		},
		{
			"many",
			bigen.Check(matching(`(?:[a-c]+1|[d-f]+2|[g-i]+3|[j-l]+4|[m-o]+5|[p-r]+6)`), "!"),
			`at position 0: "!" does not match [a-c] or [d-f] or [g-i] or [j-l] or [m-o] or others`,
		},
		{
			"assertion", bigen.Check(matching(`a*\bx`), "aax"),
			`"aax" does not match: a ^, $, \b or \B does not hold`,
		},
		{
			"assertion and more", bigen.Check(matching(`a*\bx`), "aay"),
			`at position 2: "y" does not match`,
		},
		{"invalid UTF-8", bigen.Check(matching(`.`), "\xff"), `"\xff" is not valid UTF-8`},
		{"nil URL", bigen.Check(bigen.URL(), nil), "is nil"},
		{
			"other URL", bigen.Check(bigen.URL(), &url.URL{Host: "a b"}),
			`its String does not parse: parse "//a%20b": invalid URL escape "%20"`,
		},
		{
			"URL by hand", bigen.Check(bigen.URL(), &url.URL{Scheme: "HTTP", Host: "go.dev"}),
			`its String, "HTTP://go.dev", is parsed as another URL`,
		},
		{
			"odd URL", bigen.Check(bigen.URL(), urlOf("http://a<b")),
			`at position 8: "<b" does not match `,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.ErrorIs(t, tt.err, bigen.ErrNotProduced)
			require.Contains(t, tt.err.Error(), "not produced by the generator: at /: "+tt.want[:1])
			require.Contains(t, tt.err.Error(), tt.want)
		})
	}
}

func TestTextMisuse(t *testing.T) {
	tests := []struct {
		name string
		f    func()
		want string
	}{
		{
			"no runes", func() { bigen.StringOf(nil, -1, 3) },
			"bigen.StringOf: no string has from -1 to 3 runes",
		},
		{
			"runes", func() { bigen.StringOf(nil, 4, 3) },
			"bigen.StringOf: no string has from 4 to 3 runes",
		},
		{"bytes", func() { bigen.Bytes(4, 3) }, "bigen.Bytes: no slice has from 4 to 3 bytes"},
		{
			"syntax", func() { bigen.Matching(`a(b`) },
			"bigen.Matching: error parsing regexp: missing closing ): `a(b`",
		},
		{
			"unsupported", func() { bigen.Matching(`(a)\1`) },
			"bigen.Matching: error parsing regexp: invalid escape sequence: `\\1`",
		},
		{
			"no string", func() { bigen.Matching(`a[^\x00-\x{10FFFF}]`) },
			`bigen.Matching("a[^\\x00-\\x{10FFFF}]"): no string matches`,
		},
		{
			"surrogates", func() { bigen.Matching(`[\x{D800}-\x{DFFF}]`) },
			`bigen.Matching("[\\x{D800}-\\x{DFFF}]"): no string matches`,
		},
		{
			"anchor after", func() { bigen.Matching(`a^b`) },
			`bigen.Matching("a^b"): no string matches`,
		},
		{
			"anchor before", func() { bigen.Matching(`a$b?b`) },
			`bigen.Matching("a$b?b"): no string matches`,
		},
		{
			"boundary within", func() { bigen.Matching(`\w+\b\w+`) },
			`bigen.Matching("\\w+\\b\\w+"): no string matches`,
		},
		{
			"no boundary", func() { bigen.Matching(`\b`) },
			`bigen.Matching("\\b"): no string matches`,
		},
		{
			"deep",
			func() { bigen.Matching(strings.Repeat("(?:x", 300) + strings.Repeat("y)?", 300)) },
			"are nested deeper than 250",
		},
		{
			"large",
			func() { bigen.Matching("(?:" + strings.Repeat("(?:a|bc)x", 200) + "){1000}") },
			"the expression is too large, with its repetitions written out",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			defer func() { require.Contains(t, recover(), tt.want) }()
			tt.f()
		})
	}
}

// What assertions leave is found although hardly any string passes.
func TestMatchingFallback(t *testing.T) {
	for expr, want := range map[string]string{
		`\w{9}.*\Bq\b\W{5}.*(?:z|^)`:     "aaaaaaaaaq     z",
		`(?m)[a-z\n]{40}^\n{3}$\n[a-z]$`: strings.Repeat("a", 39) + "\n\n\n\n\na",
		`(?i)(?:.{30}|k)\B\x{212A}\b`:    "kK",
	} {
		g := bigen.Matching(expr)
		v, _, err := bigen.Run(g, wrong{})
		require.NoError(t, err, expr)
		if !strings.Contains(expr, "(?i)") {
			require.Equal(t, want, v, expr)
		}
		checkValue(t, g, v, always)
		require.NoError(t, bigen.Check(g, want))
	}
}

// The work of reading a string backward does not explode.
func TestMatchingIsPolynomial(t *testing.T) {
	for _, expr := range []string{
		`(?:a*)*b`, `(?:a|a)*b`, `(?:a|aa)+b`, `(?:a+)+b`, `(?:(?:a?){50}){20}b`, `(?:a{0,50}){6}b`, `.*.*.*.*.*=.*b`,
		`(?:\w+\s?)*b`, `(?:(?:a|aa)*(?:aa|a)*)*b`, `(?:a{2,}){2,}(?:a+b?)*c`,
	} {
		g := bigen.Matching(expr)
		n := long.Count(100, 2000)
		for _, s := range []string{
			strings.Repeat("a", 2*n), strings.Repeat("a", n) + "!" + strings.Repeat("a", n),
		} {
			// and not: too many choices tried
			require.ErrorContains(t, bigen.Check(g, s), " does not match ", expr)
		}
	}
	g := bigen.Matching(`(?:a|aa)*b`)
	checkValue(t, g, strings.Repeat("a", long.Count(2_000, 20_000))+"b", always)
	if long.Enabled() {
		checkValue(t, bigen.Matching(`(?s).*b.*`), strings.Repeat("ab", 1<<20), always)
	}
}

// Where a value has become too large, texts are as simple as can be.
func TestTextLimits(t *testing.T) {
	if !long.Enabled() {
		t.Skip("makes large values")
	}
	type word struct{ A, B string }
	for _, expr := range []string{`(?:be|ac)[x-z]{2}(?:cd|d)*!`, `(?:b|a)\b(?:[ !]|\W)\B`} {
		g := bigen.SliceOf(bigen.SliceOf(bigen.Struct(func(c *bigen.C, w *word) {
			bigen.At(c, &w.A, bigen.Matching(expr))
			bigen.At(c, &w.B, bigen.StringOf(choices.Chars("zy"), 2, 4))
		}), 200, 200), 150, 150)
		v, tree, err := bigen.Run(g, choices.Random(rng(1)))
		require.NoError(t, err)
		require.Greater(t, len(tree), 1<<16)
		require.Equal(t, "yy", v[149][199].B)
		if long.Enabled() {
			checkValue(t, g, v, always)
		}
		again, err := bigen.Choices(g, v)
		require.NoError(t, err)
		require.Equal(t, len(tree), len(again))
		require.Equal(t, tree[len(tree)-1000:], again[len(again)-1000:])
		v[149][199].B = "yz"
		require.ErrorContains(t, bigen.Check(g, v), "choices up to here")
		v[149][199].B = "yy"
		v[149][199].A = "acxx!"
		require.Error(t, bigen.Check(g, v))
	}
	v, _, err := bigen.Run(bigen.Matching(`(?:ab|(?:cd)*e){1000}`), wrong{})
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("ab", 1000), v)
	v, _, err = bigen.Run(bigen.StringOf(nil, 3, math.MaxInt), choices.Random(rng(1)))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(v), 3)
}

// What can be only one text is not a choice.
func TestTextWithoutChoice(t *testing.T) {
	e := choices.Chars("é")
	for _, g := range []bigen.Gen[string]{
		bigen.StringOf(e, 3, 3), bigen.StringOf(nil, 0, 0), bigen.Matching(`(?:é{2}[é]b|c{0}){1}`),
	} {
		v, tree, err := bigen.Run(g, choices.Random(rng(1)))
		require.NoError(t, err)
		if len(tree) > 0 { // the alternation of the expression
			require.Len(t, tree, 1)
		}
		again, err := bigen.Choices(g, v)
		require.NoError(t, err)
		require.Equal(t, tree, again)
	}
	_, tree, err := bigen.Run(bigen.StringOf(e, 3, 3), choices.Random(rng(1)))
	require.NoError(t, err)
	require.Empty(t, tree)
}

func TestBytesEmpty(t *testing.T) {
	g := bigen.Bytes(0, 3)
	b, err := bigen.Encode(g, []byte{})
	require.NoError(t, err)
	v, err := bigen.Decode(g, b)
	require.NoError(t, err)
	require.Nil(t, v)
	checkValue(t, g, []byte("\x00\x7f\xff"), always)
}

func TestURL(t *testing.T) {
	for _, s := range []string{
		"", "*", "/", "a", "a/b/", "../up?q", "?x=1", "#frag", "//cdn.example.com/lib.js", "./a:b", "/a//b/./..",
		"https://go.dev", "https://go.dev/", "http://localhost:8080/debug/pprof/heap?debug=1", "https://pkg.go.dev/net/url#URL.String",
		"https://user:p%40ss@example.com:8443/a%2Fb/c%20d;v=1?x=1&y=%20z&z#a/b?c", "ftp://anonymous@ftp.is.co.za/rfc/rfc1808.txt",
		"http://[::1]/", "http://[2001:db8::7]:80/c=GB?objectClass?one", "http://[fe80::1%25en0]:8080/", "http://[::ffff:192.0.2.128]/", "http://192.168.0.1/",
		"mailto:John.Doe@example.com", "news:comp.infosystems.www.servers.unix", "tel:+1-816-555-1212", "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
		"data:text/plain;base64,SGVsbG8=", "javascript:alert('hi')", "magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a",
		"file:///etc/hosts", "file:/etc/hosts", "file:///C:/Users/gopher", "postgres://u:p@db-1:5432,db-2:5432/app?sslmode=disable", "redis://:secret@cache:6379/0",
		"https://en.wikipedia.org/wiki/Go_(programming_language)", "https://de.wikipedia.org/wiki/K%C3%A4se", "https://example.com/search?q=caf\u00e9+noir|a b",
		"https://www.google.com/search?q=go+fuzz&hl=en&sa=X&ved=0ahUKEwj~_-&biw=1920#ip=1", "https://github.com/golang/go/issues?q=is%3Aopen+label%3A%22help+wanted%22",
		"http://m\u00fcnchen.example/", "http://example.com:/", "http://example.com?", "git+ssh://git@github.com/golang/go.git", "s3://bucket/key/with%20space", "ws://echo:80/chat",
		"https://example.com/" + strings.Repeat(
			"long-path-segment", 30,
		) + "?" + strings.Repeat("key=value&", 50), "x-very-long-scheme.name+1:/p",
	} {
		u, err := url.Parse(s)
		require.NoError(t, err)
		checkValue(t, bigen.URL(), u, always)
	}
	r := rng(1)
	hosts, absolute, users, queries := 0, 0, 0, 0
	for range 500 {
		u := bigen.Sample(bigen.URL(), r)
		for n, ok := range map[*int]bool{
			&hosts: u.Host != "", &absolute: u.IsAbs(), &users: u.User != nil,
			&queries: u.RawQuery != "",
		} {
			if ok {
				*n++
			}
		}
	}
	for _, n := range []int{hosts, absolute, users, queries} {
		require.Greater(t, n, 40)
	}
}
