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
	p := Start(t.Context(), time.Minute, time.Minute, WithLimits(1, 0, "sh", "-c", "while :; do :; done"))
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

// A command that starts and ends while another one runs does not end that one.
func TestSpendStart(t *testing.T) {
	adopt()
	watches := 0
	p := Spend(t.Context(), time.Hour, time.Minute, exec.Command("sh", "-c", "sleep 2; echo a"),
		func(time.Duration) bool {
			watches++
			require.NoError(t, Start(t.Context(), time.Minute, time.Minute, exec.Command("true")).Err)
			return false
		})
	require.NoError(t, p.Err)
	require.Equal(t, "a\n", string(p.Out))
	require.NotZero(t, watches)
	p = Spend(t.Context(), time.Hour, time.Minute, exec.Command("sleep", "1000"),
		func(time.Duration) bool { return true })
	require.Error(t, p.Err)
}

// What processes have used together ends them, also those that have a group of their own.
func TestSpend(t *testing.T) {
	adopt()
	const busy = "while :; do :; done"
	p := Spend(t.Context(), time.Second, time.Hour, exec.Command("bash", "-mc", busy+" & "+busy), nil)
	require.GreaterOrEqual(t, p.CPU, time.Second)
	require.Error(t, p.Err)
	p = Spend(t.Context(), time.Hour, time.Hour, exec.Command("sh", "-c", "echo a; exit 3"), nil)
	require.EqualError(t, p.Err, "exit status 3")
	require.Equal(t, "a\n", string(p.Out))
}

// Only files that are newer are set aside.
func TestSetAside(t *testing.T) {
	dir, to := t.TempDir(), filepath.Join(t.TempDir(), "to")
	now := time.Now()
	for name, age := range map[string]time.Duration{"old": time.Hour, "new": -time.Hour} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, nil, 0o666))
		require.NoError(t, os.Chtimes(file, now.Add(-age), now.Add(-age)))
	}
	n, err := setAside(dir, to, now)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	names, err := Files(to)
	require.NoError(t, err)
	require.Equal(t, []string{"new"}, names)
	n, err = setAside(filepath.Join(dir, "none"), to, now)
	require.NoError(t, err)
	require.Zero(t, n)
}

// A watcher passes on each file once, when it sees it again, with the CPU time at which it saw it
// first, until the campaign is over. It leaves out what comes after the limit.
func TestWatcher(t *testing.T) {
	dir := t.TempDir()
	var found []string
	watch := func(limit time.Duration) *watcher {
		return newWatcher(dir, time.Now().Add(-time.Hour), time.Minute, limit,
			func(file string, spent time.Duration) bool {
				found = append(found, filepath.Base(file)+" "+spent.String())
				return len(found) == 2
			})
	}
	write := func(name string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o666))
	}
	w := watch(time.Hour)
	require.False(t, w.watch(0))
	write("a")
	for i := range 3 {
		require.False(t, w.watch(time.Duration(i)*time.Second))
	}
	write("b")
	require.False(t, w.watch(4*time.Second))
	require.True(t, w.end(5*time.Second))
	require.Equal(t, []string{"a 1m0s", "b 1m4s"}, found)
	require.False(t, watch(time.Minute).end(time.Second))
	require.Len(t, found, 2)
}

// A block counts once, also if several packages' profiles have it, and is reached if one has reached
// it.
func TestRead(t *testing.T) {
	covered := coverage{}
	require.NoError(t, covered.read("mode: set\na/b.go:1.2,3.4 5 0\na/c d.go:1.2,3.4 2 1\n"))
	require.NoError(t, covered.read("mode: set\na/b.go:1.2,3.4 5 1\na/c d.go:1.2,3.4 2 0\n"))
	require.Equal(t, coverage{"a/b.go:1.2,3.4 5": true, "a/c d.go:1.2,3.4 2": true}, covered)
	require.ErrorContains(t, covered.read("bad"), `"bad"`)
	statements, reached := covered.count()
	require.Equal(t, []int{7, 7}, []int{statements, reached})
}
