package literal_test

import (
	"strings"
	"testing"

	"github.com/espalier-go/espalier/internal/literal"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

func TestOfLayout(t *testing.T) {
	long := strings.Repeat("x", 58)
	run(t, []testCase{
		{"80 columns", []string{long + "1234567890"}, `[]string{"` + long + `1234567890"}`},
		{"81 columns", []string{long + "1234567890x"}, "[]string{\n\t\"" + long + "1234567890x\",\n}"},
		{
			"columns are not bytes", []string{strings.Repeat("ä", 68)},
			`[]string{"` + strings.Repeat("ä", 68) + `"}`,
		},
		{
			"levels decide by themselves",
			[]any{[]string{long, long}, point{X: 1}, &line{Name: long, From: &point{X: 1}}},
			`[]any{
	[]string{
		"` + long + `",
		"` + long + `",
	},
	point{X: 1},
	&line{
		From: &point{X: 1},
		Name: "` + long + `",
	},
}`,
		},
		{
			"indentation counts",
			[]any{[]any{[]string{long[:50], "a"}, []string{long[:40]}}},
			`[]any{
	[]any{
		[]string{
			"` + long[:50] + `",
			"a",
		},
		[]string{"` + long[:40] + `"},
	},
}`,
		},
		{
			"comma and parenthesis count",
			[]any{&[]string{long[:54]}, &[]string{long[:55]}},
			`[]any{
	new([]string{"` + long[:54] + `"}),
	new([]string{
		"` + long[:55] + `",
	}),
}`,
		},
		{
			"broken call",
			&[]string{long, long},
			"new([]string{\n\t\"" + long + "\",\n\t\"" + long + "\",\n})",
		},
		{
			"alignment counts",
			longNames{
				A:                              1,
				AVeryLongFieldNameIndeedItIsSo: 2,
				List:                           []int{100000, 200000, 300000, 400000, 500000},
			},
			`longNames{
	A:                              1,
	AVeryLongFieldNameIndeedItIsSo: 2,
	List: []int{
		100000,
		200000,
		300000,
		400000,
		500000,
	},
}`,
		},
		{
			"long keys",
			map[[2]string]int{{long, long}: 1, {"a", "b"}: 2},
			`map[[2]string]int{
	{"a", "b"}: 2,
	{
		"` + long + `",
		"` + long + `",
	}: 1,
}`,
		},
		{
			"composite keys",
			map[[1]string]int{{long + "1234567890"}: 1, {long + "123456789"}: 2},
			`map[[1]string]int{
	{"` + long + `123456789"}: 2,
	{
		"` + long + `1234567890",
	}: 1,
}`,
		},
		{
			"unaligned keys",
			map[string][]int{"a": {100000, 200000, 300000, 400000, 500000}, long: {}},
			`map[string][]int{
	"a": {100000, 200000, 300000, 400000, 500000},
	"` + long + `": {},
}`,
		},
		{
			"tagged field",
			[]any{struct {
				A int `k:"v"`
			}{1}, 2},
			"[]any{\n\tstruct {\n\t\tA int `k:\"v\"`\n\t}{A: 1},\n\t2,\n}",
		},
		{
			"type on several lines",
			[]twoFields{{X: 1}},
			"[]struct {\n\tX int `k:\"x;{ }\"`\n\ty string\n}{{X: 1}}",
		},
		{
			"type on several lines inside",
			[]any{twoFields{X: 1}, 2},
			"[]any{\n\tstruct {\n\t\tX int `k:\"x;{ }\"`\n\t\ty string\n\t}{X: 1},\n\t2,\n}",
		},
	})
}

// maxSize is the documented limit of the size of an expression.
const maxSize = 64 << 10

func TestOfLimitsSize(t *testing.T) {
	if !long.Enabled() {
		t.Skip("makes large values")
	}
	list := &node{}
	for range 5000 {
		list = &node{Value: 1, Right: list}
	}
	shared := &node{Value: 1}
	for range 200 {
		shared = &node{Left: shared, Right: shared}
	}
	sharedKeys := &graph{Name: "leaf"}
	for range 60 {
		k := sharedKeys
		sharedKeys = &graph{Edges: map[*graph]int{k: 1, {Edges: map[*graph]int{k: 2, {Name: "a"}: 3}}: 2}}
	}
	wide := make([]longNames, 3000)
	wideTypes := make([]any, 3000)
	bigMap := make(map[int]point)
	bigKeys := make(map[point]string)
	for i := range wide {
		wide[i] = longNames{
			A:                              i,
			AVeryLongFieldNameIndeedItIsSo: i,
			List:                           []int{1 << 28, 1 << 29, 1 << 30},
		}
		wideTypes[i] = struct{ A, AVeryLongFieldNameIndeedItIsSo int }{A: i}
		bigMap[i] = point{X: i}
		bigKeys[point{Y: i}] = strings.Repeat("k", 40)
	}

	for name, v := range map[string]any{
		"slice":            make([]int, 100_000),
		"list":             list,
		"shared":           shared,
		"shared keys":      sharedKeys,
		"wide":             wide,
		"wide types":       wideTypes,
		"map":              bigMap,
		"map with structs": bigKeys,
		"string":           strings.Repeat("a", maxSize),
		"quoted string":    strings.Repeat("\x00", maxSize/2),
		"bytes":            make([]byte, maxSize),
		"key":              map[string]int{strings.Repeat("a", maxSize): 1},
	} {
		t.Run(name, func(t *testing.T) {
			got := literal.Of(v, self)
			require.LessOrEqual(t, len(got), maxSize)
			require.Contains(t, got, "/* ... */")
			requireFormatted(t, got)
		})
	}
}

func TestOfUsesSize(t *testing.T) {
	got := literal.Of(make([]int, 100_000), self)
	require.Greater(t, len(got), maxSize/2)
	require.True(t, strings.HasSuffix(got, "\t0,\n\tnil, /* ... */\n}"), "end of the list")
	require.Equal(t, 1, strings.Count(got, "..."))

	within := strings.Repeat("a", maxSize-100)
	require.Equal(t, `"`+within+`"`, literal.Of(within, self))
}

func TestOfMarksEveryCutList(t *testing.T) {
	big := strings.Repeat("a", maxSize)
	beginning := `"` + big[:40] + `" /* ... */` // of a text
	require.Equal(t, "[]any{\n\t[]any{1, "+beginning+"},\n\tnil, /* ... */\n}",
		literal.Of([]any{[]any{1, big, 2, 3}, 4, 5}, self))
	require.Equal(t, "line{\n\tFrom: &point{X: 1},\n\tName: "+
		strings.Replace(beginning, " /*", ", /*", 1)+"\n}",
		literal.Of(line{From: &point{X: 1}, Name: big, tags: []string{"a"}}, self))
	require.Equal(t, `map[string]string{"a": `+beginning+`}`,
		literal.Of(map[string]string{"a": big, "b": "c"}, self))
	require.Equal(t, beginning, literal.Of(big, self))
	type name string
	require.Equal(t, "name("+strings.Replace(beginning, " /*", ") /*", 1),
		literal.Of(name(big), self))
}

func TestOfLimitsDepth(t *testing.T) {
	nested := func(levels int) any {
		var v any = 5
		for range levels {
			w := v
			v = &w
		}
		return v
	}
	require.Equal(t,
		strings.Repeat("new(any(", 1000)+"5"+strings.Repeat("))", 1000),
		literal.Of(nested(1000), self))
	require.Equal(t,
		strings.Repeat("new(any(", 1000)+"nil /* too deep */"+strings.Repeat("))", 1000),
		literal.Of(nested(1001), self))
	require.Contains(t, literal.Of(nested(100_000), self), "too deep")
}
