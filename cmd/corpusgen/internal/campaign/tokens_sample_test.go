package campaign

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is said to match a regular expression does.
func TestMatching(t *testing.T) {
	for _, expr := range []string{
		`^rel-[0-9]+\.[0-9]+-rc[0-9]$`, `(?i)content-type:\s*(text|json)`, `a{3,5}(b|cc|d)?[^x]`,
		`\bword\b`, `^(?P<name>[^=]+)=(.*)$`, `[☃-☆]+`, `.`, `(?s).{4}`, `x*`, `(a|b(c|d+))`, `\pL\PL`,
	} {
		for _, text := range matching(expr) {
			require.Regexp(t, regexp.MustCompile(`^(?:`+expr+`)$`), text)
		}
	}
	require.Equal(t, []string{"a", "bd"}, matching("(a|b(c|d+))"))
	require.Empty(t, matching("("))
	require.Less(t, len(matching(`((a{30}){30}){0,1}`)[1]), 10_000)
}

// What is said to be of a format is scanned.
func TestScanned(t *testing.T) {
	for format, args := range map[string][]any{
		"move %d onto %5d":   {new(int), new(int)},
		"%s = %q at %f %%%c": {new(string), new(string), new(float64), new(rune)},
		"%x:%t %v":           {new(int), new(bool), new(uint8)},
	} {
		n, err := fmt.Sscanf(scanned(format), format, args...)
		require.NoError(t, err, format)
		require.Equal(t, len(args), n)
	}
}

// Keys of maps, and what is compared, are bytes of integers in either order, of any size that holds
// them. What is in other tables is not.
func TestSampleTokens(t *testing.T) {
	code := filepath.Join(t.TempDir(), "x.go")
	require.NoError(t, os.WriteFile(code, []byte(`package x

import (
	"fmt"
	"regexp"
)

var names = map[version]string{{0x4142, 0x4344}: "", version{major: 'a', minor: 98}: "", {x, 2}: ""}

var table = []version{{0x5152, 0x5354}}

var release = regexp.MustCompile("^v[0-9]$")

func f(s string, v [2]int32) {
	fmt.Printf("no %s token", s)
	fmt.Sscanf(s, "at %d", &n)
	if v == [2]int32{-1, 2} || v != [2]int32{0x11223344, 0x55667788} {
	}
}
`), 0o666))
	got := tokens(nil, []string{code})
	want := []string{
		"ABCD", "BADC", "\x00\x00AB\x00\x00CD", "BA\x00\x00DC\x00\x00",
		"\x00\x00\x00\x00\x00\x00AB\x00\x00\x00\x00\x00\x00CD",
		"BA\x00\x00\x00\x00\x00\x00DC\x00\x00\x00\x00\x00\x00",
		"ab", "\x00a\x00b", "a\x00b\x00", "\x00\x00\x00a\x00\x00\x00b", "a\x00\x00\x00b\x00\x00\x00",
		"\x00\x00\x00\x00\x00\x00\x00a\x00\x00\x00\x00\x00\x00\x00b",
		"a\x00\x00\x00\x00\x00\x00\x00b\x00\x00\x00\x00\x00\x00\x00",
		"\x11\x22\x33\x44\x55\x66\x77\x88", "\x44\x33\x22\x11\x88\x77\x66\x55",
		"\x00\x00\x00\x00\x11\x22\x33\x44\x00\x00\x00\x00\x55\x66\x77\x88",
		"\x44\x33\x22\x11\x00\x00\x00\x00\x88\x77\x66\x55\x00\x00\x00\x00",
		"^v[0-9]$", "v0", "at 1",
	}
	require.ElementsMatch(t, want, got.Texts)
}
