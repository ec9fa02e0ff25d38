package visible

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"é 世\tx\r\n":        "é 世\tx\r\n",
		"\x1b[31mred\r\x07": `\x1b[31mred\r\a`,
		"\xff\u202e\u009b":  `\xff\u202e\u009b`,
		"\uFFFD":            "\uFFFD",
	} {
		require.Equal(t, want, Text(text))
	}
}
