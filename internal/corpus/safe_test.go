package corpus

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSafePath(t *testing.T) {
	for name, want := range map[string]string{
		"TestX":           "TestX",
		"TestX/sub_case":  "TestX/sub_case",
		"TestX/sub#01":    "TestX/sub#01",
		"TestX/../../etc": "TestX/%2E%2E/%2E%2E/etc",
		"TestX/./a":       "TestX/%2E/a",
		"TestX//":         "TestX/%/%",
		"TestX/a.b.":      "TestX/a.b%2E",
		"TestX/a:b*c\\d":  "TestX/a%3Ab%2Ac%5Cd",
		"TestX/%2E":       "TestX/%252E",
		"TestX/nul.txt":   "TestX/%nul.txt",
		"TestX/é":         "TestX/%C3%A9",
	} {
		require.Equal(t, want, SafePath(name))
	}
	long := SafePath(fmt.Sprintf("TestX/%0500d", 1))
	require.Less(t, len(long), 150)
	require.NotEqual(t, long, SafePath(fmt.Sprintf("TestX/%0500d", 10)))
}
