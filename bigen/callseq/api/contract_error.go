package api

import (
	"fmt"
	"reflect"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
)

// wrongError is an error that a call should not have returned: one that is not nil, but holds a
// nil pointer; or one beside a pointer that is not nil, unless that has been an argument.
type wrongError struct {
	message string
	result  int // the pointer; -1 if there is none
}

// wrongError returns what is wrong with the error that is the last of the results, or nil.
func (m *machine) wrongError(results []any) *wrongError {
	if isNil(m.err) {
		return &wrongError{fmt.Sprintf("it returns a nil %T as an error that is not nil", m.err), -1}
	}
	for i, v := range results {
		x, ok := v.(cell)
		if !ok || x.of().typ.Kind() != reflect.Pointer || x.isNil() {
			continue
		}
		if !slices.ContainsFunc(m.cells[:x.number()], func(old cell) bool { return old.value() == x.value() }) {
			return &wrongError{fmt.Sprintf("it returns a %v that is not nil beside the error %q", x.of().typ, gocode.Shorten(guarded(m.err.Error))), i}
		}
	}
	return nil
}

// refusal says what is wrong with the error that a call has returned, if that is an [Error].
func (m *machine) refusal() string {
	if m.wrong != nil {
		return m.wrong.message
	}
	return fmt.Sprintf("it returns the error %q", gocode.Shorten(guarded(m.err.Error)))
}

// wrongError returns the code of a call that fails a test because of the error.
func (r *report) wrongError(t *traced) []string {
	names := make([]string, len(t.got))
	for i := range names {
		names[i] = "_"
	}
	names[len(names)-1] = "err"
	wrong := "err != nil && reflect.ValueOf(err).IsNil()"
	if i := t.wrong.result; i >= 0 {
		names[i], wrong = "got", "got != nil && err != nil"
	}
	return []string{
		fmt.Sprintf("if %s := %s; %s { // %s", strings.Join(names, ", "), r.expression(t), wrong, gocode.OneLine(t.wrong.message)),
		"\tt.Error(err)",
		"}",
	}
}
