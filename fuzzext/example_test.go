package fuzzext_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/exp/slices"

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

// A property of sorted slices, of a generator that does not sort. Check learns which of its
// choices lead to sorted ones, from the example and from all values that it makes.
func ExampleCheck_assume() {
	genInts := bigen.SliceOf(bigen.IntRange(0, 99), 0, 20)

	// In a _test.go file this is func TestBinarySearch(t *testing.T).
	_ = func(t *testing.T) {
		fuzzext.Check(t, genInts, func(t *fuzzext.T, v []int) {
			t.Assume(slices.IsSorted(v))
			if _, found := slices.BinarySearch(v, 50); found != slices.Contains(v, 50) {
				t.Errorf("found: %v", found)
			}
		},
			fuzzext.Examples([]int{10, 20, 50, 50, 60}),
			fuzzext.Unique(func(v []int) int { return len(v) })) // values of many lengths
	}
}

// A fuzz target that has seeds from the start.
func ExampleFuzz() {
	genInts := bigen.SliceOf(bigen.IntRange(0, 99), 0, 20)

	// In a _test.go file this is func FuzzBinarySearch(f *testing.F).
	_ = func(f *testing.F) {
		fuzzext.Fuzz(f, genInts, func(t *fuzzext.T, v []int) {
			t.Assume(slices.IsSorted(v)) // so the seeds are
			if _, found := slices.BinarySearch(v, 50); found != slices.Contains(v, 50) {
				t.Errorf("found: %v", found)
			}
		})
	}
}

// A property in which time is fake. Each value has a bubble of testing/synctest.
func ExampleBubble() {
	genDelay := bigen.IntRange(time.Millisecond, time.Hour)

	// In a _test.go file this is func TestTimeout(t *testing.T).
	_ = func(t *testing.T) {
		fuzzext.Check(t, genDelay, func(t *fuzzext.T, delay time.Duration) {
			ctx, cancel := context.WithTimeout(t.Context(), delay)
			defer cancel()
			start := time.Now()
			<-ctx.Done()
			if d := time.Since(start); d != delay {
				t.Errorf("done after %v", d)
			}
		}, fuzzext.Bubble())
	}
}

// A test that starts goroutines. corpusgen test explores their schedules.
func ExampleConcurrent() {
	// In a _test.go file this is func TestCounter(t *testing.T).
	_ = func(t *testing.T) {
		fuzzext.Concurrent(t, func(t *fuzzext.T) {
			var n atomic.Int64
			var wg sync.WaitGroup
			for range 2 {
				wg.Go(func() { n.Store(n.Load() + 1) }) // another Add may come between
			}
			wg.Wait()
			fuzzext.Equal(t, n.Load(), 2)
		})
	}
}

// A benchmark of values that a generator makes.
func ExampleValues() {
	genInts := bigen.SliceOf(bigen.IntRange(0, 99), 0, 20)

	// In a _test.go file this is func BenchmarkSort(b *testing.B).
	_ = func(b *testing.B) {
		next := fuzzext.Values(b, genInts)
		for b.Loop() {
			slices.Sort(next())
		}
	}
}
