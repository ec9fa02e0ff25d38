package campaign

import (
	"strings"
	"testing"

	"github.com/espalier-go/espalier/internal/engine"
	"github.com/stretchr/testify/require"
)

// An input is told as Go code, and a text of several lines as it is, too.
func TestFailureText(t *testing.T) {
	got := failureText(engine.Failure{
		Place: "panic at x.go:3", Log: "panic: boom\n",
		Input: "[]byte(\"{\\n\\t\\\"a\\\": 1\\n}\\n\")\nint(3)",
	}, "/dir")
	require.Equal(t, "\tfailure at x.go:3 (panic)\n\t\tpanic: boom\n"+
		"\t\tinput:\n\t\t    []byte(\"{\\n\\t\\\"a\\\": 1\\n}\\n\")\n\t\t    int(3)\n"+
		"\t\tas text:\n\t\t    {\n\t\t    \t\"a\": 1\n\t\t    }\n", got)
	require.Empty(t, asText("[]byte(\"one\")"))

	got = failureText(engine.Failure{Place: "x.go:3", Log: "x.go:3: wrong\n", Value: "1",
		Variants: []engine.Failure{{Place: "x.go:3", Log: "x.go:3: wrong\n", Value: "-1", Rerun: "go test"}}}, "/dir")
	require.Equal(t, "\tfailure at x.go:3\n\t\twrong\n"+
		"\t\tminimal failing value:\n\t\t    1\n"+
		"\t    another value that fails so\n\t\tminimal failing value:\n\t\t    -1\n"+
		"\t\tto run it again:\n\t\t    go test\n", got)
	require.Empty(t, asText("not an argument"))
}

// A line about a failure has the first line of its message, which need not end there.
func TestAnnouncement(t *testing.T) {
	for log, want := range map[string]string{
		"    x_test.go:3: message changes:\n        a\n": ": message changes",
		"    x_test.go:3: a, b:c\n":                      ": a, b:c",
		"    x_test.go:3: :\n        a\n":                "",
		"":                                               "",
	} {
		require.Equal(t, "failure at x_test.go:3"+want,
			announcement(engine.Failure{Place: "x_test.go:3", Log: log}, "/dir"), log)
	}
	require.Equal(t, "failure at x_test.go:3: wrong, saved as /f", announcement(engine.Failure{
		Place: "x_test.go:3", Log: "    x_test.go:3: wrong:\n", File: "/f"}, "/dir"))
}

// Calls that repeat stand there once, with how often.
func TestCallsText(t *testing.T) {
	for names, want := range map[string]string{
		"a b":             "a at p|b at p",
		"a a a b":         "a at p, 3 times|b at p",
		"c a b a b a b d": "c at p|a at p|b at p, these 2 calls 3 times|d at p",
		"a a b a a b":     "a at p|a at p|b at p, these 3 calls 2 times",
		"a b c d e f g h i j k l m": "a at p|b at p|c at p|d at p|e at p|f at p|g at p|h at p|" +
			"i at p|j at p|3 more",
		"a b c d e f g h i j k": "a at p|b at p|c at p|d at p|e at p|f at p|g at p|h at p|" +
			"i at p|j at p|k at p",
		strings.Repeat("a b ", 50) + "c": "a at p|b at p, these 2 calls 50 times|c at p",
	} {
		var calls []engine.Call
		for _, name := range strings.Fields(names) {
			calls = append(calls, engine.Call{Function: name, Place: "p"})
		}
		require.Equal(t, want, strings.ReplaceAll(callsText(calls), "\n", "|"), names)
	}
}
