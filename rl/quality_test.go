package rl

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// uniqueValid returns how many unique valid inputs guides make of n each, with several
// seeds, and how many inputs it has taken until the first.
func uniqueValid[A any](gen bigen.Gen[A], valid func(A) bool, n int, opts ...Option) (unique, first int) {
	for seed := range uint64(4) {
		guide := New(seeded(seed), opts...)
		found := false
		for range n {
			v, err := bigen.Value(gen, guide.Begin())
			ok := err == nil && valid(v)
			if !found {
				first++
			}
			switch found = found || ok; {
			case !ok:
				guide.Invalid()
			case guide.Valid(guide.Input()):
				unique++
			}
		}
	}
	return unique, first
}

// Revisits explore from what is valid, step by step: here to long lists.
func TestRevisits(t *testing.T) {
	gen := bigen.SliceOf(bigen.Int[uint8](), 0, 12)
	long := func(opts ...Option) (n int) {
		uniqueValid(gen, func(b []byte) bool {
			ok := len(b) >= 3 && slices.IsSorted(b)
			if ok && len(b) > 6 {
				n++
			}
			return ok
		}, 10_000, opts...)
		return n
	}
	require.Greater(t, 5*long(), 6*long(noRevisits))
}

// The element before tells which one may follow.
func TestElementBefore(t *testing.T) {
	gen := bigen.SliceOf(bigen.Int[uint8](), 0, 12)
	unique, _ := uniqueValid(gen, func(b []byte) bool { return len(b) >= 3 && slices.IsSorted(b) }, 10_000)
	require.Greater(t, unique, 4*4500)
}

// As long as nothing is valid, small values are tried: they are likelier to be.
func TestSmallFirst(t *testing.T) {
	letters := bigen.OneOf("a", "b", "c", "d")
	gen := bigen.SliceOf(bigen.SliceOf(letters, 0, 20), 0, 20)
	valid := func(v [][]string) bool {
		return len(v) == 2 && len(v[0]) == 1 && len(v[1]) == 1 && v[0][0] == "a" && v[1][0] == "d"
	}
	_, lean := uniqueValid(gen, valid, 5000)
	random := 0
	for seed := range uint64(4) {
		src := choices.Random(seeded(seed))
		for range 5000 {
			random++
			if v, err := bigen.Value(gen, src); err == nil && valid(v) {
				break
			}
		}
	}
	require.Less(t, 2*lean, random)
}
