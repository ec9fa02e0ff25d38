package docs

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The library uses x/exp/slices. All else uses the standard package. No package mixes them.
func TestSlices(t *testing.T) {
	const std, exp = "slices", "golang.org/x/exp/slices"
	library := map[string]bool{
		"choices": true,
		"mutate":  true,
		"rl":      true,
		"bigen":   true,
		"fuzzext": true,
	}
	imported := map[string]int{}
	var wrong []string
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		rel, err := filepath.Rel(root, path)
		require.NoError(t, err)
		top, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
		want, unwanted := std, exp
		if library[top] {
			want, unwanted = exp, std
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return nil // testdata that does not parse
		}
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			imported[name]++
			if name == unwanted {
				wrong = append(wrong, rel+" must import "+want)
			}
		}
		return nil
	}))
	require.Empty(t, wrong)
	require.Positive(t, imported[std])
	require.Positive(t, imported[exp])
}
