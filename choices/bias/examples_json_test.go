package bias_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/bias"
	"github.com/espalier-go/espalier/choices/internal/subjects"
	"github.com/stretchr/testify/require"
)

// A model is the same after it has been written and read, and so are its answers.
func TestExamplesJSON(t *testing.T) {
	t.Parallel()
	strange := bigen.Pick(
		bigen.Tag("\xff\xfe", bigen.String(5)),
		bigen.Tag(`"quoted"/7`, bigen.String(5)),
		bigen.Tag("#1", bigen.String(5)),
		bigen.Tag("", bigen.String(5)),
	)
	sameJSON(t, strange, mined(t, strange, `"`, "#/", "a", "é\x00"))
	sameJSON(t, subjects.Events, mined(t, subjects.Events, examples...))
	sameJSON(t, genSigns, mined(t, genSigns, signExamples(subjects.Rand(1), 100)...))
	sameJSON(t, genPlaces(), mined(t, genPlaces(), places{A: -3, L: make([]places, 9)}))
	sameJSON(t, bigen.Bool(), bias.NewExamples())
	odd := bias.NewExamples(choices.Tree{{Kind: choices.Int, Size: 1, Hi: 1}})
	odd.Unlike = true
	sameJSON(t, subjects.Events, odd)
}

func sameJSON[A any](t *testing.T, g bigen.Gen[A], m *bias.Examples) {
	t.Helper()
	data, err := m.MarshalJSON()
	require.NoError(t, err)
	compact, err := json.Marshal(m)
	require.NoError(t, err)
	for _, data := range [][]byte{data, compact} {
		var again bias.Examples
		require.NoError(t, json.Unmarshal(data, &again))
		same, err := again.MarshalJSON()
		require.NoError(t, err)
		require.Equal(t, string(compact), compacted(t, same))
		require.Equal(t, modeled(t, g, 50, byPrior, m), modeled(t, g, 50, byPrior, &again))
	}
}

func compacted(t *testing.T, data []byte) string {
	t.Helper()
	b, err := json.Marshal(json.RawMessage(data))
	require.NoError(t, err)
	return string(b)
}

// Examples that version 1 has saved read as examples of today.
func TestExamplesGolden(t *testing.T) {
	t.Parallel()
	now, err := mined(t, subjects.Events, examples...).MarshalJSON()
	require.NoError(t, err)
	data, err := os.ReadFile(filepath.Join("testdata", "model_v1.json"))
	require.NoError(t, err)
	var old bias.Examples
	require.NoError(t, old.UnmarshalJSON(data))
	again, err := old.MarshalJSON()
	require.NoError(t, err)
	require.JSONEq(t, string(now), string(again))
}

func modelJSON(fields string) string { return `{` + fields + `}` }

// numbered returns n fields of an object, or elements.
func numbered(n int, format string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(all, ",")
}

func TestExamplesRefused(t *testing.T) {
	t.Parallel()
	const context = `"a" is not a context: want a tag and a slot, as in plus/9e3779b1, or a place, as in #2`
	tests := []struct{ name, data, err string }{
		{"empty", "", "EOF"},
		{"text", "hello", "invalid character"},
		{"unknown", modelJSON(`"x": 1`), `unknown field "x"`},
		{"trees", modelJSON(`"trees": -1`), "cannot unmarshal number -1"},
		{"unlike", modelJSON(`"unlike": 1`), "cannot unmarshal number"},
		{"no object", modelJSON(`"pick": 1`), "cannot unmarshal number"},
		{
			"no count", modelJSON(`"pick": {"seen": {"a": 0}}`),
			`the answer "a" occurs 0 times: want 1 to 16777215`,
		},
		{
			"large count", modelJSON(`"pick": {"seen": {"a": 16777216}}`),
			`the answer "a" occurs 16777216 times`,
		},
		{
			"no integer", modelJSON(`"int": {"seen": {"9223372036854775808": 1}}`),
			`the answer "9223372036854775808": strconv.ParseInt`,
		},
		{"no context", modelJSON(`"uint": {"in": {"a": {}}}`), context},
		{
			"no slot", modelJSON(`"uint": {"in": {"a/123456789": {}}}`),
			`"a/123456789" is not a context`,
		},
		{"no place", modelJSON(`"uint": {"in": {"#0": {}}}`), `"#0" is not a context`},
		{
			"deep",
			modelJSON(`"uint": ` + strings.Repeat(`{"in": {"a/1": `, 10) + "{}" + strings.Repeat(
				"}}", 10,
			)),
			`"a/1" is not a context`,
		},
		{"deeper", modelJSON(`"uint": ` + strings.Repeat(
			`{"in": {"a/1": `, 9000,
		) + "{}" + strings.Repeat("}}", 9000)), "exceeded max depth"},
		{
			"answers", modelJSON(`"text": {"seen": {` + numbered(1<<10+1, `"%d": 1`) + "}}"),
			"too many answers",
		},
		{
			"contexts", modelJSON(`"text": {"in": {` + numbered(1<<16+1, `"a/%d": {}`) + "}}"),
			"too many",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := mined(t, subjects.Events, examples...)
			before := modeled(t, subjects.Events, 20, byPrior, m)
			err := m.UnmarshalJSON([]byte(tt.data))
			require.ErrorContains(t, err, "choices: no examples: ")
			require.ErrorContains(t, err, tt.err)
			require.Equal(t, before, modeled(t, subjects.Events, 20, byPrior, m))
		})
	}
}

// No bytes make a model panic, or an answer of one.
func FuzzExamples(f *testing.F) {
	data, err := mined(f, subjects.Events, examples...).MarshalJSON()
	require.NoError(f, err)
	f.Add(data)
	f.Add(
		[]byte(
			modelJSON(
				`"generalize": 0.5, "unlike": true, "picks": 9, "pick": {"seen": {"a": 16777215}, "in": {"/0": {"in": {"#1": {"seen": {"b": 2}}}}}}`)))
	f.Add(
		[]byte(
			modelJSON(
				`"int": {"in": {"/3b9aca07": {"seen": {"-9223372036854775808": 1, "9": 16777215}}}}, "text": {"seen": {"\"\\xff\"": 3}}`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		var m bias.Examples
		if err := m.UnmarshalJSON(data); err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "choices: "))
			return
		}
		for _, unlike := range []bool{m.Unlike, !m.Unlike} {
			m.Unlike = unlike
			saved, err := m.MarshalJSON()
			require.NoError(t, err)
			var again bias.Examples
			require.NoError(t, again.UnmarshalJSON(saved))
			same, err := again.MarshalJSON()
			require.NoError(t, err)
			require.Equal(t, string(saved), string(same))
			require.Equal(
				t, modeled(t, subjects.Events, 3, byPrior, &m),
				modeled(t, subjects.Events, 3, byPrior, &again),
			)
		}
	})
}
