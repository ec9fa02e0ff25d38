// Package bigenio makes what programs read from: file trees, readers and archives.
//
// It is a package of its own so that the tests of others do not link package fstest.
package bigenio

import (
	"io/fs"
	"math"
	"path"
	"strings"
	"testing/fstest"

	"github.com/espalier-go/espalier/bigen"
	"golang.org/x/exp/slices"
)

// Files makes file trees, as a file system for tests. Names are valid for [fs.ValidPath]: most are
// short, as a.txt is, and some are any text. Files have any bytes and any permissions. Directories
// may have an entry of their own, with permissions; without files, they have one. No file is below
// another file. Times are zero, and there are no links.
//
// Trees have the sizes of values of [bigen.For]. For trees with files of one kind, such as
// sources, write an Iso of a map from names to contents.
func Files() bigen.Gen[fstest.MapFS] {
	elements := bigen.As[element](bigen.Pick(
		bigen.Tag("short", bigen.Matching(`[a-z]{1,8}(\.[a-z]{1,4})?`)),
		bigen.Tag("any", bigen.SuchThat(bigen.StringOf(nil, 1, math.MaxInt32), func(s string) bool {
			return fs.ValidPath(s) && s != "." && !strings.Contains(s, "/")
		}, "x")).Weight(0.1)))
	permissions := bigen.Pick(
		bigen.Tag("usual", bigen.OneOf[fs.FileMode](0o644, 0o755, 0)),
		bigen.Tag("any", bigen.IntRange[fs.FileMode](0, fs.ModePerm)).Weight(0.1))
	trees := bigen.For[map[element]entry](bigen.Variants[entry](file{}, directory{}),
		bigen.With(elements), bigen.With(permissions))
	return bigen.Iso(trees, toFS, fromFS)
}

// element is a part of a path.
type element string

// An entry of a directory is a file or a directory.
type entry interface{ isEntry() }

type file struct {
	Mode fs.FileMode
	Data []byte
}

// directory has a mode if it has an entry of its own in the file system.
type directory struct {
	Mode    *fs.FileMode
	Entries map[element]entry
}

func (file) isEntry()      {}
func (directory) isEntry() {}

func toFS(tree map[element]entry) fstest.MapFS {
	files := fstest.MapFS{}
	add(files, "", tree)
	return files
}

func add(files fstest.MapFS, at string, tree map[element]entry) {
	for name, e := range tree {
		name := path.Join(at, string(name))
		switch e := e.(type) {
		case file:
			files[name] = &fstest.MapFile{Data: e.Data, Mode: e.Mode}
		case directory:
			if e.Mode != nil {
				files[name] = &fstest.MapFile{Mode: fs.ModeDir | *e.Mode}
			}
			add(files, name, e.Entries)
		}
	}
}

// fromFS undoes toFS. For what toFS does not make, it returns a tree of something else.
func fromFS(files fstest.MapFS) (map[element]entry, bool) {
	tree := map[element]entry{}
	for _, name := range sortedKeys(files) { // a directory precedes what is in it
		f := files[name]
		if f == nil || name == "." || !fs.ValidPath(name) {
			return nil, false
		}
		in := tree
		elements := strings.Split(name, "/")
		last := element(elements[len(elements)-1])
		for _, outer := range elements[:len(elements)-1] {
			d, ok := in[element(outer)].(directory)
			if !ok {
				d = directory{Entries: map[element]entry{}}
				in[element(outer)] = d
			}
			in = d.Entries
		}
		if f.Mode.IsDir() {
			mode := f.Mode &^ fs.ModeDir
			in[last] = directory{&mode, map[element]entry{}}
		} else {
			in[last] = file{f.Mode, f.Data}
		}
	}
	return tree, files != nil
}

// sortedKeys returns the keys of m in order.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
