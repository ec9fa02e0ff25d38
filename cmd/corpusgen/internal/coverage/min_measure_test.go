package coverage

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each process that measures an entry of a plain target reads that entry alone: of n entries, n are
// read, not n*n.
func TestOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "FuzzX")
	entries := []*measuredEntry{
		{path: filepath.FromSlash("cache/a"), file: []byte("1")},
		{path: filepath.FromSlash("testdata/b"), file: []byte("2")},
	}
	_, err := copyEntries(dir, nil)
	require.NoError(t, err)
	m := &meter{corpus: dir}
	for _, c := range append(entries, nil, entries[0]) {
		require.NoError(t, m.only(c))
		found, err := plainEntries(dir)
		require.NoError(t, err)
		if c == nil {
			require.Empty(t, found)
			continue
		}
		require.Len(t, found, 1)
		require.Equal(t, filepath.Base(c.path), filepath.Base(found[0].path))
		require.Equal(t, c.file, found[0].file)
	}
	require.NoError(t, (&meter{}).only(entries[0]))
	_, err = os.Stat("a")
	require.ErrorIs(t, err, os.ErrNotExist)
}
