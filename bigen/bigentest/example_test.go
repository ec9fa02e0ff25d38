package bigentest_test

import (
	"fmt"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
)

// printer stands for the *testing.T of a test.
type printer struct{ testing.TB }

func (printer) Helper()                           {}
func (printer) Logf(string, ...any)               {}
func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

var t printer

// Span is a range of numbers.
type Span struct{ From, To int }

// Laws notices that two directions of a generator disagree: here, get of the Let
// has forgotten a factor.
func ExampleLaws() {
	g := bigen.Struct(func(c *bigen.C, s *Span) {
		bigen.At(c, &s.From, bigen.IntRange(0, 100))
		half := bigen.Let(c, s, func(s *Span) (int, bool) { return s.To - s.From, true },
			bigen.IntRange(0, 50))
		s.To = s.From + 2*half
	})
	bigentest.Laws(t, g)
	// Output:
	// bigentest.Laws: round trip: bigen.Check does not accept what the generator makes:
	//     not produced by the generator: at /To: is 2; the generator makes it 4
	// the smallest value found:
	//     Span{To: 2}
	// its choices:
	//     0, 1
	// its bytes:
	//     87 4d 94 60 02
	// what to do:
	//     The two directions disagree. From of an Iso must undo to, get of a Let must
	//     recover what the function was given, an assigned field must be computed from
	//     fields filled before, and a field must be filled once.
}

// Complete finds what a generator cannot make: here, empty spans.
func ExampleComplete() {
	g := bigen.Struct(func(c *bigen.C, s *Span) {
		bigen.At(c, &s.From, bigen.IntRange(0, 8))
		bigen.At(c, &s.To, bigen.IntRange(s.From+1, 9))
	})
	wide := bigen.Struct(func(c *bigen.C, s *Span) {
		bigen.At(c, &s.From, bigen.IntRange(0, 9))
		bigen.At(c, &s.To, bigen.IntRange(0, 9))
	})
	bigentest.Complete(t, wide, func(s Span) bool { return s.From <= s.To }, g)
	// Output:
	// bigentest.Complete: completeness: a valid value is not made:
	//     not produced by the generator: at /To: 0 not in [1,9]
	// the smallest value found:
	//     Span{}
	// its choices:
	//     0, 0
	// what to do:
	//     The generator cannot make a valid value: no test that uses it will see such
	//     values. Correct the generator, or the test of validity.
}
