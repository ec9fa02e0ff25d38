package bigen

import (
	"iter"
	"reflect"
	"unsafe"

	"github.com/espalier-go/espalier/choices/enumerate"
	"golang.org/x/exp/slices"
)

// maxInVainInARow bounds the work between two new values: the runs, their choices
// forward and backward, and the answers of their sources.
const maxInVainInARow = 1 << 22

// Enumerate returns all values that g makes, each once, with their sizes and in the
// order of their sizes; see [enumerate.Sources]. A loop over it is a
// bounded-exhaustive test:
//
//	for size, tree := range bigen.Enumerate(genBST(0, 9)) {
//		if size > 12 {
//			break
//		}
//		...
//	}
//
// Alternatives of weight 0 do not take part, as in random values. A value that g makes in several
// ways appears once, with the size of the leftmost way, the way of [Choices], if it has no
// alternative of weight 0: put such alternatives last. Values of a generator that does not run
// backward may appear more than once.
//
// The loop panics after 4,194,304 steps (runs, choices and runes) in a row without a new
// value: then a [SuchThat] rejects nearly all values, or nearly all ways lead to earlier
// values, as with Matching(`(a*)*`) do. Make valid values by construction,
// and each value in one way only, as Matching(`a*`) does.
func Enumerate[A any](g Gen[A]) iter.Seq2[int, A] {
	return func(yield func(int, A) bool) {
		inVain := 0
		for src := range enumerate.Sources() {
			v, work, ok := leftmost(g, src)
			if ok {
				inVain = 0
				if !yield(src.Size(), v) {
					return
				}
				continue
			}
			if inVain += work; inVain > maxInVainInARow {
				panic("bigen.Enumerate: 4194304 steps without a new value: make valid values " +
					"by construction instead of by a SuchThat, and make each value in one way " +
					"only, as Matching(`a*`) does and Matching(`(a*)*`) does not")
			}
		}
	}
}

// leftmost runs g on src. It reports false if there is no value of src's own, or if
// running backward leads to other choices. work is the number of steps that it took.
func leftmost[A any](g Gen[A], src *enumerate.Attempt) (v A, work int, ok bool) {
	c := newC()
	v, err := forward(c, g, src)
	work = 1 + c.work + src.Answers()
	if ok = err == nil && src.Made(c.tree); ok {
		back := newC()
		t, err := back.choices(
			&typed{*untypedOf(&g), reflect.TypeFor[A]()}, unsafe.Pointer(&v), position{},
		)
		work += back.work
		ok = err != nil || slices.Equal(t, c.tree)
		back.release()
	}
	c.release()
	return v, work, ok
}
