// Package jsonschema makes generators of the JSON values that a JSON Schema allows. It is a package
// of its own, so that other tests do not link code that reads schemas.
//
// A schema says which values are valid, not how to make one. So it is first brought into a form
// that values can be made from: alternatives, each of one type, with all that the schema asks of
// values of this type, wherever in the schema that is said. Keywords that combine schemas (allOf,
// anyOf, oneOf, not, if, dependentSchemas, references) are computed: allOf by joining what its
// schemas ask, not by the opposite of each of their keywords. What cannot be said so, such as that
// a string does not match a pattern, filters the values of the narrowest generator.
//
// Whether a value is valid is decided by [github.com/santhosh-tekuri/jsonschema/v6].
package jsonschema

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/espalier-go/espalier/bigen"
	js "github.com/santhosh-tekuri/jsonschema/v6"
)

// Matching is [Parse] for a schema that is a part of the program. It panics where Parse returns an
// error.
func Matching(schema string, options ...Option) bigen.Gen[any] {
	g, err := Parse(schema, options...)
	if err != nil {
		panic("jsonschema.Matching: " + err.Error())
	}
	return g
}

// Parse returns a generator of the values that a JSON Schema allows, as [encoding/json.Unmarshal]
// makes them: see [bigen.JSON]. The schema is of draft 2020-12, 2019-09, 7, 6 or 4, as its $schema
// says. All keywords of these drafts that decide whether a value is valid have their effect.
//
// Random objects rarely have properties that the schema does not name, unless it says what these
// are (additionalProperties, patternProperties, unevaluatedProperties). Most strings have the
// format that the schema names, even where format is an annotation: see [AssertFormat]. Values get
// smaller the deeper they are, so that random values of recursive schemas end. Backward, any valid
// value can be read, except that numbers are of type float64.
//
// Trees and corpora identify properties by their names, and alternatives by the titles of the
// schemas that were chosen or, without a title, by the keyword and the index.
//
// Parse returns an error if the schema is not valid itself, if it refers to another one that
// [Remote] does not give, and if no value can be valid: then the error names the keywords that
// exclude each other, and their places.
func Parse(schema string, options ...Option) (bigen.Gen[any], error) {
	x, root, err := read(schema, options)
	if err != nil {
		return bigen.Gen[any]{}, err
	}
	return x.generator(root)
}

// read reads a schema and what it refers to.
func read(schema string, options []Option) (*schemas, *js.Schema, error) {
	c := config{draft: js.Draft2020}
	for _, o := range options {
		if o != nil {
			o(&c)
		}
	}
	if c.err != nil {
		return nil, nil, c.err
	}
	doc, err := decode(schema)
	if err != nil {
		return nil, nil, fmt.Errorf("the schema is not JSON: %w", err)
	}
	return load(doc, c)
}

// An Option changes how [Parse] and [Validator] read a schema.
type Option func(c *config)

type config struct {
	draft        *js.Draft
	assertFormat bool
	remote       func(url string) (string, error)
	err          error
}

// AssertFormat makes format a condition on strings, in every draft. Without it, format is an
// annotation: backward, strings of any form are read, and of random strings some do not have
// the form. Formats are those of draft 2020-12; others have no effect.
func AssertFormat() Option { return func(c *config) { c.assertFormat = true } }

// Draft says of which draft a schema without $schema is: 4, 6, 7, 2019 for draft 2019-09, or 2020
// for draft 2020-12, the default. [Parse] returns an error for other numbers.
func Draft(version int) Option {
	return func(c *config) {
		drafts := map[int]*js.Draft{
			4: js.Draft4, 6: js.Draft6, 7: js.Draft7, 2019: js.Draft2019, 2020: js.Draft2020,
		}
		if c.draft = drafts[version]; c.draft == nil {
			c.err = fmt.Errorf("jsonschema.Draft: there is no draft %d: want 4, 6, 7, 2019 or 2020", version)
		}
	}
}

// Remote gives the texts of schemas to which others refer by URL, without the fragment of the URL.
// Parse calls load once for each URL, except for those of the drafts' own schemas, which it knows.
// Without Remote, a reference to any other schema is an error: Parse reads no files and no network.
func Remote(load func(url string) (string, error)) Option {
	return func(c *config) { c.remote = load }
}

// decode decodes one JSON value, with numbers as they are written: bounds may have more digits than
// a float64.
func decode(text string) (v any, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("there is more after its end")
	}
	return v, nil
}

// Validator returns a function that reports why a value is not one that a JSON Schema allows, or nil
// if it is. The value is as [encoding/json.Unmarshal] makes it, or an [encoding/json.Decoder] with
// UseNumber, so that integers have all their digits. The schema and the options are as those of
// [Parse]. Several goroutines may call the function at once.
//
// Validator returns an error if the schema is not valid itself, or if it refers to another one that
// [Remote] does not give.
func Validator(schema string, options ...Option) (func(v any) error, error) {
	_, root, err := read(schema, options)
	if err != nil {
		return nil, err
	}
	return func(v any) error {
		if err := root.Validate(v); err != nil {
			return explain(err)
		}
		return nil
	}, nil
}
