package docs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each row of the first table of docs/predicates.md has a test, which has its name.
func TestPredicateRows(t *testing.T) {
	t.Parallel()
	tests, err := os.ReadFile(filepath.Join(root, "bigen", "bigentest", "predicates_test.go"))
	require.NoError(t, err)
	_, table, ok := strings.Cut(readPage(t, "docs/predicates.md").text(), "| predicate | take |\n")
	require.True(t, ok)
	rows := 0
	for line := range strings.Lines(table) {
		cells := cellsOf(strings.TrimSuffix(line, "\n"))
		if cells == nil {
			break
		}
		if !strings.HasPrefix(cells[0], "---") {
			rows++
			require.Contains(t, string(tests), `writes(t, "`+cells[0]+`", `)
		}
	}
	require.Equal(t, strings.Count(string(tests), "\twrites(t, \""), rows)
}
