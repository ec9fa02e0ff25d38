package apigen

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Patterns are for texts that differ in form, and match those.
func TestPatternsOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ texts, want []string }{
		{nil, nil},
		{[]string{"12"}, []string{"[0-9]{1,2}"}},
		{[]string{"1", "2", "3"}, []string{"[0-9]"}},
		{[]string{`{"key": 1}`}, []string{`\{"(key|[a-z]{0,6})": {1,3}[0-9]\}`}},
		{[]string{"a", "b,c", "a,b"}, []string{"b,c"}}, // which has what the others have
		{[]string{"[1]", "x=y"}, []string{`\[[0-9]\]|`, "x=y"}},
	} {
		patterns := patternsOf(c.texts)
		require.Equal(t, c.want, patterns, c.texts)
		all := regexp.MustCompile("^(" + strings.Join(patterns, "") + ")$")
		for _, text := range diverse(c.texts) {
			require.Regexp(t, all, text)
		}
	}
}
