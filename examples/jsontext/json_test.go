// Package jsontext tests a parser of JSON with texts by a grammar, json.ebnf. `corpusgen grammar
// json.ebnf` has written json_grammar_test.go.
package jsontext_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/fuzzext"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

func TestLaws(t *testing.T) {
	bigentest.Laws(t, genValue, bigentest.Runs(long.Count(3, 100)))
}

// Package json accepts what the grammar makes, and prints it as a text of the grammar.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{"null", `{"a": [1, -2.5e3], "b": "\u00e9"}`} {
		tree, err := languageValue.Parse(text)
		require.NoError(f, err)
		fuzzext.Add(f, genValue, tree)
	}
	f.Fuzz(fuzzext.Valid(genValue, func(t *fuzzext.T, tree Value) {
		var v any
		decoder := json.NewDecoder(strings.NewReader(languageValue.Print(tree)))
		decoder.UseNumber()
		require.NoError(t, decoder.Decode(&v))
		printed, err := json.Marshal(v)
		require.NoError(t, err)
		_, err = languageValue.Parse(string(printed))
		require.NoError(t, err)
	}))
}

func TestParseError(t *testing.T) {
	_, err := languageValue.Parse("{\"a\": [1,\n 2, }")
	require.EqualError(t, err, `2:5: want "[" or "{" or Number or String or ValueWord`)
}
