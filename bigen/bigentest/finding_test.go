package bigentest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Literals are compared unformatted. A report has them as gofmt would.
func TestFindingIsFormatted(t *testing.T) {
	const text, formatted = "pair{\n\tA: 1,\n\tLong: 2,\n}",
		"    pair{\n    \tA:    1,\n    \tLong: 2,\n    }"
	f := finding{law: purity, text: text, other: text}
	require.Equal(t, 2, strings.Count(f.String(), formatted), "%v", f)
}
