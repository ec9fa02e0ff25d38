package api

import (
	"fmt"
	"reflect"
	"regexp"
	"runtime"
	"strings"

	"golang.org/x/exp/slices"
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

// An Outcome is how a call has ended, if it has panicked or returned an error, or what a contract
// says after it.
type Outcome struct {
	Op    string // the operation
	Panic any    // what the call has panicked with; nil if it has returned
	Err   error  // the last result, if the call has returned

	// Nil says that an argument so far was nil, or of an operation that is [Op.Unready].
	Nil bool

	// Index says that what is out of range in Panic is an argument of the call, an index or a size; or
	// that a value in an interface cannot be compared.
	Index bool

	Warned   bool   // the operation is [Op.MayPanic]
	Contract string // the name of a contract that does not hold, such as "Clone is equal"
}

// DefaultClass is what [Classify] changes. The first of these rules that applies decides:
//
//  1. A contract that does not hold is an [Error]. A returned error is [Expected].
//  2. A [runtime.Error] is [Invalid], and another panic [Expected], if the operation is
//     [Op.MayPanic], or an argument of this call or an earlier one was nil, or an index or
//     a size that is an argument of this call is out of range, or a value in an interface cannot be
//     compared.
//  3. A [runtime.Error] is an [Error]. Another panic is [Expected]: its author has thought of the
//     case.
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

var (
	// outOfRange is what a [runtime.Error] says of an index, or of the bounds of a slice.
	outOfRange = regexp.MustCompile(`^runtime error: (?:index|slice bounds) out of range \[([-0-9:]+)\]`)
	badSize    = regexp.MustCompile(`^runtime error: makeslice: (?:len|cap) out of range`)
	// indexName is how parameters are called that are indexes or sizes.
	indexName = regexp.MustCompile(`(?i)^([i-n]|at|from|to|lo|low|hi|high|start|begin|end|stop|` +
		`first|last|left|right|row|col|bit|x\d|y\d)\d*$|` +
		`idx|ind(ex|ices)|pos|off|size|len|cap|count|num|max|min|limit|width|height|bits`)
)

// A given is an argument of a call of the sequence that runs.
type given struct {
	op    *Op
	name  string // of the parameter
	value cell
}

// outOfIndexes reports whether a panic says that an index, or a size, is out of range which is
// an argument of the call, by its value and by the name of its parameter, or that such an argument
// is negative. That is a mistake of the caller.
func outOfIndexes(p any, args []given) bool {
	err, ok := p.(runtime.Error)
	if !ok {
		return false
	}
	size, index := badSize.MatchString(err.Error()), outOfRange.FindStringSubmatch(err.Error())
	return (size || index != nil) && slices.ContainsFunc(args, func(g given) bool {
		v := reflect.ValueOf(g.value.value())
		negative := v.CanInt() && v.Int() < 0
		large := v.CanInt() && v.Int() > maxSize || v.CanUint() && v.Uint() > maxSize
		told := index != nil && (v.CanInt() || v.CanUint()) &&
			slices.Contains(strings.Split(index[1], ":"), fmt.Sprint(v))
		if indexName.MatchString(g.name) {
			return negative || size && large || told
		}
		// A large number is not a coincidence.
		return size && negative || told && v.CanInt() && (v.Int() < 0 || v.Int() > 9)
	})
}

// maxSize is a size that no slice of a test has.
const maxSize = 1 << 30

// unhashable matches what a panic says if what an interface has cannot be the key of a map, or be
// compared. Callers know what can.
var unhashable = regexp.MustCompile(`hash of unhashable type|comparing uncomparable type`)

func isUnhashable(p any) bool {
	err, ok := p.(error)
	return ok && unhashable.MatchString(guarded(err.Error))
}
