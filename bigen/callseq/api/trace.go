package api

import (
	"fmt"
	"reflect"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq/internal/operand"
	"github.com/espalier-go/espalier/internal/literal"
)

// A tracer notes calls that run, for reports.
type tracer struct {
	pkg     string // whose names reports do not qualify
	tracing bool
	refers  bool     // traces say what arguments refer to, before and after a call
	trace   []traced // of the calls so far, while tracing
	log     logging
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
	left     []any   // what the arguments refer to after the call, by view; opaque if as before
	views    []view  // which of the arguments these are
	panics   bool
	failure  string // why the sequence ends, if the call fails
	violated *violation
}

// tracedArg is an argument of a call that has run.
type tracedArg struct {
	name  string   // of the parameter
	slot  int32    // the result that it is; -1 if it is none
	text  string   // the code, unless it is a result
	lit   any      // in place of text, if it cannot change
	nil   string   // the code of a nil receiver
	value any      // the [Value]
	given []aspect // what it refers to before the call

	declared bool // a report has a variable for it
}

// A view is a part of what an argument refers to.
type view struct {
	arg  int
	code string // that follows the name of the argument
}

// An aspect is what a test can compare of a value, as it was at some time.
type aspect struct {
	code  string // that follows the name of the value, as in .Code; "" for all of it
	value any
}

// seen returns all that a test can compare of a call: the results, and what the arguments refer to;
// or that it panics.
func (t *traced) seen() []any {
	if t.panics {
		return []any{panicked{}}
	}
	return append(slices.Clip(t.got), t.left...)
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
	case operand.Flat(typ):
		t.lit = v.value()
	default:
		t.text = x.literal(v.value())
	}
	now := x.now()
	now.args = append(now.args, t)
}

// holds notes what the last argument refers to before the call, which may change it.
func (x *tracer) holds() {
	now := x.now()
	a := &now.args[len(now.args)-1]
	if x.refers && a.slot < 0 && a.nil == "" && !now.op.receives(a.name) {
		a.given = x.referred(a)
	}
}

// referred returns what an argument refers to: all of it if it is data, or else the parts that are
// text or basic.
func (x *tracer) referred(a *tracedArg) (parts []aspect) {
	v := a.value.(cell).value()
	refers := []reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}
	if isNil(v) || !slices.Contains(refers, reflect.TypeOf(v).Kind()) {
		return nil
	}
	switch all := x.frozen(v, true).(type) {
	case errorText:
		return nil
	case length, opaque, present:
		return partsOf(reflect.ValueOf(v), "", 1)
	default:
		return []aspect{{"", all}}
	}
}

// maxView bounds the texts that tests compare of what arguments refer to.
const maxView = 300

// partsOf returns the parts of a value that has fields: those that are basic, and the texts of
// types of the standard library, such as a bytes.Buffer.
func partsOf(v reflect.Value, code string, depth int) (parts []aspect) {
	if s, ok := v.Interface().(fmt.Stringer); ok && isStandard(v.Type()) {
		if text := guarded(s.String); len(text) <= maxView {
			return []aspect{{code + ".String()", text}}
		}
		return nil
	}
	if depth == 0 || v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return nil
	}
	for i := range v.Elem().NumField() {
		field, f := v.Elem().Type().Field(i), v.Elem().Field(i)
		switch {
		case !field.IsExported() || field.Anonymous:
		case operand.Flat(f.Type()) && f.Type().PkgPath() == "":
			if f.Kind() != reflect.String || f.Len() <= maxView {
				parts = append(parts, aspect{code + "." + field.Name, f.Interface()})
			}
		case f.Kind() == reflect.Pointer && !f.IsNil():
			parts = append(parts, partsOf(f, code+"."+field.Name, 0)...)
		}
	}
	return parts
}

// isStandard reports whether a type, or what it points to, is of the standard library.
func isStandard(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	domain, _, _ := strings.Cut(t.PkgPath(), "/")
	return domain != "" && !strings.Contains(domain, ".")
}

// changes notes what the arguments refer to after the call.
func (x *tracer) changes(t *traced) {
	for i := range t.args {
		a := &t.args[i]
		if a.given == nil {
			continue
		}
		for k, p := range x.referred(a) {
			if k < len(a.given) && a.given[k].code == p.code &&
				reflect.DeepEqual(a.given[k].value, p.value) {
				p.value = opaque{}
			}
			t.views, t.left = append(t.views, view{i, p.code}), append(t.left, p.value)
		}
	}
}

// results notes what a call has returned.
func (x *tracer) results(t *traced, results []any) {
	for _, v := range results {
		slot := int32(-1)
		if c, ok := v.(cell); ok {
			slot = c.about().slot
		}
		t.got, t.gotSlots = append(t.got, x.frozen(v, true)), append(t.gotSlots, slot)
	}
}

// frozen returns a result as it is now, as far as the report shows it. What has pointers is shown
// if pointers is set.
func (x *tracer) frozen(v any, pointers bool) any {
	if c, ok := v.(cell); ok {
		v = c.value()
	}
	t := reflect.TypeOf(v)
	switch err, _ := v.(error); {
	case err != nil && !isNil(v):
		return errorText(guarded(err.Error))
	case operand.Whole(t):
		return operand.Frozen(v)
	case isNil(v):
		return dataText("nil")
	}
	if left := maxExpected; isData(reflect.ValueOf(v), pointers, &left) {
		if text, all := literal.Within(maxExpected, v, x.pkg); all {
			return dataText(text)
		}
	}
	if pointers && (t.Kind() == reflect.Slice || t.Kind() == reflect.Map) {
		return length(reflect.ValueOf(v).Len())
	}
	if pointers && nilable(t) {
		return present{}
	}
	return opaque{}
}

// maxExpected bounds the texts of results that regression tests compare.
const maxExpected = 500

// isData reports whether all parts of a value can be seen and compared, of at most so many.
func isData(v reflect.Value, pointers bool, left *int) bool {
	part := func(v reflect.Value) bool { return isData(v, pointers, left) }
	if *left--; *left < 0 {
		return false
	}
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return v.Float() == v.Float()
	case reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
		return false
	case reflect.Func, reflect.Chan:
		return v.IsNil()
	case reflect.Pointer:
		return pointers && (v.IsNil() || part(v.Elem()))
	case reflect.Interface:
		return v.IsNil() || part(v.Elem())
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if !part(v.Index(i)) {
				return false
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if !part(it.Key()) || !part(it.Value()) {
				return false
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !v.Type().Field(i).IsExported() || !part(v.Field(i)) {
				return false
			}
		}
	}
	return true
}

// present stands for a result of which reports show only that it is not nil.
type present struct{}

// panicked stands for the results of a call that panics.
type panicked struct{}

// length stands for a result of which reports show only the length.
type length int

// errorText is an error that a call has returned.
type errorText string

// opaque is a result that reports do not show.
type opaque struct{}

// dataText is a result that is more than a basic value, or a slice of these, as Go code.
type dataText string

// literal returns a value as a Go expression.
func (x *tracer) literal(v any) string { return literal.Of(v, x.pkg) }
