package fuzzext

import (
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext/internal/stack"
	"github.com/espalier-go/espalier/fuzzext/internal/values"
	"github.com/espalier-go/espalier/internal/hash"
	"github.com/espalier-go/espalier/internal/literal"
	"github.com/espalier-go/espalier/rl"
)

// A spec is what a call of Valid, Fuzz or Check has been given.
type spec struct {
	*subject
	options
	target    func() target      // that calls
	calls     func() stack.Calls // above the call: only the goroutine that calls may ask first
	call      func() stack.Call
	translate values.Translator // of inputs of another library; nil if the target has none

	neverCalled func() []string // of the model of a Sequence; else nil
}

// newSpec returns the spec of a call of an exported function. The generator is the argument genArg
// of the call.
func newSpec(function string, genArg int, s *subject, opts []Option) *spec {
	o := newOptions(opts)
	if o.noLeaks != nil {
		s.prop = o.noLeaks(s.prop)
	}
	if o.around != nil {
		o.around(s, &o)
	}
	calls := sync.OnceValue(stack.Callers) // which costs as much as values, and few need it
	return &spec{
		subject: s,
		options: o,
		target:  sync.OnceValue(func() target { return targetOf(calls()) }),
		calls:   calls,
		call:    sync.OnceValue(func() stack.Call { return calls().Call(function, genArg) }),

		translate: values.CurrentTranslator(),
	}
}

// exampleTrees returns the choices of the examples. The error says that the examples, or the key of
// Unique, do not fit the generator.
func (x *spec) exampleTrees() (trees []choices.Tree, err error) {
	if u := x.unique; u.key != nil && u.typ != x.typ {
		return nil, fmt.Errorf("fuzzext.%s: Unique has a func(%v) uint64, but the generator "+
			"makes %v", x.call().Function, u.typ, x.typ)
	}
	e := x.examples
	if e.typ != nil && e.typ != x.typ {
		want := literal.TypeName(x.typ, x.target().pkg)
		return nil, fmt.Errorf("fuzzext.%s: Examples has values of type %v, but the generator "+
			"makes %v: give values of that type, as in Examples[%s](...)", x.call().Function, e.typ,
			x.typ, want)
	}
	for i, v := range e.values {
		t, err := bigen.Choices(x.gen, v)
		if err != nil {
			return nil, fmt.Errorf("fuzzext.%s: example %d of %d: %v", x.call().Function, i+1,
				len(e.values), err)
		}
		trees = append(trees, t)
	}
	return trees, nil
}

// subjectOfGuide returns what a guide makes values of.
func (x *spec) subjectOfGuide() values.Subject {
	s := values.Subject{Gen: x.gen, Prior: x.prior}
	if x.unique.key != nil {
		s.Unique = x.hashOfKey
	}
	if x.policy != nil {
		s.Options = []rl.Option{rl.FromPolicy(x.policy)}
	}
	return s
}

// hashOfKey returns a hash of what makes a value another one than those before: the key of the
// option Unique, or the value itself, which is the choices that the generator, run backward,
// makes of it.
func (x *spec) hashOfKey(t choices.Tree) uint64 {
	defer func() {
		if r := recover(); r != nil {
			x.fault = fmt.Sprintf("the function given to Unique, or the generator run backward, "+
				"panics: %v\n\n%s", r, debug.Stack())
		}
	}()
	if v, _, err := x.remake(t); err == nil {
		if x.unique.key != nil {
			return x.unique.key(v)
		}
		if back, err := bigen.Choices(x.gen, v); err == nil {
			t = back
		}
	}
	return hash.FNV64(choices.Encode(t))
}
