package api

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
	"github.com/espalier-go/espalier/bigen/callseq/internal/operand"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
	"golang.org/x/exp/slices"
)

// A machine makes, reads and runs sequences, one at a time.
type machine struct {
	home     *API // that takes it back after a sequence, or nil
	tb       testing.TB
	classify func(Outcome) Class
	defined  string // the name of the function that declares the operations

	ops    []*Op
	alts   []choices.Alt // the same, as a source sees them
	byName map[string]int
	pools  []*base
	names  *operand.NameCache[callseq.Name]
	mode   mode
	dry    bool // calls are read, not made

	// Of the call that is made, read or runs.
	op    *Op
	call  callseq.Call // so far, if it is made
	at    int          // the next of its arguments
	parts []string     // the names of its arguments and results so far

	// Of a sequence that is made or read.
	gen    *bigen.C
	offers bool                  // alts are for the next call
	makes  map[uint32]*base      // by slot of the choice of a name: what has it
	uses   uses                  // of the last call
	lone   map[callseq.Name]bool // results of operations that are [Op.Alone], and what is made of these

	// Of the sequence that runs.
	tracer
	cells     []cell  // what the calls so far have returned for later ones
	group     []int32 // by result: another one that it has to do with; itself if it stands for them all
	one       []int32 // by call: one of the results that it has as arguments, or makes; or -1
	named     map[callseq.Name]int32
	sure      bool        // the user says that the panic is an error
	tainted   bool        // an argument was nil, or not ready
	looped    bool        // a call may have no end: see [base.loops]
	nests     bool        // a value may have been put into itself, as the trace tells: see [Pool.given]
	stubbed   bool        // an argument was a stub, by which what is called may have no end
	touched   []int32     // the results that the call has as arguments, and makes
	confined  bool        // what writes files may be called
	given     []given     // the arguments
	all, some []cell      // memory of [machine.violation]
	print     fingerprint // memory

	// Of the call that runs.
	turn     int    // which it is
	receiver int32  // the result that it is; -1 if there is none
	first    int    // of given that is its own
	doing    bool   // within Do
	enter    func() // called before Do calls what is tested; or nil
	err      error  // that the call has returned
	unready  bool   // an argument is of an operation that is [Op.Unready], so that results are not usable, too

	// Of one that package linear runs.
	c     *C
	hold  func(f func())      // keeps what Do is given; or nil
	late  []func()            // sets arguments of the call that earlier ones make, which may not have run
	takes func(results []any) // takes the place of got; or nil
}

// mode is what is done to a sequence.
type mode int

const (
	running mode = iota
	making       // at random, or by any other source
	reading      // backward
)

// declare adds an operation.
func (m *machine) declare(o *Op) *Op {
	o.method = methodOf(o.name)
	m.byName[o.name] = len(m.ops)
	m.ops = append(m.ops, o)
	m.alts = append(m.alts, choices.Alt{Tag: o.name, Weight: 1, Code: hash.TagCode(o.name)})
	return o
}

// begin begins a sequence.
func (m *machine) begin() {
	clear(m.cells)
	clear(m.named)
	clear(m.lone)
	for _, p := range m.pools {
		p.names.Reset()
	}
	m.group, m.one = m.group[:0], m.one[:0]
	m.cells, m.given, m.trace = m.cells[:0], m.given[:0], m.trace[:0]
	m.tainted, m.looped, m.nests, m.stubbed, m.sure = false, false, false, false, false
	if m.log.before = nil; m.log.Log != nil {
		m.log.Reset()
	}
	m.doing, m.mode = false, running
}

// nameOf returns the name of the operation of a call, or "".
func nameOf(call callseq.Call) string {
	if len(call) == 0 {
		return ""
	}
	name, _ := call[0].(string)
	return name
}

// step runs a call. It returns what that means, unless the call panics.
func (m *machine) step(call callseq.Call) Class {
	o := m.ops[m.find(call)]
	if m.op = o; o.when != nil && !o.when() {
		m.refuse("it is not possible here: its precondition does not hold")
	}
	m.err, m.unready, m.receiver, m.late = nil, false, -1, nil
	m.touched, m.first = m.touched[:0], len(m.given)
	if m.tracing {
		m.trace = append(m.trace, traced{op: o})
		if m.log.Log != nil {
			m.log.before = m.log.Calls()
		}
	}
	m.do(o, call)
	m.unite()
	if o.unready && m.receiver >= 0 { // perhaps it has set a field of a part of other values
		for slot, x := range m.cells {
			if m.root(int32(slot)) == m.root(m.receiver) {
				x.about().unready = true
			}
		}
	}
	if m.err != nil {
		return m.classify(Outcome{Op: o.name, Err: m.err, Nil: m.tainted, Warned: o.warned})
	}
	return Passed
}

// unite notes that the results that a call has as arguments, or makes, have to do with each other.
func (m *machine) unite() {
	for len(m.group) < len(m.cells) {
		m.group = append(m.group, int32(len(m.group)))
	}
	m.one = append(m.one, -1)
	for _, slot := range m.touched {
		m.group[m.root(slot)], m.one[len(m.one)-1] = m.root(m.touched[0]), slot
	}
}

// root returns the result that stands for those that a result has to do with.
func (m *machine) root(slot int32) int32 {
	for m.group[slot] != slot {
		m.group[slot] = m.group[m.group[slot]]
		slot = m.group[slot]
	}
	return slot
}

// related reports whether a call has to do with the last one.
func (m *machine) related(call int) bool {
	a, b := m.one[call], m.one[len(m.one)-1]
	return call == len(m.one)-1 || a >= 0 && b >= 0 && m.root(a) == m.root(b)
}

// panicked returns what it means that the call that runs has panicked within Do.
func (m *machine) panicked(p any) Class {
	m.doing = false
	if m.byCallback() {
		return Invalid
	}
	o := Outcome{Op: m.op.name, Panic: p, Nil: m.tainted, Warned: m.op.warned}
	o.Index = outOfIndexes(p, m.given[m.first:]) || isUnhashable(p)
	class := m.classify(o)
	m.sure = class == Error && DefaultClass(o) != Error
	return class
}

// refusal says what is wrong with the error that a call has returned, if that is an [Error].
func (m *machine) refusal() string {
	return fmt.Sprintf("it returns the error %q", gocode.Shorten(guarded(m.err.Error)))
}

// give notes an argument of the call that runs. If that is code, the trace has it.
func (m *machine) give(name, code string, v cell) {
	if v.isNil() {
		m.tainted = true
	}
	if slot := v.about().slot; slot >= 0 && m.op.receives(name) {
		m.receiver = slot
	}
	if m.tracing {
		if code == "" {
			m.argument(name, "", v)
		}
		m.holds()
	}
	m.given = append(m.given, given{m.op, name, v})
}

// use notes that a result is an argument.
func (m *machine) use(x cell) {
	x.about().used = true
	m.touched = append(m.touched, x.about().slot)
	m.tainted, m.unready = m.tainted || !usable(x), m.unready || x.about().unready
}

// add adds a result of the call that runs.
func (m *machine) add(x cell) {
	of := x.about()
	m.cells, m.touched = append(m.cells, x), append(m.touched, of.slot)
	if m.tracing {
		now := m.now()
		now.makes = append(now.makes, of.slot)
	}
	if of.name != "" {
		m.named[of.name] = of.slot
	}
}

// got takes the results of the call that runs.
func (m *machine) got(results []any) {
	m.err = errorOf(results)
	m.op.refuses = m.op.refuses || m.err != nil
	flat := func(v any) bool {
		if c, ok := v.(cell); ok {
			v = c.value()
		}
		return v != nil && operand.Flat(reflect.TypeOf(v))
	}
	m.op.tells = m.op.tells || slices.ContainsFunc(results, flat)
	if m.tracing {
		now := m.now()
		m.results(now, results)
		m.changes(now)
		m.notes(now)
		now.returned = true
		isOpaque := func(v any) bool { return v == any(opaque{}) }
		m.op.tells = m.op.tells || slices.ContainsFunc(now.got, func(v any) bool {
			return !isOpaque(v) && v != any(present{})
		}) || slices.ContainsFunc(now.left, func(v any) bool { return !isOpaque(v) })
	}
}

// errorOf returns the error that a call has returned, or nil. A Value is none, since the call makes
// errors.
func errorOf(results []any) (err error) {
	if n := len(results); n > 0 {
		err, _ = results[n-1].(error)
	}
	return err
}
