package varied_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices/varied"
)

// Lists of integers: the first are small, and later ones extreme.
func ExampleSource() {
	gen := bigen.SliceOf(bigen.IntRange(0, 9999), 0, math.MaxInt)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 12 {
		list, _, err := bigen.Run(gen, varied.Source(r, i))
		if err != nil {
			panic(err)
		}
		fmt.Println(len(list), list[:min(len(list), 8)])
	}
	// Output:
	// 0 []
	// 2 [2853 8123]
	// 10 [3795 3501 71 2912 3601 2776 7608 3500]
	// 0 []
	// 0 []
	// 2 [2 1]
	// 13 [3509 3509 3509 8552 8552 8552 8045 312]
	// 2 [0 0]
	// 8 [9076 8865 8766 8573 8477 8316 8297 8288]
	// 11 [1538 1538 1538 1538 1538 1538 1538 1538]
	// 16 [38 38 283 38 283 446 446 398]
	// 12 [4802 3468 3197 5684 4287 2333 5207 318]
}
