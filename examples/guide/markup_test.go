package guide

import (
	"fmt"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/internal/testing/long"
)

// A markup is a text, or a list of parts: one struct for both, as in many syntax trees.
type markup struct {
	Kind  string
	Text  string
	Parts []*markup
}

// genMarkup makes markup of about ten lists.
var genMarkup = bigen.Recursive(
	bigen.New(func(c *bigen.C, m *markup) {
		bigen.At(c, &m.Kind, bigen.Just("text"))
		bigen.At(c, &m.Text, bigen.Favor(bigen.Matching("[a-z]{1,9}"), "nil"))
	}),
	func(self bigen.Gen[*markup]) bigen.Gen[*markup] {
		return bigen.New(func(c *bigen.C, m *markup) {
			bigen.At(c, &m.Kind, bigen.OneOf("bold", "list"))
			bigen.At(c, &m.Parts, bigen.SliceOf(self, 0, 3))
		})
	}, 10)

func TestGenMarkup(t *testing.T) { bigentest.Laws(t, genMarkup, bigentest.Runs(long.Count(3, 20))) }

func Example_markup() {
	hello := &markup{Kind: "text", Text: "hello"}
	list := &markup{Kind: "list", Parts: []*markup{hello, hello}}
	fmt.Println(bigen.Choices(genMarkup, &markup{Kind: "bold", Parts: []*markup{hello, list}}))
	fmt.Println(bigen.Check(genMarkup, &markup{Kind: "bold", Parts: []*markup{list, {Kind: "text"}}}))
	// Output:
	// step(bold, more(base(usual("hello"))), more(step(list, more(base(usual("hello"))), more(base(usual("hello"))), stop)), stop) <nil>
	// not produced by the generator: at /step/Parts/1/base/Text: at position 0: the end does not match [a-z]
}
