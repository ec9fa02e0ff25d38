package api

import (
	"reflect"
	"strings"

	"golang.org/x/exp/slices"
)

// A validator is a method by which a value says whether it is valid. A method of the value that
// returns no error must leave it valid. That a value has never been valid means nothing: a zero
// value may not be, nor one that takes several calls to set up.
type validator struct {
	name  string
	wrong func(v any) (wrong string, fits bool)
	code  string
}

var validators = []validator{
	validBy("Valid", func(x interface{ Valid() bool }) bool { return x.Valid() }),
	validBy("IsValid", func(x interface{ IsValid() bool }) bool { return x.IsValid() }),
	errorBy("Validate", func(x interface{ Validate() error }) error { return x.Validate() }),
	errorBy("Verify", func(x interface{ Verify() error }) error { return x.Verify() }),
	errorBy("Check", func(x interface{ Check() error }) error { return x.Check() }),
	errorBy("CheckConsistency", func(x interface{ CheckConsistency() error }) error { return x.CheckConsistency() }),
}

func validBy[I any](name string, valid func(x I) bool) validator {
	return validator{name, func(v any) (string, bool) {
		x, ok := v.(I)
		if !ok || iterates(v) {
			return "", false
		}
		return unless(valid(x), "it is no longer valid"), true
	}, `if !%[1]s.` + name + `() {
	t.Error("it is no longer valid")
}`}
}

func errorBy[I any](name string, check func(x I) error) validator {
	return validator{name, func(v any) (string, bool) {
		x, ok := v.(I)
		if !ok {
			return "", false
		}
		return valued(check(x)), true
	}, noError(name)}
}

// iterates reports whether a value moves on by calls, until it is valid no more.
func iterates(v any) bool {
	_, ok := reflect.TypeOf(v).MethodByName("Next")
	return ok
}

// validated reports whether values of type T may have validators.
func validated[T any]() bool {
	return has[interface{ Valid() bool }, T]() || has[interface{ IsValid() bool }, T]() || has[interface{ Validate() error }, T]() ||
		has[interface{ Verify() error }, T]() || has[interface{ Check() error }, T]() || has[interface{ CheckConsistency() error }, T]()
}

// noteValid notes which values are valid, by which validators.
func (m *machine) noteValid() {
	m.valid = m.valid[:0]
	for _, x := range m.cells {
		set := uint8(0)
		if x.of().validated && !x.isNil() && x.isReady() {
			for i := range validators {
				if wrong, fits := validators[i].judge(x.value()); fits && wrong == "" {
					set |= 1 << i
				}
			}
		}
		m.valid = append(m.valid, set)
	}
}

// spoiled returns a violation if the call that has ended has made its receiver invalid.
func (m *machine) spoiled() *violation {
	slot := m.receiver
	if slot < 0 || int(slot) >= len(m.valid) || m.valid[slot] == 0 || maySpoil(m.op.name) {
		return nil
	}
	for i := range validators {
		if m.valid[slot]&(1<<i) == 0 {
			continue
		}
		if wrong, _ := validators[i].judge(m.cells[slot].value()); wrong != "" {
			return &violation{contract: validators[i].name, wrong: wrong, slots: []int32{slot}, code: validators[i].code}
		}
	}
	return nil
}

// judge says why a value is invalid, if it is.
func (v *validator) judge(x any) (wrong string, fits bool) {
	wrong = guarded(func() (s string) {
		s, fits = v.wrong(x)
		return s
	})
	return wrong, fits || wrong != ""
}

// maySpoil reports whether a method may make its receiver invalid: it ends its use, or gives it
// parts that the caller has chosen.
func maySpoil(op string) bool {
	method := methodOf(op)
	return slices.ContainsFunc(spoilers, func(s string) bool { return strings.HasPrefix(method, s) })
}

var spoilers = []string{"Cancel", "Clear", "Close", "Decode", "Destroy", "Free", "Invalidate", "Parse", "Read", "Release", "Reset", "Scan", "Set", "Shutdown", "Stop", "Unmarshal", "With"}

// methodOf returns the method that an operation calls.
func methodOf(op string) string {
	op, _, _ = strings.Cut(op, " ")
	return op[strings.LastIndexByte(op, '.')+1:]
}
