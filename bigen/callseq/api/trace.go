package api

import (
	"reflect"

	"github.com/espalier-go/espalier/internal/literal"
)

// A tracer notes calls that run, for reports.
type tracer struct {
	pkg     string // whose names reports do not qualify
	tracing bool
	trace   []traced // of the calls so far, while tracing
}

// traced is what is known of a call that has run.
type traced struct {
	op    *Op
	args  []tracedArg // and the results for later calls, in the order of their declaration
	code  string      // given by [C.Code]
	parts []any       // what it is formatted with

	returned bool
	got      []any   // the results
	gotSlots []int32 // those for later calls among them, else -1
	failure  string  // why the sequence ends, if the call fails
	violated *violation
	wrong    *wrongError
}

// tracedArg is an argument of a call that has run.
type tracedArg struct {
	name string // of the parameter
	arg  arg
	text string // the code, unless arg is a result
	lit  any    // in place of text, if it cannot change
	nil  string // the code of a nil receiver

	value any // the [Value]
}

// now returns the trace of the call that is running.
func (x *tracer) now() *traced { return &x.trace[len(x.trace)-1] }

// argument notes an argument v of a pool.
func (x *tracer) argument(name string, a arg, p *base, value, v any) {
	t := tracedArg{name: name, arg: a, value: value}
	switch {
	case a.kind == argSlot:
	case a.kind == argCode:
		t.text = p.codes[a.slot]
	case a.kind == argNil:
		if t.text = "nil"; !nilable(p.typ) && p.typ.Kind() != reflect.Slice {
			t.text = literal.OfValue(reflect.Zero(p.typ), x.pkg)
		}
		t.nil = "(" + literal.TypeName(p.typ, x.pkg) + ")(nil)"
	case flat(p.typ):
		t.lit = v
	default:
		t.text = x.literal(v)
	}
	now := x.now()
	now.args = append(now.args, t)
}

// results notes what a call has returned.
func (x *tracer) results(results []any) {
	now := x.now()
	now.returned = true
	for _, v := range results {
		slot := int32(-1)
		if c, ok := v.(cell); ok {
			v, slot = c.value(), c.number()
		}
		now.got, now.gotSlots = append(now.got, frozen(v)), append(now.gotSlots, slot)
	}
}

// frozen returns a result as it is now, as far as the report shows it.
func frozen(v any) any {
	if err, ok := v.(error); ok && !isNil(err) {
		return errorText(guarded(err.Error))
	}
	t := reflect.TypeOf(v)
	if t == nil || flat(t) {
		return v
	}
	if t.Kind() == reflect.Slice && flat(t.Elem()) {
		return ownSlice(reflect.ValueOf(v)).Interface()
	}
	return opaque{t}
}

// errorText is an error that a call has returned.
type errorText string

// opaque is a result that reports do not show.
type opaque struct{ typ reflect.Type }

// literal returns a value as a Go expression.
func (x *tracer) literal(v any) string { return literal.Of(v, x.pkg) }
