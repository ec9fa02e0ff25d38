package fuzzext

import (
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/alike"
	"github.com/espalier-go/espalier/internal/engine"
)

// The class of a failure tells it from others: two of one class count as one. Unless the
// property names it ([T.Class]), it consists of
//
//  1. the place: the line that calls Error or the like, or that panics;
//  2. of a panic, the type and the functions below the place, or
//  3. what the property says there, less the values in it, and less what is also in the value
//     that the property has been given ([runner.classOf]).
//
// To minimize a failure, the place alone is enough, except where classes are collected.

// classOf returns the class of the failure of a run on the value of a tree.
func (p *runner) classOf(t *T, tree choices.Tree) string {
	if said := t.left().said; said != "" {
		if v, _, err := p.tryRemake(tree); err == nil {
			t.setKey(alike.Unechoed(said, v))
		}
	}
	return t.class(true)
}

// setKey says what tells the first failure from others in its place, without and with echoes.
func (t *T) setKey(key, withEchoes string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rec != nil {
		t.rec.key, t.rec.withEchoes, t.rec.said = key, withEchoes, ""
	}
}

// classWithEchoes returns the class of a failure if what seems to be an echo is none, or "" if there
// is nothing like that.
func (t *T) classWithEchoes() string {
	if r := t.left(); r.withEchoes != "" && r.class == "" {
		return engine.JoinClass(r.where, r.withEchoes)
	}
	return ""
}

// class returns the class of the failure; if it need not be fine, messages do not matter.
func (t *T) class(fine bool) string {
	switch r := t.left(); {
	case r.class != "":
		return "class " + r.class
	case fine && r.where != "":
		return engine.JoinClass(r.where, r.key)
	default:
		return r.where
	}
}
