package fuzzext

import (
	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/mutate"
)

// explored is the [subject] of an exploration. Its methods are compiled with the user's
// package.
type explored[V any] struct {
	reporter[V]
	memory choices.Tree // for the choices of values
	made   choices.Tree // for those of remake
}

// eachOf runs the property on the values that sources make.
func (x *explored[V]) eachOf(s *trial, source func(i int) choices.Source, after func(i int, t *T) (more bool)) {
	values := &sources[V]{gen: x.gen, source: source, memory: x.memory}
	x.each(s, values, after)
	x.memory = values.memory
}

// again runs the property on the value of a tree that has been made before. It returns nil
// if the run has not ended in time. A value that is not made again counts as invalid.
func (x *explored[V]) again(s *trial, tree choices.Tree) *T {
	v, made, err := x.tryRemake(tree)
	if err != nil {
		t := s.newT(reducing)
		t.invalid = true
		return t
	}
	s.tree = made
	return x.run(s, v, s.hangAt, reducing)
}

// reduce looks for a simpler tree of an input that is worth keeping, as long as good holds
// after the run on its value.
func (x *explored[V]) reduce(s *trial, tree choices.Tree, good func(*T) bool, calls int) choices.Tree {
	reduced, _, _ := mutate.Minimize(tree,
		func(edited choices.Tree) (v V, made choices.Tree, err error) {
			if s.stop.Load() {
				return v, nil, mutate.ErrStop
			}
			v, made, err = x.tryRemake(edited)
			s.tree = made
			return v, made, err
		},
		func(v V) bool { return good(x.run(s, v, s.hangAt, reducing)) }, calls)
	return reduced
}

// remake returns the choices of the value that a source makes. A value on which the generator
// panics is to be run.
func (x *explored[V]) remake(source choices.Source) (_ choices.Tree, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	_, made, err := bigen.RunInto(x.made, x.gen, source)
	x.made = made
	return made, err == nil
}

// testName is the name of the fuzz target.
func (x *explored[V]) testName() string { return x.target.name }

// panics reports whether the generator panics on bytes.
func (x *explored[V]) panics(b []byte) (yes bool) {
	defer func() { yes = recover() != nil }()
	_, _ = bigen.Value(x.gen, x.decode(b))
	return false
}
