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
	require.Empty(t, asText("not an argument"))
}
