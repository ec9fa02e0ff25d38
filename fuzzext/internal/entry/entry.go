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
	if b, err := bigen.Encode(g, v); err == nil {
		return b, string(b)
	}
	return choices.Encode(t), literal.Of(v, "")
}

// Make makes the value of a source. If the generator panics, that is an error. The choices are in the
// memory of dst, which grows as needed.
func Make(dst choices.Tree, g bigen.Gen[any], src choices.Source) (v any, t choices.Tree, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the generator panics: %v", r)
		}
	}()
	return bigen.RunInto(dst, g, src)
}
