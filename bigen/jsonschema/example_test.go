package jsonschema_test

import (
	"fmt"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/jsonschema"
)

// Remote has the schemas to which others refer.
func ExampleRemote() {
	files := map[string]string{
		"https://example.com/port": `{"type": "integer", "minimum": 1, "maximum": 65535}`,
	}
	gen, err := jsonschema.Parse(`{"type": "array", "items": {"$ref": "https://example.com/port"}}`,
		jsonschema.Remote(func(url string) (string, error) {
			text, ok := files[url]
			if !ok {
				return "", fmt.Errorf("there is no schema %s", url)
			}
			return text, nil
		}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(bigen.Check(gen, any([]any{80.0, 443.0})))
	fmt.Println(bigen.Check(gen, any([]any{0.0})))
	// Output:
	// <nil>
	// not produced by the generator: at /: at "/0": minimum: got 0, want 1
}

// Formats are notes, unless they are asserted.
func ExampleAssertFormat() {
	const schema = `{"type": "string", "format": "date"}`
	noted := jsonschema.Matching(schema)
	asserted := jsonschema.Matching(schema, jsonschema.AssertFormat())
	fmt.Println(bigen.Check(noted, any("today")) == nil, bigen.Check(asserted, any("today")) == nil)
	// Output:
	// true false
}

// Validator says of other values, such as the answers of a service, whether a schema allows them.
func ExampleValidator() {
	valid, err := jsonschema.Validator(`{"type": "object", "required": ["id"]}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(valid(map[string]any{"id": 1.0}))
	fmt.Println(valid(map[string]any{}))
	// Output:
	// <nil>
	// at "": missing property 'id'
}
