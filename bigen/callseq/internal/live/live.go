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

	// Ran counts the operations of a run as called.
	Ran(r Run)
}

// Setup is the name of what is drawn before the calls.
const Setup = "setup"

// A Machine is as [bigen.Machine] and [bigen.Stopper], for calls that the caller holds.
type Machine interface {
	Offer() []choices.Alt
	Stops() float64
	Allows(n int) bool
	Find(gen *bigen.C, op string) int
	Step(n int, call []any) []any

	// Uses returns the instances that the last call makes, and those that it uses, by name.
	Uses() (made, used []string)
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
	// End checks what is to hold at the end.
	End()
	// Got returns the results of the i-th call, if it has given any.
	Got(i int) (results []any, ok bool)
	// Returned writes the results of the i-th call, and what a model says that wants others.
	Returned(i int, want [][]any) (got, wanted string)
	// Report writes the calls so far as a run of callseq does.
	Report()
	// Code returns the code that precedes the calls, and that of each call with what it has
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
	// Keep tells which of several alternatives the results of the last call may be.
	Keep(fits []int)
}

// Same reports whether results are those wanted. Package callseq sets it.
var Same func(got, want []any) bool
