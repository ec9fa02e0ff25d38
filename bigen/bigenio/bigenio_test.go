package bigenio_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigenio"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

// Each file system passes the tests of package fstest, and has the files that it lists.
func TestFiles(t *testing.T) {
	runs := bigentest.Runs(long.Count(50, 200))
	if long.Enabled() {
		bigentest.Laws(t, bigenio.Files(), runs)
	}
	bigentest.Sound(t, bigenio.Files(), func(files fstest.MapFS) bool {
		var names []string
		for name := range files {
			if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz./") != "" {
				return fs.ValidPath(name) // TestFS takes other names for patterns
			}
			names = append(names, name)
		}
		return fstest.TestFS(files, names...) == nil
	}, runs)
}

func TestFilesBackward(t *testing.T) {
	g := bigenio.Files()
	bigentest.Value(t, g, fstest.MapFS{
		"a/b/c.txt": {Data: []byte("c"), Mode: 0o600},
		"a":         {Mode: fs.ModeDir | 0o700},
		"a.txt":     {},
		"empty":     {Mode: fs.ModeDir},
	})
	for name, bad := range map[string]fstest.MapFS{
		"rooted":            {"/a": {}},
		"root":              {".": {Mode: fs.ModeDir}},
		"below a file":      {"a": {}, "a/b": {}},
		"link":              {"a": {Mode: fs.ModeSymlink}},
		"data of directory": {"a": {Mode: fs.ModeDir, Data: []byte("x")}},
		"nil":               {"a": nil},
	} {
		require.ErrorIs(t, bigen.Check(g, bad), bigen.ErrNotProduced, name)
	}
}

// Whatever the answers, a name is a valid path.
func TestNames(t *testing.T) {
	for _, name := range []string{"", ".", "..", "/", "a/b"} {
		tree, err := bigen.Choices(bigenio.Files(), fstest.MapFS{"É": {}})
		require.NoError(t, err)
		for i := range tree {
			if tree[i].Tag == "É" {
				tree[i].Tag = name
			}
		}
		files, _, err := bigen.Run(bigenio.Files(), choices.Replay(tree, nil))
		require.NoError(t, err)
		require.NotContains(t, files, path.Join(name), "%q", name)
	}
}

// A reader returns all bytes of its script up to an error, whatever the size of the buffer.
func TestReaders(t *testing.T) {
	runs := bigentest.Runs(long.Count(50, 200))
	if long.Enabled() {
		bigentest.Laws(t, bigenio.Readers(), runs)
	}
	bigentest.Sound(t, bigenio.Readers(), func(r *bigenio.Reader) bool {
		var want []byte
		for _, s := range r.Script {
			if want = append(want, s.Data...); s.Err != "" {
				break
			}
		}
		small := &bigenio.Reader{Script: r.Script}
		a, err1 := io.ReadAll(&bigenio.Reader{Script: r.Script})
		var b bytes.Buffer
		_, err2 := io.CopyBuffer(struct{ io.Writer }{&b}, small, make([]byte, 1))
		return bytes.Equal(a, want) && bytes.Equal(b.Bytes(), want) &&
			errors.Is(err1, err2) == (err2 != nil || err1 == nil)
	}, runs)
}

// Values are ordinary file systems.
func ExampleFiles() {
	gen := bigenio.Files()
	fmt.Println(bigen.Choices(gen,
		fstest.MapFS{"etc/hosts": {Data: []byte("::1 localhost"), Mode: 0o644}}))
	fmt.Println(bigen.Check(gen, fstest.MapFS{"../hosts": {}}) != nil)
	// Output:
	// more(short("etc", stop), directory(nil, more(short("hosts", stop), file(usual("-rw-r--r--"), "::1 localhost")), stop)), stop <nil>
	// true
}

// The error of a step comes with its last bytes.
func ExampleReaders() {
	r := &bigenio.Reader{Script: []bigenio.Step{{Data: []byte("ab")}, {},
		{Data: []byte("c"), Err: "broken"}}}
	fmt.Println(bigen.Check(bigenio.Readers(), r))
	b, err := io.ReadAll(r)
	fmt.Println(string(b), err)
	// Output:
	// <nil>
	// abc broken
}

// Nothing follows an EOF, as readers promise, but bytes may follow other errors.
func TestReaderEnds(t *testing.T) {
	r := &bigenio.Reader{Script: []bigenio.Step{{Data: []byte("ab"), Err: "broken"},
		{Data: []byte("c"), Err: "EOF"}, {Data: []byte("d")}}}
	b := make([]byte, 9)
	for _, want := range []struct {
		text string
		err  error
	}{{"ab", bigenio.Failure("broken")}, {"c", io.EOF}, {"", io.EOF}, {"", io.EOF}} {
		n, err := r.Read(b)
		require.Equal(t, want.text, string(b[:n]))
		require.Equal(t, want.err, err)
	}
}

// Archives can be written and read, backward, too, and some have what is dangerous.
func TestTar(t *testing.T) {
	bigentest.Laws(t, bigenio.Tar(), bigentest.Runs(long.Count(10, 300)))
	kinds, entries, odd, through := map[byte]int{}, 0, 0, 0
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		archive := bigen.Sample(bigenio.Tar(), r)
		links := map[string]bool{}
		again, err := bigenio.ReadTar(bytes.NewReader(archive.Bytes()))
		require.NoError(t, err)
		require.Equal(t, archive.Bytes(), again.Bytes())
		for _, e := range archive {
			entries++
			kinds[e.Type]++
			if !fs.ValidPath(e.Name) {
				odd++
			}
			if links[path.Dir(e.Name)] {
				through++
			}
			if e.Type == tar.TypeSymlink {
				links[e.Name] = true
			}
		}
	}
	require.Len(t, kinds, 4)
	require.Greater(t, odd, entries/20)
	require.Less(t, odd, entries/2)
	require.Greater(t, through, entries/50)
}

func TestTarBackward(t *testing.T) {
	archive := bigenio.TarArchive{
		{Type: tar.TypeSymlink, Name: "a", Link: "../..", Mode: 0o755},
		{Type: tar.TypeReg, Name: "a/b", Mode: 0o644, Data: []byte("abc")},
		{Type: tar.TypeDir, Name: "c", Mode: 0o755},
		{Type: tar.TypeReg, Name: "c", Mode: 0o644},
	}
	bigentest.Value(t, bigenio.Tar(), archive)
	again, err := bigenio.ReadTar(bytes.NewReader(archive.Bytes()))
	require.NoError(t, err)
	require.Equal(t, archive.Bytes(), again.Bytes())
	for _, bad := range []bigenio.TarArchive{{{Type: tar.TypeFifo, Name: "a", Mode: 0o644}},
		{{Type: tar.TypeReg, Name: "\x00", Mode: 0o644}}} {
		require.ErrorIs(t, bigen.Check(bigenio.Tar(), bad), bigen.ErrNotProduced)
	}
	_, err = bigenio.ReadTar(bytes.NewReader(archive.Bytes()[:700]))
	require.Error(t, err)
	require.Panics(t, func() { bigenio.TarArchive{{Name: "\x00"}}.Bytes() })
}
