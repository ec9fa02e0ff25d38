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
	// 3 [3 2 3]
	// 1 [3]
	// 8 [0 2603 9998 9774 8483 1385 9998 9774]
	// 18 [1897 9203 4257 8552 6109 2250 8765 8045]
	// 6 [3 3865 1534 2797 2797 0]
	// 10 [3242 3241 3240 3240 3240 3240 3239 3238]
	// 0 []
	// 0 []
	// 1 [1282]
	// 20 [1908 7669 5543 2465 3456 4421 5747 6309]
}
