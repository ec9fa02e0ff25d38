package goal

import (
	"os"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen/tune"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Goal{
		"size=100": {Kind: Measures, Objectives: []tune.Objective{tune.Size(100)}},
		" size=100, height=36": {Kind: Measures,
			Objectives: []tune.Objective{tune.Size(100), tune.Height(36)}},
		"size(a,b)=2.5,height(c)=1": {Kind: Measures,
			Objectives: []tune.Objective{tune.Size(2.5, "a", "b"), tune.Height(1, "c")}},
		"coverage":        {Kind: Measures, Objectives: []tune.Objective{tune.Cover[any](Coverage, nil)}},
		"size=3, valid":   {Kind: Measures, Objectives: []tune.Objective{tune.Size(3), tune.Valid()}},
		"uniform":         {Kind: "uniform", Size: 10},
		"uniform,size=20": {Kind: "uniform", Size: 20},
		"weighted A=3,B=1": {Kind: "weighted", Size: 10,
			Weights: map[string]float64{"A": 3, "B": 1}},
		"weighted A=3, B=1, size=.5": {Kind: "weighted", Size: .5,
			Weights: map[string]float64{"A": 3, "B": 1}},
		"only A,B,size=7": {Kind: "only", Size: 7, Names: []string{"A", "B"}},
		"without C":       {Kind: "without", Size: 10, Names: []string{"C"}},
		"like a b/c":      {Kind: "like", Names: []string{"a", "b/c"}},
		"unlike testdata": {Kind: "unlike", Names: []string{"testdata"}},
	} {
		got, err := Parse(text)
		require.NoError(t, err, text)
		require.Len(t, got.Objectives, len(want.Objectives), text)
		for i, o := range want.Objectives { // their functions are not comparable
			require.Equal(t, o.String(), got.Objectives[i].String())
			require.Equal(t, o.Tags, got.Objectives[i].Tags)
		}
		got.Objectives, want.Objectives = nil, nil
		if want.Weights == nil {
			require.Empty(t, got.Weights)
			got.Weights = nil
		}
		require.Equal(t, want, got, text)
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                 "say what values should be like",
		"large":            `"large": want size=N`,
		"size":             `"size": want size=N`,
		"size=":            `"" is not a number above 0`,
		"size=-1":          `"-1" is not a number above 0`,
		"size=1,":          "nothing follows the last comma",
		"size(a=1":         "a parenthesis is missing",
		"coverage=3":       `"coverage" is not an objective`,
		"valid(a)":         "want size=N",
		"size()=1":         "a tag is empty",
		"size=1,width=2":   `"width" is not an objective: want size=N, height=N, coverage, variety or valid`,
		"uniform a":        `"a" is not an argument`,
		"weighted":         "weighted needs tags",
		"weighted A":       "want TAG=N",
		"only":             "only needs tags",
		"without A=1":      "is not an argument",
		"only A,,B":        "a tag is empty",
		"like":             "needs files",
		"uniform,size=NaN": "not a number above 0",
		"size=1e300":       `"1e300" is too large: want at most 1e+06`,
		"uniform,size=1e6": `"1e6" is too large: want at most 32768`,
	} {
		_, err := Parse(text)
		require.ErrorContains(t, err, want, text)
	}
}

// The usage and the guide name all goals.
func TestUsage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/tune.md")
	require.NoError(t, err)
	for _, line := range Usage() {
		name, _, _ := strings.Cut(line[0], " ")
		name, _, _ = strings.Cut(name, "(")
		require.Regexp(t, "`'?"+strings.TrimSuffix(name, "N")+".*` \\|", string(page))
		_, err := Parse(strings.NewReplacer("=N", "=3", "...", "", "TAG=W,", "a=3", "TAG,", "a").
			Replace(line[0]))
		require.NoError(t, err, line[0])
	}
	_, err = Parse("nothing")
	require.EqualError(t, err,
		`"nothing": want size=N, height=N, coverage, variety, valid, uniform, weighted, only, without, like or unlike`)
}
