package api

import (
	"fmt"

	"github.com/espalier-go/espalier/bigen/callseq/internal/gocode"
)

type equaler[T any] interface{ Equal(T) bool }

// equalContracts say that Equal is an equivalence, that values that are equal have the same
// hash, and that a clone is equal, and shares nothing that Clear or Reset changes.
func equalContracts[T any]() []contract[T] {
	list := []contract[T]{
		related[equaler[T], T]("Equal is reflexive", 1, func(x, _, _ equaler[T], v, _, _ T) string {
			return unless(x.Equal(v), "the value does not equal itself")
		}, `if !%[1]s.Equal(%[1]s) {
	t.Error("%[1]s does not equal itself")
}`),
		related[equaler[T], T]("Equal is symmetric", 2, func(x, y, _ equaler[T], v, w, _ T) string {
			return unless(x.Equal(w) == y.Equal(v), "the first equals the second, or the second the first, but not both")
		}, `if %[1]s.Equal(%[2]s) != %[2]s.Equal(%[1]s) {
	t.Error("%[1]s equals %[2]s, or %[2]s equals %[1]s, but not both")
}`),
		related[equaler[T], T]("Equal is transitive", 3, func(x, y, _ equaler[T], _, w, u T) string {
			return unless(!x.Equal(w) || !y.Equal(u) || x.Equal(u), "the first equals the second, and this the third, but the first does not equal the third")
		}, `if %[1]s.Equal(%[2]s) && %[2]s.Equal(%[3]s) && !%[1]s.Equal(%[3]s) {
	t.Error("%[1]s equals %[2]s, and this %[3]s, but %[1]s does not equal %[3]s")
}`),
		related[interface{ Clone() T }, T]("Clone is equal", 1, func(x, _, _ interface{ Clone() T }, v, _, _ T) string {
			c := x.Clone()
			if e, ok := any(c).(equaler[T]); ok {
				return unless(e.Equal(v), "the clone does not equal the value")
			}
			return unless(shown(v) == shown(c), fmt.Sprintf("the clone is %s, the value %s", shown(c), shown(v)))
		}, `if c := %[1]s.Clone(); fmt.Sprint(c) != fmt.Sprint(%[1]s) {
	t.Error("the clone does not equal the value")
}`),
	}
	list = append(list, hashContract[T, uint64](), hashContract[T, uint32](), hashContract[T, int](), hashContract[T, string]())
	return append(list, atEnd(
		sharingContract[T]("Clear", func(c interface{ Clear() }) { c.Clear() }),
		sharingContract[T]("Reset", func(c interface{ Reset() }) { c.Reset() }),
	)...)
}

// shown returns the text of a value that has one.
func shown(v any) string {
	if s, ok := v.(fmt.Stringer); ok {
		return gocode.Shorten(s.String())
	}
	return ""
}

// hashContract says that values that are equal have the same hash.
func hashContract[T any, H comparable]() contract[T] {
	type hasher interface {
		equaler[T]
		Hash() H
	}
	return related[hasher, T]("Hash", 2, func(x, y, _ hasher, _, w, _ T) string {
		return unless(!x.Equal(w) || x.Hash() == y.Hash(), "the values are equal, but their hashes differ")
	}, `if %[1]s.Equal(%[2]s) && %[1]s.Hash() != %[2]s.Hash() {
	t.Error("%[1]s equals %[2]s, but their hashes differ")
}`)
}

// sharingContract says that a method of a clone leaves the value as it is.
func sharingContract[T, I any](method string, change func(c I)) contract[T] {
	type cloner interface{ Clone() T }
	c := related[cloner, T]("Clone shares nothing", 1, func(x, _, _ cloner, v, _, _ T) string {
		c, ok := any(x.Clone()).(I)
		if !ok || isNil(c) {
			return ""
		}
		before, text := stateOf(v), shown(v)
		change(c)
		return unless(before == stateOf(v) && text == shown(v), method+" of the clone changes the value")
	}, `{
	c, before := %[1]s.Clone(), fmt.Sprint(%[1]s)
	if c.`+method+`(); fmt.Sprint(%[1]s) != before {
		t.Error("`+method+` of the clone changes the value")
	}
}`)
	c.fits = c.fits && has[I, T]()
	return c
}
