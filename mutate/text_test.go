package mutate_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/mutate"
	"github.com/stretchr/testify/require"
)

// A text becomes as short and plain as its length and alphabet allow.
func TestMinimizeTexts(t *testing.T) {
	cyrillic, upper := choices.RuneRanges('а', 'я'), choices.RuneRanges('A', 'Z')
	any := func(string) bool { return true }
	tests := []struct {
		name  string
		gen   bigen.Gen[string]
		fails func(s string) bool
		want  string
	}{
		{"fewest", bigen.StringOf(nil, 3, 40), any, "aaa"},
		{"xyz", bigen.StringOf(choices.Chars("xyz"), 2, 40), any, "xx"},
		{"xyz, longer", bigen.StringOf(choices.Chars("xyz"), 2, 40),
			func(s string) bool { return len(s) >= 5 }, "xxxxx"},
		{"xyz, a z", bigen.StringOf(choices.Chars("xyz"), 2, 40),
			func(s string) bool { return s[len(s)-1] == 'z' }, "xz"},
		{"Cyrillic", bigen.StringOf(cyrillic, 0, 40),
			func(s string) bool { return len([]rune(s)) >= 4 }, "аааа"},
		{"Cyrillic, late", bigen.StringOf(cyrillic, 1, 40),
			func(s string) bool {
				return strings.IndexFunc(s, func(r rune) bool { return r >= 'п' }) >= 0
			}, "п"},
		{"upper case", bigen.StringOf(upper, 1, 9), func(s string) bool { return len(s) >= 3 }, "AAA"},
		{"upper case among all", bigen.String(40), func(s string) bool {
			return strings.IndexFunc(s, func(r rune) bool { return 'A' <= r && r <= 'Z' }) >= 0
		}, "A"},
		{"letter", bigen.StringOf(choices.Class(unicode.Lu), 2, 9), any, "AA"},
		{"late letter", bigen.String(40), func(s string) bool {
			return strings.IndexFunc(s, func(r rune) bool { return 'q' <= r && r <= 'z' }) >= 0
		}, "q"},
		{"number", bigen.Matching(`-?(?:0|[1-9]\d*)(?:\.\d+)?`), any, "0"},
		{"long number", bigen.Matching(`(?:0|[1-9]\d*)(?:-\d+)?`),
			func(s string) bool { return strings.IndexByte(s+"-", '-') >= 4 }, "1000"},
		{"UUID",
			bigen.Matching(
				`[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`), any,
			"aaaaaaaa-aaaa-1aaa-aaaa-aaaaaaaaaaaa"},
		{"list", bigen.Matching(`(?:(?:ab|c)+;)*`),
			func(s string) bool { return strings.Count(s, ";") >= 2 }, "ab;ab;"},
		{"words", bigen.Matching(`\b[a-z]+\b(?: \b[a-z]+\b)*`),
			func(s string) bool { return strings.Count(s, " ") >= 2 }, "a a a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := rng(5)
			for found := 0; found < 20; {
				s, c, err := bigen.Run(tt.gen, choices.Random(r))
				require.NoError(t, err)
				if !tt.fails(s) {
					continue
				}
				found++
				got, _, _ := mutate.Minimize(c, func(c choices.Tree) (string, choices.Tree, error) {
					return bigen.Run(tt.gen, choices.Replay(c, nil))
				}, tt.fails, 5_000)
				s, _, err = bigen.Run(tt.gen, choices.Replay(got, nil))
				require.NoError(t, err)
				require.Equal(t, tt.want, s)
			}
		})
	}
}
