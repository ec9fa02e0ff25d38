package jsonschema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigentest"
	"github.com/espalier-go/espalier/bigen/jsonschema"
	"github.com/espalier-go/espalier/internal/testing/long"
	"github.com/stretchr/testify/require"
)

const everything = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "a person", "type": "object",
	"properties": {
		"name": {"type": "string", "pattern": "^[A-Z][a-z]*$", "minLength": 2, "maxLength": 9},
		"part": {"type": "string", "pattern": "-|:"},
		"age": {"type": "integer", "minimum": 0.5, "maximum": 130},
		"size": {"type": "number", "minimum": -1},
		"nick": {"enum": ["", null, 7, {"a": [1]}]},
		"kind": {"const": "person", "description": "always the same"},
		"tags": {"type": "array", "items": {"type": "string", "maxLength": 3}, "minItems": 1, "maxItems": 2},
		"none": {"type": "array", "maxItems": 0},
		"any": true, "list": {"type": "array"}, "flag": {"type": "boolean"}, "nil": {"type": "null"},
		"kids": {"type": "array", "items": {"$ref": "#"}},
		"home": {"oneOf": [{"$ref": "#/$defs/address"}, {"type": "null"}]},
		"extra": {"anyOf": [{"title": "number", "type": "number"}, {"type": "object", "additionalProperties": {"$ref": "#/$defs/address"}}]}
	},
	"required": ["name", "nil", "kids"],
	"$defs": {"address": {"type": "object", "properties": {"zip": {"type": "string"}, "of": {"$ref": "#"}}, "additionalProperties": true}}
}`

// Values survive JSON, and match the schema.
func TestLaws(t *testing.T) {
	g := jsonschema.Matching(everything)
	runs := bigentest.Runs(long.Count(30, 200))
	if long.Enabled() {
		bigentest.Laws(t, g, runs)
	}
	seen := map[string]bool{}
	bigentest.Sound(t, g, func(v any) bool {
		b, err := json.Marshal(v)
		require.NoError(t, err)
		var w any
		require.NoError(t, json.Unmarshal(b, &w))
		require.Equal(t, v, w)
		require.NoError(t, bigen.Check(g, w))
		m := v.(map[string]any)
		for k := range m {
			seen[k] = true
		}
		name := m["name"].(string)
		part, ok := m["part"].(string)
		age, _ := m["age"].(float64)
		return 2 <= len(name) && len(name) <= 9 && (!ok || strings.ContainsAny(part, "-:")) &&
			(m["age"] == nil || 1 <= age && age <= 130)
	}, runs)
	require.Len(t, seen, 15)
	var given any
	require.NoError(t,
		json.Unmarshal(
			[]byte(`{"name": "Al", "nil": null, "kids": [], "part": "a-b", "home": null}`), &given))
	require.NoError(t, bigen.Check(g, given))
}

func TestNotProduced(t *testing.T) {
	g := jsonschema.Matching(everything)
	for given, want := range map[string]string{
		`{"nil": null, "kids": []}`: "at /name: the " +
			"object has no such property, which is required",
		`{"name": "Al", "nil": null, "kids": [], "x": 1}`:      `at /: the schema has no property "x"`,
		`{"name": "Al", "nil": null, "kids": [{"name": "B"}]}`: `at /kids/value/0/kids: the object has no such property`,
		`{"name": "Al", "nil": null, "kids": [], "age": 0}`: "at /age/value: 0 " +
			"not in [1,130]",
		`{"name": "Al", "nil": null, "kids": [], "tags": []}`: "at /tags/value: 0 " +
			"elements, not 1 to 2",
		`{"name": "Al", "nil": null, "kids": [], "home": {"of": {}}}`:       "at /home/value",
		`{"name": "Al", "nil": null, "kids": [], "none": null}`:             "at /none/value",
		`{"name": "Al", "nil": null, "kids": {}}`:                           "at /kids/value",
		`{"name": "Al", "nil": null, "kids": [], "extra": {"x": {"of":1}}}`: "at /extra/value",
	} {
		var v any
		require.NoError(t, json.Unmarshal([]byte(given), &v))
		require.ErrorContains(t, bigen.Check(g, v), want)
	}
}

func TestMisuse(t *testing.T) {
	for schema, want := range map[string]string{
		`{`: "jsonschema.Matching: unexpected end of JSON input",
		`{"type": "object", "properties": {"a": {"not": {}}}}`: "jsonschema.Matching: " +
			"#/properties/a: the keyword not is not supported here",
		`{"type": "string", "minimum": 1}`: "#: the keyword minimum is not " +
			"supported here",
		`{"type": "text"}`: "#: there " +
			"is no type text",
		`{"type": "array", "items": false}`: "#/items: " +
			"the schema false allows no value",
		`{"type": "array", "minItems": 2, "maxItems": 1}`: "#: nothing is from minItems 2 to maxItems 1",
		`{"type": "integer", "minimum": "1"}`:             "#: nothing is from minimum 1 to maximum",
		`{"enum": []}`: "#: enum " +
			"lists nothing",
		`{"$ref": "#/$defs/x"}`: "#: $ref: " +
			"there is no schema at #/$defs/x",
		`{"type": "object", "required": ["a"]}`: "#: the required property a is not in properties",
		`{"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}`: "no value " +
			"of type # is finite",
	} {
		t.Run(schema, func(t *testing.T) {
			defer func() { require.Contains(t, fmt.Sprint(recover()), want) }()
			jsonschema.Matching(schema)
		})
	}
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
	// nil, 80 <nil>
	// not produced by the generator: at /port/value: 0 not in [1,65535]
}
