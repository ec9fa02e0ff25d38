package api

import (
	"reflect"
	"regexp"
	"unicode"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq"
)

// oddNumber is the doubt about an error that is found with odd numbers only.
const oddNumber = "a number is zero, negative or large"

// usual are numbers that take the place of odd ones, to see whether calls fail then, too.
var usual = []int{1, 2, 3, 5, 10}

const (
	mostUsual     = 1000 // that is not odd
	smallestUsual = 1e-9
	maxUsual      = 20 // sequences of usual numbers that are tried
)

// dataName is how parameters are called that are data, of which any number will do.
var dataName = regexp.MustCompile(`(?i)^(k|v|x|e|r|key|val|value|elem|element|item|data|rune|char)s?\d*$`)

// odd reports whether a call so far was given a number that it need not bear, as it cannot refuse any by an error,
// and no result of another call.
func (m *machine) odd(least float64) bool {
	return slices.ContainsFunc(m.given, func(g given) bool {
		return !g.op.refuses && g.value.about().slot < 0 && !dataName.MatchString(g.name) && isOdd(reflect.ValueOf(g.value.value()), least)
	})
}

// oddFor reports whether the sequence that has run has a number for which an error like f may be a mistake of the
// caller: contracts bind all values but structs that users fill with such.
func (m *machine) oddFor(f *found) bool {
	if m.sure {
		return false
	}
	if f.Message == "panic: runtime error: integer divide by zero" && slices.ContainsFunc(m.given, func(g given) bool {
		return g.value.about().slot < 0 && hasZero(reflect.ValueOf(g.value.value()))
	}) {
		return true
	}
	return f.contract == "" && m.odd(1) || f.contract != "" && slices.ContainsFunc(m.given, func(g given) bool {
		v := reflect.ValueOf(g.value.value())
		return g.value.about().slot < 0 && v.Kind() == reflect.Struct && isOdd(v, 0)
	})
}

// hasZero reports whether an integer is zero, or a field that users set of a struct is.
func hasZero(v reflect.Value) bool {
	switch {
	case v.Kind() == reflect.Pointer:
		return hasZero(v.Elem())
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && hasZero(v.Field(i)) {
				return true
			}
		}
		return false
	}
	return (v.CanInt() || v.CanUint()) && v.IsZero()
}

// isOdd reports whether a number is too small or too large, or a field that a user sets is, which may be zero. So may a
// number of a named type, such as a constant, which may be large, too. So may runes. A byte may be any.
func isOdd(v reflect.Value, least float64) bool {
	n, most := 0., float64(mostUsual)
	switch {
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && isOdd(v.Field(i), 0) {
				return true
			}
		}
		return false
	case v.Kind() == reflect.Uint8:
		return false
	case v.CanInt():
		n = float64(v.Int())
	case v.CanUint():
		n = float64(v.Uint())
	case v.CanFloat():
		n = v.Float()
		least, most = min(least, smallestUsual), 1 // it may be a probability
	default:
		return false
	}
	if v.Kind() == reflect.Int32 || v.Type().PkgPath() != "" {
		least, most = 0, max(most, unicode.MaxRune)
	}
	return !(least <= n && n <= most)
}

// makeUsual gives an error a sequence without odd numbers that fails alike, and reports whether it finds one.
func (g *generator) makeUsual(f *found) bool {
	for n := range maxUsual {
		calls := make(callseq.Calls, len(f.calls))
		for i, call := range f.calls {
			calls[i] = slices.Clone(call)
			for k, arg := range call {
				v, one := reflect.ValueOf(arg), usual[g.rand.IntN(len(usual))]
				if n < len(usual) {
					one = usual[n]
				}
				if v.IsValid() && v.Kind() != reflect.Struct && isOdd(v, 1) {
					calls[i][k] = reflect.ValueOf(one).Convert(v.Type()).Interface()
				}
			}
		}
		if s := g.read(calls); s != nil && g.fails(f, s) && !g.oddFor(f) {
			f.sequence = s.own()
			return true
		}
	}
	return false
}
