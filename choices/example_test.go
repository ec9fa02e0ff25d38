package choices_test

import (
	"fmt"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/bsttest"
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
	// 80 00 0d 0a 9f 6c 0d 06 a6 2f 55 8c 0b 55 ae 15 0d 0e 9d 4a 55 89 4e 55, <nil>
	// node(6, node(3, leaf, leaf), node(7, leaf)) <nil>
}
