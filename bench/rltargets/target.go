// Package rltargets provides naive generators with strict checks, to measure package rl. No
// generator knows its check.
package rltargets

import (
	"math"
	"slices"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext"
)

// A Target is a generator with a check of its values, and bugs of a program that works on the
// valid ones. Few of these show a bug: those that are deep, or a combination.
type Target struct {
	Name string
	Bugs []string
	// Run makes a value from the answers of src, and judges it by the bug, or without one.
	Run func(src choices.Source, bug string) Input
	// Check runs a Check that calls begin before it judges a value and see after that, and that
	// does not end by itself.
	Check func(t *testing.T, bug string, begin func(), see func(Input), opts ...fuzzext.Option)
	// Fuzz fuzzes a target that calls see for each valid value.
	Fuzz func(f *testing.F, bug string, see func(Input))
	// Example returns the choices that make a valid value.
	Example func() (choices.Tree, error)
}

// An Input says what a value is.
type Input struct {
	Valid bool
	Key   uint64 // a hash of a valid value
	Size  int    // of a valid value, in nodes
	Shows bool   // the bug
}

// All returns all targets. The first is the study of RLCheck, which has no bugs.
func All() []Target { return []Target{study(), redBlack(), lambda(), javaScript()} }

// Named returns the target with the name. It panics if there is none.
func Named(name string) Target {
	all := All()
	return all[slices.IndexFunc(all, func(t Target) bool { return t.Name == name })]
}

// A spec is a target of values of one type.
type spec[V any] struct {
	name    string
	gen     bigen.Gen[V]
	example V
	valid   func(V) bool
	hash    func(V) hash
	size    func(V) int
	bugs    []string
	shows   func(v V, bug string) bool
}

func (s spec[V]) target() Target {
	judge := func(v V, bug string) Input {
		if !s.valid(v) {
			return Input{}
		}
		return Input{true, uint64(s.hash(v)), s.size(v), bug != "" && s.shows(v, bug)}
	}
	property := func(bug string, begin func(), see func(Input)) func(*fuzzext.T, V) {
		return func(t *fuzzext.T, v V) {
			begin()
			in := judge(v, bug)
			see(in)
			t.Assume(in.Valid)
		}
	}
	return Target{
		Name: s.name,
		Bugs: s.bugs,
		Run: func(src choices.Source, bug string) Input {
			v, err := bigen.Value(s.gen, src)
			if err != nil {
				return Input{}
			}
			return judge(v, bug)
		},
		Check: func(t *testing.T, bug string, begin func(), see func(Input), opts ...fuzzext.Option) {
			fuzzext.Check(t, s.gen, property(bug, begin, see),
				append(opts, fuzzext.Checks(math.MaxInt/100))...)
		},
		Fuzz: func(f *testing.F, bug string, see func(Input)) {
			f.Fuzz(fuzzext.Valid(s.gen, property(bug, func() {}, see)))
		},
		Example: func() (choices.Tree, error) { return bigen.Choices(s.gen, s.example) },
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
