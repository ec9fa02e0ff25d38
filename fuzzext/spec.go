package fuzzext

import (
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/caller"
	"github.com/espalier-go/espalier/fuzzext/internal/foreign"
	"github.com/espalier-go/espalier/fuzzext/internal/guide"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/literal"
	"github.com/espalier-go/espalier/rl"
)

// A spec is what a call of Valid, Fuzz or Check has been given.
type spec struct {
	runner
	options
	stack     func() caller.Stack // of the call: only the goroutine that calls may ask first
	call      func() caller.Call
	translate foreign.Translator // of inputs of another library; nil if the target has none
	fault     string             // of the generator or of Unique, which a key has shown, or of a run; "" for none

	neverCalled func() []string // of the model of a Sequence; else nil
}

// newSpec returns the spec of a call of an exported function. The generator is the argument genArg of
// the call.
func newSpec(function string, genArg int, s *subject, opts []Option) *spec {
	o := newOptions(opts)
	if o.noLeaks {
		s.prop = leakless(s.prop)
	}
	stack := sync.OnceValue(caller.Callers) // which costs as much as values, and few need it
	x := &spec{
		runner:  runner{subject: s, target: sync.OnceValue(func() target { return targetOf(stack()) })},
		options: o,
		stack:   stack,
		call:    sync.OnceValue(func() caller.Call { return stack().Call(function, genArg) }),

		translate: foreign.Current(),
	}
	if o.schedules != nil {
		*s = o.schedules(*s, x)
	} else if o.bubble {
		s.prop = bubbled(s.prop)
	}
	return x
}

// exampleTrees returns the choices of the examples. The error says that the examples, or the key of
// Unique, do not fit the generator.
func (x *spec) exampleTrees() (trees []choices.Tree, err error) {
	if u := x.unique; u.key != nil && u.typ != x.typ {
		return nil, fmt.Errorf("fuzzext.%s: Unique has a func(%v) uint64, but the generator makes %v", x.call().Function, u.typ, x.typ)
	}
	e := x.examples
	if e.typ != nil && e.typ != x.typ {
		want := literal.TypeName(x.typ, x.target().pkg)
		return nil, fmt.Errorf("fuzzext.%s: Examples has values of type %v, but the generator makes %v: give values of that type, as in Examples[%s](...)", x.call().Function, e.typ, x.typ, want)
	}
	for i, v := range e.values {
		t, err := bigen.Choices(x.gen, v)
		if err != nil {
			return nil, fmt.Errorf("fuzzext.%s: example %d of %d: %v", x.call().Function, i+1, len(e.values), err)
		}
		trees = append(trees, t)
	}
	return trees, nil
}

// subjectOfGuide returns what a guide makes values of.
func (x *spec) subjectOfGuide() guide.Subject {
	s := guide.Subject{Gen: x.gen, Prior: x.prior}
	if x.unique.key != nil {
		s.Unique = x.key
	}
	if x.policy != nil {
		s.Options = []rl.Option{rl.FromPolicy(x.policy)}
	}
	return s
}

// key returns a hash of what makes a value another one than those before: the key of the
// option Unique, or the value itself, which is the choices that the generator, run backward,
// makes of it.
func (x *spec) key(t choices.Tree) uint64 {
	defer func() {
		if r := recover(); r != nil {
			x.fault = fmt.Sprintf("the function given to Unique, or the generator run backward, panics: %v\n\n%s", r, debug.Stack())
		}
	}()
	if v, _, err := x.remake(t); err != nil {
	} else if x.unique.key != nil {
		return x.unique.key(v)
	} else if back, err := bigen.Choices(x.gen, v); err == nil {
		t = back
	}
	return hash.FNV64(choices.Encode(t))
}
