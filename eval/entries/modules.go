package main

import (
	"encoding/json"
	"io/fs"
	"path"
	"reflect"
	"testing"
	"testing/fstest"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
	jsonpatch "github.com/evanphx/json-patch/v5"
	"github.com/gobwas/glob"
	"github.com/hjson/hjson-go/v4"
	"github.com/joho/godotenv"
	"github.com/liamg/memoryfs"
	diff "gomodules.xyz/jsonpatch/v2"
)

// A module has one oracle.
type module struct {
	path  string
	check func(t *testing.T)
}

var modules = []module{
	{"github.com/hjson/hjson-go/v4", checkOf(hjsonComesBack)},
	{"github.com/gobwas/glob", checkOf(globMatches)},
	{"gomodules.xyz/jsonpatch/v2", checkOf(patchChanges)},
	{"github.com/liamg/memoryfs", checkOf(filesAreThere)},
	{"github.com/joho/godotenv", checkOf(envComesBack)},
}

func checkOf[V any](prop func(t *fuzzext.T, v V)) func(t *testing.T) {
	return func(t *testing.T) { fuzzext.Check(t, bigen.For[V](), prop) }
}

// data is what JSON can say.
type data struct {
	Kind  string `bigen:"oneof=null|bool|number|text|list|object"`
	Bool  bool
	Num   float64  `bigen:"range=-1e6..1e6"`
	Text  string   `bigen:"len=0..6"`
	List  []data   `bigen:"len=0..3"`
	Names []string `bigen:"len=0..3;0..4"` // of the parts of an object
}

func (d data) value() any {
	switch d.Kind {
	case "bool":
		return d.Bool
	case "number":
		return d.Num
	case "text":
		return d.Text
	case "list":
		list := []any{}
		for _, part := range d.List {
			list = append(list, part.value())
		}
		return list
	case "object":
		object := map[string]any{}
		for i, part := range d.List {
			if i < len(d.Names) {
				object[d.Names[i]] = part.value()
			}
		}
		return object
	}
	return nil
}

// What is written comes back.
func hjsonComesBack(t *fuzzext.T, d data) {
	v := d.value()
	text, err := hjson.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var back any
	if err := hjson.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(v, back) {
		t.Errorf("%#v is written as %q, and comes back as %#v: %v", v, text, back, err != nil)
	}
}

// A match is a pattern and a name.
type match struct {
	Pattern string `bigen:"match=([ab/]|\\*|\\?|\\[[ab]\\]|\\[\\^[ab]\\]|\\[a-b\\]|\\\\[ab*?]){0,6}"`
	Name    string `bigen:"match=[abc/*?]{0,6}"`
}

// A name matches a pattern as package path says it, without what the two languages do not share.
func globMatches(t *fuzzext.T, m match) {
	want, err := path.Match(m.Pattern, m.Name)
	t.Assume(err == nil)
	g, err := glob.Compile(m.Pattern, '/')
	if err != nil {
		t.Fatal(err)
	}
	if got := g.Match(m.Name); got != want {
		t.Errorf("whether %q matches %q: %t, want %t", m.Name, m.Pattern, got, want)
	}
}

// A change is from one object to another.
type change struct {
	From, To data
}

// The patch makes one document of the other.
func patchChanges(t *fuzzext.T, c change) {
	from, err := json.Marshal(map[string]any{"a": c.From.value()})
	if err != nil {
		t.Fatal(err)
	}
	to, err := json.Marshal(map[string]any{"a": c.To.value()})
	if err != nil {
		t.Fatal(err)
	}
	operations, err := diff.CreatePatch(from, to)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(operations)
	if err != nil {
		t.Fatal(err)
	}
	patch, err := jsonpatch.DecodePatch(text)
	var got []byte
	if err == nil {
		got, err = patch.Apply(from)
	}
	if err != nil || !jsonpatch.Equal(got, to) {
		t.Errorf("%s changes %s to %s, want %s: %v", text, from, got, to, err != nil)
	}
}

// A tree has files.
type tree struct {
	Files []file `bigen:"len=0..4"`
}

type file struct {
	Path string `bigen:"match=(\\.|\\.\\.|a|b|ab)(/(a|b|c|\\.|\\.\\.)){0,2}/?"`
	Text string `bigen:"len=0..4"`
}

// A file system has what has been written, as package fs defines it.
func filesAreThere(t *fuzzext.T, v tree) {
	files := memoryfs.New()
	want := map[string]string{}
	for _, f := range v.Files {
		if files.MkdirAll(path.Dir(f.Path), 0o700) != nil ||
			files.WriteFile(f.Path, []byte(f.Text), 0o600) != nil {
			continue
		}
		if !fs.ValidPath(f.Path) {
			t.Errorf("%q is written, but is not a path", f.Path)
			return
		}
		want[f.Path] = f.Text
	}
	var names []string
	for name, text := range want {
		if b, err := files.ReadFile(name); err != nil || string(b) != text {
			t.Errorf("%q has %q, want %q: %v", name, b, text, err != nil)
			return
		}
		names = append(names, name)
	}
	if err := fstest.TestFS(files, names...); err != nil {
		t.Error(err)
	}
}

// An environment has variables.
type environment struct {
	Variables map[string]string `bigen:"len=0..3,empty=notnil,key.match=[A-Za-z_][A-Za-z0-9_.]{0,3}"`
}

// What is written comes back.
func envComesBack(t *fuzzext.T, e environment) {
	text, err := godotenv.Marshal(e.Variables)
	if err != nil {
		t.Fatal(err)
	}
	back, err := godotenv.Unmarshal(text)
	if err != nil || !reflect.DeepEqual(back, e.Variables) {
		t.Errorf("%q is written as %q, and comes back as %q: %v", e.Variables, text, back, err != nil)
	}
}
