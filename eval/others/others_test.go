package others

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A process has its output, the error with which it ends, and no process that it has left lives on.
func TestStart(t *testing.T) {
	adopt()
	p := Start(t.Context(), time.Minute, time.Minute, exec.Command("sh", "-c", "echo a; echo b >&2; exit 3"))
	require.Equal(t, "a\nb\n", string(p.Out))
	require.EqualError(t, p.Err, "exit status 3")
	require.False(t, p.Late)
	require.Equal(t, "a b", p.Tail())

	p = Start(t.Context(), time.Minute, time.Minute, exec.Command("sh", "-c", "setsid sleep 1000 >&- 2>&- & echo $!"))
	require.NoError(t, p.Err)
	_, err := os.Stat(filepath.Join("/proc", strings.TrimSpace(string(p.Out))))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// What does nothing, or takes too long, is late.
func TestStartLate(t *testing.T) {
	for _, c := range []struct {
		name       string
		most, idle time.Duration
		command    string
	}{
		{"idle", time.Hour, time.Second, "sleep 1000"},
		{"slow", time.Second, time.Hour, "while :; do :; done"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := Start(t.Context(), c.most, c.idle, exec.Command("sh", "-c", c.command))
			require.True(t, p.Late)
			require.Error(t, p.Err)
		})
	}
	p := Start(t.Context(), time.Minute, time.Minute, WithCPU(0, "sh", "-c", "while :; do :; done"))
	require.Error(t, p.Err)
	require.False(t, p.Late)
}

// A file is written whole, and no other remains.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Write(filepath.Join(dir, "a"), "text"))
	text, err := os.ReadFile(filepath.Join(dir, "a"))
	require.NoError(t, err)
	require.Equal(t, "text", string(text))
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 1)
}

// What processes have used together ends them, also those that have a group of their own.
func TestSpend(t *testing.T) {
	adopt()
	const busy = "while :; do :; done"
	p := Spend(t.Context(), time.Second, time.Hour, exec.Command("bash", "-mc", busy+" & "+busy))
	require.GreaterOrEqual(t, p.CPU, time.Second)
	require.Error(t, p.Err)
	p = Spend(t.Context(), time.Hour, time.Hour, exec.Command("sh", "-c", "echo a; exit 3"))
	require.EqualError(t, p.Err, "exit status 3")
	require.Equal(t, "a\n", string(p.Out))
}
