package session

import (
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What others have chosen does nothing to a terminal.
// Lines that say how something has ended have a color, others have none.
func TestPaint(t *testing.T) {
	const red, green, end = "\x1b[1;31m", "\x1b[32m", "\x1b[0m"
	for _, line := range []string{"--- FAIL: FuzzX (0.1s)", "FuzzX:     --- FAIL: FuzzX (0.1s)",
		"FAIL\texample.com/x\t1s", "\tfailure at x.go:3", "\tfailures:    1"} {
		require.Equal(t, "before\n"+red+line+end+"\nafter\n", paint("before\n"+line+"\nafter\n"))
	}
	for _, line := range []string{"ok  \texample.com/x\t1s", "PASS"} {
		require.Equal(t, green+line+end+"\n", paint(line+"\n"))
	}
	for _, line := range []string{"FAILED", "=== RUN TestX", "\tcorpus:      1 new entry", "PASSED", ""} {
		require.Equal(t, line, paint(line))
	}
}

// Of many names, the first stand for themselves. The rest are never just one.
func TestNames(t *testing.T) {
	names := strings.Fields("a b c d e f g h")
	for n, want := range map[int]string{
		0: "", 1: "a", 5: "a, b, c, d, e", 6: "a, b, c, d, e, f", 7: "a, b, c, d, e, 2 others",
		8: "a, b, c, d, e, 3 others",
	} {
		require.Equal(t, want, Names(names[:n], false))
	}
	require.Equal(t, "a, b, c, d, e, f, g, h", Names(names, true))
	require.Len(t, names, 8)
}

func TestProgressText(t *testing.T) {
	require.Equal(t, "1200 executions, 600/s, 3 of 9 blocks, 8s left, 2 new, 1 failure",
		Progress{Done: 1200, One: "execution", Many: "executions", Left: 8 * time.Second, Found: 2,
			Failures: 1, Seconds: 2, Covered: 3, Blocks: 9}.String())
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
