//go:build enginemutator

package main

import (
	"os"
	"unsafe"
)

func init() {
	os.Setenv("GODEBUG", "fuzzseed=1")
	m := newMutator()
	engineMutate = func(b []byte) []byte {
		b = append(make([]byte, 0, len(b)+1<<14), b...)
		mutateBytes(m, &b)
		return b
	}
}

//go:linkname newMutator internal/fuzz.newMutator
func newMutator() unsafe.Pointer

//go:linkname mutateBytes internal/fuzz.(*mutator).mutateBytes
func mutateBytes(m unsafe.Pointer, b *[]byte)
