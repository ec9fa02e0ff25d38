package bigen

import (
	"iter"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/choices"
)

// maxFruitless bounds the runs in a row of an enumeration that make nothing new.
const maxFruitless = 1 << 20

// Enumerate returns all values that g makes, each once, in the order of their size,
// which comes with them; see [choices.Enumerate] for what it is. A loop over it is
// a bounded-exhaustive test:
//
//	for size, tree := range bigen.Enumerate(genBST(0, 9)) {
//		if size > 12 {
//			break
//		}
//		...
//	}
//
// Alternatives of weight 0 take part. Where g makes a value in several ways, it comes
// at the way that is leftmost, as [Choices] has it. Values of a generator that does not run backward may come more
// than once. The loop panics after 1,048,576 runs in a row that made no new value,
// because a [SuchThat] rejects nearly all, or nearly all lead to the same values.
func Enumerate[A any](g Gen[A]) iter.Seq2[int, A] {
	return func(yield func(int, A) bool) {
		fruitless := 0
		for src := range choices.Enumerate() {
			v, ok := leftmost(g, src)
			switch {
			case ok:
				fruitless = 0
				if !yield(src.Size(), v) {
					return
				}
			case fruitless == maxFruitless:
				panic("bigen.Enumerate: more than 1048576 runs in a row made no new value: make valid values by construction instead of a SuchThat, and each value in one way")
			default:
				fruitless++
			}
		}
	}
}

// leftmost runs g on src. It reports false if there is no value of src's own, or if
// running backward leads to other choices.
func leftmost[A any](g Gen[A], src *choices.Attempt) (v A, ok bool) {
	c := newC()
	v, err := forward(c, g, src)
	if ok = err == nil && src.Made(c.tree); ok {
		t, err := Choices(g, v)
		ok = err != nil || slices.Equal(t, c.tree)
	}
	c.release()
	return v, ok
}
