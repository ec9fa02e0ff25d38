package coverage

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFunctionsText(t *testing.T) {
	functions := []*Function{{Path: "a.go", Line: 1, Name: "A", Percent: 50},
		{Path: "b.go", Line: 22, Name: "B"}, {Path: "b.go", Line: 3, Name: "C"}}
	require.Equal(t, "    a.go:1:   A  50.0%\n    b.go:22:  B  0.0%\n    b.go:3:   C  0.0%\n",
		functionsText(functions, 2))
	require.Equal(t, "    a.go:1:  A  50.0%\n    and 2 functions that nothing reaches: -v\n",
		functionsText(functions, 1))
}
