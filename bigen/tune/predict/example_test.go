package predict_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune/predict"
	"github.com/espalier-go/espalier/choices"
)

// Doc is a document: text, a list, or a link.
type Doc struct {
	Items []*Doc
	Link  *Doc
}

// genDoc makes documents.
func genDoc() bigen.Gen[*Doc] {
	return bigen.Pick(
		bigen.Tag("text", bigen.Just(&Doc{})).Weight(2),
		bigen.Tag("list", bigen.New(func(c *bigen.C, d *Doc) {
			bigen.At(c, &d.Items, bigen.SliceOf(bigen.Lazy(genDoc), 0, 4))
		})),
		bigen.Tag("link", bigen.New(func(c *bigen.C, d *Doc) {
			bigen.At(c, &d.Link, bigen.Lazy(genDoc))
		})))
}

// How large are values?
func Example() {
	g, err := predict.Read(genDoc())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, tag := range []string{"text", "list", "link"} {
		mean, _ := g.ExpectTags(predict.Unlimited, tag)
		fmt.Printf("%.2f of %s\n", mean, tag)
	}
	// Output:
	// 1.74 of text
	// 0.87 of list
	// 0.87 of link
}

// The advice names the weight that decides whether values end.
func ExampleGrammar_Advice() {
	g, _ := predict.Read(genDoc())
	w := g.Weights()
	for c := range w {
		if c.Tag == "list" {
			w[c] = 3
		}
	}
	fmt.Println(g.With(w).Advice())
	// Output:
	// 90.5% of the values end by themselves: tag list has weight 3, and 1.03 further ones are expected from each; below weight 2.355 values end
}

// Values of at most ten levels, with ten of each constructor, but no links.
func ExampleGrammar_Fit() {
	g, _ := predict.Read(genDoc())
	tuned, _, err := g.Fit(context.Background(), predict.Without(10, "link"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, tag := range []string{"text", "list", "link"} {
		mean, _ := tuned.ExpectTags(10, tag)
		fmt.Printf("%.2f of %s\n", mean, tag)
	}
	// Output:
	// 10.00 of text
	// 10.00 of list
	// 0.00 of link
}

// Lists in lists, and links to lists with texts, in values of at most eight levels.
func ExamplePatterns() {
	g, _ := predict.Read(genDoc())
	tuned, _, err := g.Fit(context.Background(), predict.Patterns(8,
		predict.Pattern{Tags: []string{"list", "list"}, Count: 5},
		predict.Pattern{Tags: []string{"link", "list", "text"}, Count: 2}))
	if err != nil {
		fmt.Println(err)
		return
	}
	lists, _ := tuned.ExpectPattern(8, "list", "list")
	texts, _ := tuned.ExpectPattern(8, "link", "list", "text")
	fmt.Printf("%.2f lists in lists, %.2f texts in lists that are linked\n", lists, texts)
	// Output:
	// 5.00 lists in lists, 2.00 texts in lists that are linked
}

// Values by a model are as predicted.
func ExampleGrammar_Model() {
	g, _ := predict.Read(genDoc())
	const n = 10_000
	r, lists := rand.New(rand.NewPCG(1, 2)), 0
	for range n {
		_, tree, err := bigen.Run(genDoc(), choices.RandomBy(r, g.Model(3).Prior()))
		if err != nil {
			panic(err)
		}
		for _, c := range tree {
			if c.Tag == "list" {
				lists++
			}
		}
	}
	mean, _ := g.ExpectTags(3, "list")
	fmt.Printf("%.2f lists expected, %.2f observed\n", mean, float64(lists)/n)
	// Output:
	// 0.44 lists expected, 0.44 observed
}

// What may be in a search tree depends on the surrounding keys.
func Example_refused() {
	_, err := predict.Read(genBST(0, 9))
	fmt.Println(err)
	// Output:
	// predict: the generator is not context-free: what follows a choice depends on choices elsewhere
	// 	at /: pick of leaf|node with weights [1 1]: "node" is followed by leaf|node, leaf|node
	// 	at /: pick of leaf|node with weights [1 1]: "node" is followed by leaf|node
}
