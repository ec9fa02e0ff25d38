package api

import "reflect"

// Stub adds a value for an interface that nothing else implements, or a function, with its Go code.
// They do nothing, and return what the value says. If it has a field on, which is set, they return
// an error if they can:
//
//	api.Stub[query.Encoder]("stubEncoder{on: true}", stubEncoder{on: true})
//
// After a call that was given it, none that hangs is an [Error]. Nor is a [runtime.Error] if the
// methods return what a caller need not bear, such as a number that is not a length, or a function
// nil. The methods of a stub are not called as operations.
func Stub[T any](code string, v T) TypeOption[T] {
	return func(p *Pool[T]) {
		Expr(code, v)(p)
		if p.stubs == nil {
			p.stubs = map[string]bool{}
		}
		p.stubs[code] = loose(reflect.ValueOf(v))
	}
}

// loose reports whether a method of a stub may return what no other value returns, so that callers
// need not bear it. They bear any bool, text and error, and anything beside an error. They do not
// bear a success if the method had to write something.
func loose(v reflect.Value) bool {
	if v.Kind() == reflect.Func {
		return true
	}
	for i := range v.NumMethod() {
		f := v.Method(i).Type()
		last := f.NumOut() - 1
		fails := last >= 0 && f.Out(last) == reflect.TypeFor[error]()
		if fails && isOn(v) {
			continue
		}
		for k := range f.NumOut() {
			if t := f.Out(k); t.Kind() != reflect.Bool && t.Kind() != reflect.String && t != reflect.TypeFor[[]byte]() && t != reflect.TypeFor[error]() {
				return true
			}
		}
		for k := range f.NumIn() {
			if t := f.In(k); fails && (t.Kind() == reflect.Pointer || t == reflect.TypeFor[any]() || t == reflect.TypeFor[[]any]()) {
				return true
			}
		}
	}
	return false
}

// isOn reports whether a stub returns errors: it has a field on, which is set.
func isOn(v reflect.Value) bool {
	if v.Kind() != reflect.Struct {
		return false
	}
	on := v.FieldByName("on")
	return on.IsValid() && on.Kind() == reflect.Bool && on.Bool()
}

// useStub notes that an expression is an argument, if that is a stub.
func (m *machine) useStub(of *base, code string) {
	if loose, is := of.stubs[code]; is {
		m.stubbed, m.tainted, m.unready = true, m.tainted || loose, m.unready || loose
	}
}
