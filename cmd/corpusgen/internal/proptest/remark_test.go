package proptest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A reason is said once, with a few names.
func TestDoubtful(t *testing.T) {
	list := []remark{
		{"p.A", `"x"`, `panic: "x" is long`}, {"p.B", "0", "panic: 0"},
		{"p.C", `"y"`, `panic: "y\"" is long`}, {why: "T is a map. But no"},
	}
	for range maxNames {
		list = append(list, remark{"p.D", strings.Repeat("ä", maxWith), "panic: 17"})
	}
	require.Equal(t, []string{
		`p.A, p.C, the first with "x": panic: "x" is long`,
		"p.B, p.D, p.D, p.D, p.D and 1 more, the first with 0: panic: 0",
		"T is a map. But no",
	}, (&check{doubts: list}).doubtful())
	require.Equal(t, []string{"p.D with " + strings.Repeat("ä", maxWith/2) + " ...: panic: 17"},
		(&check{doubts: list[4:5]}).doubtful())
}

// A file to commit has no path of this machine.
func TestWithoutPaths(t *testing.T) {
	require.Equal(t, "panic: properties.test flag redefined: \"properties.test\"\nTMP/x",
		withoutPaths(`panic: C:\t\0\properties.test flag redefined: "C:\\t\\0\\properties.test"`+"\n"+
			`C:\t\0\process-1/x`, `C:\t\0\properties.test`, `C:\t\0\process-1`))
}
