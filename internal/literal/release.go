package literal

import (
	"bytes"
	"go/version"
	"os"
	"path/filepath"
	"reflect"
	"sync"
)

// newTakesValues reports whether the module of the working directory, which is that of the package
// under test, is written in Go 1.26 or later: there, new(5) is a pointer to 5. A literal is pasted
// into this module.
var newTakesValues = sync.OnceValue(func() bool {
	dir, err := os.Getwd()
	if err != nil {
		return false
	}
	for {
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
			return version.Compare(language(text), "go1.26") >= 0
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return false
		}
		dir = parent
	}
})

// language returns the release that a go.mod names, as in go1.26.
func language(gomod []byte) string {
	for line := range bytes.Lines(gomod) {
		line, _, _ = bytes.Cut(line, []byte("//"))
		if f := bytes.Fields(line); len(f) == 2 && string(f[0]) == "go" {
			return "go" + string(f[1])
		}
	}
	return ""
}

// older returns a pointer to v, of type t, as all releases of Go have it.
func (p *printer) older(v reflect.Value, t reflect.Type, pl place) *node {
	name := p.types.name(v.Type())
	if isZero(v) {
		return p.text("new("+name+")", t, pl)
	}
	before, after, within := "&[]"+name+"{", "}[0]", element
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice:
		if v.Kind() != reflect.Slice || v.Type().Elem().Kind() != reflect.Uint8 {
			before, after, within = "&", "", free // a composite literal has an address
		}
	}
	if !p.charge(len(before) + len(after)) {
		return p.rest(t, pl)
	}
	return p.value(v, within).wrap(before, after)
}
