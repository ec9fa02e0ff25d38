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
	name   string
	method reflect.Type // the interface of values that have it
	wrong  func(v any) (wrong string, fits bool)
	code   string
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
	return validator{name, reflect.TypeFor[I](), func(v any) (string, bool) {
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
	return validator{name, reflect.TypeFor[I](), func(v any) (string, bool) {
		x, ok := v.(I)
		if !ok {
			return "", false
		}
		return textOfError(check(x)), true
	}, noError(name)}
}

// iterates reports whether a value moves on by calls, until it is valid no more.
func iterates(v any) bool {
	_, ok := reflect.TypeOf(v).MethodByName("Next")
	return ok
}

// validity is which values were valid before the call, by which validators.
type validity struct {
	anyCall
	held []validValue
	fit  map[*base][]*validator // those that values of a pool may have
}

type validValue struct {
	slot int32
	by   *validator
}

func (h *validity) begin() { h.held = h.held[:0] }

// before notes which values are valid.
func (h *validity) before(m *machine, repeated bool) {
	if repeated {
		return
	}
	h.held = h.held[:0]
	for _, x := range m.cells {
		for _, by := range h.validators(x.of()) {
			if x.isNil() || !x.isReady() {
				break
			}
			if wrong, fits := by.judge(x.value()); fits && wrong == "" {
				h.held = append(h.held, validValue{x.number(), by})
			}
		}
	}
}

// validators returns those that values of a pool may have.
func (h *validity) validators(p *base) []*validator {
	if list, ok := h.fit[p]; ok {
		return list
	}
	var list []*validator
	for i := range validators {
		if v := &validators[i]; p.typ.Kind() == reflect.Interface || p.typ.Implements(v.method) {
			list = append(list, v)
		}
	}
	if h.fit == nil {
		h.fit = map[*base][]*validator{}
	}
	h.fit[p] = list
	return list
}

// broken returns a violation if the call has made its receiver invalid.
func (h *validity) broken(m *machine) *violation {
	if m.receiver < 0 || maySpoil(m.op) {
		return nil
	}
	for _, was := range h.held {
		if was.slot != m.receiver {
			continue
		}
		if wrong, _ := was.by.judge(m.cells[was.slot].value()); wrong != "" {
			return &violation{contract: was.by.name, wrong: wrong, slots: []int32{was.slot}, code: was.by.code}
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
func maySpoil(o *Op) bool {
	return slices.ContainsFunc(spoilers, func(s string) bool { return strings.HasPrefix(o.method, s) })
}

var spoilers = []string{"Cancel", "Clear", "Close", "Decode", "Destroy", "Free", "Invalidate", "Parse", "Read", "Release", "Reset", "Scan", "Set", "Shutdown", "Stop", "Unmarshal", "With"}
