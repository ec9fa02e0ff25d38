package mutate_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/mutate"
)

// What edits make of a JSON document.
func ExampleMutator() {
	text := bigen.StringOf(choices.RuneRanges('a', 'z'), 1, 5)
	gen := bigen.Recursive(
		bigen.Pick(
			bigen.Case[any]("null", bigen.Just[any](nil)),
			bigen.Case[any]("number", bigen.IntRange(-100, 100)),
			bigen.Case[any]("string", text)),
		func(self bigen.Gen[any]) bigen.Gen[any] {
			return bigen.Pick(
				bigen.Case[any]("array", bigen.SliceOf(self, 0, 8)),
				bigen.Case[any]("object", bigen.MapOf(text, self, 0, 8)))
		}, 5)
	document := map[string]any{"id": 7, "name": "ann", "tags": []any{"a", "b", []any{1, -2}}}
	tree, err := bigen.Choices(gen, any(document))
	if err != nil {
		fmt.Println(err)
		return
	}
	other, err := bigen.Choices(gen, any([]any{"x", map[string]any{"y": 5}}))
	if err != nil {
		fmt.Println(err)
		return
	}

	m := mutate.Mutator{Corpus: []choices.Tree{other}, Dictionary: choices.Marks(42, "magic")}
	r := rand.New(rand.NewPCG(213, 1))
	for _, op := range mutate.Operators()[3:] { // without the paper's
		edited, _ := op.Apply(&m, tree, r)
		mutant, _, err := bigen.Run(gen, choices.Replay(edited, r))
		b, _ := json.Marshal(mutant)
		fmt.Printf("%-9s %s\n", op.Name, b)
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// nudge     {"id":7,"nae":"ann","tags":["a","b",[1,-2]]}
	// equalize  {"id":7,"name":"tags","tags":["a","b",[1,-2]]}
	// constant  {"id":7,"name":"ann","tags":["a","b",[1,42]]}
	// grow      {"id":7,"name":"ann","tags":["a","b",[1,-2],null,87]}
	// nest      {"id":7,"name":"ann","tags":["a","b",[["a","b",[1,-2]],-2]]}
	// copy      {"id":7,"name":"ann","tags":["a",[1,-2],[1,-2]]}
	// splice    {"id":7,"name":"ann","tags":["a","b",[{"y":5},-2]]}
	// duplicate {"id":7,"name":"ann","tags":["a","b",[1,-2],"b",[1,-2]]}
	// delete    {"name":"ann","tags":["a","b",[1,-2]]}
	// permute   {"id":7,"name":"ann","tags":["a","b",[-2,1]]}
	// crossover {"id":7,"name":"ann","tags":["a","b",[{"y":5}]]}
}
