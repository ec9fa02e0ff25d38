package wholetext_test

import (
	"math"
	"regexp"
	"testing"
	"unicode/utf8"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/internal/wholetext"
	"github.com/stretchr/testify/require"
)

// texts are strings of up to four of some letters, with line ends.
func texts() (all []string) {
	all = []string{""}
	for begin := 0; len(all) < 341; begin++ {
		for _, r := range "abc\n" {
			all = append(all, all[begin]+string(r))
		}
	}
	return all
}

var expressions = []string{
	"a", "^a", "a$", "^a$", "^a|b$", "a|^b", "(^a|b)c", "a(b$|c)", "^(a|b)*$", "(?i)^A", "^^a$$", "", "^", "$",
	"a.c", "(?:^|b)a", "^a|^b", `\Aa\z`, "(a)(b)?$", "[ab]{2}", "^[ab]{2,3}$", "^a?b*c$", "^(ab)+$",
}

// The whole expression matches what has a part that matches.
func TestOf(t *testing.T) {
	for _, expr := range expressions {
		text, err := wholetext.Of(expr)
		require.NoError(t, err)
		whole := regexp.MustCompile(`\A(?:` + text + `)\z`)
		part := regexp.MustCompile(expr)
		for _, s := range texts() {
			require.Equal(t, part.MatchString(s), whole.MatchString(s), "%s: %q", expr, s)
		}
	}
}

// What is no expression is an error.
func TestOfFails(t *testing.T) {
	_, err := wholetext.Of("(")
	require.ErrorContains(t, err, "missing closing )")
}

// A limited expression matches the same texts of the lengths, and no others.
func TestLimit(t *testing.T) {
	limited := 0
	for _, expr := range expressions {
		expr, err := wholetext.Of(expr)
		require.NoError(t, err)
		for _, bounds := range [][2]int{{0, math.MaxInt32}, {0, 2}, {1, 1}, {2, 3}, {3, math.MaxInt32}, {0, 0}} {
			got, ok := wholetext.Limit(expr, bounds[0], bounds[1])
			if !ok {
				require.Equal(t, expr, got)
				continue
			}
			limited++
			all, few := regexp.MustCompile(`\A(?:`+expr+`)\z`), regexp.MustCompile(`\A(?:`+got+`)\z`)
			for _, s := range texts() {
				n := utf8.RuneCountInString(s)
				want := all.MatchString(s) && bounds[0] <= n && n <= bounds[1]
				require.Equal(t, want, few.MatchString(s), "%s %v: %s: %q", expr, bounds, got, s)
			}
		}
	}
	require.Greater(t, limited, 40)
	got, ok := wholetext.Limit("^[a-z]+$", 5, 7)
	require.True(t, ok)
	require.NoError(t, bigen.Check(bigen.Matching(got), "abcdef"))
	require.Error(t, bigen.Check(bigen.Matching(got), "abcd"))
}
