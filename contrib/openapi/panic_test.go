package openapi

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Files of the standard library are told from others, also if the build trims paths.
func TestIsStandard(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, root string
		want       bool
	}{
		{"/usr/local/go/src/strings/strings.go", "/usr/local/go/src/", true},
		{"/home/a/service/main.go", "/usr/local/go/src/", false},
		{"strings/strings.go", "", true},
		{"example.com/service/main.go", "", false},
		{"github.com/a/b@v1.2.3/b.go", "", false},
	} {
		require.Equal(t, c.want, isStandard(c.file, c.root), c.file)
	}
}
