package openapi

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The schemas of a description say what they say in its version, to each side.
func TestSchemas(t *testing.T) {
	t.Parallel()
	const components = `{
		"Cat": {"type": "object", "properties": {"kind": {"type": "string"}, "lives": {"type": "integer"}}},
		"Dog": {"type": "object", "properties": {"kind": {"type": "string"}}},
		"ID": {"type": "integer", "readOnly": true},
		"a/b%~": {"type": "string", "maxLength": 1},
		"List": {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/List"}},
			"additionalProperties": false}
	}`
	const old, modern = "3.0.3", "3.1.0"
	for _, c := range []struct {
		version, schema string
		to              direction
		valid, invalid  []string
	}{
		{old, `{"type": "string", "nullable": true}`, inRequest, []string{`"a"`, `null`}, []string{`1`}},
		{old, `{"type": "string", "nullable": true, "enum": ["a"]}`, inRequest, []string{`"a"`}, []string{`null`}},
		{old, `{"type": "string", "nullable": true, "enum": ["a"]}`, inResponse, []string{`"a"`, `null`}, nil},
		{modern, `{"type": "string", "nullable": true}`, inRequest, []string{`"a"`}, []string{`null`}},
		{old, `{"type": "number", "minimum": 1, "exclusiveMinimum": true}`, inRequest,
			[]string{`1.5`}, []string{`1`}},
		{old, `{"type": "number", "maximum": 1, "exclusiveMaximum": false}`, inRequest,
			[]string{`1`}, []string{`1.5`}},
		{modern, `{"type": "number", "exclusiveMinimum": 1}`, inRequest, []string{`1.5`}, []string{`1`}},
		{old, `{"type": "integer", "format": "int32"}`, inRequest,
			[]string{`2147483647`, `-2147483648`}, []string{`2147483648`, `1.5`}},
		{old, `{"type": "integer", "format": "int64", "minimum": 0}`, inRequest,
			[]string{`9223372036854774784`}, []string{`9223372036854775808`, `-1`}},
		{old, `{"type": "string", "format": "byte"}`, inRequest, []string{`""`, `"YQ=="`}, []string{`"a"`}},
		{old, `{"$ref": "#/components/schemas/a~1b%25~0", "maxLength": 0}`, inRequest,
			[]string{`"x"`}, []string{`"xy"`}},
		{modern, `{"$ref": "#/components/schemas/a~1b%25~0", "maxLength": 0}`, inRequest,
			[]string{`""`}, []string{`"x"`}},
		{old, `{"type": "object", "required": ["id", "x"], "properties":
			{"id": {"type": "integer", "readOnly": true}, "x": {}}}`, inRequest,
			[]string{`{"x": 1}`}, []string{`{"id": 1, "x": 1}`, `{}`}},
		{old, `{"type": "object", "required": ["id"], "properties":
			{"id": {"type": "integer", "readOnly": true}}}`, inResponse, []string{`{"id": 1}`}, []string{`{}`}},
		{old, `{"type": "object", "required": ["id"], "properties": {"id": {"$ref": "#/components/schemas/ID"}}}`,
			inRequest, []string{`{}`}, []string{`{"id": 1}`}},
		{old, `{"type": "object", "required": ["p"], "properties": {"p": {"type": "string", "writeOnly": true}}}`,
			inResponse, []string{`{}`, `{"p": "x"}`}, []string{`{"p": 1}`}},
		{old, `{"type": "object", "required": ["id"], "properties": {"id": {"type": "integer", "readOnly": true}}}`,
			inEither, []string{`{}`, `{"id": 1}`}, []string{`{"id": "x"}`}},
		{old, `{"allOf": [{"type": "object", "properties": {"id": {"type": "integer", "readOnly": true}}},
			{"type": "object", "required": ["id"]}]}`, inRequest, []string{`{}`}, []string{`{"id": 1}`}},
		{old, `{"required": ["x"], "properties": {"x": {}}}`, inRequest, []string{`{"x": 1}`}, []string{`null`, `{}`}},
		{old, `{"required": ["x"], "properties": {"x": {}}}`, inEither, []string{`{"x": 1}`, `null`}, []string{`{}`}},
		{old, `{"type": "number", "format": "float"}`, inResponse, []string{`3.4028235e38`}, []string{`3.41e38`}},
		{old, `{"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
			"discriminator": {"propertyName": "kind", "mapping": {"wolf": "#/components/schemas/Dog"}}}`, inRequest,
			[]string{`{"kind": "Cat", "lives": 9}`, `{"kind": "wolf"}`}, []string{`{"kind": "Dog"}`, `{}`}},
		{old, `{"$ref": "#/components/schemas/List"}`, inRequest,
			[]string{`{"next": {"next": {}}}`}, []string{`{"next": {"last": 1}}`}},
		{old, `{"type": "array", "items": {"$ref": "#/paths/~1x/get/schema"}}`, inRequest,
			[]string{`[null, true]`}, []string{`[1]`}},
	} {
		var parts, schema any
		require.NoError(t, json.Unmarshal([]byte(components), &parts))
		require.NoError(t, json.Unmarshal([]byte(c.schema), &schema), c.schema)
		s := newSchemas(map[string]any{
			"openapi": c.version, "components": map[string]any{"schemas": parts},
			"paths": map[string]any{"/x": map[string]any{"get": map[string]any{
				"schema": map[string]any{"type": "boolean", "nullable": true},
			}}},
		}, c.to)
		valid, err := s.validator(s.of(schema))
		require.NoError(t, err, c.schema)
		check := func(text string) error {
			var v any
			require.NoError(t, json.Unmarshal([]byte(text), &v))
			return valid(v)
		}
		for _, text := range c.valid {
			assert.NoError(t, check(text), "%s %s: %s", c.version, c.schema, text)
		}
		for _, text := range c.invalid {
			assert.Error(t, check(text), "%s %s: %s", c.version, c.schema, text)
		}
		_, err = s.generator(s.of(schema))
		assert.NoError(t, err, c.schema)
	}
	s := newSchemas(map[string]any{"openapi": old}, inRequest)
	_, err := s.generator(s.of(map[string]any{"$ref": "#/components/schemas/None"}))
	require.EqualError(t, err, `the reference "#/components/schemas/None" points to nothing`)
}

// Of the media types that a description has, the one that says the most about a body counts, unless a
// parameter of it is another one.
func TestContent(t *testing.T) {
	t.Parallel()
	r := &response{contents: map[string]*validated{}}
	for _, mediaType := range []string{"*/*", "application/*", "application/json",
		"application/json; a=1; v=2", "application/json; v=1", "text/csv; charset=utf-8"} {
		r.contents[mediaType] = &validated{schema: mediaType}
	}
	for mediaType, want := range map[string]string{
		"image/png": "*/*", "application/xml": "application/*", "application/json": "application/json",
		"application/json; v=1": "application/json; v=1", "application/json; v=2": "application/json",
		"application/json; charset=utf-8": "application/json", "text/csv": "text/csv; charset=utf-8",
	} {
		assert.Equal(t, want, r.content(mediaType).schema, mediaType)
	}
	require.Nil(t, (&response{contents: map[string]*validated{"text/plain": {}}}).content("text/html"))
}
