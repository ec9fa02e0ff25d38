// Package rltargets provides naive generators with strict checks, to measure package rl. No
// generator knows its check.
package rltargets

import (
	"math"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext"
)

// A Target is a generator with a check of its values.
type Target struct {
	Name string
	// Run makes a value from the answers of src. It reports whether the value is valid, and
	// returns a hash of it and its size in nodes if it is.
	Run func(src choices.Source) (valid bool, key uint64, size int)
	// Check runs a Check that calls begin before it judges a value and seen after that, as Run
	// would return it, and that never ends.
	Check func(t *testing.T, seed uint64, begin func(), seen func(valid bool, key uint64, size int))
	// Example returns the choices that make a valid value.
	Example func() (choices.Tree, error)
}

// All returns all targets: first the study of RLCheck, then the others.
func All() []Target { return append([]Target{Study()}, Others()...) }

// Others returns the targets other than the study.
func Others() []Target { return []Target{RedBlack(), Lambda(), JavaScript()} }

// subject is a value of a target.
type subject interface {
	valid() bool
	hash() hash
	size() int
}

func newTarget[A subject](name string, gen bigen.Gen[A], example A) Target {
	return Target{
		Name: name,
		Run: func(src choices.Source) (bool, uint64, int) {
			v, err := bigen.Value(gen, src)
			if err != nil || !v.valid() {
				return false, 0, 0
			}
			return true, uint64(v.hash()), v.size()
		},
		Check: func(t *testing.T, seed uint64, begin func(), seen func(valid bool, key uint64, size int)) {
			fuzzext.Check(t, gen, func(t *fuzzext.T, v A) {
				begin()
				if !v.valid() {
					seen(false, 0, 0)
					t.Assume(false)
				}
				seen(true, uint64(v.hash()), v.size())
			}, fuzzext.Checks(math.MaxInt/100), fuzzext.Seed(seed))
		},
		Example: func() (choices.Tree, error) { return bigen.Choices(gen, example) },
	}
}

// hash is a hash of a value. It is the same in every process.
type hash uint64

func (h hash) add(x uint64) hash {
	y := (uint64(h) ^ x) * 0x9e3779b97f4a7c15
	y = (y ^ y>>32) * 0xd6e8feb86659fd93
	return hash(y ^ y>>32)
}

func (h hash) addText(s string) hash {
	x := uint64(0xcbf29ce484222325)
	for i := range len(s) {
		x = (x ^ uint64(s[i])) * 0x100000001b3
	}
	return h.add(x)
}

// optional makes nil or what g makes.
func optional[T any](g bigen.Gen[*T]) bigen.Gen[*T] {
	return bigen.Pick(bigen.Tag("none", bigen.Nil[T]()), bigen.Tag("some", g))
}
