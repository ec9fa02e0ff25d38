package api

import (
	"fmt"
	"reflect"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
)

// contractsOf returns the contracts of values of type T: of an interface all, as each value tells
// which methods it has.
func contractsOf[T any]() []contract {
	related, known := relationsByType.Load(reflect.TypeFor[T]())
	if !known {
		related, _ = relationsByType.LoadOrStore(reflect.TypeFor[T](), relations[T]())
	}
	all := append(slices.Clone(related.([]contract)), contracts...)
	if reflect.TypeFor[T]().Kind() == reflect.Interface {
		return all
	}
	var zero T
	return slices.DeleteFunc(all, func(c contract) bool { return !c.has(zero) })
}

// relationsByType are those that are known: harnesses declare their types for each sequence.
var relationsByType sync.Map

// relations are the contracts of methods that take, or return, another value of the type.
func relations[T any]() []contract {
	type (
		equaler  interface{ Equal(T) bool }
		lesser   interface{ Less(T) bool }
		comparer interface{ Compare(T) int }
		cmper    interface{ Cmp(T) int }
		cloner   interface{ Clone() T }
		twin     interface {
			cloner
			equaler
		}
		shownTwin interface {
			cloner
			fmt.Stringer
		}
	)
	equal := func(x, y any) bool { return x.(equaler).Equal(y.(T)) }
	less := func(x, y any) bool { return x.(lesser).Less(y.(T)) }
	compare := func(x, y any) int { return x.(comparer).Compare(y.(T)) }
	cmp := func(x, y any) int { return x.(cmper).Cmp(y.(T)) }
	return []contract{
		among[equaler](1, "Equal is reflexive", "x.Equal(x)", "true",
			func(x, _, _ any) (got, want any) { return equal(x, x), true }),
		among[equaler](2, "Equal is symmetric", "x.Equal(y)", "y.Equal(x)",
			func(x, y, _ any) (got, want any) { return equal(x, y), equal(y, x) }),
		among[equaler](3, "Equal is transitive", "x.Equal(y) && y.Equal(z) && !x.Equal(z)", "false",
			func(x, y, z any) (got, want any) { return equal(x, y) && equal(y, z) && !equal(x, z), false }),
		sameHash[T, uint64](equal), sameHash[T, uint32](equal), sameHash[T, int](equal), sameHash[T, string](equal),
		among[twin](1, "Clone is equal", "x.Clone().Equal(x)", "true",
			func(x, _, _ any) (got, want any) { return equal(x.(cloner).Clone(), x), true }),
		among[shownTwin](1, "Clone is equal", "x.Clone().String()", "x.String()",
			func(x, _, _ any) (got, want any) { return text(x.(cloner).Clone()), text(x) }),
		among[comparer](2, "Compare is antisymmetric", "x.Compare(y) < 0", "y.Compare(x) > 0",
			func(x, y, _ any) (got, want any) { return compare(x, y) < 0, compare(y, x) > 0 }),
		among[comparer](3, "Compare is transitive",
			"x.Compare(y) <= 0 && y.Compare(z) <= 0 && x.Compare(z) > 0", "false",
			func(x, y, z any) (got, want any) {
				return compare(x, y) <= 0 && compare(y, z) <= 0 && compare(x, z) > 0, false
			}),
		among[cmper](2, "Cmp is antisymmetric", "x.Cmp(y) < 0", "y.Cmp(x) > 0",
			func(x, y, _ any) (got, want any) { return cmp(x, y) < 0, cmp(y, x) > 0 }),
		among[cmper](3, "Cmp is transitive", "x.Cmp(y) <= 0 && y.Cmp(z) <= 0 && x.Cmp(z) > 0", "false",
			func(x, y, z any) (got, want any) {
				return cmp(x, y) <= 0 && cmp(y, z) <= 0 && cmp(x, z) > 0, false
			}),
		among[lesser](2, "Less is asymmetric", "x.Less(y) && y.Less(x)", "false",
			func(x, y, _ any) (got, want any) { return less(x, y) && less(y, x), false }),
		among[lesser](3, "Less is transitive", "x.Less(y) && y.Less(z) && !x.Less(z)", "false",
			func(x, y, z any) (got, want any) { return less(x, y) && less(y, z) && !less(x, z), false }),
	}
}

// sameHash says that values that are equal have the same hash.
func sameHash[T any, H comparable](equal func(x, y any) bool) contract {
	type hasher interface {
		Equal(T) bool
		Hash() H
	}
	return among[hasher](2, "Hash", "x.Equal(y) && x.Hash() != y.Hash()", "false",
		func(x, y, _ any) (got, want any) { return equal(x, y) && x.(hasher).Hash() != y.(hasher).Hash(), false })
}

type (
	lener interface{ Len() int }
	sizer interface{ Size() int }
	empty interface{ Empty() bool }

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
		IsEmpty() bool
	}
)

// contracts bind methods that take no other value of the type.
var contracts = []contract{
	same("String", "x.String()", "x.String()",
		func(x fmt.Stringer) (got, want any) { return x.String(), x.String() }),
	same("Error", "x.Error()", "x.Error()",
		func(x error) (got, want any) { return x.Error(), x.Error() }),
	same("GoString", "x.GoString()", "x.GoString()",
		func(x fmt.GoStringer) (got, want any) { return x.GoString(), x.GoString() }),
	same("Format", "fmt.Sprint(x)", "fmt.Sprint(x)",
		func(x fmt.Formatter) (got, want any) { return fmt.Sprint(x), fmt.Sprint(x) }),
	same("Format", `strings.Contains(fmt.Sprint(x), "%!v(PANIC=")`, "false",
		func(x fmt.Formatter) (got, want any) {
			return strings.Contains(fmt.Sprint(x), "%!v(PANIC="), false
		}),
	same("Len", "x.Len() < 0", "false", func(x lener) (got, want any) { return x.Len() < 0, false }),
	same("Size", "x.Size() < 0", "false",
		func(x sizer) (got, want any) { return x.Size() < 0, false }),
	same("Empty", "x.Empty()", "x.Len() == 0",
		func(x emptyLener) (got, want any) { return x.Empty(), x.Len() == 0 }),
	same("Empty", "x.Empty()", "x.Size() == 0",
		func(x emptySizer) (got, want any) { return x.Empty(), x.Size() == 0 }),
	same("IsEmpty", "x.IsEmpty()", "x.Len() == 0",
		func(x isEmptyLener) (got, want any) { return x.IsEmpty(), x.Len() == 0 }),
	same("Less of elements is irreflexive", "x.Len() > 0 && x.Less(0, 0)", "false",
		func(x sort.Interface) (got, want any) { return x.Len() > 0 && x.Less(0, 0), false }),
	same("CheckInvariants", "x.CheckInvariants()", "nil",
		func(x interface{ CheckInvariants() error }) (got, want any) { return x.CheckInvariants(), nil }),
}

// text returns the text of a value that has one.
func text(v any) string {
	if s, ok := v.(fmt.Stringer); ok {
		return s.String()
	}
	return ""
}

// shown returns a value as a message shows it.
func shown(v any) string {
	if s, ok := v.(string); ok {
		return fmt.Sprintf("%q", gocode.Shorten(s))
	}
	if b, ok := v.([]byte); ok && utf8.Valid(b) {
		return fmt.Sprintf("%q", gocode.Shorten(string(b)))
	}
	return fmt.Sprint(v)
}
