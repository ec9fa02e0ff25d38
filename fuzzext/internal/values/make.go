package values

import (
	"fmt"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/literal"
	"golang.org/x/exp/slices"
)

// Entry returns the bytes of a value, and a key that equal values share. Run backward, a generator
// makes the same choices of equal values. If it cannot read a value that it has made, the bytes
// are the choices made forward, and the key is the value's literal.
func Entry(g bigen.Gen[any], v any, t choices.Tree) (b []byte, key string) {
	if back, err := Choices(g, v); err == nil {
		b = choices.Encode(back)
		return b, string(b)
	}
	return choices.Encode(t), literal.Of(v, "")
}

// Make makes the value of a source. If the generator panics, that is an error. The choices are in
// the memory of dst, which grows as needed.
func Make(
	dst choices.Tree, g bigen.Gen[any], src choices.Source,
) (v any, t choices.Tree, err error) {
	defer caught(&err)
	return bigen.RunInto(dst, g, src)
}

// Choices returns the choices that make a value: see [bigen.Choices]. If the generator panics, that
// is an error.
func Choices(g bigen.Gen[any], v any) (t choices.Tree, err error) {
	defer caught(&err)
	return bigen.Choices(g, v)
}

// Leftmost returns the tree by which earlier alternatives make the value of a tree, or nil if its
// own does, or if the generator does not run backward on the value. What a narrow alternative
// makes, an earlier and wider one may make simpler.
func Leftmost(g bigen.Gen[any], tree choices.Tree) choices.Tree {
	v, made, err := Make(nil, g, choices.Replay(tree, nil))
	if err != nil {
		return nil
	}
	other, err := Choices(g, v)
	if err != nil || slices.Equal(other, made) {
		return nil
	}
	if again, _, err := Make(nil, g, choices.Replay(other, nil)); err != nil ||
		!literal.Same(v, again) {
		return nil
	}
	return other
}

// Varies reports whether the generator makes different values of a tree.
func Varies(g bigen.Gen[any], tree choices.Tree) bool {
	v, made, _ := Make(nil, g, choices.Replay(tree, nil))
	for range 3 {
		again, same, _ := Make(nil, g, choices.Replay(tree, nil))
		if !slices.Equal(made, same) || !literal.Same(v, again) {
			return true
		}
	}
	return false
}

// caught is deferred: it makes an error of a panic.
func caught(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("the generator panics: %v", r)
	}
}
