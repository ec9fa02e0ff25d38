package callseq

import (
	"fmt"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// C is one sequence that is being made, read or run. It is a [testing.TB] for what is
// tested: its methods, such as Errorf, may be called within [C.Do], [C.Invariant] and
// [C.End] only.
type C struct {
	testing.TB
	model    *Model
	doing    doing
	gen      *bigen.C // unless the sequence is run
	runner   *runner  // if it is
	wants    []any    // that the model has computed, while it is examined
	examined bool     // the model is being

	ops        []*Op
	alts       []choices.Alt // the same, as a source sees them
	invariants []func()
	ends       []func()

	scenarios []scenario
	plain     float64 // how likely it is that the sequence follows none
	total     float64 // of the weights of the operations that are possible

	phase phase
	name  string   // of the call; setup before the calls
	call  Call     // that is being made, read or run
	room  Call     // for calls that are made
	args  []string // the names of its arguments so far
	ended bool     // no call follows
	alien bool     // a panic is not the model's

	made, used []Name // instances that the call makes, and uses
}

// doing is what is done to a sequence.
type doing int

const (
	making  doing = iota // at random, or by any other source
	reading              // backward
	running
)

// phase is a part of a call.
type phase int

const (
	drawing  phase = iota // of arguments
	drawn                 // Do has been called
	inDo                  // within Do
	checking              // invariants
)

func newC(m *Model, d doing) *C { return &C{model: m, doing: d, TB: outside{}} }

// Op declares an operation. Sequences, and corpora, know it by its name, which should be the
// code that it stands for, without arguments:
//
//	c.Op("cache.Get", func() {
//		k := callseq.Arg(c, "k", keys)
//		v, ok := model[k]
//		c.Want(v, ok)
//		c.Do(func() { c.Got(cache.Get(k)) })
//	})
//
// call draws the arguments first, from generators that may depend on the model. What is
// tested is called within [C.Do]. All else must be about the model only.
//
// In a report, the call is name(arguments). If the name begins with an argument's name and
// a dot, that argument is the receiver. [C.Code] changes the text.
func (c *C) Op(name string, call func()) *Op {
	if c.name != setup || c.phase == checking {
		c.misuse("declares the operation %q within a call: declare operations in the function "+
			"given to New", name)
	}
	if call == nil {
		c.misuse("declares the operation %q without a function", name)
	}
	i := len(c.ops)
	if known := c.model.offered.Load(); known != nil && i < len(*known) && (*known)[i].Tag == name {
		c.alts = append(c.alts, (*known)[i])
	} else {
		c.alts = append(c.alts, bigen.NewAlt(name, 1))
		for _, o := range c.ops {
			if o.name == name {
				c.misuse("declares two operations named %q: sequences know them by their names", name)
			}
		}
		if name == setup || name == "" {
			c.misuse("declares an operation named %q: choose another name", name)
		}
	}
	o := &Op{name: name, boxed: name, call: call, weight: 1}
	c.ops = append(c.ops, o)
	return o
}

// An Op is an operation, declared by [C.Op].
type Op struct {
	name   string
	boxed  any // the name
	call   func()
	weight float64
	when   func() bool // or nil
	at     uintptr     // where Methods is called that has declared it, or 0
	able   bool        // in the present state
	called bool        // in the run
}

// Weight makes random sequences have the operation w times as often as one without a
// weight. It panics if w is negative, NaN or above 1e100.
func (o *Op) Weight(w float64) *Op {
	if !(w >= 0 && w <= 1e100) {
		panic(
			misused(fmt.Sprintf("weight %v of the operation %q is not a number from 0 to 1e100", w,
				o.name) + caller()))
	}
	o.weight = w
	return o
}

// When sets the precondition: sequences have the operation only where it reports true. It
// must depend on the model only, never on results.
func (o *Op) When(possible func() bool) *Op {
	o.when = possible
	return o
}

// possible asks the precondition.
func (o *Op) possible() bool {
	o.able = o.when == nil || o.when()
	return o.able
}

// offered is possible, of a sequence that is not run. If the precondition panics, the run does.
func (c *C) offered(o *Op) bool {
	if o.when == nil {
		return o.possible()
	}
	before := c.ended
	o.able = true
	c.try(func() { o.possible() })
	c.ended = before
	return o.able
}

// Do calls f if the sequence is run. Whatever touches what is tested stands in f. Making and
// reading a sequence, as for shrinking, skip it. What Do sets must not have an effect on
// arguments and preconditions.
func (c *C) Do(f func()) {
	if c.phase > drawn {
		c.misuse("calls Do within Do, Invariant or End")
	}
	c.phase = drawn
	if c.doing == running && c.runner.now().panics {
		f = c.toPanic(f)
	}
	switch {
	case c.doing != running || c.runner.imagined:
	case c.runner.held:
		c.runner.deferred = append(c.runner.deferred, f)
	default:
		c.phase = inDo
		f()
		c.phase = drawn
	}
}

// Assume makes the sequence invalid unless ok is true, as the Assume of [fuzzext.T] makes a value.
// Outside of Do, where ok must depend on the model only, no call follows in a sequence that is
// made:
//
//	low, high := callseq.Arg(c, "low", sizes), callseq.Arg(c, "high", sizes)
//	c.Assume(low < high)
//
// [fuzzext.T]: https://pkg.go.dev/github.com/espalier-go/espalier/fuzzext#T
func (c *C) Assume(ok bool) {
	switch {
	case ok:
	case c.doing != running:
		c.ended = true
	case c.runner.imagined:
		panic(impossible{})
	default:
		c.TB.SkipNow()
	}
}

// Invariant declares a function that checks what is tested before the first call and after
// each, when the sequence is run. Declare it in the function given to [New].
func (c *C) Invariant(check func()) {
	c.inSetup("Invariant")
	c.invariants = append(c.invariants, check)
}

// End declares a function that is called after the last call, when the sequence is run, unless
// a call has failed. Declare it in the function given to [New].
func (c *C) End(check func()) {
	c.inSetup("End")
	c.ends = append(c.ends, check)
}

// Label counts the sequence under a name, once, as the Label of [fuzzext.T] counts a value. It
// does nothing while the sequence is not run, or if the test has no labels.
//
// [fuzzext.T]: https://pkg.go.dev/github.com/espalier-go/espalier/fuzzext#T
func (c *C) Label(name string) {
	if t, ok := c.TB.(interface{ Label(name string) }); ok && c.doing == running {
		t.Label(name)
	}
}

func (c *C) inSetup(function string) {
	if c.name != setup || c.phase > drawn {
		c.misuse("calls %s within a call, or within Do: call it in the function given to New", function)
	}
}

// setUp calls the function given to New. It returns first with what that has drawn.
func (c *C) setUp(first Call) Call {
	first = c.do(setup, first, func() { c.model.define(c) })
	if len(c.ops) == 0 {
		c.misuse("declares no operation: call Op in the function given to New")
	}
	if known := c.model.offered.Load(); known == nil || len(*known) != len(c.alts) {
		alts := append([]choices.Alt(nil), c.alts...)
		c.model.offered.Store(&alts)
	}
	return first
}

// do makes, reads or runs a call.
func (c *C) do(name string, call Call, f func()) Call {
	c.phase, c.name, c.call = drawing, name, call
	c.made, c.used = c.made[:0], c.used[:0]
	if c.doing == running {
		c.args = c.args[len(c.args):] // the trace keeps the arguments of earlier calls
	} else {
		c.args = c.args[:0]
	}
	if c.doing == running {
		f()
	} else {
		c.try(f)
	}
	if drawn, has := len(c.args), len(c.call)-1; drawn != has && !c.ended {
		c.refuse("it has %d arguments, not %d", has, drawn)
	}
	call = c.call
	c.phase, c.name, c.call = checking, "", nil
	return call
}

// try calls f, which is the model's. If it panics, the sequence ends there: its run panics, too,
// and is shrunk and reported as any that fails.
func (c *C) try(f func()) {
	defer func() {
		if c.alien {
			return
		}
		r := recover()
		if _, is := r.(misused); is {
			panic(r)
		}
		c.ended = c.ended || r != nil
	}()
	f()
}

// find returns the index of the operation of some name, or -1.
func (c *C) find(name string) int {
	for i, o := range c.ops {
		if o.name == name {
			return i
		}
	}
	return -1
}
