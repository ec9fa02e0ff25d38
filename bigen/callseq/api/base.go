package api

import (
	"fmt"
	"reflect"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
)

// base is what of a [Pool] does not depend on its type.
type base struct {
	kind      string
	newArg    string // what a result is called that gets a name
	typ       reflect.Type
	index     int
	nilable   bool
	hasLits   bool
	codes     []string // of expressions
	sources   []*base  // pools whose values may stand for those of this one, itself first
	contracts []contract

	// Of the sequence.
	live  int            // results for later calls
	names []callseq.Name // of these, while the sequence is made or read
	whole bool           // they are the first names, in order

	all   []callseq.Name
	fresh []bigen.Gen[callseq.Name] // of a new name, by how many there are
}

// cell is a [Value] of any type that a call returns.
type cell interface {
	isNil() bool
	isReady() bool
	of() *base
	value() any
	number() int32
	walk(f *fingerprint)
}

// own returns v with memory of its own, if it is a slice or a map.
func own[T any](v T, t reflect.Type) T {
	switch t.Kind() {
	case reflect.Slice:
		return ownSlice(reflect.ValueOf(v)).Interface().(T)
	case reflect.Map:
		x := reflect.ValueOf(v)
		if x.IsNil() {
			return v
		}
		s := reflect.MakeMapWithSize(t, x.Len())
		for it := x.MapRange(); it.Next(); {
			s.SetMapIndex(it.Key(), it.Value())
		}
		return s.Interface().(T)
	}
	return v
}

func ownSlice(v reflect.Value) reflect.Value {
	if v.Len() == 0 {
		return v
	}
	s := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(s, v)
	return s
}

// nilable reports whether values of a type can be nil, and be unusable then.
func nilable(t reflect.Type) bool {
	return slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Interface, reflect.Map, reflect.Func, reflect.Chan}, t.Kind())
}

// isNil reports whether a value is nil, or an interface with a nil pointer.
func isNil(v any) bool {
	x := reflect.ValueOf(v)
	return !x.IsValid() || nilable(x.Type()) && x.IsNil()
}

// flat reports whether values of a type have no parts that can change.
func flat(t reflect.Type) bool { return t.Kind() <= reflect.Complex128 || t.Kind() == reflect.String }

// misuse panics because a harness breaks a rule.
func misuse(format string, args ...any) { panic("api: the harness " + fmt.Sprintf(format, args...)) }
