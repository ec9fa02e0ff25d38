package api

import (
	"fmt"
	"reflect"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/internal/operand"
)

// base is what of a [Pool] does not depend on its type.
type base struct {
	names     operand.Names[callseq.Name] // of the results that later calls may use
	newArg    string                      // what a result is called that gets a name
	typ       reflect.Type
	index     int
	nilable   bool
	hasLits   bool
	codes     []string        // of expressions
	stubs     map[string]bool // which of them are stubs
	sources   []*base         // pools whose values may stand for values of this one, itself first
	contracts []contract
	state     func(v any) any // by [State]; or nil

	concurrent bool // several goroutines may use a value
}

// mayHold reports whether values of one pool, as interfaces, may hold values of another pool, or
// have them as elements.
func (p *base) mayHold(q *base) bool {
	switch p.typ.Kind() {
	case reflect.Interface:
		return slices.Contains(p.sources, q)
	case reflect.Slice, reflect.Map:
		e := p.typ.Elem()
		return e.Kind() == reflect.Interface && e.NumMethod() > 0 && q.typ.Implements(e)
	}
	return false
}

// loops reports whether an argument may have no end: a receiver is given, as an interface or in a
// slice of these, itself or what it has to do with, or so is another argument, as a copy from a
// buffer to itself.
func (p *base) loops(m *machine, slot int32) bool {
	related := func(other int32) bool { return other >= 0 && m.root(other) == m.root(slot) }
	if related(m.receiver) && p.mayHold(m.cells[m.receiver].about().pool) {
		return true
	}
	again := func(g given) bool {
		other := g.value.about()
		return related(other.slot) && other.pool.typ.Kind() == reflect.Interface
	}
	return p.typ.Kind() == reflect.Interface && slices.ContainsFunc(m.given[m.first:], again)
}

// isTree reports whether a type has parts of its own type. seen has the types around it: true for
// those that it is a part of.
func isTree(t reflect.Type, seen map[reflect.Type]bool) bool {
	if t == nil {
		return false
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return isTree(t.Elem(), seen)
	case reflect.Struct:
	default:
		return false
	}
	if inside, known := seen[t]; known {
		return inside
	}
	seen[t] = true
	defer func() { seen[t] = false }()
	for i := range t.NumField() {
		if isTree(t.Field(i).Type, seen) {
			return true
		}
	}
	return false
}

// info is what of a [Value] does not depend on its type.
type info struct {
	pool    *base
	slot    int32        // the result that it is; -1 if it is none
	name    callseq.Name // of a result; "" if it has none
	unready bool
	used    bool // a call has it as an argument, or a report shows it
}

func (x *info) about() *info { return x }

// cell is a [Value] of any type that a call returns.
type cell interface {
	about() *info
	isNil() bool
	value() any
	walk(f *fingerprint)
}

// usable reports whether contracts bind a value.
func usable(x cell) bool { return !x.about().unready && !x.isNil() }

// nilable reports whether values of a type can be nil, and be unusable then.
func nilable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Func, reflect.Chan:
		return true
	}
	return false
}

// isNil reports whether a value is nil, or an interface with a nil pointer.
func isNil(v any) bool {
	x := reflect.ValueOf(v)
	return !x.IsValid() || nilable(x.Type()) && x.IsNil()
}

// misuse panics because a harness breaks a rule.
func misuse(format string, args ...any) {
	panic("api: the harness " + fmt.Sprintf(format, args...))
}
