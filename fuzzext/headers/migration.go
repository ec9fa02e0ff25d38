package headers

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/corpus"
)

// A migration knows which inputs of a target are old.
type migration[V any] struct {
	gen  bigen.Gen[V]
	once sync.Once
	old  map[string]bool
}

// translate returns the bytes that stand for the value of an old input, and all other bytes
// as they are. It is a [values.Translator], safe for concurrent use.
func (m *migration[V]) translate(target string, b []byte) ([]byte, error) {
	m.once.Do(func() { m.find(target) })
	if !m.old[string(b)] {
		return b, nil
	}
	v, err := decodeFor(target, m.gen, b)
	if err != nil {
		return nil, err
	}
	return encode(m.gen, v)
}

// find finds the old inputs of the target. Files that cannot be read are reported by the
// engine.
func (m *migration[V]) find(target string) {
	m.old = map[string]bool{}
	entries, _ := corpus.Read(filepath.Join(packageDir, "testdata", "fuzz", target))
	for _, e := range entries {
		if !m.encoded(e.Data) {
			m.old[string(e.Data)] = true
		}
	}
}

// encoded reports whether the generator, or a run of it backward, encodes a value as b.
func (m *migration[V]) encoded(b []byte) (ok bool) {
	defer func() { _ = recover() }() // a generator that panics does not encode
	v, t, err := bigen.Run(m.gen, choices.FromBytes(b))
	if err != nil {
		return false
	}
	if bytes.Equal(choices.Encode(t), b) {
		return true
	}
	back, err := bigen.Encode(m.gen, v)
	return err == nil && bytes.Equal(back, b)
}

// packageDir is the directory in which the test binary started, which is the directory of the
// package.
var packageDir, _ = os.Getwd()
