package api

import (
	"reflect"

	"github.com/espalier-go/espalier/internal/literal"
)

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

func (m *machine) traceArg(name string, a arg, p *base, value, v any) {
	t := tracedArg{name: name, arg: a, value: value}
	switch {
	case a.kind == argSlot:
		t.arg.slot += m.first
	case a.kind == argCode:
		t.text = p.codes[a.slot]
	case a.kind == argNil:
		if t.text = "nil"; !nilable(p.typ) && p.typ.Kind() != reflect.Slice {
			t.text = literal.OfValue(reflect.Zero(p.typ), m.api.pkg)
		}
		t.nil = "(" + literal.TypeName(p.typ, m.api.pkg) + ")(nil)"
	case flat(p.typ):
		t.lit = v
	default:
		t.text = m.literal(v)
	}
	now := m.now()
	now.args = append(now.args, t)
}

func (m *machine) traceResults(results []any) {
	now := m.now()
	now.returned, now.wrong = true, m.wrong
	for _, v := range results {
		slot := int32(-1)
		if x, ok := v.(cell); ok {
			v = x.value()
			slot = x.number()
		}
		now.got = append(now.got, m.frozen(v))
		now.gotSlots = append(now.gotSlots, slot)
	}
}

// frozen returns a result as it is now, as far as the report shows it.
func (m *machine) frozen(v any) any {
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

// flat reports whether values of a type have no parts that can change.
func flat(t reflect.Type) bool { return t.Kind() <= reflect.Complex128 || t.Kind() == reflect.String }

// literal returns a value as a Go expression.
func (m *machine) literal(v any) string { return literal.Of(v, m.api.pkg) }
