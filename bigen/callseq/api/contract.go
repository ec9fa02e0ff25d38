package api

import (
	"fmt"
	"reflect"
	"strings"
)

// contract is something that must hold for values of type T. What calls must not do to values
// is a [callContract].
type contract[T any] struct {
	name  string
	fits  bool // the type has the methods
	last  bool // it changes the value, so it is checked at the end of a sequence
	arity int  // how many values it relates: up to 3, which may be the same
	wrong func(x, y, z T) string

	// code is Go code that fails a test t if the contract does not hold, to be formatted with
	// the names of the values.
	code string
}

// has reports whether values of type T may have the methods of I.
func has[I, T any]() bool {
	t := reflect.TypeFor[T]()
	return t.Kind() == reflect.Interface || t.Implements(reflect.TypeFor[I]())
}

// of returns a contract for values of type T that have the methods of I.
func of[I, T any](name string, wrong func(x I) string, code string) contract[T] {
	return related[I, T](name, 1, func(x, _, _ I, _, _, _ T) string { return wrong(x) }, code)
}

// related returns a contract that relates several values of type T that have the methods of I.
func related[I, T any](name string, arity int, wrong func(x, y, z I, v, w, u T) string, code string) contract[T] {
	return contract[T]{name: name, fits: has[I, T](), arity: arity, code: code, wrong: func(v, w, u T) string {
		x, ok1 := any(v).(I)
		y, ok2 := any(w).(I)
		z, ok3 := any(u).(I)
		if ok1 && (ok2 || arity < 2) && (ok3 || arity < 3) {
			return wrong(x, y, z, v, w, u)
		}
		return ""
	}}
}

// atEnd marks contracts that change the values.
func atEnd[T any](list ...contract[T]) []contract[T] {
	for i := range list {
		list[i].last = true
	}
	return list
}

// violation is a contract that does not hold.
type violation struct {
	contract  string
	wrong     string
	slots     []int32 // of the values
	as        string  // what the code calls an argument; "" if it names none
	call, arg int     // that argument, among those that are traced
	code      string
}

// message says what is wrong.
func (v *violation) message(name func(slot int32) string) string {
	names := make([]string, len(v.slots))
	for i, slot := range v.slots {
		names[i] = name(slot)
	}
	return fmt.Sprintf("contract %s of %s: %s", v.contract, strings.Join(names, ", "), v.wrong)
}

// due says which contracts are checked.
type due struct {
	value   func(slot int32) bool // those of these values
	related bool                  // those that relate any values, not only these
	last    bool                  // those that change values
}

var everything = due{func(int32) bool { return true }, true, true}

// maxRelated bounds the values that a contract relates to each other: the last ones.
const maxRelated = 5

// check returns a violation if the contract does not hold for some of the values in slots, one of
// which is due, or nil.
func (c *contract[T]) check(d due, values []T, slots []int32) *violation {
	n := len(values)
	if c.arity > 1 {
		n = min(n, maxRelated)
	}
	values, slots = values[len(values)-n:], slots[len(slots)-n:]
	tuples := 1
	for range c.arity {
		tuples *= n
	}
	for i := range tuples { // the digits of i to the base n
		var x [3]T
		var of [3]int32
		due := d.related && c.arity > 1
		for k, i := c.arity-1, i; k >= 0; k, i = k-1, i/n {
			x[k], of[k] = values[i%n], slots[i%n]
			due = due || d.value(of[k])
		}
		if !due {
			continue
		}
		if wrong := guarded(func() string { return c.wrong(x[0], x[1], x[2]) }); wrong != "" {
			return &violation{contract: c.name, wrong: wrong, code: c.code, slots: append([]int32(nil), of[:c.arity]...)}
		}
	}
	return nil
}

// guarded returns the result of f, or says that it panics.
func guarded(f func() string) (s string) {
	defer func() {
		if p := recover(); p != nil {
			s = fmt.Sprintf("panic: %v", p)
		}
	}()
	return f()
}

// unless returns what is wrong, unless all is well.
func unless(ok bool, wrong string) string {
	if ok {
		return ""
	}
	return wrong
}

// textOfError returns the text of an error, or "".
func textOfError(err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
}
