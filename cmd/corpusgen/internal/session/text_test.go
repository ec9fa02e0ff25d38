package session

import (
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What others have chosen does nothing to a terminal.
func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"é 世\tx\r\n":        "é 世\tx\r\n",
		"\x1b[31mred\r\x07": `\x1b[31mred\r\a`,
		"\xff\u202e\u009b":  `\xff\u202e\u009b`,
		"\uFFFD":            "\uFFFD",
	} {
		require.Equal(t, want, clean(text))
	}
}

// Nor does what comes as JSON, nor an error that has no session.
func TestPrintable(t *testing.T) {
	const text = "é 世\x1b[31m\x7f\u009b\u202e\U000e0001"
	r, w, err := os.Pipe()
	require.NoError(t, err)
	stdout, stderr := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = w, w
	NewOutput(true).Emit(text)
	Complain("%s", text)
	os.Stdout, os.Stderr = stdout, stderr
	require.NoError(t, w.Close())
	b, err := io.ReadAll(r)
	require.NoError(t, err)
	line, complaint, _ := strings.Cut(string(b), "\n")
	require.Equal(t, `"é 世\u001b[31m\u007f\u009b\u202e\udb40\udc01"`, line)
	var back string
	require.NoError(t, json.Unmarshal([]byte(line), &back))
	require.Equal(t, text, back)
	require.Equal(t, "corpusgen: "+`é 世\x1b[31m\x7f\u009b\u202e\U000e0001`+"\n", complaint)
}
