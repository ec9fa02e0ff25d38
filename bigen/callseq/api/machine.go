package api

import (
	"bytes"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq"
)

// A machine runs sequences, one at a time.
type machine struct {
	api   *API
	c     *C
	ops   []*Op
	pools []*base
	mode  mode
	dry   bool // calls are read, not made

	// Of the sequence that runs.
	cells   []cell // what the calls so far have returned for later ones
	named   map[callseq.Name]int32
	tainted bool // an argument was nil, or not ready
	tracing bool
	trace   []traced // of the calls so far, while tracing
	touched []int32  // the results that the call has as arguments, and makes

	ofCalls []callContract
	only    string // the contract that is checked; "" if all are

	// Of the call that runs.
	op       *Op
	args     []arg
	at       int   // the next of args
	first    int32 // the cell that slot 0 of args stands for
	receiver int32 // the result that it is; -1 if there is none
	given    []given
	doing    bool  // within Do
	err      error // that the call has returned
	wrong    *wrongError

	chooser // of [API.Generate]
}

// mode is what an operation does when it is called.
type mode int

const (
	running    mode = iota
	choosing        // arguments for a new call
	describing      // which arguments and results the operation has
)

// arg is an argument of a call.
type arg struct {
	kind argKind
	slot int32 // which of the results before, or of the expressions
	lit  any   // the literal, or the element of [callseq.Calls]
}

// given is an argument of the call that runs.
type given struct {
	name  string // of the parameter
	value cell
	at    int    // among those that are traced
	was   []byte // the bytes of an argument that the call must leave as it is
}

type argKind uint8

const (
	argNil argKind = iota
	argSlot
	argLiteral
	argCode
	argRaw    // of [callseq.Calls]
	argResult // not an argument, but a result; in traces only
)

func newMachine(a *API, t testing.TB) *machine {
	m := &machine{api: a, ofCalls: callContracts()}
	m.c = &C{TB: t, m: m, kinds: map[string]bool{}}
	a.define(m.c)
	if len(m.ops) == 0 {
		misuse("declares no operation: call Op in the function given to New")
	}
	return m
}

// declare adds an operation.
func (m *machine) declare(o *Op) *Op {
	o.index, o.weight, o.method = len(m.ops), 1, methodOf(o.name)
	m.ops = append(m.ops, o)
	return o
}

// has reports whether there is a value for arguments from a pool.
func (m *machine) has(p *base) bool {
	if m.mode == choosing {
		return m.choosable(p)
	}
	return slices.ContainsFunc(m.cells, func(x cell) bool { return slices.Contains(p.sources, x.of()) })
}

// begin begins a sequence.
func (m *machine) begin() {
	clear(m.cells)
	for _, c := range m.ofCalls {
		c.begin()
	}
	m.cells, m.trace, m.tainted, m.doing, m.mode = m.cells[:0], m.trace[:0], false, false, running
}

// step makes a call. It returns what that means, unless the call panics.
func (m *machine) step(o *Op, args []arg, first int32) Class {
	m.op, m.args, m.at, m.first, m.err, m.wrong = o, args, 0, first, nil, nil
	m.touched, m.given, m.receiver = m.touched[:0], m.given[:0], -1
	if m.tracing {
		m.trace = append(m.trace, traced{op: o})
	}
	before := len(m.cells)
	o.call()
	if m.at < len(args) {
		m.refuse("it has %d arguments, not %d", len(args), m.at)
	}
	if m.wrong != nil {
		return Error
	}
	for _, c := range m.ofCalls {
		c.made(m, before)
	}
	if m.err != nil {
		return m.api.classify(Outcome{Op: o.name, Err: m.err, Nil: m.tainted})
	}
	return Passed
}

// panicked returns what it means that the call that runs has panicked within Do.
func (m *machine) panicked(p any) Class {
	m.doing = false
	return m.api.classify(Outcome{Op: m.op.name, Panic: p, Nil: m.tainted, Index: m.outOfIndexes(p)})
}

// give notes an argument of the call that runs.
func (m *machine) give(name string, v cell) {
	x := given{name: name, value: v}
	if m.tracing {
		x.at = len(m.now().args)
	}
	if takesBytes(m.op) {
		if b, ok := v.value().([]byte); ok {
			x.was = bytes.Clone(b)
		}
	}
	m.given = append(m.given, x)
}

// next returns the next argument of the call that runs.
func (m *machine) next(name string) arg {
	if m.at >= len(m.args) {
		m.refuse("it has no argument %s", name)
	}
	m.at++
	return m.args[m.at-1]
}

// use notes that a result is an argument.
func (m *machine) use(x cell) {
	m.touched = append(m.touched, x.number())
	if !x.isReady() || x.isNil() {
		m.tainted = true
	}
}

// add adds a result of the call that runs.
func (m *machine) add(x cell) {
	m.cells = append(m.cells, x)
	m.touched = append(m.touched, x.number())
	if m.tracing {
		now := m.now()
		now.args = append(now.args, tracedArg{arg: arg{kind: argResult, slot: x.number()}})
	}
	if m.named != nil {
		m.name(x)
	}
}

// got takes the results of the call that runs.
func (m *machine) got(results []any) {
	if n := len(results); n > 0 {
		m.err, _ = results[n-1].(error) // a Value is no refusal: it makes errors
	}
	if m.err != nil {
		m.wrong = m.wrongError(results)
	}
	if m.tracing {
		m.traceResults(results)
	}
}

// now returns the trace of the call that runs.
func (m *machine) now() *traced { return &m.trace[len(m.trace)-1] }
