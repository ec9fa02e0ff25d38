// Package mutants has small programs of many kinds, each with bugs that can be switched on, a
// property that each bug violates, and generators of what the programs work on.
package mutants

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

// A Program is a program with bugs.
type Program interface {
	Name() string
	Bugs() []string

	// Check runs fuzzext.Check with a generator that makes valid values by construction, or
	// with a naive one under Assume. Rapid does the same with rapid.Check.
	Check(t *testing.T, bug string, naive bool, w Watch)
	Rapid(t *testing.T, bug string, naive bool, w Watch)
}

// A Watch follows a check.
type Watch struct {
	Next  func() Verdict // called with each value, valid or not
	Found func()         // called when a value shows the bug
}

// A Verdict says what the property does with a value.
type Verdict int

const (
	Run Verdict = iota
	Pass
	Fail
)

// Programs returns all programs.
func Programs() []Program {
	return []Program{trees, avls, heaps, languages, interpreters, intervals, schedulers}
}

// A program has values of one type.
type program[V any] struct {
	name  string
	bugs  []string
	valid func(v V) bool
	fails func(bug string, v V) bool // for a value that is valid

	built, naive           bigen.Gen[V]
	rapidBuilt, rapidNaive func(t *rapid.T) V
}

func (p *program[V]) Name() string   { return p.name }
func (p *program[V]) Bugs() []string { return slices.Clone(p.bugs) }

func (p *program[V]) Check(t *testing.T, bug string, naive bool, w Watch) {
	g := p.built
	if naive {
		g = p.naive
	}
	fuzzext.Check(t, g, func(t *fuzzext.T, v V) {
		switch w.Next() {
		case Pass:
			return
		case Fail:
			t.FailNow()
		}
		if naive {
			t.Assume(p.valid(v))
		}
		if p.finds(bug, v) {
			w.Found()
			t.Error("a bug")
		}
	})
}

func (p *program[V]) Rapid(t *testing.T, bug string, naive bool, w Watch) {
	gen := p.rapidBuilt
	if naive {
		gen = p.rapidNaive
	}
	rapid.Check(t, func(t *rapid.T) {
		v := gen(t)
		switch w.Next() {
		case Pass:
			return
		case Fail:
			t.FailNow()
		}
		if naive && !p.valid(v) {
			t.SkipNow()
		}
		if p.finds(bug, v) {
			w.Found()
			t.Error("a bug")
		}
	})
}

// finds reports whether the property fails or panics.
func (p *program[V]) finds(bug string, v V) (found bool) {
	defer func() {
		if recover() != nil {
			found = true
		}
	}()
	return p.fails(bug, v)
}
