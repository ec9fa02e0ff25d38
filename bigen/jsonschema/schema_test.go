package jsonschema_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/bigen/jsonschema"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/testing/long"
	js "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"
)

const everything = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "a person", "type": "object",
	"properties": {
		"name": {"type": "string", "pattern": "^[A-Z][a-z]*$", "minLength": 2, "maxLength": 9},
		"part": {"type": "string", "pattern": "-|:"},
		"age": {"type": "integer", "minimum": 0.5, "maximum": 130},
		"size": {"type": "number", "minimum": -1, "exclusiveMaximum": 3},
		"price": {"type": "number", "multipleOf": 0.01, "minimum": 0, "maximum": 1000},
		"nick": {"enum": ["", null, 7, {"a": [1]}]},
		"kind": {"const": "person", "description": "always the same"},
		"tags": {"type": "array", "items": {"type": "string", "maxLength": 3}, "minItems": 1, "maxItems": 2},
		"none": {"type": "array", "maxItems": 0},
		"any": true, "list": {"type": "array"}, "flag": {"type": "boolean"}, "nil": {"type": "null"},
		"kids": {"type": "array", "items": {"$ref": "#"}},
		"home": {"oneOf": [{"$ref": "#/$defs/address"}, {"type": "null"}]},
		"set": {"items": {"enum": [1, 2, 3]}, "uniqueItems": true, "contains": {"const": 3}},
		"extra": {"anyOf": [{"title": "number", "type": "number"},
			{"type": "object", "additionalProperties": {"$ref": "#/$defs/address"}}]}
	},
	"patternProperties": {"^x-": {"type": "boolean"}}, "additionalProperties": false,
	"required": ["name", "nil", "kids"], "dependentRequired": {"age": ["size"]},
	"if": {"properties": {"flag": {"const": true}}, "required": ["flag"]},
	"then": {"required": ["home"]},
	"$defs": {"address": {"type": "object", "properties": {"zip": {"type": "string"}, "of": {"$ref": "#"}}}}
}`

// The values of a schema of many keywords obey the laws of generators.
func TestLaws(t *testing.T) {
	g := jsonschema.Matching(everything)
	runs := bigentest.Runs(long.Count(30, 200))
	if long.Enabled() {
		bigentest.Laws(t, g, runs)
	}
	schema := compiled(t, everything, js.Draft2020)
	seen := map[string]bool{}
	bigentest.Sound(t, g, func(v any) bool {
		for k := range v.(map[string]any) {
			seen[k] = true
		}
		return schema.Validate(v) == nil && bigen.Check(g, throughJSON(t, v)) == nil
	}, runs)
	require.Greater(t, len(seen), 15)
}

// throughJSON returns a value that has been encoded and decoded, and is the same.
func throughJSON(t *testing.T, v any) (w any) {
	b, err := json.Marshal(v)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &w))
	require.Equal(t, v, w)
	return w
}

// compiled returns a schema of a validator in its usual state.
func compiled(t *testing.T, schema string, draft *js.Draft) *js.Schema {
	c := js.NewCompiler()
	c.DefaultDraft(draft)
	c.UseLoader(js.SchemeURLLoader{})
	require.NoError(t, c.AddResource("test:///schema", decoded(t, schema)))
	s, err := c.Compile("test:///schema")
	require.NoError(t, err)
	return s
}

func decoded(t *testing.T, text string) (v any) {
	require.NoError(t, json.Unmarshal([]byte(text), &v), text)
	return v
}

// A keyword is a schema with values, in JSON, that it allows and that it forbids.
type keyword struct {
	schema string
	yes    []string
	no     []string
}

var keywords2020 = []keyword{
	{`{"type": ["string", "null"]}`, []string{`null`, `""`}, []string{`0`, `[]`, `{}`, `true`}},
	{`{"type": "integer"}`, []string{`1`, `1.0`, `-1e300`, `9007199254740993`}, []string{`0.5`, `"1"`}},
	{`{"type": "number", "not": {"type": "integer"}}`, []string{`0.5`, `-1e-9`}, []string{`1`, `1e300`}},
	{`{"enum": ["a", 1, [1, {"b": null}]], "type": ["array", "integer"]}`,
		[]string{`1`, `[1, {"b": null}]`}, []string{`"a"`, `2`, `[1]`}},
	{`{"const": {"a": 1}}`, []string{`{"a": 1}`}, []string{`{"a": 2}`, `{}`, `{"a": 1, "b": 1}`}},
	{`{"multipleOf": 0.01, "minimum": 0}`, []string{`0.07`, `19.99`, `3`, `""`}, []string{`0.075`, `-1`}},
	{`{"allOf": [{"multipleOf": 4}, {"multipleOf": 6}], "type": "number", "maximum": 100}`,
		[]string{`12`, `-24`, `0`}, []string{`4`, `6`, `8`, `108`}},
	{`{"exclusiveMinimum": 0, "exclusiveMaximum": 1, "type": "number"}`, []string{`0.5`, `1e-300`},
		[]string{`0`, `1`}},
	{`{"type": "number", "minimum": 0.1, "maximum": 0.1}`, []string{`0.1`}, []string{`0.10000000000000002`}},
	{`{"type": "string", "minLength": 2, "maxLength": 3}`, []string{`"ab"`, `"日本語"`}, []string{`"a"`, `"abcd"`}},
	{`{"type": "string", "pattern": "^[a-c]+$", "minLength": 7, "maxLength": 7}`, []string{`"abcabca"`},
		[]string{`"abcabc"`, `"abcabcd"`}},
	{`{"type": "string", "pattern": "b"}`, []string{`"b"`, `"abc\n"`}, []string{`""`, `"ac"`}},
	{`{"type": "string", "pattern": "^a|b$"}`, []string{`"ax"`, `"xb"`}, []string{`"xa"`, `"bx"`}},
	{`{"type": "string", "allOf": [{"pattern": "^[ab]+$"}, {"pattern": "aa"}], "maxLength": 6}`,
		[]string{`"aab"`}, []string{`"ab"`, `"aac"`}},
	{`{"type": "string", "pattern": "^(?!a)[a-c]{2}$"}`, []string{`"ba"`}, []string{`"ab"`}},
	{`{"type": "string", "pattern": "^\\u0061\\/\\d$"}`, []string{`"a/1"`}, []string{`"a/"`}},
	{`{"type": "string", "not": {"pattern": "^a"}}`, []string{`""`, `"ba"`}, []string{`"ab"`}},
	{`{"type": "array", "prefixItems": [{"type": "null"}, {"type": "boolean"}], "items": {"type": "string"}}`,
		[]string{`[]`, `[null]`, `[null, true, "", ""]`}, []string{`[1]`, `[null, true, 1]`}},
	{`{"type": "array", "prefixItems": [{"type": "null"}, false]}`, []string{`[]`, `[null]`}, []string{`[null, 1]`}},
	{`{"type": "array", "items": {"type": "boolean"}, "uniqueItems": true, "minItems": 2}`,
		[]string{`[true, false]`}, []string{`[true, true]`, `[true]`}},
	{`{"type": "array", "items": {"type": "integer"}, "contains": {"minimum": 5}, "maxItems": 4}`,
		[]string{`[5]`, `[1, 6, 2]`, `[1, 2, 3, 9]`}, []string{`[]`, `[1, 2]`, `[9, 1, 1, 1, 1]`}},
	{`{"type": "array", "items": {"enum": [1, 2]}, "contains": {"const": 1}, "minContains": 2,
		"maxContains": 3}`, []string{`[1, 1]`, `[2, 1, 2, 1, 1, 2]`}, []string{`[1]`, `[1, 1, 1, 1]`}},
	{`{"type": "array", "items": {"enum": [1, 2]}, "contains": {"const": 1}, "minContains": 0,
		"maxContains": 1}`, []string{`[]`, `[2, 2]`, `[2, 1]`}, []string{`[1, 1]`}},
	{`{"type": "array", "allOf": [{"contains": {"const": 1}}, {"contains": {"const": 2}}]}`,
		[]string{`[1, 2]`, `[2, 0, 1]`}, []string{`[1]`, `[]`}},
	{`{"not": {"items": {"type": "string"}}}`, []string{`[""  , 1]`}, []string{`[]`, `[""]`, `1`}},
	{`{"not": {"uniqueItems": true}}`, []string{`[1, 1]`}, []string{`[1, 2]`, `{}`}},
	{`{"type": "object", "properties": {"a": {"type": "null"}}, "required": ["a", "b"]}`,
		[]string{`{"a": null, "b": 1}`, `{"a": null, "b": 1, "c": 2}`}, []string{`{"a": null}`, `{"a": 1, "b": 1}`}},
	{`{"type": "object", "patternProperties": {"^x": {"type": "integer"}, "y$": {"maximum": 9}},
		"additionalProperties": false}`, []string{`{"xy": 1, "y": 0.5, "x": 99}`}, []string{`{"xy": 10}`, `{"z": 1}`}},
	{`{"type": "object", "properties": {"a": {}, "b": {}}, "additionalProperties": {"type": "null"},
		"minProperties": 2, "maxProperties": 3}`, []string{`{"a": 1, "c": null}`, `{"x": null, "y": null, "z": null}`},
		[]string{`{"a": 1}`, `{"a": 1, "c": 1}`, `{"a": 1, "b": 1, "c": null, "d": null}`}},
	{`{"type": "object", "propertyNames": {"enum": ["a", "b"]}, "minProperties": 1}`,
		[]string{`{"a": 1}`, `{"a": 1, "b": 2}`}, []string{`{}`, `{"c": 1}`}},
	{`{"type": "object", "propertyNames": {"pattern": "^[a-c]{1,2}$"}, "additionalProperties": {"type": "null"}}`,
		[]string{`{"ab": null}`}, []string{`{"abc": null}`, `{"a": 1}`}},
	{`{"type": "object", "properties": {"a": {}, "b": {}, "c": {}}, "additionalProperties": false,
		"dependentRequired": {"a": ["b"], "b": ["c"]}, "maxProperties": 2}`,
		[]string{`{"b": 1, "c": 1}`, `{}`}, []string{`{"a": 1, "b": 1, "c": 1}`, `{"b": 1}`}},
	{`{"dependentSchemas": {"a": {"required": ["b"]}}, "type": "object"}`, []string{`{}`, `{"a": 1, "b": 1}`},
		[]string{`{"a": 1}`}},
	{`{"not": {"required": ["a"]}, "type": "object"}`, []string{`{}`, `{"b": 1}`}, []string{`{"a": 1}`}},
	{`{"not": {"properties": {"a": {"type": "string"}}, "additionalProperties": false}}`,
		[]string{`{"a": 1}`, `{"b": ""}`}, []string{`{}`, `{"a": ""}`, `1`}},
	{`{"not": {"propertyNames": {"maxLength": 1}}}`, []string{`{"ab": 1}`}, []string{`{"a": 1}`, `null`}},
	{`{"oneOf": [{"type": "integer"}, {"minimum": 2}]}`, []string{`1`, `2.5`, `"a"`}, []string{`3`, `1.5`}},
	{`{"anyOf": [{"type": "integer"}, {"minimum": 2}]}`, []string{`3`, `2.5`, `1`}, []string{`1.5`}},
	{`{"if": {"type": "string"}, "then": {"minLength": 1}, "else": {"type": "null"}}`,
		[]string{`"a"`, `null`}, []string{`""`, `1`}},
	{`{"type": "object", "allOf": [{"properties": {"a": {"type": "null"}}}], "properties": {"b": {}},
		"unevaluatedProperties": false}`, []string{`{"a": null, "b": 1}`}, []string{`{"c": 1}`, `{"a": 1}`}},
	{`{"type": "object", "anyOf": [{"properties": {"a": {}}, "required": ["a"]},
		{"properties": {"b": {}}, "required": ["b"]}], "unevaluatedProperties": {"type": "null"}}`,
		[]string{`{"a": 1, "b": 1}`, `{"a": 1, "c": null}`}, []string{`{"a": 1, "c": 1}`, `{}`}},
	{`{"type": "array", "prefixItems": [{}], "contains": {"type": "string"}, "unevaluatedItems": false}`,
		[]string{`["a"]`, `[1, "a", "b"]`}, []string{`[1, "a", 2]`}},
	{`{"$ref": "#/$defs/a~1b%25", "$defs": {"a/b%": {"type": "null"}}}`, []string{`null`}, []string{`1`}},
	{`{"$id": "https://example.com/tree", "$dynamicAnchor": "node", "type": "object",
		"properties": {"kids": {"type": "array", "items": {"$dynamicRef": "#node"}}}}`,
		[]string{`{"kids": [{}, {"kids": []}]}`}, []string{`{"kids": [1]}`}},
	{`{"$id": "https://example.com/strict", "$dynamicAnchor": "node", "$ref": "tree",
		"unevaluatedProperties": false, "$defs": {"tree": {"$id": "https://example.com/tree",
		"$dynamicAnchor": "node", "type": "object",
		"properties": {"kids": {"type": "array", "items": {"$dynamicRef": "#node"}}}}}}`,
		[]string{`{"kids": [{}, {"kids": []}]}`}, []string{`{"kids": [{"x": 1}]}`, `{"x": 1}`}},
	{`{"$ref": "https://json-schema.org/draft/2020-12/schema"}`, []string{`{"minLength": 1}`, `true`},
		[]string{`{"minLength": -1}`, `{"properties": {"a": {"type": "text"}}}`}},
	{`{"oneOf": [{"$ref": "#/$defs/e"}], "$defs": {"e": {"oneOf": [{"type": "integer"}, {"type": "object",
		"required": ["l", "r"], "properties": {"l": {"$ref": "#/$defs/e"}, "r": {"$ref": "#/$defs/e"}},
		"additionalProperties": false}]}}}`, []string{`1`, `{"l": {"l": 1, "r": 2}, "r": 3}`}, []string{`{"l": 1}`}},
}

// keywordsTogether are schemas whose values only the right choice among many makes.
var keywordsTogether = []keyword{
	{`{"oneOf": [{"type": "object", "additionalProperties": false},
		{"type": "object", "properties": {"a": true}, "additionalProperties": false}]}`,
		[]string{`{"a": 1}`}, []string{`{}`, `{"b": 1}`}},
	{`{"oneOf": [
		{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "additionalProperties": false},
		{"type": "object", "properties": {"b": {"type": "integer"}, "c": {"type": "integer"}}, "additionalProperties": false}]}`,
		[]string{`{"a": 1, "b": 2}`, `{"c": 1}`}, []string{`{}`, `{"b": 1}`, `{"a": 1, "c": 1}`}},
	{`{"type": "object", "properties": {"x1": {"type": "integer"}, "y": {}}, "additionalProperties": false,
		"not": {"patternProperties": {"^x": {"minimum": 5}}}}`,
		[]string{`{"x1": 4}`, `{"x1": 4, "y": 1}`}, []string{`{"x1": 5}`, `{"y": 1}`, `{}`}},
	{`{"allOf": [{"anyOf": [` + list(65, `{"const": %d}`) + `]}, {"anyOf": [` + list(66, `{"enum": [64, 1%02d]}`) + `]}]}`,
		[]string{`64`}, []string{`63`, `165`}},
	{`{"type": "array"}`, []string{`["` + strings.Repeat("a", 300) + `"]`}, []string{`{}`}},
	{`{"type": "object", "additionalProperties": {}}`,
		[]string{`{"` + strings.Repeat("a", 300) + `": "` + strings.Repeat("b", 300) + `"}`}, []string{`[]`}},
	{`{"$id": "http://x.y/s", "type": "array", "contains": {"$ref": "list"}, "minContains": 2, "maxContains": 3, "$defs": {
		"t": {"$dynamicAnchor": "T", "type": "string"}, "l": {"$id": "http://x.y/list", "type": "array",
		"items": {"$dynamicRef": "#T"}, "$defs": {"d": {"$dynamicAnchor": "T"}}}}}`,
		[]string{`[["a"], [1], ["b"]]`}, []string{`[["a"], [1]]`, `[[], [], [], []]`}},
	{`{"$defs": {"R": {"$dynamicAnchor": "N", "$id": "http://e.x/r"}}, "$dynamicAnchor": "N",
		"contains": {"$dynamicRef": "http://e.x/r#N", "minLength": 3, "prefixItems": [{"type": "array"}]}}`,
		[]string{`["abc"]`}, []string{`[]`}},
	{`{"type": "integer", "minimum": 0, "maximum": 18446744073709551615}`,
		[]string{`9007199254740992`, `18446744073709549568`}, []string{`18446744073709551616`}},
	{`{"type": "integer", "multipleOf": 3, "minimum": 1e17}`, []string{`3e17`}, []string{`3`}},
	{`{"type": "number", "multipleOf": 0.1, "minimum": 1e15, "maximum": 1000000000000002}`, []string{`1e15`}, []string{`0.1`}},
	{`{"type": "string", "allOf": [{"pattern": "^[a-z]+$"}, {"pattern": "foo"}, {"pattern": "bar"}], "maxLength": 7}`,
		[]string{`"foobar"`, `"barxfoo"`}, []string{`"foo"`, `"fooXbar"`}},
	{`{"type": "string", "pattern": "^a", "minLength": 2000}`, []string{`"a` + strings.Repeat("b", 1999) + `"`}, []string{`"a"`}},
	{`{"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 3}, "uniqueItems": true, "minItems": 3}`,
		[]string{`[3, 1, 2]`}, []string{`[1, 2]`, `[1, 2, 2]`}},
}

func list(n int, format string) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(format, i))
	}
	return strings.Join(all, ", ")
}

// Values are made as they must be, and seldom rejected.
func TestSeldomRejected(t *testing.T) {
	for _, schema := range []string{
		`{"type": "object", "properties": {"a": {}, "b": {}, "c": {}, "d": {}, "e": {}},
			"additionalProperties": false, "minProperties": 3, "maxProperties": 3}`,
		`{"type": "object", "properties": {"a": {}, "b": {}, "c": {}}, "additionalProperties": false,
			"dependentRequired": {"a": ["b"]}, "maxProperties": 1}`,
		`{"type": "object", "properties": {` + list(80, `"p%d": {}`) + `}, "additionalProperties": false,
			"maxProperties": 1}`,
		`{"type": "array", "minItems": 6, "items": {"oneOf": [` + list(5, `{"type": "object",
			"required": ["type", "a", "b", "c", "d", "e", "f"], "additionalProperties": false, "properties": {
			"type": {"enum": ["t%[1]d"]}, "a": {"type": "number", "minimum": %[1]d}, "b": {"type": "string"},
			"c": {"type": "string"}, "d": {"type": "boolean"}, "e": {"type": "string"}, "f": {"type": "number"}}}`) + `]}}`,
		`{"oneOf": [` + list(9, `{"type": "object", "required": ["type", "p%[1]d"], "additionalProperties": false,
			"properties": {"type": {"enum": ["t%[1]d"]}, "p%[1]d": {"type": "number"}}}`) + `]}`,
		`{"type": "object", "required": ["k"], "properties": {"k": {"enum": [` + list(20, `"v%d"`) + `]}}, "allOf": [` +
			list(20, `{"if": {"properties": {"k": {"const": "v%[1]d"}}}, "then": {"required": ["f%[1]d"]}}`) + `]}`,
	} {
		made := 0
		for range values(jsonschema.Matching(schema), 300) {
			made++
		}
		require.Greater(t, made, 290, schema)
	}
}

// All of many alternatives come up.
func TestManyAlternatives(t *testing.T) {
	seen := map[any]bool{}
	for v := range values(jsonschema.Matching(`{"oneOf": [`+list(70, `{"type": "object", "required": ["k"],
		"properties": {"k": {"const": %d}}}`)+`]}`), 2000) {
		seen[v.(map[string]any)["k"]] = true
	}
	require.Len(t, seen, 70)
}

// Values of recursive schemas stay small, however many parts each must have.
func TestRecursion(t *testing.T) {
	for _, n := range []int{2, 10, 30} {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprintf(`"p%d"`, i))
		}
		g := jsonschema.Matching(fmt.Sprintf(`{"type": ["null", "object"], "additionalProperties": {"$ref": "#"},
			"required": [%s]}`, strings.Join(names, ", ")))
		total, runs := 0, 0
		for v := range values(g, 300) {
			b, err := json.Marshal(v)
			require.NoError(t, err)
			total, runs = total+len(b), runs+1
		}
		require.Greater(t, runs, 290)
		require.Less(t, total/runs, 200+50*n)
	}
}

// Each keyword makes the values that it allows, and no others.
func TestKeywords(t *testing.T) {
	old := []struct {
		draft int
		keyword
	}{
		{4, keyword{`{"type": "integer", "minimum": 1, "exclusiveMinimum": true}`, []string{`2`}, []string{`1`, `1.5`}}},
		{6, keyword{`{"dependencies": {"a": ["b"], "c": {"maxProperties": 1}}, "type": "object"}`,
			[]string{`{"a": 1, "b": 1}`, `{"c": 1}`}, []string{`{"a": 1}`, `{"c": 1, "b": 1}`}}},
		{7, keyword{`{"$ref": "#/definitions/a", "type": "string", "definitions": {"a": {"type": "null"}}}`,
			[]string{`null`}, []string{`""`}}},
		{7, keyword{`{"type": "array", "items": [{"type": "null"}], "additionalItems": {"type": "string"}}`,
			[]string{`[null, ""]`}, []string{`[1]`, `[null, 1]`}}},
		{2019, keyword{`{"$recursiveAnchor": true, "type": "object", "additionalProperties": {"$recursiveRef": "#"}}`,
			[]string{`{"a": {}}`}, []string{`{"a": 1}`}}},
	}
	for _, k := range append(slices.Clone(keywords2020), keywordsTogether...) {
		old = append(old, struct {
			draft int
			keyword
		}{2020, k})
	}
	drafts := map[int]*js.Draft{4: js.Draft4, 6: js.Draft6, 7: js.Draft7, 2019: js.Draft2019, 2020: js.Draft2020}
	for _, k := range old {
		t.Run(fmt.Sprint(k.draft, k.schema), func(t *testing.T) {
			g, err := jsonschema.Parse(k.schema, jsonschema.Draft(k.draft))
			require.NoError(t, err)
			for _, text := range k.yes {
				v := decoded(t, text)
				b, err := bigen.Encode(g, v)
				if assert.NoError(t, err, text) {
					w, err := bigen.Decode(g, b)
					require.NoError(t, err)
					assert.Equal(t, v, w)
				}
			}
			for _, text := range k.no {
				assert.ErrorIs(t, bigen.Check(g, decoded(t, text)), bigen.ErrNotProduced, text)
			}
			schema := compiledIfGo(t, k.schema, drafts[k.draft])
			made := 0
			for v := range values(g, long.Count(50, 2000)) {
				if schema != nil {
					require.NoError(t, schema.Validate(v))
				}
				require.NoError(t, bigen.Check(g, v))
				throughJSON(t, v)
				made++
			}
			require.Greater(t, made, long.Count(50, 2000)/2)
		})
	}
}

// compiledIfGo is compiled, or nil if package regexp cannot read a pattern.
func compiledIfGo(t *testing.T, schema string, draft *js.Draft) *js.Schema {
	if strings.Contains(schema, `(?!`) || strings.Contains(schema, `\\u`) {
		return nil
	}
	return compiled(t, schema, draft)
}

// values yields what random runs make that are not rejected.
func values(g bigen.Gen[any], runs int) func(yield func(any) bool) {
	return func(yield func(any) bool) {
		r := rand.New(rand.NewPCG(1, 2))
		for range runs {
			v, _, err := bigen.Run(g, choices.Random(r))
			if err == nil && !yield(v) {
				return
			}
		}
	}
}

// ofSchemas is a schema of schemas whose keywords meet often: of few names, and small numbers.
const ofSchemas = `{
	"$ref": "#/$defs/schema",
	"$defs": {
		"small": {"enum": [0, 1, 2, 3]},
		"name": {"enum": ["a", "b", "ab"]},
		"pattern": {"enum": ["a", "^b", "b$", "^[ab]*$"]},
		"number": {"enum": [-1, 0, 0.5, 1, 2, 3]},
		"value": {"enum": [null, true, 0, 1, 2.5, "", "a", "ab", [], [1], [1, 1], {}, {"a": 1}, {"a": 1, "b": "a"}]},
		"list": {"type": "array", "items": {"$ref": "#/$defs/schema"}, "minItems": 1, "maxItems": 3},
		"map": {"type": "object", "propertyNames": {"$ref": "#/$defs/name"}, "additionalProperties": {"$ref": "#/$defs/schema"}},
		"names": {"type": "array", "items": {"$ref": "#/$defs/name"}, "uniqueItems": true},
		"type": {"enum": ["null", "boolean", "integer", "number", "string", "array", "object"]},
		"schema": {"anyOf": [{"type": "boolean"}, {
			"type": "object", "minProperties": 1, "maxProperties": 5, "additionalProperties": false,
			"properties": {
				"type": {"anyOf": [{"$ref": "#/$defs/type"},
					{"type": "array", "items": {"$ref": "#/$defs/type"}, "uniqueItems": true, "minItems": 1}]},
				"const": {"$ref": "#/$defs/value"},
				"enum": {"type": "array", "items": {"$ref": "#/$defs/value"}, "minItems": 1, "maxItems": 5},
				"minimum": {"$ref": "#/$defs/number"}, "maximum": {"$ref": "#/$defs/number"},
				"exclusiveMinimum": {"$ref": "#/$defs/number"}, "exclusiveMaximum": {"$ref": "#/$defs/number"},
				"multipleOf": {"enum": [0.5, 1, 2, 3]},
				"minLength": {"$ref": "#/$defs/small"}, "maxLength": {"$ref": "#/$defs/small"},
				"pattern": {"$ref": "#/$defs/pattern"},
				"minItems": {"$ref": "#/$defs/small"}, "maxItems": {"$ref": "#/$defs/small"},
				"uniqueItems": {"type": "boolean"},
				"minContains": {"$ref": "#/$defs/small"}, "maxContains": {"$ref": "#/$defs/small"},
				"contains": {"$ref": "#/$defs/schema"}, "items": {"$ref": "#/$defs/schema"},
				"prefixItems": {"$ref": "#/$defs/list"}, "unevaluatedItems": {"$ref": "#/$defs/schema"},
				"minProperties": {"$ref": "#/$defs/small"}, "maxProperties": {"$ref": "#/$defs/small"},
				"required": {"$ref": "#/$defs/names"},
				"properties": {"$ref": "#/$defs/map"}, "dependentSchemas": {"$ref": "#/$defs/map"},
				"dependentRequired": {"type": "object", "propertyNames": {"$ref": "#/$defs/name"},
					"additionalProperties": {"$ref": "#/$defs/names"}},
				"patternProperties": {"type": "object", "propertyNames": {"$ref": "#/$defs/pattern"},
					"additionalProperties": {"$ref": "#/$defs/schema"}},
				"additionalProperties": {"$ref": "#/$defs/schema"}, "propertyNames": {"$ref": "#/$defs/schema"},
				"unevaluatedProperties": {"$ref": "#/$defs/schema"},
				"allOf": {"$ref": "#/$defs/list"}, "anyOf": {"$ref": "#/$defs/list"}, "oneOf": {"$ref": "#/$defs/list"},
				"not": {"$ref": "#/$defs/schema"}, "if": {"$ref": "#/$defs/schema"},
				"then": {"$ref": "#/$defs/schema"}, "else": {"$ref": "#/$defs/schema"},
				"$ref": {"const": "#"}
			}
		}]}
	}
}`

// Of random schemas, each makes valid values, reads those of others if and only if they are valid,
// or says why it has none.
func TestSchemasOfSchemas(t *testing.T) {
	for name, of := range map[string]string{
		"own": ofSchemas,
		"drafts": `{"$ref": "https://json-schema.org/draft/2020-12/schema", "type": "object", "minProperties": 2,
			"properties": {"$ref": false, "$dynamicRef": false, "$id": false, "$schema": false, "$anchor": false,
			"$vocabulary": false, "$recursiveRef": false, "$dynamicAnchor": false}}`,
	} {
		t.Run(name, func(t *testing.T) {
			candidates := []any{}
			for v := range values(jsonschema.Matching(`{"$ref": "#/$defs/value", "$defs": `+
				definitions(t, ofSchemas)+`}`), 100) {
				candidates = append(candidates, v)
			}
			parsed, made := 0, 0
			for v := range values(jsonschema.Matching(of), long.Count(300, 5000)) {
				b, err := json.Marshal(v)
				require.NoError(t, err)
				schema := string(b)
				c := js.NewCompiler()
				require.NoError(t, c.AddResource("test:///schema", decoded(t, schema)))
				valid, err := c.Compile("test:///schema")
				if err != nil {
					continue // a pattern that package regexp cannot read
				}
				g, err := jsonschema.Parse(schema)
				for _, w := range candidates {
					if err != nil {
						require.Error(t, valid.Validate(w), "%s: %v", schema, err)
					} else {
						require.Equal(t, valid.Validate(w) == nil, bigen.Check(g, w) == nil, "%s: %v", schema, w)
					}
				}
				if err != nil {
					continue
				}
				parsed++
				h := jsonschema.Matching(schema)
				for _, seed := range []uint64{3, 2, 1} {
					v, _, err1 := bigen.Run(h, choices.Random(rand.New(rand.NewPCG(seed, 9))))
					w, _, err2 := bigen.Run(jsonschema.Matching(schema), choices.Random(rand.New(rand.NewPCG(seed, 9))))
					require.Equal(t, err1, err2, schema)
					require.Equal(t, v, w, schema)
				}
				for w := range values(g, 10) {
					require.NoError(t, valid.Validate(w), schema)
					require.NoError(t, bigen.Check(g, w), schema)
					made++
				}
			}
			require.Greater(t, parsed, 50)
			require.Greater(t, made, 400)
		})
	}
}

func definitions(t *testing.T, schema string) string {
	b, err := json.Marshal(decoded(t, schema).(map[string]any)["$defs"])
	require.NoError(t, err)
	return string(b)
}

// A schema that no value has is refused, with the keywords that exclude each other.
func TestUnsatisfiable(t *testing.T) {
	for schema, want := range map[string]string{
		`false`: "# is false",
		`{"type": "string", "allOf": [{"minLength": 5}, {"maxLength": 3}]}`: "no string has a length for " +
			"#/allOf/0/minLength and #/allOf/1/maxLength",
		`{"type": "integer", "minimum": 0.2, "maximum": 0.8}`: "no integer is in the range of #/minimum and " +
			"#/maximum",
		`{"type": "number", "minimum": 3, "exclusiveMaximum": 3}`: "no number is in the range of #/minimum " +
			"and #/exclusiveMaximum",
		`{"type": "number", "minimum": 1, "maximum": 2, "multipleOf": 5}`: "no number is a multiple of 5 in " +
			"the range of #/minimum and #/maximum",
		`{"type": "array", "minItems": 1000, "items": {"type": "string", "minLength": 1000000}}`: "# asks for " +
			"values of more than 16777216 runes and parts",
		`{"type": "object", "required": ["a"], "properties": {"a": {"items": {"minLength": 1000000, "type": "string"},
			"minItems": 1000, "type": "array"}}}`: "#/properties/a asks for values of more than 16777216 runes",
		`{"type": "string", "const": 5}`:            "#/const allows no other values; #/type allows string",
		`{"enum": [1, 2], "not": {"enum": [1, 2]}}`: "no listed value is valid",
		`{"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}`: "# asks that each value " +
			"contains another, without end",
		`{"type": "object", "required": ["a"], "properties": {"a": {"minimum": 3, "type": "integer"}},
			"allOf": [{"properties": {"a": {"maximum": 2}}}]}`: `no value of the property "a", which #/required ` +
			"requires, is valid: no number is in the range of #/properties/a/minimum and " +
			"#/allOf/0/properties/a/maximum",
		`{"type": "object", "required": ["a"], "not": {"required": ["a"]}}`: `the property "a" is required by ` +
			"#/required and excluded by not #/not/required",
		`{"type": "object", "required": ["ab"], "propertyNames": {"maxLength": 1}}`: `the property "ab", which ` +
			"#/required requires, has a name that propertyNames forbids",
		`{"type": "object", "minProperties": 2, "properties": {"a": true}, "additionalProperties": false}`: "" +
			"objects can have 1 properties, and #/minProperties asks for 2",
		`{"type": "string", "pattern": "^[a-z]{3}$", "minLength": 5}`: "no string fits #/pattern " +
			"and #/minLength",
		`{"type": "string", "allOf": [{"pattern": "^a"}, {"pattern": "^b"}]}`: "no string fits #/allOf/0/pattern and " +
			"#/allOf/1/pattern",
		`{"type": "string", "pattern": "^a*$", "not": {"pattern": "^a*$"}}`:     "#/pattern",
		`{"oneOf": [{"type": "integer"}, {"type": "number"}], "multipleOf": 1}`: "no fraction is a multiple of 1",
		`{"type": "object", "required": ["a"], "additionalProperties": false}`:  "#/additionalProperties is false",
		`{"type": "array", "items": false, "minItems": 1}`: "no value of the item 0, which #/minItems " +
			"requires, is valid: #/items is false",
		`{"type": "array", "minItems": 2, "maxItems": 1}`: "no array has a length for #/minItems and #/maxItems",
		`{"type": "array", "items": {"type": "boolean"}, "uniqueItems": true, "minItems": 3}`: "items can " +
			"have 2 different values, and #/minItems asks for 3",
		`{"type": "array", "items": {"type": "null"}, "contains": {"type": "string"}}`: "no item is valid for " +
			"#/contains",
		`{"allOf": [{"$ref": "#/$defs/a"}, {"not": {"$ref": "#/$defs/a"}}], "$defs": {"a": {"type": "null"}}}`: "" +
			"#/$defs/a is to hold, and not to hold",
	} {
		t.Run(schema, func(t *testing.T) {
			_, err := jsonschema.Parse(schema)
			require.ErrorContains(t, err, "no value is valid: ")
			require.ErrorContains(t, err, want)
		})
	}
}

func TestMisuse(t *testing.T) {
	for schema, want := range map[string]string{
		`{`:                     "the schema is not JSON: unexpected EOF",
		`{} {}`:                 "the schema is not JSON: there is more after its end",
		`{"type": "text"}`:      "it is not a valid schema: at \"/type\"",
		`{"minimum": "1"}`:      "it is not a valid schema: at \"/minimum\": got string, want number",
		`{"$ref": "#/$defs/x"}`: `json-pointer in "#/$defs/x" not found`,
		`{"$ref": "https://example.com/x"}`: `failing loading "https://example.com/x": the schema refers to it: ` +
			"give its text by jsonschema.Remote",
		`{"$ref": "other.json"}`: `failing loading "other.json": the schema refers to it`,
		`{"pattern": "("}`:       "missing closing )",
	} {
		t.Run(schema, func(t *testing.T) {
			_, err := jsonschema.Parse(schema)
			require.ErrorContains(t, err, want)
			require.PanicsWithValue(t, "jsonschema.Matching: "+err.Error(), func() { jsonschema.Matching(schema) })
		})
	}
	_, err := jsonschema.Parse(`{}`, jsonschema.Draft(5))
	require.EqualError(t, err, "jsonschema.Draft: there is no draft 5: want 4, 6, 7, 2019 or 2020")
}

// A value that is not made is refused with what is wrong, and where.
func TestNotProduced(t *testing.T) {
	g := jsonschema.Matching(everything)
	for given, want := range map[string]string{
		`{"nil": null, "kids": []}`:                                   `at "": missing property 'name'`,
		`{"name": "Al", "nil": null, "kids": [], "x": 1}`:             `at "": additional properties 'x' not allowed`,
		`{"name": "Al", "nil": null, "kids": [{"name": "B"}]}`:        `at "/kids/0": missing properties 'nil', 'kids'`,
		`{"name": "Al", "nil": null, "kids": [], "age": 0}`:           `at "/age": minimum: got 0, want 0.5`,
		`{"name": "Al", "nil": null, "kids": [], "extra": {"x": 1}}`:  `at "/extra/x": got number, want object`,
		`{"name": "Al", "nil": null, "kids": [], "home": {"of": {}}}`: `at "/home`,
		`{"name": "Al", "nil": null, "kids": [], "a/b": 1, "size": 7, "tags": [], "none": [1]}`: `at "/none": ` +
			`maxItems: got 1, want 0`,
	} {
		err := bigen.Check(g, decoded(t, given))
		require.ErrorIs(t, err, bigen.ErrNotProduced)
		require.ErrorContains(t, err, want)
	}
	require.ErrorContains(t, bigen.Check(g, any(1.0)), "got number, want object")
	require.ErrorContains(t, bigen.Check(g, any(map[string]any{"name": "Al", "nil": nil, "kids": []any{}, "size": 1})),
		`at "/size": it is of type int: values are as encoding/json decodes them`)
}

func TestRemote(t *testing.T) {
	texts := map[string]string{
		"https://example.com/a": `{"type": "array", "items": {"$ref": "b#/$defs/x"}}`,
		"https://example.com/b": `{"$defs": {"x": {"type": "integer"}}}`,
	}
	var asked []string
	load := jsonschema.Remote(func(url string) (string, error) {
		asked = append(asked, url)
		if text, ok := texts[url]; ok {
			return text, nil
		}
		return "", errors.New("there is none")
	})
	g, err := jsonschema.Parse(`{"$ref": "https://example.com/a"}`, load)
	require.NoError(t, err)
	require.Equal(t, []string{"https://example.com/a", "https://example.com/b"}, asked)
	require.NoError(t, bigen.Check(g, any([]any{1.0})))
	require.Error(t, bigen.Check(g, any([]any{"1"})))
	_, err = jsonschema.Parse(`{"$ref": "https://example.com/c"}`, load)
	require.ErrorContains(t, err, "there is none")
	texts["https://example.com/c"] = "{"
	_, err = jsonschema.Parse(`{"$ref": "https://example.com/c"}`, load)
	require.ErrorContains(t, err, "the text of https://example.com/c is not JSON")
}

// With AssertFormat, all strings have the format; without it, most.
func TestFormats(t *testing.T) {
	for _, name := range []string{
		"date", "time", "date-time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4",
		"ipv6", "uri", "uri-reference", "iri", "iri-reference", "uri-template", "uuid", "json-pointer",
		"relative-json-pointer", "regex",
	} {
		t.Run(name, func(t *testing.T) {
			schema := fmt.Sprintf(`{"type": "string", "format": %q}`, name)
			c := js.NewCompiler()
			c.AssertFormat()
			require.NoError(t, c.AddResource("test:///schema", decoded(t, schema)))
			valid, err := c.Compile("test:///schema")
			require.NoError(t, err)
			strict, loose := jsonschema.Matching(schema, jsonschema.AssertFormat()), jsonschema.Matching(schema)
			distinct, other := map[any]bool{}, 0
			for v := range values(strict, 200) {
				require.NoError(t, valid.Validate(v))
				require.NoError(t, bigen.Check(strict, v))
				require.NoError(t, bigen.Check(loose, v))
				distinct[v] = true
			}
			require.Greater(t, len(distinct), 40)
			for v := range values(loose, 200) {
				if valid.Validate(v) != nil {
					other++
				}
			}
			require.Less(t, other, 50)
			if !strings.HasPrefix(name, "idn-") { // which the validator does not know
				require.Error(t, bigen.Check(strict, any("[ \x00")))
			}
			require.NoError(t, bigen.Check(loose, any("[ \x00")))
		})
	}
}

// A format that is a condition meets other conditions.
func TestFormatsTogether(t *testing.T) {
	for schema, fits := range map[string]func(s string) bool{
		`{"type": "string", "format": "date", "pattern": "^2024"}`: func(s string) bool {
			return strings.HasPrefix(s, "2024-") && len(s) == 10
		},
		`{"type": "string", "format": "ipv4", "pattern": "^10\\."}`: func(s string) bool {
			return strings.HasPrefix(s, "10.") && strings.Count(s, ".") == 3
		},
		`{"type": "string", "format": "email", "maxLength": 8}`: func(s string) bool {
			return strings.Contains(s, "@") && len(s) <= 8
		},
	} {
		made := 0
		for v := range values(jsonschema.Matching(schema, jsonschema.AssertFormat()), 200) {
			require.True(t, fits(v.(string)), "%s: %q", schema, v)
			made++
		}
		require.Greater(t, made, 190, schema)
	}
	_, err := jsonschema.Parse(`{"type": "string", "format": "uuid", "maxLength": 5}`, jsonschema.AssertFormat())
	require.ErrorContains(t, err, "none fits #/format and #/maxLength")
}

// Examples and defaults that are valid come up.
func TestExamples(t *testing.T) {
	seen := map[any]int{}
	for v := range values(jsonschema.Matching(`{"type": "string", "default": "a word", "examples": ["hello", 7],
		"allOf": [{"examples": ["another", "hello"]}]}`), 1000) {
		seen[v]++
	}
	for _, v := range []string{"a word", "hello", "another"} {
		require.Greater(t, seen[v], 10)
	}
}

// Integers without bounds are often small, and bounds come up.
func TestIntegers(t *testing.T) {
	for _, c := range []struct {
		schema    string
		lo, hi    float64
		few, many int
	}{
		{`{"type": "integer"}`, -100, 100, 400, 700},
		{`{"type": "integer", "minimum": 1}`, 1, 101, 400, 700},
		{`{"type": "integer", "minimum": 1, "maximum": 65535}`, 65535, 65535, 10, 100},
		{`{"type": "integer", "multipleOf": 1000}`, -100_000, 100_000, 400, 700},
	} {
		n := 0
		for v := range values(jsonschema.Matching(c.schema), 1000) {
			if f := v.(float64); c.lo <= f && f <= c.hi {
				n++
			}
		}
		require.True(t, c.few <= n && n <= c.many, "%s: %d", c.schema, n)
	}
}

// The same bytes make the same value in each process: nothing depends on the order of maps.
func TestSameChoices(t *testing.T) {
	for _, k := range append(append([]keyword{{schema: everything}, {schema: ofSchemas}}, keywords2020...),
		keywordsTogether...) {
		const runs = 40
		type made struct {
			value any
			tree  choices.Tree
			err   error
		}
		var first [runs]made
		g, h := jsonschema.Matching(k.schema), jsonschema.Matching(k.schema)
		for seed := range uint64(runs) {
			m := &first[seed]
			m.value, m.tree, m.err = bigen.Run(g, choices.Random(rand.New(rand.NewPCG(seed, 0))))
		}
		for seed := uint64(runs); seed > 0; seed-- { // what is built when it is needed is built in another order
			m := &first[seed-1]
			v, tree, err := bigen.Run(h, choices.Random(rand.New(rand.NewPCG(seed-1, 0))))
			require.Equal(t, m.err, err)
			require.True(t, reflect.DeepEqual(m.value, v), k.schema)
			require.Equal(t, m.tree, tree, k.schema)
		}
	}
}

func TestConcurrent(t *testing.T) {
	g := jsonschema.Matching(everything)
	var all sync.WaitGroup
	for seed := range uint64(4) {
		all.Go(func() {
			r := rand.New(rand.NewPCG(seed, 0))
			for range 50 {
				v := bigen.Sample(g, r)
				assert.NoError(t, bigen.Check(g, v))
			}
		})
	}
	all.Wait()
}

// A generator reads a document that the schema allows, and says where another one is wrong.
func ExampleMatching() {
	gen := jsonschema.Matching(`{
		"type": "object",
		"properties": {"name": {"type": "string"}, "port": {"type": "integer", "minimum": 1, "maximum": 65535}},
		"required": ["port"]
	}`)
	fmt.Println(bigen.Choices(gen, any(map[string]any{"port": 80.0})))
	fmt.Println(bigen.Check(gen, any(map[string]any{"port": 0.0})))
	// Output:
	// absent, small(80), stop <nil>
	// not produced by the generator: at /: at "/port": minimum: got 0, want 1
}

// A schema that contradicts itself says where.
func ExampleParse() {
	_, err := jsonschema.Parse(`{
		"$defs": {"port": {"type": "integer", "minimum": 1024}},
		"properties": {"port": {"$ref": "#/$defs/port", "maximum": 1000}},
		"type": "object", "required": ["port"]
	}`)
	fmt.Println(err)
	// Output:
	// no value is valid: no value of the property "port", which #/required requires, is valid: no number is in the range of #/$defs/port/minimum and #/properties/port/maximum; #/$defs/port/type allows integer; #/type allows object
}

// A validator says of a value what Parse says backward, and knows all digits of an integer.
func TestValidator(t *testing.T) {
	const schema = `{"type": "object", "properties":
		{"n": {"type": "integer", "minimum": 1, "maximum": 9223372036854775807}}}`
	valid, err := jsonschema.Validator(schema)
	require.NoError(t, err)
	for _, c := range []struct {
		value any
		want  string // or ""
	}{
		{map[string]any{"n": 1.0}, ""},
		{map[string]any{}, ""},
		{map[string]any{"n": 0.0}, `at "/n": minimum: got 0, want 1`},
		{[]any{}, `at "": got array, want object`},
	} {
		if c.want == "" {
			require.NoError(t, valid(c.value))
		} else {
			require.ErrorContains(t, valid(c.value), c.want)
			_, err := bigen.Encode(jsonschema.Matching(schema), any(c.value))
			require.ErrorContains(t, err, c.want)
		}
	}
	require.NoError(t, valid(map[string]any{"n": json.Number("9223372036854775807")}))
	require.ErrorContains(t, valid(map[string]any{"n": json.Number("9223372036854775808")}), `at "/n": maximum`)
	_, err = jsonschema.Validator(`{"type": 1}`)
	require.ErrorContains(t, err, "not a valid schema")
}
