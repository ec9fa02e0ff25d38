// Package live is how packages below callseq make and run sequences in ways of their own. A
// call is a callseq.Call, as a []any.
package live

import (
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// Of returns the inside of a *callseq.Model. Package callseq sets it.
var Of func(model any) Model

// OfAPI returns the inside of an *api.API. Package api sets it.
var OfAPI func(api any) Serial

// A Model makes, reads and runs sequences.
type Model interface {
	// Begin begins to make a sequence or, if gen runs backward, to read one. first holds what
	// was drawn before the calls, under the name Setup. What it returns is the same.
	Begin(gen *bigen.C, first []any) (m Machine, drawn []any)

	// Start begins to run a sequence. Once it is held, locate tells which call a goroutine
	// is running, from 0.
	Start(t testing.TB, first []any, locate func() int) Run

	// Imagine begins to run the model alone.
	Imagine(first []any) Imagined

	// Same reports whether what a call has returned is what is wanted.
	Same(call, got, want []any) bool

	// Ran counts the operations of a run as called. NeverCalled returns the others.
	Ran(r Run)
	NeverCalled() []string
}

// Setup is the name of what is drawn before the calls.
const Setup = "setup"

// A Serial is a model that is what is tested, called from one goroutine.
type Serial interface {
	Model

	// Foresee is Imagine of calls that are likely to run in this order. If turns is set, the caller is
	// in a run of package point, and so is each of these.
	Foresee(calls [][]any, turns bool) Imagined

	// Varies tells that a call has returned different results though the same calls preceded it.
	Varies(call, got, want []any)
}

// End is the name of a call that comes last, of a Serial: it returns what contract does not hold.
const End = "end"

// Panics is what a call of a Serial returns that panics.
type Panics struct{}

// GoString is for reports.
func (Panics) GoString() string { return "a panic" }

// Hangs is what a call returns that never returns, and Leaks what [End] returns if goroutines
// remain.
type Hangs struct{}
type Leaks struct{}

// A Machine is as [bigen.Machine] and [bigen.Stopper], for calls that the caller holds.
type Machine interface {
	Offer() []choices.Alt
	Stops() float64
	Allows(n int) bool
	Find(gen *bigen.C, op string) int
	Step(n int, call []any) []any

	// Uses returns the instances that the last call makes, and those that it uses, by name. The last
	// are the ones that only the thread that has made them may use; "" if the call must run
	// alone.
	Uses() (made, used, own []string)
}

// A Run is one run of a sequence.
type Run interface {
	// Hold keeps the functions given to Do from now on, and leaves results alone.
	Hold()
	// Call runs the model's part of the next call, and returns what it has given to Do. Before
	// Hold, that has run already.
	Call(call []any) []func()
	// Check checks the invariants. It reports false if the test has failed.
	Check() bool
	// End checks what must hold at the end.
	End()
	// Got returns the results of the i-th call, if it has given any.
	Got(i int) (results []any, ok bool)
	// Returned writes the results of the i-th call, and what a model says that wants others.
	Returned(i int, want [][]any) (got, wanted string)
	// Report writes the calls so far as a run of callseq does.
	Report()
	// Code returns the code that precedes the calls, and the code of each call with what it has
	// returned, if it has.
	Code() (setup Code, calls []Code)
}

// Code is the code of a call, or of what precedes the calls.
type Code struct {
	Statement, Results string
	Idle               []string // instances that it declares, and that nothing uses
}

// Imagined is a sequence of calls of the model.
type Imagined interface {
	// Call runs the model's part of the next call. It returns the alternatives that the model
	// wants, if it says so, and false if the call is not possible. Then the sequence has ended.
	Call(call []any) (want [][]any, wanted, possible bool)
	// Again is Call of what is known.
	Again(call []any)
	// Keep tells which of several alternatives the results of the last call may be.
	Keep(fits []int)
}
