package openapi

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"github.com/espalier-go/espalier/bigen"
)

// codec returns a codec for a schema in YAML, which may refer to the components A and B.
func codec(t *testing.T, schema string) xmlCodec {
	t.Helper()
	var v any
	require.NoError(t, yaml.Unmarshal([]byte(schema), &v))
	doc := map[string]any{"openapi": "3.0.3", "components": map[string]any{"schemas": map[string]any{
		"A": map[string]any{"type": "object", "properties": map[string]any{
			"n": map[string]any{"type": "integer"},
			"b": map[string]any{"$ref": "#/components/schemas/B"},
		}},
		"B": map[string]any{"type": "array", "xml": map[string]any{"name": "bees", "wrapped": true},
			"items": map[string]any{"type": "boolean", "xml": map[string]any{"name": "bee"}}},
	}}}
	s := newSchemas(doc, inRequest)
	return xmlCodec{s, s.of(v)}
}

// Each case of the section on XML objects in the specification of OpenAPI is written as it shows, and
// read back.
func TestXML(t *testing.T) {
	t.Parallel()
	property := func(schema string) string {
		return "{type: object, xml: {name: r}, properties: {cats: " + schema + "}}"
	}
	const two = `{"cats": ["x", "y"]}`
	for name, c := range map[string]struct{ schema, value, want string }{
		"no XML element": {property("{type: string}"), `{"cats": "x"}`, "<r><cats>x</cats></r>"},
		"an array":       {property("{type: array, items: {type: string}}"), two, "<r><cats>x</cats><cats>y</cats></r>"},
		"a name":         {property("{type: string, xml: {name: dog}}"), `{"cats": "x"}`, "<r><dog>x</dog></r>"},
		"attribute, namespace and prefix": {"{type: object, xml: {name: r}, properties: {id: {type: integer, xml: {attribute: true}}, " +
			"name: {type: string, xml: {namespace: 'http://x.org/y', prefix: p}}}}", `{"id": 7, "name": "a<b"}`,
			`<r id="7"><p:name xmlns:p="http://x.org/y">a&lt;b</p:name></r>`},
		"a namespace of an attribute": {"{type: object, xml: {name: r}, properties: {id: {type: integer, xml: " +
			"{attribute: true, namespace: 'http://x.org/y', prefix: p}}}}", `{"id": 7}`,
			`<r p:id="7" xmlns:p="http://x.org/y"></r>`},
		"a default namespace": {"{type: object, xml: {name: r, namespace: 'http://x.org'}, properties: {n: {type: integer}}}",
			`{"n": 1}`, `<r xmlns="http://x.org"><n>1</n></r>`},
		"the name of elements": {property("{type: array, items: {type: string, xml: {name: cat}}}"), two,
			"<r><cat>x</cat><cat>y</cat></r>"},
		"a name of the array counts only with wrapped": {
			property("{type: array, items: {type: string, xml: {name: cat}}, xml: {name: felines}}"), two,
			"<r><cat>x</cat><cat>y</cat></r>"},
		"not even without a name of elements": {property("{type: array, items: {type: string}, xml: {name: felines}}"), two,
			"<r><cats>x</cats><cats>y</cats></r>"},
		"wrapped": {property("{type: array, items: {type: string}, xml: {wrapped: true}}"), two,
			"<r><cats><cats>x</cats><cats>y</cats></cats></r>"},
		"wrapped, with a name of elements": {
			property("{type: array, items: {type: string, xml: {name: cat}}, xml: {wrapped: true}}"), two,
			"<r><cats><cat>x</cat><cat>y</cat></cats></r>"},
		"wrapped, with both names": {
			property("{type: array, items: {type: string, xml: {name: cat}}, xml: {name: felines, wrapped: true}}"), two,
			"<r><felines><cat>x</cat><cat>y</cat></felines></r>"},
		"wrapped, with the name of the array": {
			property("{type: array, items: {type: string}, xml: {name: felines, wrapped: true}}"), two,
			"<r><felines><felines>x</felines><felines>y</felines></felines></r>"},
		"an empty wrapped array": {property("{type: array, items: {type: string}, xml: {wrapped: true}}"),
			`{"cats": []}`, "<r><cats></cats></r>"},
		"a component": {"{$ref: '#/components/schemas/A'}", `{"n": -1, "b": [true, false]}`,
			"<A><bees><bee>true</bee><bee>false</bee></bees><n>-1</n></A>"},
		"allOf": {"{xml: {name: r}, allOf: [{$ref: '#/components/schemas/A'}, {type: object, properties: {m: {type: number}}}]}",
			`{"n": 1, "m": 0.5}`, "<r><m>0.5</m><n>1</n></r>"},
		"a root that is an array": {"{$ref: '#/components/schemas/B'}", "[true]", "<bees><bee>true</bee></bees>"},
		"a scalar":                {"{type: integer}", "3", "<root>3</root>"},
		"objects in an array":     {property("{type: array, items: {$ref: '#/components/schemas/A'}}"), `{"cats": [{"n": 1}, {"n": 2}]}`, "<r><cats><n>1</n></cats><cats><n>2</n></cats></r>"},
		"other properties":        {"{type: object, additionalProperties: {type: integer}}", `{"a": 1, "b": 2}`, "<root><a>1</a><b>2</b></root>"},
	} {
		x := codec(t, c.schema)
		v, err := decode([]byte(c.value))
		require.NoError(t, err, name)
		assert.Equal(t, c.want, string(x.encode(v)), name)
		back, err := x.decode([]byte(c.want))
		require.NoError(t, err, name)
		assert.Equal(t, v, back, name)
	}
}

// What others write is read: with other prefixes, a declaration, comments and spaces. What differs
// from the schema stays visible.
func TestReadXML(t *testing.T) {
	t.Parallel()
	const schema = "{type: object, required: [l], xml: {name: r}, properties: {n: {type: integer, nullable: true}, " +
		"l: {type: array, items: {type: string}}, q: {type: string, xml: {namespace: 'http://q', prefix: q}}}}"
	for text, want := range map[string]string{
		"<?xml version='1.0'?>\n<r>\n  <n> 5 </n><!-- c -->\n</r>":                     `{"n": 5, "l": []}`,
		"<r xmlns:z='http://q'><z:q>x</z:q></r>":                                       `{"q": "x", "l": []}`,
		"<r><q>x</q></r>":                                                              `{"q": "x", "l": []}`,
		"<r xmlns:i='http://www.w3.org/2001/XMLSchema-instance'><n i:nil='true'/></r>": `{"n": null, "l": []}`,
		"<r><n>five</n><other>1</other></r>":                                           `{"n": "five", "other": "1", "l": []}`,
		"<r a='1'><n><m/></n></r>":                                                     `{"a": "1", "n": {"m": ""}, "l": []}`,
	} {
		v, err := codec(t, schema).decode([]byte(text))
		require.NoError(t, err, text)
		b, err := json.Marshal(v)
		require.NoError(t, err)
		assert.JSONEq(t, want, string(b), text)
	}
	for text, want := range map[string]string{
		"<s></s>": "the root element is s, not r", "<r>": "XML syntax error", "": "exactly one root", "<r/><r/>": "exactly one root",
	} {
		_, err := codec(t, schema).decode([]byte(text))
		assert.ErrorContains(t, err, want, text)
	}
}

const xmlPets = `
openapi: 3.0.3
info: {title: Pets, version: '1'}
paths:
  /pets:
    post:
      requestBody: {required: true, content: {application/xml: {schema: {$ref: '#/components/schemas/Pet'}}}}
      responses: {'200': {description: '', content: {application/xml: {schema: {$ref: '#/components/schemas/Pet'}}}}}
components:
  schemas:
    Pet:
      type: object
      required: [name, tags]
      additionalProperties: false
      properties:
        id: {type: integer, format: int32, xml: {attribute: true}}
        name: {type: string, maxLength: 9, pattern: '^[ -~]*$', xml: {prefix: p, namespace: 'http://pets'}}
        tags: {type: array, maxItems: 3, items: {type: boolean, xml: {name: tag}}, xml: {wrapped: true}}
        more: {type: array, minItems: 1, items: {type: number}}
`

// Requests are read back as the values that they were made of, all of which the schema allows.
func TestXMLRequests(t *testing.T) {
	t.Parallel()
	s, err := Parse([]byte(xmlPets))
	require.NoError(t, err)
	b := s.operations[0].bodies[0]
	g, err := s.requests.generator(b.schema)
	require.NoError(t, err)
	valid, err := s.responses.validator(b.schema)
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(1, 0))
	for range 300 {
		v := bigen.Sample(g, random)
		written, mediaType := b.encode(v)
		require.Equal(t, "application/xml", mediaType)
		back, err := b.xml.decode(written)
		require.NoError(t, err, string(written))
		require.NoError(t, valid(back), string(written))
		want, err := json.Marshal(v)
		require.NoError(t, err)
		got, err := json.Marshal(back)
		require.NoError(t, err)
		require.JSONEq(t, string(want), string(got), string(written))
		again, err := b.decode(s.requests, written, "")
		require.NoError(t, err)
		require.NoError(t, bigen.Check(g, again), string(written))
	}
}
