package gotest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLogs(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x_test.go"), []byte(`package x

func FuzzX(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		t.Log("one")
		t.Logf("two %v",
			strings.Fields(s))
		t.Errorf("three %v", s)
		t.Log("four"); t.Error("five")
		require.NoError(t, log(t.Logf))
		require.True(t, s != "", t.Log)
		helper{t}.Logf("six")
	})
}
`), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "broken_test.go"), []byte("package"), 0o666))
	p := &Package{Dir: dir}
	require.Equal(t, []string{"x_test.go:12", "x_test.go:5", "x_test.go:6"}, p.Logs())
}
