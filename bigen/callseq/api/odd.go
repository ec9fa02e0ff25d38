package api

import (
	"reflect"
	"regexp"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/bigen/callseq/internal/operand"
)

// oddNumber is the doubt about an error that is found with such arguments only.
const oddNumber = "a number is zero, negative or large"

// usual are numbers that take the place of odd ones, to see whether calls fail then, too.
var usual = []int{1, 2, 3, 5, 10}

const (
	mostUsual     = 1000 // that is not odd
	smallestUsual = 1e-9
)

// dataName matches the names of parameters that are data, for which any number will do.
var dataName = regexp.MustCompile(`(?i)^(k|v|x|e|r|key|val|value|elem|element|item|data|rune|char)s?\d*$`)

// odd reports whether a call so far was given a number that it need not bear, as it cannot refuse
// any by an error, and no result of another call.
func (m *machine) odd(least float64) bool {
	return slices.ContainsFunc(m.given, func(g given) bool {
		return !g.op.refuses && g.value.about().slot < 0 && !dataName.MatchString(g.name) &&
			isOdd(reflect.ValueOf(g.value.value()), least)
	})
}

// oddFor reports whether the sequence that has run has a number for which an error like f may be a
// mistake of the caller: contracts bind all values but structs that users fill with such.
func (m *machine) oddFor(f *found) bool {
	if m.sure {
		return false
	}
	if f.contract != "" {
		return slices.ContainsFunc(m.given, func(g given) bool {
			v := reflect.ValueOf(g.value.value())
			return g.value.about().slot < 0 && (v.Kind() == reflect.Struct || g.op.sets()) && isOdd(v, 0)
		})
	}
	return m.odd(1) || f.Message == divided && slices.ContainsFunc(m.given, func(g given) bool {
		return g.value.about().slot < 0 && hasZero(reflect.ValueOf(g.value.value()))
	})
}

const divided = "panic: runtime error: integer divide by zero"

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

// isOdd reports whether a number is too small or too large, or a field that a user sets is, which
// may be zero, as may a number with a type of its own. A byte may be any.
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
	if v.Type().PkgPath() != "" {
		least = 0
	}
	return !(least <= n && n <= most)
}

// tryUsual tries calls with usual arguments in place of odd ones, one by one, those that were kept
// before among them. Then it tries other numbers where an operation has the same one again: equal
// elements hide their order.
func (g *generator) tryUsual(calls callseq.Calls, keep func(s *sequence) bool) {
	try := func(i, k int, arg any) bool {
		edited := slices.Clone(calls)
		edited[i] = slices.Clone(calls[i])
		edited[i][k] = arg
		s := g.read(edited)
		if s == nil || !keep(s.own()) {
			return false
		}
		calls = edited
		return true
	}
	for i := range calls {
		for k, arg := range calls[i] {
			for n := 0; n < len(usual) && arg != nil; n++ {
				other := usually(reflect.ValueOf(arg), 1, n).Interface()
				if reflect.DeepEqual(other, arg) || try(i, k, other) {
					break
				}
			}
		}
	}
	type operand struct {
		op   string
		k, n int
	}
	had := map[operand]int{}
	for i := range calls {
		for k, arg := range calls[i] {
			n, ok := arg.(int)
			o := operand{nameOf(calls[i]), k, n}
			if !ok {
				continue
			}
			if had[o]++; had[o] > 1 {
				try(i, k, n+had[o]-1)
			}
		}
	}
}

// usually returns a value with usual numbers in place of odd ones, from one of them on. If least is
// not 0, a text or a slice gets something in place of nothing, and so does a slice of nothing but
// zeros.
func usually(v reflect.Value, least float64, n int) reflect.Value {
	u := reflect.New(v.Type()).Elem()
	u.Set(v)
	none := least > 0 && (v.Kind() == reflect.String || v.Kind() == reflect.Slice) && v.Len() == 0
	switch {
	case none && v.CanConvert(reflect.TypeFor[string]()):
		u.Set(reflect.ValueOf("a").Convert(v.Type()))
	case none && operand.Flat(v.Type().Elem()):
		u.Set(reflect.Append(v, usually(reflect.Zero(v.Type().Elem()), 1, n)))
	case v.Kind() == reflect.Slice:
		u.Set(reflect.AppendSlice(reflect.Zero(v.Type()), v))
		for i := range u.Len() {
			if !v.Index(i).IsZero() {
				least = 0
			}
		}
		for i := range u.Len() {
			u.Index(i).Set(usually(v.Index(i), least, n+i))
		}
	case v.Kind() == reflect.Struct:
		for i := range u.NumField() {
			if v.Type().Field(i).IsExported() {
				u.Field(i).Set(usually(v.Field(i), 0, n))
			}
		}
	case isOdd(v, least):
		u.Set(reflect.ValueOf(usual[n%len(usual)]).Convert(v.Type()))
	}
	return u
}
