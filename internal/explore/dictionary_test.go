package explore

import (
	"fmt"
	"testing"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/engine"
	"github.com/stretchr/testify/require"
)

// The dictionary has texts that the value lacks, and constants of either kind that are not
// small.
func TestDictionary(t *testing.T) {
	tree := choices.Tree{text("the input"), int64s(77)}
	c := engine.NewComparer(1)
	words := func() (s []string) {
		for _, m := range Marks(c) {
			s = append(s, fmt.Sprint(m.Kind, m))
		}
		return s
	}
	Substitutions(c, tree, traced(compared(77, 1234, 8), comparedTexts("input", "keyword")))
	Substitutions(c, tree, traced(compared(77, 4321, 8), comparedTexts("keyword", "")))
	require.Equal(t, []string{`3 "keyword"`, "1 77", "2 77"}, words(), "constants, once")
	Substitutions(c, tree, traced([]engine.NumberComparison{
		{Site: 2, A: 1000, B: 2000, Size: 8}, {Site: 3, A: 16, B: 3, Size: 8, Const: true},
		{Site: 4, A: minus(16), B: 3, Size: 8, Const: true},
	}, nil))
	require.Len(t, words(), 3, "no constants, or small ones")

	c = engine.NewComparer(1)
	Substitutions(c, tree, traced(compared(minus(50), 3, 2), nil))
	require.Equal(t, []string{"1 -50", "2 18446744073709551566", "1 65486", "2 65486"}, words(),
		"with and without a sign")

	for i := range 1000 {
		Substitutions(c, nil,
			traced(nil, []engine.TextComparison{{Site: uint64(i % 8), A: fmt.Append(nil, "word", i)}}))
	}
	require.Greater(t, len(words()), 200)
	require.LessOrEqual(t, len(words()), 512+4)
}
