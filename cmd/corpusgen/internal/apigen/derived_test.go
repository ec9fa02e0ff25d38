package apigen

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Derived has the types that bigen.For knows: the keys of a map in its source.
func TestDerived(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "bigen", "for_leaf.go"))
	require.NoError(t, err)
	_, known, _ := strings.Cut(string(source), "\tknown: map[reflect.Type]untyped{")
	known, _, _ = strings.Cut(known, "\n\t\t},")
	var types []string
	for _, key := range regexp.MustCompile(`(?m)^\s*reflect\.TypeFor\[([\w.]+)\]`).FindAllStringSubmatch(known, -1) {
		types = append(types, key[1])
	}
	require.NotEmpty(t, types)
	var listed []string
	for _, typ := range derived {
		if !strings.HasPrefix(typ, "*") {
			listed = append(listed, typ[strings.LastIndex(typ, "/")+1:])
		}
	}
	slices.Sort(types)
	slices.Sort(listed)
	require.Equal(t, types, listed)
}
