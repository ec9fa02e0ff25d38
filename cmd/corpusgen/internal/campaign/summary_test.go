package campaign

import (
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
