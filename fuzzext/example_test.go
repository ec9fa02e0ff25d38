package fuzzext_test

import (
	"slices"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/fuzzext"
)

// A fuzz target of valid values, here of slices and something to look for in them:
//
//	go test -fuzz FuzzIndex
func Example() {
	type input struct {
		List []int
		X    int
	}
	genInput := bigen.Struct(func(c *bigen.C, in *input) {
		bigen.At(c, &in.List, bigen.SliceOf(bigen.IntRange(0, 9), 0, 20))
		bigen.At(c, &in.X, bigen.IntRange(0, 9))
	})

	// In a _test.go file this is func FuzzIndex(f *testing.F).
	_ = func(f *testing.F) {
		fuzzext.Add(f, genInput, input{List: []int{3, 1, 4, 1, 5}, X: 4}) // a seed, if you have one
		f.Fuzz(fuzzext.Valid(genInput, func(t *fuzzext.T, in input) {
			i := slices.Index(in.List, in.X)
			if i >= 0 && in.List[i] != in.X {
				t.Errorf("found at %d", i)
			}
		}))
	}
}

// The same property as a test that needs no fuzzer:
//
//	go test -run TestIndex -fuzzext.time 10s
func ExampleCheck() {
	type input struct {
		List []int
		X    int
	}
	genInput := bigen.Struct(func(c *bigen.C, in *input) {
		bigen.At(c, &in.List, bigen.SliceOf(bigen.IntRange(0, 9), 0, 20))
		bigen.At(c, &in.X, bigen.IntRange(0, 9))
	})

	// In a _test.go file this is func TestIndex(t *testing.T).
	_ = func(t *testing.T) {
		fuzzext.Check(t, genInput, func(t *fuzzext.T, in input) {
			i := slices.Index(in.List, in.X)
			if i < 0 {
				t.Label("not found") // go test -v shows in how many of the values
			}
			if i >= 0 && in.List[i] != in.X {
				t.Errorf("found at %d", i)
			}
		}, fuzzext.Examples(input{List: []int{3, 1, 4, 1, 5}, X: 4})) // runs first
	}
}
