package overlay

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/internal/testing/gocmd"
	"github.com/stretchr/testify/require"
)

// fakeGo makes a directory like a Go installation.
func fakeGo(t *testing.T, dir string) string {
	t.Helper()
	for _, name := range []string{"VERSION", "bin/go", "src/internal/fuzz/fuzz.go"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(dir+" "+name), 0o666))
	}
	return dir
}

// isLinked checks that links has a link to each file in goroot and nothing else.
func isLinked(t *testing.T, goroot, links string) {
	t.Helper()
	there, err := os.ReadDir(links)
	require.NoError(t, err)
	var names []string
	for _, e := range there {
		names = append(names, e.Name())
		target, err := os.Readlink(filepath.Join(links, e.Name()))
		require.NoError(t, err)
		require.Equal(t, filepath.Join(goroot, e.Name()), target)
	}
	require.Equal(t, []string{"VERSION", "bin", "src"}, names)
	b, err := os.ReadFile(filepath.Join(links, "bin", "go"))
	require.NoError(t, err)
	require.Equal(t, goroot+" bin/go", string(b))
}

func TestReplaceable(t *testing.T) {
	modcache := filepath.Join(gocmd.TempDir(t), "mod")
	dir := filepath.Join(gocmd.TempDir(t), "new", "dir")

	// An installation outside the module cache is used as it is.
	for _, outside := range []string{
		fakeGo(t, filepath.Join(gocmd.TempDir(t), "go")),
		fakeGo(t, modcache+"x"),
		fakeGo(t, filepath.Join(filepath.Dir(modcache), "..mod")),
		filepath.Dir(modcache),
	} {
		got, err := Replaceable(outside, modcache, dir)
		require.NoError(t, err)
		require.Equal(t, outside, got)
		got, err = Replaceable(outside, "", dir)
		require.NoError(t, err)
		require.Equal(t, outside, got)
	}
	require.NoDirExists(t, dir)

	// Each installation inside has a directory of links.
	first := fakeGo(t, filepath.Join(modcache, "golang.org", "toolchain@v1"))
	second := fakeGo(t, filepath.Join(modcache, "golang.org", "toolchain@v2"))
	sameName := fakeGo(t, filepath.Join(modcache, "other", "toolchain@v1"))
	seen := map[string]bool{}
	for _, goroot := range []string{first, second, sameName} {
		links, err := Replaceable(goroot, modcache, dir)
		require.NoError(t, err)
		require.Equal(t, dir, filepath.Dir(links))
		require.Contains(t, filepath.Base(links), filepath.Base(goroot))
		require.False(t, seen[links])
		seen[links] = true
		isLinked(t, goroot, links)
	}

	// Links are reused, and repaired if need be.
	links, err := Replaceable(first, modcache, dir)
	require.NoError(t, err)
	require.True(t, seen[links])
	before, err := os.Lstat(filepath.Join(links, "src"))
	require.NoError(t, err)
	require.NoError(t, os.Remove(filepath.Join(links, "bin")))
	again, err := Replaceable(first, modcache, dir)
	require.NoError(t, err)
	require.Equal(t, links, again)
	isLinked(t, first, links)
	after, err := os.Lstat(filepath.Join(links, "src"))
	require.NoError(t, err)
	require.Equal(t, before.ModTime(), after.ModTime())
	require.True(t, os.SameFile(before, after))

	_, err = Replaceable(filepath.Join(modcache, "gone"), modcache, dir)
	require.Error(t, err)
}

func TestReplaceableTogether(t *testing.T) {
	modcache, dir := gocmd.TempDir(t), gocmd.TempDir(t)
	goroot := fakeGo(t, filepath.Join(modcache, "go"))
	var errs [8]error
	var links [len(errs)]string
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { links[i], errs[i] = Replaceable(goroot, modcache, dir) })
	}
	wg.Wait()
	for i := range errs {
		require.NoError(t, errs[i])
		require.Equal(t, links[0], links[i])
	}
	isLinked(t, goroot, links[0])
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
}
