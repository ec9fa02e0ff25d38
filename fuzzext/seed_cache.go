package fuzzext

import (
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/corpus"
)

const (
	firstInputs  = 16
	firstChoices = 200 // of one input, at most
)

// fillCache gives the engine inputs to begin with, if its cache for the target is empty. They
// spell out each choice of a value, so a mutation of their bytes changes a part of the value.
// A mutation of the few random bytes that the engine would begin with changes all of it.
func fillCache(x *spec) {
	dir := flagValue("test.fuzzcachedir")
	if dir == "" {
		return
	}
	dir = filepath.Join(dir, x.target.name)
	if there, err := os.ReadDir(dir); len(there) > 0 || err != nil && !os.IsNotExist(err) {
		return
	}
	defer func() { _ = recover() }() // a generator that panics does so again while fuzzing
	for i, n := 0, 0; n < firstInputs && i < 8*firstInputs; i++ {
		r := rand.New(rand.NewPCG(uint64(i), 0))
		source := choices.Varied(r, i)
		if x.prior != nil && i&1 == 1 {
			source = x.priorSource(r)
		}
		_, t, err := bigen.Run(x.gen, source)
		if err != nil || len(t) > firstChoices {
			continue
		}
		if _, isNew, err := corpus.Write(dir, choices.Encode(t)); err != nil {
			return
		} else if isNew {
			n++
		}
	}
}
