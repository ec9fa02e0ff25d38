package session

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A text is cut by columns: wide characters take two, and those that combine with others none.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		text    string
		most    int
		fits    string
		columns int
	}{
		{"", 3, "", 0},
		{"abc", 3, "abc", 3},
		{"abcd", 3, "abc", 3},
		{"世界", 3, "世", 2},
		{"世界", 4, "世界", 4},
		{"e\u0301e\u0301e", 2, "e\u0301e\u0301", 2},
		{"🙂a", 2, "🙂", 2},
		{"é…", 2, "é…", 2},
	} {
		fits, columns := cut(c.text, c.most)
		require.Equal(t, c.fits, fits)
		require.Equal(t, c.columns, columns)
	}
}
