package choices_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/signtest"
)

// A model is the same after it has been written and read, and so are its answers.
func TestModelJSON(t *testing.T) {
	t.Parallel()
	strange := bigen.Pick(
		bigen.Tag("\xff\xfe", bigen.String(5)),
		bigen.Tag(`"quoted"/7`, bigen.String(5)),
		bigen.Tag("#1", bigen.String(5)),
		bigen.Tag("", bigen.String(5)),
	)
	sameJSON(t, strange, mined(t, strange, `"`, "#/", "a", "é\x00"))
	sameJSON(t, genEvent, mined(t, genEvent, examples...))
	sameJSON(t, signtest.Gen, mined(t, signtest.Gen, signtest.Examples(rng(1), 100)...))
	sameJSON(t, genPlaces(), mined(t, genPlaces(), places{A: -3, L: make([]places, 9)}))
	sameJSON(t, bigen.Bool(), choices.NewModel())
	odd := choices.NewModel(choices.Tree{{Kind: choices.Int, Size: 1, Hi: 1}})
	odd.Generalize, odd.Unlike = 0.1, true
	sameJSON(t, genEvent, odd)
}

func sameJSON[A any](t *testing.T, g bigen.Gen[A], m *choices.Model) {
	t.Helper()
	data, err := m.MarshalJSON()
	require.NoError(t, err)
	compact, err := json.Marshal(m)
	require.NoError(t, err)
	for _, data := range [][]byte{data, compact} {
		var again choices.Model
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

// The file of a model does not change between versions.
func TestModelGolden(t *testing.T) {
	t.Parallel()
	data, err := mined(t, genEvent, examples...).MarshalJSON()
	require.NoError(t, err)
	file := filepath.Join("testdata", "model_v1.json")
	if *update {
		require.NoError(t, os.WriteFile(file, data, 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(data))
}

// modelJSON returns a model with some fields, behind the head.
func modelJSON(fields string) string {
	return `{"format": "espalier examples", "version": 1, ` + fields + `}`
}

// numbered returns n fields of an object, or elements.
func numbered(n int, format string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(all, ",")
}

func TestModelRefused(t *testing.T) {
	t.Parallel()
	const foreign = `choices: no model of examples: want a JSON object whose "format" is "espalier examples"`
	malformed := func(what string) string { return ": " + what + ": restore it, or learn it again" }
	tests := []struct{ name, data, err string }{
		{"empty", "", foreign},
		{"text", "hello", foreign},
		{"null", "null", foreign},
		{"another format", `{"format": "espalier policy", "version": 1}`, foreign},
		{"another type", `{"format": "espalier examples", "version": "1"}`, foreign},
		{"cut", modelJSON(`"trees": 3`)[:40], foreign},
		{"later version", `{"format": "espalier examples", "version": 2, "x": 1}`, "choices: the model has format version 2, and this version of Espalier reads none after 1: use the version that saved it, or learn it again"},
		{"no version", `{"format": "espalier examples"}`, "choices: the model has format version 0, and there is none before 1: learn it again"},
		{"large", modelJSON(`"x": "` + strings.Repeat("x", 1<<24) + `"`), "choices: the model has more than 16777216 bytes: learn it again, from fewer examples"},
		{"unknown", modelJSON(`"x": 1`), malformed(`"x" is unknown`)},
		{"trees", modelJSON(`"trees": -1`), malformed(`"trees" is not an integer from 0 to 2147483647`)},
		{"picks", modelJSON(`"picks": {}`), malformed(`"picks" is not an integer from 0 to 2147483647`)},
		{"generalize", modelJSON(`"generalize": 1001`), malformed(`"generalize" is not a number from 0 to 1000`)},
		{"unlike", modelJSON(`"unlike": 1`), malformed(`"unlike" is no boolean`)},
		{"no object", modelJSON(`"pick": 1`), malformed("want an object")},
		{"no count", modelJSON(`"pick": {"seen": {"a": 0}}`), malformed(`"a" is not an integer from 1 to 16777215`)},
		{"twice", modelJSON(`"pick": {"seen": {"a": 1, "a": 1}}`), malformed(`the answer "a" is there twice`)},
		{"all twice", modelJSON(`"pick": {"seen": {}, "seen": {}}`), malformed(`"seen" is unknown or out of place in a context`)},
		{"out of order", modelJSON(`"pick": {"in": {"a/1": {}}, "seen": {}}`), malformed(`"seen" is unknown or out of place in a context`)},
		{"no integer", modelJSON(`"int": {"seen": {"9223372036854775808": 1}}`), malformed(`the answer "9223372036854775808": strconv.ParseInt: parsing "9223372036854775808": value out of range`)},
		{"no context", modelJSON(`"uint": {"in": {"a": {}}}`), malformed(`"a" is no context: want a tag and a slot, as in plus/9e3779b1, or a place, as in #2`)},
		{"no slot", modelJSON(`"uint": {"in": {"a/123456789": {}}}`), malformed(`"a/123456789" is no context: want a tag and a slot, as in plus/9e3779b1, or a place, as in #2`)},
		{"no place", modelJSON(`"uint": {"in": {"#0": {}}}`), malformed(`"#0" is no context: want a tag and a slot, as in plus/9e3779b1, or a place, as in #2`)},
		{"context twice", modelJSON(`"uint": {"in": {"a/1": {}, "a/1": {}}}`), malformed(`the context "a/1" is there twice`)},
		{"deep", modelJSON(`"uint": ` + strings.Repeat(`{"in": {"a/1": `, 10) + "{}" + strings.Repeat("}}", 10)), malformed(`"a/1" is no context: want a tag and a slot, as in plus/9e3779b1, or a place, as in #2`)},
		{"deeper", modelJSON(`"uint": ` + strings.Repeat(`{"in": {"a/1": `, 9000) + "{}" + strings.Repeat("}}", 9000)), foreign},
		{"answers", modelJSON(`"text": {"seen": {` + numbered(1<<10+1, `"%d": 1`) + "}}"), malformed("too many answers")},
		{"contexts", modelJSON(`"text": {"in": {` + numbered(1<<16+1, `"a/%d": {}`) + "}}"), malformed("too many contexts")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := mined(t, genEvent, examples...)
			before := modeled(t, genEvent, 20, byPrior, m)
			err := m.UnmarshalJSON([]byte(tt.data))
			if strings.HasPrefix(tt.err, ": ") {
				require.ErrorContains(t, err, "choices: the model is malformed at byte ")
				require.True(t, strings.HasSuffix(err.Error(), tt.err), "%v", err)
			} else {
				require.EqualError(t, err, tt.err)
			}
			require.Equal(t, before, modeled(t, genEvent, 20, byPrior, m))
		})
	}
}

// No bytes make a model panic, or an answer of one.
func FuzzModel(f *testing.F) {
	data, err := mined(f, genEvent, examples...).MarshalJSON()
	require.NoError(f, err)
	f.Add(data)
	f.Add([]byte(modelJSON(`"generalize": 0.5, "unlike": true, "picks": 9, "pick": {"seen": {"a": 16777215}, "in": {"/0": {"in": {"#1": {"seen": {"b": 2}}}}}}`)))
	f.Add([]byte(modelJSON(`"int": {"in": {"/3b9aca07": {"seen": {"-9223372036854775808": 1, "9": 16777215}}}}, "text": {"seen": {"\"\\xff\"": 3}}`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		var m choices.Model
		if err := m.UnmarshalJSON(data); err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "choices: "))
			return
		}
		for _, unlike := range []bool{m.Unlike, !m.Unlike} {
			m.Unlike = unlike
			saved, err := m.MarshalJSON()
			require.NoError(t, err)
			var again choices.Model
			require.NoError(t, again.UnmarshalJSON(saved))
			same, err := again.MarshalJSON()
			require.NoError(t, err)
			require.Equal(t, string(saved), string(same))
			for _, source := range modelSources {
				require.Equal(t, modeled(t, genEvent, 3, source, &m), modeled(t, genEvent, 3, source, &again))
			}
		}
	})
}
