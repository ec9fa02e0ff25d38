package api

import (
	"fmt"
	"reflect"
)

type (
	lener   interface{ Len() int }
	sizer   interface{ Size() int }
	empty   interface{ Empty() bool }
	isEmpty interface{ IsEmpty() bool }
	invar   interface{ CheckInvariants() error }

	emptyLener interface {
		lener
		empty
	}
	emptySizer interface {
		sizer
		empty
	}
	isEmptyLener interface {
		lener
		isEmpty
	}
)

// sizeContracts say that sizes are sizes, and that what a value says of itself is right.
func sizeContracts[T any]() []contract[T] {
	list := []contract[T]{
		of[lener, T]("Len", func(x lener) string { return sized("Len", x.Len()) }, notNegative("Len")),
		of[sizer, T]("Size", func(x sizer) string { return sized("Size", x.Size()) }, notNegative("Size")),
		of[emptyLener, T]("Empty", func(x emptyLener) string { return emptied(x.Empty(), x.Len()) }, emptyIs("Empty", "Len")),
		of[emptySizer, T]("Empty", func(x emptySizer) string { return emptied(x.Empty(), x.Size()) }, emptyIs("Empty", "Size")),
		of[isEmptyLener, T]("IsEmpty", func(x isEmptyLener) string { return emptied(x.IsEmpty(), x.Len()) }, emptyIs("IsEmpty", "Len")),
	}
	if closed(reflect.TypeFor[T]()) {
		list = append(list,
			of[invar, T]("CheckInvariants", func(x invar) string { return textOfError(x.CheckInvariants()) }, noError("CheckInvariants")),
		)
	}
	return list
}

// closed reports whether a package alone sets the fields of values of a type. What users set,
// such as a configuration, may be invalid.
func closed(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := range t.NumField() {
		if t.Field(i).IsExported() {
			return false
		}
	}
	return true
}

func sized(method string, n int) string {
	return unless(n >= 0, fmt.Sprintf("%s is %d", method, n))
}

func notNegative(method string) string {
	return `if n := %[1]s.` + method + `(); n < 0 {
	t.Error(n)
}`
}

func emptied(empty bool, n int) string {
	return unless(empty == (n == 0), fmt.Sprintf("it is %v of a size of %d", empty, n))
}

func emptyIs(method, size string) string {
	return `if %[1]s.` + method + `() != (%[1]s.` + size + `() == 0) {
	t.Error(%[1]s.` + size + `())
}`
}

func noError(method string) string {
	return `if err := %[1]s.` + method + `(); err != nil {
	t.Error(err)
}`
}
