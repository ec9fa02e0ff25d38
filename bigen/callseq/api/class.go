package api

import (
	"fmt"
	"regexp"
	"runtime"
)

// A Class says what it means how a call has ended.
type Class int

// The classes. After a call of any but Passed, a sequence ends.
const (
	Passed   Class = iota // the call has returned
	Expected              // the call has refused its arguments, as it may
	Invalid               // the call has been given what it need not bear
	Error                 // the call has a bug
)

// String returns the name of the class in lower case, such as expected.
func (c Class) String() string {
	return [...]string{"passed", "expected", "invalid", "error"}[c]
}

// An Outcome is how a call has ended, if it has panicked or returned an error.
type Outcome struct {
	Op    string // the operation
	Panic any    // what the call has panicked with; nil if it has returned
	Err   error  // the last result, if the call has returned
	Nil   bool   // an argument so far was nil, or of an operation that is [Op.Unready]
	Index bool   // what is out of range in Panic is an argument of the call: an index, or a size
}

// ownBug matches what a package says that has found a mistake of its own.
var ownBug = regexp.MustCompile(`(?i)\b(unreachable|internal error|invariant|assertion|(cannot|can't|should not|must never) happen|bug)\b`)

// DefaultClass is what [Classify] changes. A [runtime.Error], or a panic that speaks of a bug
// or an invariant, is an [Error], but [Invalid] if an argument of this call or an earlier one was
// nil, or if an index or a size that is an argument of this call is out of range. Another panic, and
// a returned error, are [Expected].
func DefaultClass(o Outcome) Class {
	switch _, ok := o.Panic.(runtime.Error); {
	case o.Panic == nil, !ok && !ownBug.MatchString(guarded(func() string { return fmt.Sprint(o.Panic) })):
		return Expected
	case o.Nil, o.Index:
		return Invalid
	}
	return Error
}
