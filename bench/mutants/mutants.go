// Package mutants has two small programs, search trees and heaps, each with bugs that can be
// switched on, a property that each bug violates, and generators of what the programs work on.
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

	// Any returns one of the generators, and which of its values are valid. fails is for those.
	Any(naive bool) (g bigen.Gen[any], valid func(v any) bool, fails func(bug string, v any) bool)
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
	return []Program{trees, heaps}
}

// A Spec is a program that works on values of one type.
type Spec[V any] struct {
	Name  string
	Bugs  []string
	Valid func(v V) bool
	Fails func(bug string, v V) bool // for a value that is valid

	Built, Naive           bigen.Gen[V]
	RapidBuilt, RapidNaive func(t *rapid.T) V
}

// New returns the program of a Spec.
func New[V any](s Spec[V]) Program { return &program[V]{s} }

type program[V any] struct{ Spec[V] }

func (p *program[V]) Name() string   { return p.Spec.Name }
func (p *program[V]) Bugs() []string { return slices.Clone(p.Spec.Bugs) }

func (p *program[V]) Check(t *testing.T, bug string, naive bool, w Watch) {
	g := p.Built
	if naive {
		g = p.Naive
	}
	fuzzext.Check(t, g, func(t *fuzzext.T, v V) { t.Assume(p.judge(t, bug, naive, v, w)) })
}

func (p *program[V]) Rapid(t *testing.T, bug string, naive bool, w Watch) {
	gen := p.RapidBuilt
	if naive {
		gen = p.RapidNaive
	}
	rapid.Check(t, func(t *rapid.T) {
		if !p.judge(t, bug, naive, gen(t), w) {
			t.SkipNow()
		}
	})
}

func (p *program[V]) Any(
	naive bool,
) (g bigen.Gen[any], valid func(v any) bool, fails func(bug string, v any) bool) {
	of := p.Built
	if naive {
		of = p.Naive
	}
	g = bigen.Iso(of, func(v V) any { return v }, func(v any) (V, bool) {
		of, ok := v.(V)
		return of, ok
	})
	return g, func(v any) bool { return p.Valid(v.(V)) },
		func(bug string, v any) bool { return p.finds(bug, v.(V)) }
}

// judge is the property. It reports whether the value is valid, if it has to look.
func (p *program[V]) judge(
	t interface{ Fail() }, bug string, naive bool, v V, w Watch,
) (valid bool) {
	switch w.Next() {
	case Pass:
		return true
	case Fail:
		t.Fail()
		return true
	}
	if naive && !p.Valid(v) {
		return false
	}
	if p.finds(bug, v) {
		w.Found()
		t.Fail()
	}
	return true
}

// finds reports whether the property fails or panics.
func (p *program[V]) finds(bug string, v V) (found bool) {
	defer func() {
		if recover() != nil {
			found = true
		}
	}()
	return p.Fails(bug, v)
}
