package api

import (
	"reflect"

	"github.com/espalier-go/espalier/bigen/callseq/internal/copies"
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
	args  []tracedArg
	makes []int32 // the results for later calls
	code  string  // given by [C.Code]
	parts []any   // what it is formatted with

	returned bool
	got      []any   // the results
	gotSlots []int32 // those for later calls among them, else -1
	failure  string  // why the sequence ends, if the call fails
	violated *violation
	nilError bool // the call returns a nil pointer as an error that is not nil
}

// tracedArg is an argument of a call that has run.
type tracedArg struct {
	name  string // of the parameter
	slot  int32  // the result that it is; -1 if it is none
	text  string // the code, unless it is a result
	lit   any    // in place of text, if it cannot change
	nil   string // the code of a nil receiver
	value any    // the [Value]
}

// now returns the trace of the call that is running.
func (x *tracer) now() *traced { return &x.trace[len(x.trace)-1] }

// argument notes an argument of a pool: v, which is code if that is not empty.
func (x *tracer) argument(name, code string, v cell) {
	t, typ := tracedArg{name: name, slot: v.about().slot, text: code, value: v}, v.about().pool.typ
	switch {
	case t.slot >= 0 || code != "":
	case v.isNil():
		t.text, t.nil = "nil", "("+literal.TypeName(typ, x.pkg)+")(nil)"
	case copies.Flat(typ):
		t.lit = v.value()
	default:
		t.text = x.literal(v.value())
	}
	now := x.now()
	now.args = append(now.args, t)
}

// results notes what a call has returned.
func (t *traced) results(results []any) {
	for _, v := range results {
		slot := int32(-1)
		if c, ok := v.(cell); ok {
			v, slot = c.value(), c.about().slot
		}
		t.got, t.gotSlots = append(t.got, frozen(v)), append(t.gotSlots, slot)
	}
}

// frozen returns a result as it is now, as far as the report shows it.
func frozen(v any) any {
	if err, ok := v.(error); ok && !isNil(err) {
		return errorText(guarded(err.Error))
	}
	t := reflect.TypeOf(v)
	switch {
	case copies.Whole(t):
		return copies.Of(v)
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Map:
		return length(reflect.ValueOf(v).Len())
	}
	return opaque{}
}

// length is that of a result of which reports show nothing else.
type length int

// errorText is an error that a call has returned.
type errorText string

// opaque is a result that reports do not show.
type opaque struct{}

// dataText is a result that is more than a basic value, or a slice of these, as Go code.
type dataText string

// literal returns a value as a Go expression.
func (x *tracer) literal(v any) string { return literal.Of(v, x.pkg) }
