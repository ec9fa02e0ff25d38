package goal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/internal/job"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Goal{
		"size=100":             {Kind: Measures, Objectives: []job.Objective{{Kind: "size", Target: 100}}},
		" size=100, height=36": {Kind: Measures, Objectives: []job.Objective{{Kind: "size", Target: 100}, {Kind: "height", Target: 36}}},
		"size(a,b)=2.5,height(c)=1": {Kind: Measures, Objectives: []job.Objective{
			{Kind: "size", Tags: []string{"a", "b"}, Target: 2.5}, {Kind: "height", Tags: []string{"c"}, Target: 1}}},
		"size=1,entropy":             {Kind: Measures, Objectives: []job.Objective{{Kind: "size", Target: 1}}, Various: true},
		"uniform":                    {Kind: Uniform, Size: 10},
		"uniform,size=20":            {Kind: Uniform, Size: 20},
		"weighted A=3,B=1":           {Kind: Weighted, Size: 10, Weights: map[string]float64{"A": 3, "B": 1}},
		"weighted A=3, B=1, size=.5": {Kind: Weighted, Size: .5, Weights: map[string]float64{"A": 3, "B": 1}},
		"only A,B,size=7":            {Kind: Only, Size: 7, Names: []string{"A", "B"}},
		"without C":                  {Kind: Without, Size: 10, Names: []string{"C"}},
		"like a b/c":                 {Kind: Like, Names: []string{"a", "b/c"}},
		"unlike testdata":            {Kind: Unlike, Names: []string{"testdata"}},
		"entropy":                    {Kind: Entropy},
		"valid-entropy":              {Kind: ValidEntropy},
	} {
		got, err := Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                 "say what values shall be like",
		"large":            `"large": want size=N`,
		"size":             `"size": want size=N`,
		"size=":            `"" is not a number above 0`,
		"size=-1":          `"-1" is not a number above 0`,
		"size=1,":          "nothing follows the last comma",
		"size(a=1":         "a parenthesis is missing",
		"size()=1":         "a tag is empty",
		"size=1,width=2":   `"width": want size or height`,
		"uniform a":        `"a" is no argument`,
		"weighted":         "weighted needs tags",
		"weighted A":       "want TAG=N",
		"only":             "only needs tags",
		"without A=1":      "is no argument",
		"only A,,B":        "a tag is empty",
		"like":             "needs files",
		"entropy a":        "no arguments",
		"uniform,size=NaN": "not a number above 0",
	} {
		_, err := Parse(text)
		require.ErrorContains(t, err, want, text)
	}
}
