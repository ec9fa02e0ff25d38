package bigentest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/enumerate"
)

// A Validity reports whether a value is valid, by true or by no error.
type Validity[A any] interface {
	func(A) bool | func(A) error
}

// validity returns the test of validity for values in interfaces.
func validity[A any, V Validity[A]](valid V) func(any) error {
	return func(v any) error {
		switch valid := any(valid).(type) {
		case func(A) error:
			return valid(unboxed[A](v))
		case func(A) bool:
			if !valid(unboxed[A](v)) {
				return errInvalid
			}
		}
		return nil
	}
}

var errInvalid = errors.New("")

// Sound checks that every value that g makes is valid ("Bigenerators, Exposed!",
// section 4.1). It fails t with the smallest invalid value found, and with the error
// of valid if it returns one.
func Sound[A any, V Validity[A]](t testing.TB, g bigen.Gen[A], valid V, opts ...Option) {
	t.Helper()
	newChecker(boxed(g), opts).sound(t, validity[A](valid))
}

func (k *checker) sound(t testing.TB, valid func(any) error) {
	t.Helper()
	find := func(m value) *finding {
		if err := k.guard("the test of validity", k.showing(m.v),
			func() error { return valid(m.v) }); err != nil {
			return &finding{
				law:    soundness,
				what:   "a value that is made is not valid",
				detail: err.Error(),
				text:   k.literal(m.v),
				tree:   m.tree,
				bytes:  choices.Encode(m.tree),
			}
		}
		return nil
	}
	k.check(t, "bigentest.Sound", func() {
		k.each(func(m value, _ bool) bool {
			f := find(m)
			if f != nil {
				k.add(k.shrink(m, *f, find))
			}
			return f == nil
		})
		if k.tried == k.none {
			k.add(finding{law: rejection, what: fmt.Sprintf("%d of %d runs were rejected", k.none, k.tried)})
		}
	})
}

// Complete checks that g makes every value that wide makes and that is valid
// ("Bigenerators, Exposed!", section 4.1). Most values of wide need not be valid, but
// some must. A wide generator is:
//
//   - one that is so simple that it is obviously complete, such as one for all trees
//     where g makes search trees;
//   - the one that [bigen.For] derives from the type, with small leaves;
//   - an older version of g, if every value is valid: then seeds and saved failures of
//     the older version remain values of g.
//
// Complete checks the smallest values of wide, in the order of [bigen.Enumerate], and
// then as many random ones. If wide has no more values than the smallest, the check is
// a proof.
//
// Complete fails t with the smallest value found that g does not make, and the reason.
// It also fails t if it saw hardly any valid values, since it then has checked nothing.
func Complete[A any, V Validity[A]](
	t testing.TB, wide bigen.Gen[A], valid V, g bigen.Gen[A], opts ...Option,
) {
	t.Helper()
	newChecker(boxed(wide), opts).complete(t, validity[A](valid), boxed(g))
}

// complete checks g, where the generator of k is the wide one.
func (k *checker) complete(t testing.TB, valid func(any) error, g subject) {
	t.Helper()
	isValid := func(m value) bool {
		return k.guard("the test of validity", k.showing(m.v), func() error { return valid(m.v) }) == nil
	}
	missing := func(m value) *finding {
		if err := k.guard("a run backward", k.showing(m.v), func() error {
			_, err := bigen.Choices(g.Gen, m.v)
			return err
		}); err != nil {
			return &finding{
				law:    completeness,
				what:   "a valid value is not made",
				detail: err.Error(),
				text:   k.literal(m.v),
				tree:   m.tree,
			}
		}
		return nil
	}
	n, hits, largest, all := 0, 0, 0, false
	k.check(t, "bigentest.Complete", func() {
		all = k.small(func(m value) bool {
			n++
			if !isValid(m) {
				return true
			}
			hits++
			largest = max(largest, len(m.tree))
			f := missing(m)
			if f != nil {
				k.add(k.shrink(m, *f, func(m value) *finding {
					if !isValid(m) {
						return nil
					}
					return missing(m)
				}))
			}
			return f == nil
		})
		if len(k.found) == 0 && hits < enough && !(all && hits > 0) {
			k.add(finding{
				law:  vacuity,
				what: fmt.Sprintf("%d of %d values of the wide generator are valid", hits, n),
			})
		}
	})
	what := "values of the wide generator"
	if all {
		what = "values, all that the wide generator makes,"
	}
	t.Logf("bigentest.Complete: %d of %d %s are valid, the largest made by %d choices", hits, n,
		what, largest)
}

// enough is how many valid values are more than an accident.
const enough = 10

// small visits values of the generator until visit returns false: the smallest, each
// once, and then as many at random. It reports whether it has visited all there are.
func (k *checker) small(visit func(value) bool) bool {
	half := 50 * k.runs
	n := 0
	for src := range enumerate.Sources() {
		if n++; n > half {
			break
		}
		if m, err := k.run(src); err == nil && src.Made(m.tree) && !visit(m) {
			return false
		}
	}
	if n <= half {
		return true
	}
	r := rand.New(rand.NewPCG(k.seed, 0))
	for range half {
		if m, err := k.run(choices.Random(r)); err == nil && !visit(m) {
			break
		}
	}
	return false
}
