package apigen

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// Lines of testdata, what is quoted in them and in comments, and what is indented there, are texts.
func TestPassages(t *testing.T) {
	p := packageOf(t, "", `
		// F parses a line, as "x = 1" or:
		//
		//	y := 2
		//
		// The rest is prose.
		func F(string) {}`)
	p.Dir = t.TempDir()
	dir := filepath.Join(p.Dir, "testdata", "fuzz")
	require.NoError(t, os.MkdirAll(dir, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("go test fuzz v1\nstring(\"a\\tb\")\n"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "binary"), []byte("\xff\xfe"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "large"), make([]byte, maxTestFile+1), 0o666))
	found := map[string]bool{}
	for _, literal := range newEnum(p, Options{}).passages() {
		text, err := strconv.Unquote(literal)
		require.NoError(t, err)
		found[text] = true
	}
	require.Equal(t, map[string]bool{"x = 1": true, "y := 2": true, "go test fuzz v1": true, `string("a\tb")`: true, "a\tb": true}, found)
}
