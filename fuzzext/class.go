package fuzzext

import (
	"fmt"
	"runtime"
	"strings"

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
	if said := t.mayEcho(); said != "" {
		if v, _, err := p.tryRemake(tree); err == nil {
			t.setKey(alike.Unechoed(said, v))
		}
	}
	return t.class(true)
}

// mayEcho returns what the first failure has said if that may have echoes, or "".
func (t *T) mayEcho() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rec == nil {
		return ""
	}
	return t.rec.said
}

// setKey says what tells the first failure from others in its place, without and with echoes.
func (t *T) setKey(key, withEchoes string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rec != nil {
		t.rec.key, t.rec.withEchoes, t.rec.said = key, withEchoes, ""
	}
}

// withEchoes returns the class of a failure if what seems to be an echo is none, or "" if there
// is nothing like that.
func (t *T) withEchoes() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r := t.rec; r != nil && r.withEchoes != "" && r.class == "" {
		return engine.JoinClass(r.where, r.withEchoes)
	}
	return ""
}

// keyFrames is how many functions the key of a panic has.
const keyFrames = 3

// panicKey returns what distinguishes a panic from others in its place: its type, and the
// functions that were running. It is called while the panic is being recovered.
func panicKey(value any, helpers map[string]bool) string {
	key := fmt.Sprintf("%T", value)
	panicked := false
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	var names []string
	for more := true; more && len(names) < keyFrames; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			panicked = true
		case !panicked || helpers[f.Function] || standard(f) || strings.HasPrefix(f.Function, "runtime."):
		case strings.HasPrefix(f.Function, thisPackage):
			more = false // the property has been called
		default:
			name := f.Function[strings.LastIndexByte(f.Function, '/')+1:]
			if !strings.Contains("\n"+strings.Join(names, "\n")+"\n", "\n"+name+"\n") { // recursion
				names = append(names, name)
			}
		}
	}
	return strings.Join(append([]string{key}, names...), " in ")
}
