// Package entry makes values of entries, and entries of values.
package entry

import (
	"fmt"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/literal"
)

// Of returns the bytes of a value, and a key that equal values share. Run backward, a generator
// makes the same choices of equal values. If it cannot read a value that it has made, the bytes
// are the choices made forward, and the key is the value's literal.
func Of(g bigen.Gen[any], v any, t choices.Tree) (b []byte, key string) {
	if back, err := Choices(g, v); err == nil {
		b = choices.Encode(back)
		return b, string(b)
	}
	return choices.Encode(t), literal.Of(v, "")
}

// Make makes the value of a source. If the generator panics, that is an error. The choices are in the
// memory of dst, which grows as needed.
func Make(dst choices.Tree, g bigen.Gen[any], src choices.Source) (v any, t choices.Tree, err error) {
	defer caught(&err)
	return bigen.RunInto(dst, g, src)
}

// Choices returns the choices that make a value: see [bigen.Choices]. If the generator panics, that is an
// error.
func Choices(g bigen.Gen[any], v any) (t choices.Tree, err error) {
	defer caught(&err)
	return bigen.Choices(g, v)
}

// caught is deferred: it makes an error of a panic.
func caught(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("the generator panics: %v", r)
	}
}
