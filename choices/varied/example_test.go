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
	// 14 [0 0 9203 8963 23 8963 6616 5025]
	// 2 [0 0]
	// 12 [36 35 35 35 35 36 35 35]
	// 8 [4008 1387 8540 5235 9910 5786 491 9896]
	// 18 [1282 1631 2023 2023 2327 2023 2317 2619]
	// 12 [5316 5316 5315 5315 5316 5316 5316 5315]
}
