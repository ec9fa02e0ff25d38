package api

import (
	"strings"
	"time"
)

// An Op is an operation, declared by [C.Op].
type Op struct {
	name    string
	call    func()
	when    func() bool // or nil
	able    bool        // in the state of the sequence that is made
	unready bool
	warned  bool
	alone   bool
	writes  bool
	method  string // that it calls

	// For [API.Generate].
	tells   bool          // a call has returned what can be compared
	refuses bool          // a call has returned an error
	heavy   bool          // many calls in a row get slow
	runs    int           // sequences that it has ended
	took    time.Duration // the CPU time of these
}

// longTime is how much CPU time the sequences that an operation ends may take on average.
// Operations whose sequences take more are chosen less often.
var longTime = 2 * time.Millisecond

// weight is how often an operation is chosen, beside the others.
func (o *Op) weight() float64 {
	if most := time.Duration(o.runs) * longTime; o.took > most {
		return float64(most) / float64(o.took)
	}
	return 1
}

// When sets the precondition: it usually is [Pool.Any] of the type of the receiver, so that the
// operation is called only where there is one.
func (o *Op) When(possible func() bool) *Op {
	o.when = possible
	return o
}

// Unready says that what the operation returns may not be usable, such as a zero value, or its
// receiver, of which it has set a field, or which it has released. After a
// call that uses it, a [runtime.Error] is [Invalid], as after nil, and contracts do not bind it.
func (o *Op) Unready() *Op {
	o.unready = true
	return o
}

// MayPanic says that the operation's comment announces that it may panic, wait, or end the process.
// Then none of these is an [Error].
func (o *Op) MayPanic() *Op {
	o.warned = true
	return o
}

// Writes says that the operation may write or remove files, or start programs. Only [API.Generate]
// calls it, if its [Options] say that the process is Confined. Otherwise a sequence ends there, and
// is [Invalid].
func (o *Op) Writes() *Op {
	o.writes = true
	return o
}

// Alone says that the operation must not run at once with others, though its receiver or an
// argument is of a type that is [Concurrent]. Nor is what it returns used at once, nor what other
// calls make of that.
func (o *Op) Alone() *Op {
	o.alone = true
	return o
}

// sets reports whether the operation sets a field, as corpusgen api names these.
func (o *Op) sets() bool { return strings.HasSuffix(o.name, " =") }

// receives reports whether an argument is the receiver.
func (o *Op) receives(arg string) bool {
	return strings.HasPrefix(o.name, arg) && strings.HasPrefix(o.name[len(arg):], ".")
}

// methodOf returns the method that an operation calls.
func methodOf(op string) string {
	op, _, _ = strings.Cut(op, " ")
	return op[strings.LastIndexByte(op, '.')+1:]
}
