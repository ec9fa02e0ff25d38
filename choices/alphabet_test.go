package choices_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

func TestAlphabet(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		a        *choices.Alphabet
		in       string // some of its runes, the plainest first
		out      string
		size     int // if not 0
		asString string
	}{
		{"chars", choices.Chars("zxyx"), "xyz", "a wé", 3, "[x-z]"},
		{"one", choices.Chars("-"), "-", "ab", 1, `[\-]`},
		{"order", choices.Chars("é_B~0a\x00]Z"), "a0BZ]_~\x00é", "b1C", 9, `[a0BZ\]_~\x{0}é]`},
		{
			"ranges", choices.RuneRanges('a', 'f', '0', '9', 'c', 'h'), "abch09", "iA", 18,
			"[a-h0-9]",
		},
		{
			"ASCII", choices.RuneRanges(0, 0x7F), "az09 ~\x00\x7f", "\u0080", 128,
			`[a-z0-9 -/:-` + "`" + `{-~\x{0}-\x{1F}\x{7F}]`,
		},
		{"class", choices.Class(unicode.Lu, unicode.Nd), "0AZÄΩ", "aä", 0, ""},
		{"surrogates", choices.RuneRanges(0xD7FF, 0xE000), "\uD7FF\uE000", "a\uE001", 2, ""},
		{
			"union",
			choices.Union(choices.Chars("_"), choices.RuneRanges('0', '9'), choices.Chars("5a")),
			"a05_", "b", 12, "[a0-9_]",
		},
		{"all", nil, "az0 ~\x00\x7fé\uD7FF\uE000\U0010FFFF", "", 0x110000 - 0x800, "any rune"},
		{
			"all again", choices.Union(choices.Chars("a"), nil), "a\U0010FFFF", "",
			0x110000 - 0x800, "any rune",
		},
		{
			"all explicitly", choices.RuneRanges(0, unicode.MaxRune), "az0 \U0010FFFF", "",
			0x110000 - 0x800, "",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.size > 0 {
				require.Equal(t, tt.size, tt.a.Len())
			}
			if tt.asString != "" {
				require.Equal(t, tt.asString, tt.a.String())
			}
			for _, r := range tt.out {
				require.False(t, tt.a.Contains(r), "%q", r)
			}
			last := -1
			for _, r := range tt.in {
				i, ok := tt.a.Index(r)
				require.True(t, ok && tt.a.Contains(r), "%q", r)
				require.Greater(t, i, last, "%q", r)
				last = i
			}
			first, _ := utf8.DecodeRuneInString(tt.in)
			require.Equal(t, first, tt.a.Simplest())
			for k := range 1000 {
				i := k * (tt.a.Len() - 1) / 999
				r := tt.a.At(i)
				j, ok := tt.a.Index(r)
				require.True(t, ok)
				require.Equal(t, i, j)
				if i > 0 {
					require.Negative(t, plainness(tt.a.At(i-1))-plainness(r))
				}
			}
			require.False(t, tt.a.Contains(0xD800))
			require.False(t, tt.a.Contains(-1))
			require.False(t, tt.a.Contains(utf8.MaxRune+1))
			require.Panics(t, func() { tt.a.At(tt.a.Len()) })
			require.Panics(t, func() { tt.a.At(-1) })
		})
	}
	for _, f := range []func(){
		func() { choices.Chars("") },
		func() { choices.Chars("a\xff") },
		func() { choices.Class() },
		func() { choices.Class(unicode.Cs) },
		func() { choices.RuneRanges() },
		func() { choices.RuneRanges('a') },
		func() { choices.RuneRanges('b', 'a') },
		func() { choices.RuneRanges(-1, 'a') },
		func() { choices.RuneRanges('a', utf8.MaxRune+1) },
		func() { choices.RuneRanges(0xD800, 0xDFFF) },
		func() { choices.Union() },
	} {
		require.Panics(t, f)
	}
	letters := choices.Class(unicode.Letter)
	for r := range rune(0x3000) {
		require.Equal(t, unicode.IsLetter(r), letters.Contains(r))
	}
}

func TestFitText(t *testing.T) {
	t.Parallel()
	xyz, hex, cyrillic := choices.Chars(
		"xyz",
	), choices.RuneRanges('0', '9', 'A', 'F'), choices.RuneRanges(
		'а', 'я',
	)
	tests := []struct {
		q       choices.Question
		s, want string
	}{
		{choices.Question{Max: 5}, "häß", "häß"},
		{choices.Question{Max: 2}, "häß", "hä"},
		{choices.Question{Min: 5, Max: 9}, "häß", "häßaa"},
		{choices.Question{Max: 9}, "a\xffb\xc3", "a\uFFFDb\uFFFD"},
		{choices.Question{Max: 2}, "a\xff\xff", "a\uFFFD"},
		{choices.Question{Max: 9}, "\uFFFD", "\uFFFD"},
		{choices.Question{Max: 9, Alphabet: xyz}, "zyx", "zyx"},
		{choices.Question{Max: 9, Alphabet: xyz}, "abcd", "xyzx"},
		{choices.Question{Min: 3, Max: 9, Alphabet: xyz}, "za", "zxx"},
		{choices.Question{Min: 3, Max: 3, Alphabet: cyrillic}, "", "ааа"},
		{choices.Question{Min: 1, Max: 3, Alphabet: cyrillic}, "яabcz", "яаб"},
		{choices.Question{Max: 16, Alphabet: hex}, "abcdefghijklmnop", "0123456789ABCDEF"},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, tt.q.FitText(tt.s), "%q", tt.s)
		require.Equal(t, tt.want, tt.q.FitText(tt.want))
		require.Equal(
			t, strings.Repeat(string(tt.q.Alphabet.Simplest()), tt.q.Min), tt.q.SimplestText(),
		)
	}
}

// A replay and bytes answer with texts that fit, whatever text they have.
func TestSourcesFitText(t *testing.T) {
	t.Parallel()
	r := rng(3)
	for range long.Count(800, 3_000) {
		q := &choices.Question{
			Kind: choices.Text, Min: r.IntN(5),
			Alphabet: []*choices.Alphabet{
				nil, choices.Chars("xyz"), choices.Class(unicode.Cyrillic),
			}[r.IntN(3)],
		}
		q.Max = q.Min + 1 + r.IntN(5)
		b := make([]byte, r.IntN(12))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		tree := choices.Tree{{Kind: choices.Text, Tag: string(b), Size: 1, Reroll: r.IntN(2) == 0}}
		for _, src := range []choices.Source{
			choices.Random(r), choices.FromBytes(b), choices.FromBytes(choices.Encode(tree)),
			choices.Replay(tree, r), choices.Replay(tree, nil), choices.Replay(nil, nil),
		} {
			s := src.Text(q)
			require.Equal(t, s, q.FitText(s))
			again := choices.FromBytes(
				choices.Encode(choices.Tree{{Kind: choices.Text, Tag: s, Size: 1}}),
			)
			require.Equal(t, s, again.Text(q))
		}
	}
}

// plainness returns the rank of a rune among all.
func plainness(r rune) int {
	i, _ := (*choices.Alphabet)(nil).Index(r)
	return i
}
