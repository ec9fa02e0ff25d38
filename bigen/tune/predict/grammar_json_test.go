package predict_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/tune/predict"
)

// A grammar is the same in another process.
func TestGrammarJSON(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]func() (*predict.Grammar, error){
		"ints": func() (*predict.Grammar, error) { return predict.Read(bigen.IntRange(0, 9)) },
		"slices": func() (*predict.Grammar, error) {
			return predict.Read(bigen.SliceOf(bigen.SliceOf(bigen.Bool(), 0, 3), 1, 1000))
		},
		"config": func() (*predict.Grammar, error) { return predict.Read(bigen.For[struct{ A, B *bool }]()) },
	} {
		g, err := read()
		require.NoError(t, err, name)
		data, err := g.MarshalJSON()
		require.NoError(t, err)
		var again predict.Grammar
		require.NoError(t, again.UnmarshalJSON(data), "%s", data)
		require.Equal(t, g, &again)
	}
	for text, want := range map[string]string{
		``:   "EOF",
		`{}`: "it has no root",
		`{"types":[{"alts":[{"constructor":-1,"next":1}],"self":-1}],"families":[{"tags":["a"]}]}`:                      "leads to a type 1",
		`{"types":[{"alts":[{"constructor":0,"next":-1}],"self":-1}],"families":[{"tags":["a"]}]}`:                      "has a constructor 0",
		`{"types":[{"alts":[{"constructor":-1,"next":-1,"kids":[-1]}],"self":-1}],"families":[{"tags":["a"]}]}`:         "leads to a type -1",
		`{"types":[{"alts":[{"constructor":-1,"next":-1}],"self":-1,"family":2}],"families":[{"tags":["a"]}]}`:          "does not fit its family",
		`{"types":[{"alts":[{"constructor":-1,"next":-1,"weight":-1}],"self":-1}],"families":[{"tags":["a"]}]}`:         "a weight -1",
		`{"types":[{"alts":[{"constructor":-1,"next":-1}],"self":1}],"families":[{"tags":["a"]}]}`:                      "has no alternative 1",
		`{"types":[{"alts":[{"constructor":-1,"next":-1}],"self":-1}],"families":[{"tags":["a"]}],"constructors":[{}]}`: "lacks families",
	} {
		var g predict.Grammar
		require.ErrorContains(t, g.UnmarshalJSON([]byte(text)), want, text)
		require.Equal(t, predict.Grammar{}, g)
	}
}
