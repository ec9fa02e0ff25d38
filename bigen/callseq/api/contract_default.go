package api

import (
	"reflect"
	"slices"
)

// defaultContracts returns those that hold for all values of a type, by the methods that it
// has. Of an interface type, the methods of each value count.
func defaultContracts[T any]() (list []contract[T]) {
	for _, c := range slices.Concat(textContracts[T](), equalContracts[T](), orderContracts[T](), sizeContracts[T](), marshalContracts[T](), readContracts[T]()) {
		if c.fits {
			list = append(list, c)
		}
	}
	return list
}

// has reports whether values of type T may have the methods of I.
func has[I, T any]() bool {
	t := reflect.TypeFor[T]()
	return t.Kind() == reflect.Interface || t.Implements(reflect.TypeFor[I]())
}

// of returns a contract for values of type T that have the methods of I.
func of[I, T any](name string, wrong func(x I) string, code string) contract[T] {
	return contract[T]{name: name, fits: has[I, T](), arity: 1, code: code, wrong: func(v, _, _ T) string {
		if x, ok := any(v).(I); ok {
			return wrong(x)
		}
		return ""
	}}
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
