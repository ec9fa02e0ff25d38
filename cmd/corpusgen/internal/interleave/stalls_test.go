package interleave

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// What tests say right before they end is shown, too, each line once, and no line that is not whole.
func TestStalls(t *testing.T) {
	var out bytes.Buffer
	s := followStalls(filepath.Join(t.TempDir(), "stalls"), &out)
	require.NoError(t, os.WriteFile(s.file, []byte("one\ntwo\none\nhal"), 0o666))
	s.end()
	require.Equal(t, "corpusgen: one\ncorpusgen: two\n", out.String())
}
