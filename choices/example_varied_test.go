package choices_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// Lists of integers: the first are small, and later ones extreme.
func ExampleVaried() {
	gen := bigen.SliceOf(bigen.IntRange(0, 9999), 0, math.MaxInt)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 12 {
		list, _, err := bigen.Run(gen, choices.Varied(r, i))
		if err != nil {
			panic(err)
		}
		fmt.Println(len(list), list[:min(len(list), 8)])
	}
	// Output:
	// 0 []
	// 0 []
	// 2 [119 118]
	// 10 [0 9998 0 2603 9998 9774 8483 8553]
	// 8 [2013 9832 5828 4514 8822 1355 6616 5449]
	// 0 []
	// 58 [7962 3707 5848 1595 1059 5366 4783 1744]
	// 14 [0 232 9999 0 1 124 0 1]
	// 7 [2693 2693 2692 2692 2692 2692 2692]
	// 1 [1378]
	// 3 [7735 9016 3962]
	// 11 [1500 4171 2661 7325 9762 9630 6054 1689]
}
