package api

import (
	"fmt"
	"reflect"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
)

// wrongError is an error that a call should not have returned: one that is not nil, but holds a
// nil pointer; or one beside a pointer that is not nil, unless that has been an argument.
type wrongError struct {
	message string
	result  int // the pointer; -1 if there is none
}

// wrongErrorOf returns what is wrong with an error, the last of the results of a call, or nil. cells
// are the results of all calls for later ones.
func wrongErrorOf(err error, results []any, cells []cell) *wrongError {
	if isNil(err) {
		return &wrongError{fmt.Sprintf("it returns a nil %T as an error that is not nil", err), -1}
	}
	for i, v := range results {
		x, ok := v.(cell)
		if !ok || x.of().typ.Kind() != reflect.Pointer || x.isNil() {
			continue
		}
		if !slices.ContainsFunc(cells[:x.number()], func(old cell) bool { return old.value() == x.value() }) {
			return &wrongError{fmt.Sprintf("it returns a %v that is not nil beside the error %q", x.of().typ, gocode.Shorten(guarded(err.Error))), i}
		}
	}
	return nil
}
