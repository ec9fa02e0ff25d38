package corpus

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRenameNew(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "path")
	for _, data := range []string{"first", "second"} {
		tmp, err := writeTemp(dir, []byte(data))
		require.NoError(t, err)
		err = renameNew(tmp, path)
		if data == "first" {
			require.NoError(t, err)
			assert.NoFileExists(t, tmp)
		} else {
			require.ErrorIs(t, err, fs.ErrExist)
		}
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, "first", string(b))
	}
}
