package fuzzext

import (
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/classes"
	"github.com/espalier-go/espalier/internal/engine"
)

// classOf returns the class of the failure of a run on the value of a tree, as far as the run tells:
//
//  1. the name that the property has given ([T.Class]), or else the place: the line that calls Error
//     or the like, or that panics; and
//  2. of a panic, its type and the functions below the place, or
//  3. what the property says there, less the values in it, and less words of the value.
//
// To minimize a failure, name or place are enough, except where classes are told apart.
func (t *T) classOf(tree choices.Tree) string {
	r := t.left()
	if r.said != "" {
		r.key = classes.Unechoed(r.said, tree)
		t.mu.Lock()
		t.rec.key, t.rec.said = r.key, ""
		t.mu.Unlock()
	}
	if r.class != "" {
		return t.class()
	}
	return engine.JoinClass(r.where, r.key)
}

// class returns the class of the failure if messages do not matter.
func (t *T) class() string {
	if r := t.left(); r.class == "" {
		return r.where
	} else {
		return "class " + r.class
	}
}
