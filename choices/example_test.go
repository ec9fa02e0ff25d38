package choices_test

import (
	"fmt"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/bsttest"
)

// A replay keeps what is still possible: where 5 becomes 2, 3 is no longer to the
// left of it.
func ExampleReplay() {
	c, err := bigen.Choices(bsttest.Gen(1, 9), &bsttest.Tree{L: &bsttest.Tree{X: 3}, X: 5, R: &bsttest.Tree{X: 7}})
	fmt.Println(c, err)
	c[1].N = 2
	_, c, err = bigen.Run(bsttest.Gen(1, 9), choices.Replay(c, nil))
	fmt.Println(c, err)
	// Output:
	// node(5, node(3, leaf, leaf), node(7, leaf, leaf)) <nil>
	// node(2, node(1), node(7, leaf, leaf)) <nil>
}

// A byte that changes leaves what does not depend on it as it is.
func ExampleFromBytes() {
	c, err := bigen.Choices(bsttest.Gen(1, 9), &bsttest.Tree{L: &bsttest.Tree{X: 3}, X: 5, R: &bsttest.Tree{X: 7}})
	b := choices.Encode(c)
	fmt.Printf("% x, %v\n", b, err)
	b[3] = 0x0c // the digit of 5
	_, c, err = bigen.Run(bsttest.Gen(1, 9), choices.FromBytes(b))
	fmt.Println(c, err)
	// Output:
	// ba 4f 0d 0a ad 27 0d 06 9f 2c 55 be 20 55 8a 6a 0d 0e 80 7d 55 88 50 55, <nil>
	// node(6, node(3, leaf, leaf), node(7, leaf)) <nil>
}
