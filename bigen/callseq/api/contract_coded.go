package api

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
	"github.com/espalier-go/espalier/bigen/callseq/internal/operand"
	"github.com/espalier-go/espalier/internal/literal"
)

type (
	jsonCoder interface {
		json.Marshaler
		json.Unmarshaler
	}
	textCoder interface {
		encoding.TextMarshaler
		encoding.TextUnmarshaler
	}
	binaryCoder interface {
		encoding.BinaryMarshaler
		encoding.BinaryUnmarshaler
	}
)

// refusing is what is wrong with a value that cannot be unmarshaled.
const refusing = "which it does not unmarshal"

// coded are the contracts of values that can be marshaled.
func (m *machine) coded() []contract {
	return at(last,
		codedBy(m, "JSON", jsonCoder.MarshalJSON, jsonCoder.UnmarshalJSON),
		codedBy(m, "Text", textCoder.MarshalText, textCoder.UnmarshalText),
		codedBy(m, "Binary", binaryCoder.MarshalBinary, binaryCoder.UnmarshalBinary),
	)
}

// codedBy says that what a value is marshaled into can be unmarshaled, into itself and, if that
// does not panic, into a zero value, and is marshaled into the same again. The zero value shows the
// same then as the value. What says that it is not valid need not be marshaled.
func codedBy[I any](m *machine, format string, marshal func(I) ([]byte, error), unmarshal func(I, []byte) error) contract {
	code := strings.ReplaceAll(`if b, err := x.MarshalFORMAT(); err == nil {
	if err := x.UnmarshalFORMAT(b); err != nil {
		t.Fatal(err)
	}
	if again, err := x.MarshalFORMAT(); err != nil || string(again) != string(b) {
		t.Errorf("%s becomes %s, %v", b, again, err)
	}
}`, "FORMAT", format)
	return contract{name: "Marshal" + format, arity: 1, code: code, has: hasCoder[I], wrong: func(v, _, _ any) (text, show string) {
		x := pointerTo(v)
		b, err := marshal(x.(I))
		if err != nil || !valid(x) {
			return "", ""
		}
		b = bytes.Clone(b)
		if again, err := marshal(x.(I)); err != nil || !alike(b, again) {
			return "", "" // in no particular order
		}
		check := func(y I) string {
			if err := unmarshal(y, bytes.Clone(b)); err != nil {
				return fmt.Sprintf("the value becomes %q, %s: %v", gocode.Shorten(string(b)), refusing, err)
			}
			if again, err := marshal(y); err != nil || !alike(b, again) {
				return fmt.Sprintf("the value becomes %q, then %q", gocode.Shorten(string(b)), gocode.Shorten(string(again)))
			}
			return ""
		}
		var fresh [2]I
		for i := range fresh {
			fresh[i] = reflect.New(reflect.TypeOf(x).Elem()).Interface().(I)
			text = guarded(func() string { return check(fresh[i]) })
		}
		told := func(v reflect.Value) string {
			b, _ := marshal(v.Interface().(I))
			return string(b)
		}
		switch {
		case strings.HasPrefix(text, "panic: "):
		case text != "":
			return text + " (a zero value that unmarshals it)", code
		case string(b) != "null" && !reflect.ValueOf(x).Elem().IsZero():
			text = guarded(func() (text string) {
				text, show = m.shows(reflect.ValueOf(x), reflect.ValueOf(fresh[0]), reflect.ValueOf(fresh[1]), told)
				return text
			})
			if text != "" && !strings.HasPrefix(text, "panic: ") {
				return text, fmt.Sprintf("if b, err := x.Marshal%[1]s(); err == nil {\n\tvar back %[2]s\n\tif err := back.Unmarshal%[1]s(b); err != nil {\n\t\tt.Fatal(err)\n\t}\n\t%[3]s\n}",
					format, literal.TypeName(reflect.TypeOf(x).Elem(), m.pkg), strings.ReplaceAll(show, "\n", "\n\t"))
			}
		}
		return check(x.(I)), code
	}}
}

// valid reports whether a value does not say that it is invalid.
func valid(v any) bool {
	return !slices.ContainsFunc(contracts, func(c contract) bool {
		if c.when != kept || !c.has(v) {
			return false
		}
		wrong, _ := c.judge(v, nil, nil)
		return wrong != ""
	})
}

// hasCoder reports whether a pointer to a value, or the value if it is one, has the methods of I.
func hasCoder[I any](v any) bool {
	t := reflect.TypeOf(v)
	if t != nil && t.Kind() != reflect.Pointer {
		t = reflect.PointerTo(t)
	}
	return t != nil && t.Implements(reflect.TypeFor[I]())
}

// pointerTo returns a pointer to a copy of a value, or the value if it is one.
func pointerTo(v any) any {
	x := reflect.ValueOf(v)
	if x.Kind() == reflect.Pointer {
		return v
	}
	p := reflect.New(x.Type())
	p.Elem().Set(x)
	return p.Interface()
}

// shows says which part of a value differs in another one, by Equal if there is one, else by
// exported fields and by the methods without arguments that are operations and leave the value as
// it is. A third value must be as the other one is: what is equal to nothing, such as a NaN, does
// not count. A field that a value is not marshaled into may differ. All values are pointers. The
// code calls the value x, and the other back.
func (m *machine) shows(x, back, third reflect.Value, marshaled func(v reflect.Value) string) (text, code string) {
	t := x.Type().Elem()
	if equal, ok := x.Type().MethodByName("Equal"); ok && equal.Type.NumIn() == 2 && equal.Type.NumOut() == 1 && equal.Type.Out(0).Kind() == reflect.Bool {
		expr, arg := "x.Equal(back)", func(v reflect.Value) reflect.Value { return v.Elem() }
		switch equal.Type.In(1) {
		case t:
		case x.Type():
			expr, arg = "x.Equal(&back)", func(v reflect.Value) reflect.Value { return v }
		default:
			return "", ""
		}
		is := func(a, b reflect.Value) bool { return equal.Func.Call([]reflect.Value{a, arg(b)})[0].Bool() }
		if is(x, x) && is(back, third) && !is(x, back) {
			return differ(expr, "true", false, true), sameCode(expr, "true")
		}
		return "", ""
	}
	state := func() uint64 {
		m.print.begin()
		m.print.walk(x)
		return m.print.hash
	}
	was := state()
	compare := func(expr string, of func(v reflect.Value) reflect.Value) {
		defer func() { _ = recover() }()
		want, again, got, gotAgain := of(x).Interface(), of(x).Interface(), of(back).Interface(), of(third).Interface()
		if text != "" || differs(want, again) || differs(got, gotAgain) || !differs(got, want) || state() != was {
			return
		}
		if code = sameCode("back"+expr, "x"+expr); !operand.Flat(reflect.TypeOf(want)) {
			if reflect.ValueOf(want).Len()+reflect.ValueOf(got).Len() == 0 {
				return
			}
			code = strings.Replace(code, "got != want", "!reflect.DeepEqual(got, want)", 1)
		}
		text = fmt.Sprintf("back%[1]s: got %[2]s, want x%[1]s, which is %[3]s", expr, shown(got), shown(want))
	}
	if operand.Plain(t) {
		compare("", reflect.Value.Elem)
	}
	whole, untold := marshaled(x), false
	for i := 0; t.Kind() == reflect.Struct && i < t.NumField(); i++ {
		f := t.Field(i)
		if !f.IsExported() || x.Elem().Field(i).IsZero() {
			continue
		}
		without := reflect.New(t)
		without.Elem().Set(x.Elem())
		without.Elem().Field(i).SetZero()
		if marshaled(without) == whole {
			untold = true
		} else if operand.Plain(f.Type) {
			compare("."+f.Name, func(v reflect.Value) reflect.Value { return v.Elem().Field(i) })
		}
	}
	for i := 0; i < x.NumMethod() && !untold; i++ {
		f := x.Type().Method(i)
		if f.Type.NumIn() == 1 && f.Type.NumOut() == 1 && m.observes(f) && !(f.Name == "String" && json.Valid([]byte(whole))) {
			compare("."+f.Name+"()", func(v reflect.Value) reflect.Value { return v.Method(i).Call(nil)[0] })
		}
	}
	return text, code
}

// observes reports whether a method is an operation's, and is about what a value contains: not
// about its memory, nor about what a method named after it sets.
func (m *machine) observes(f reflect.Method) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(m.ops, func(o *Op) bool { return o.method == name && !o.warned })
	}
	return operand.Plain(f.Type.Out(0)) && f.Type.Out(0).Kind() != reflect.Uintptr && !strings.HasPrefix(f.Name, "Cap") &&
		has(f.Name) && !has("Set"+strings.TrimPrefix(f.Name, "Get"))
}

// alike reports whether two texts are the same, or the same as JSON.
func alike(a, b []byte) bool {
	var x, y any
	return bytes.Equal(a, b) || json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
