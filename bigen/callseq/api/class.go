package api

import "runtime"

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

// An Outcome is how a call has ended, if it has panicked or returned an error, or what a contract
// says after it.
type Outcome struct {
	Op       string // the operation
	Panic    any    // what the call has panicked with; nil if it has returned
	Err      error  // the last result, if the call has returned
	Nil      bool   // an argument so far was nil, of an operation that is [Op.Unready], or a [Stub] that returns what a caller need not bear
	Index    bool   // what is out of range in Panic is an argument of the call: an index, or a size; or a value in an interface cannot be compared
	Warned   bool   // the operation is [Op.MayPanic]
	Contract string // the name of a contract that does not hold, such as "Clone is equal"
}

// DefaultClass is what [Classify] changes. By these rules, the first of which applies:
//
//  1. A contract that does not hold is an [Error]. A returned error is [Expected].
//  2. A [runtime.Error] is [Invalid], and another panic [Expected], if the operation is
//     [Op.MayPanic], or an argument of this call or an earlier one was nil, or a [Stub] that
//     returns what a caller need not bear, or an index or a size that is an argument of this call
//     is out of range, or a buffer is too small, or a value in an interface cannot be compared.
//  3. A [runtime.Error] is an [Error]. Another panic is [Expected]: its author has thought of the case.
func DefaultClass(o Outcome) Class {
	_, ok := o.Panic.(runtime.Error)
	switch {
	case o.Contract != "":
		return Error
	case ok && (o.Nil || o.Index || o.Warned):
		return Invalid
	case o.Panic == nil, o.Nil, o.Warned:
		return Expected
	case ok:
		return Error
	}
	return Expected
}
