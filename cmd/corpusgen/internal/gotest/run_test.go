//go:build unix

package gotest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// An entry that does not return is ended, with its stack. A test that is not an entry is not.
func TestIdle(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"go.mod": "module example.com/idle\n\ngo 1.26\n",
		"idle_test.go": `package idle

import (
	"testing"
	"time"
)

func wait() { time.Sleep(time.Hour) }

func FuzzIdle(f *testing.F) {
	time.Sleep(3 * time.Second)
	f.Add(1)
	f.Add(2)
	f.Fuzz(func(t *testing.T, n int) {
		if n == 2 {
			wait()
		}
	})
}
`,
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	}
	got, err := Test{Package: "example.com/idle", Target: "FuzzIdle", Idle: 2 * time.Second,
		Binary: filepath.Join(t.TempDir(), "idle.test")}.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, Failed, got.Outcome, got.Output)
	require.Equal(t, "seed#1", got.Last)
	require.ElementsMatch(t, []string{"seed#0", "seed#1"}, got.Entries)
	require.Contains(t, got.Output, "SIGQUIT")
	require.Contains(t, got.Output, "example.com/idle.wait")
}
