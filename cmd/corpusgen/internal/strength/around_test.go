package strength

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Contents count as far as there is room for them, and then size and time. What is not data does not
// count.
func TestVolume(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		require.NoError(t, os.Chtimes(path, time.Unix(9, 0), time.Unix(9, 0)))
		return path
	}
	sumOf := func() string {
		v := &volume{left: 5, seen: map[string]bool{}}
		v.addBelow(dir, func(rel string, isDir bool) bool { return rel != "unwanted" && rel != "d/unwanted" })
		v.add(filepath.Join(dir, "none"))
		return sum(v.list...)
	}
	first, second := write("a", "1234"), write("d/b", "56")
	before := sumOf()
	require.Equal(t, before, sumOf())

	write("a", "1235")
	require.NotEqual(t, before, sumOf(), "its contents count")
	write("a", "1234")
	write("d/b", "57")
	require.Equal(t, before, sumOf(), "its contents do not count")
	write("d/b", "567")
	require.NotEqual(t, before, sumOf(), "its size counts")
	write("d/b", "56")
	require.NoError(t, os.Chtimes(second, time.Unix(8, 0), time.Unix(8, 0)))
	require.NotEqual(t, before, sumOf(), "its time counts")
	write("d/b", "56")

	write("unwanted/c", "x")
	write("d/unwanted", "x")
	require.Equal(t, before, sumOf())
	write("accepted", acceptedHead)
	v := &volume{left: maxVolume, seen: map[string]bool{}}
	v.addBelow(dir, func(rel string, isDir bool) bool { return !strings.Contains(rel, "unwanted") })
	require.Equal(t, []string{first, "1234", second, "56"}, v.list)
}
