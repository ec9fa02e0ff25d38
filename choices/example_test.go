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
	c, err := bigen.Choices(
		bsttest.Gen(1, 9), &bsttest.Tree{L: &bsttest.Tree{X: 3}, X: 5, R: &bsttest.Tree{X: 7}},
	)
	fmt.Println(c, err)
	c[1].N = 2
	_, c, err = bigen.Run(bsttest.Gen(1, 9), choices.Replay(c, nil))
	fmt.Println(c, err)
	// Output:
	// node(5, node(3, leaf, leaf), node(7, leaf, leaf)) <nil>
	// node(2, node(1), node(7, leaf, leaf)) <nil>
}
