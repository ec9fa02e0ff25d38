package openapi_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/contrib/openapi"
)

// counter is a service with one operation.
func counter(testing.TB) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/add", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Content-Type") != "application/json" || r.ContentLength == 0 {
			w.WriteHeader(http.StatusBadRequest)
		}
	})
	return mux
}

// Descriptions of all versions, in YAML and JSON, and of several files say the same.
func TestLoad(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		return file
	}
	write("number.yaml", "Number: {type: integer, minimum: 1}\n")
	for name, text := range map[string]string{
		"2.json": `{"swagger": "2.0", "info": {"title": "", "version": ""}, "basePath": "/v1",
			"consumes": ["application/json"], "paths": {"/add": {"post": {"parameters":
			[{"in": "body", "name": "n", "required": true, "schema": {"type": "integer"}}],
			"responses": {"200": {"description": ""}, "400": {"description": ""}}}}}}`,
		"2.yaml": "swagger: '2.0'\ninfo: {title: '', version: ''}\nbasePath: /v1\npaths:\n  /add:\n    post:\n" +
			"      consumes: [application/json]\n      parameters:\n        - {in: body, name: n, required: true, " +
			"schema: {type: integer}}\n      responses:\n        200: {description: ''}\n        400: {description: ''}\n",
		"3.0.yaml": "openapi: 3.0.0\ninfo: {title: '', version: ''}\nservers: [{url: 'http://x/{v}', variables: " +
			"{v: {default: v1}}}]\npaths:\n  /add:\n    post:\n      requestBody: {required: true, content: " +
			"{application/json: {schema: {$ref: 'number.yaml#/Number'}}}}\n" +
			"      responses:\n        200: {description: ''}\n        4XX: {description: ''}\n",
		"3.1.json": `{"openapi": "3.1.0", "info": {"title": "", "version": ""}, "servers": [{"url": "/v1/"}],
			"paths": {"/add": {"post": {"requestBody": {"required": true, "content": {"application/json":
			{"schema": {"type": ["integer", "null"]}}}}, "responses": {"default": {"description": ""}}}}}}`,
	} {
		s, err := openapi.Load(write(name, text))
		require.NoError(t, err, name)
		m, err := s.Model(counter, openapi.Without("negative_data_rejection"))
		require.NoError(t, err, name)
		said, _ := fails(t, m, 1, 30)
		assert.Empty(t, said, name)
		m, err = s.Model(counter, openapi.Base("/x"), openapi.Examine("path", func(x *openapi.Exchange) error {
			return errors.New(x.Request.URL.Path)
		}), openapi.Without("status_code_conformance"))
		require.NoError(t, err, name)
		said, _ = fails(t, m, 1, 30)
		assert.Contains(t, said, "path: POST /add answers 404 Not Found: /x/add", name)
	}
}

// What is wrong with a description or an option is told.
func TestErrors(t *testing.T) {
	t.Parallel()
	_, err := openapi.Load(filepath.Join(t.TempDir(), "none.yaml"))
	require.ErrorIs(t, err, os.ErrNotExist)
	const begin = "openapi: 3.0.3\ninfo: {title: '', version: ''}\n"
	for text, want := range map[string]string{
		"[":                 "neither JSON nor YAML",
		"{}":                `neither "openapi" nor "swagger"`,
		begin + "paths: {}": "it describes no operation",
		begin + "paths: {/a: {get: {parameters: [{name: n, in: body}], responses: {}}}}":  "GET /a: parameter n: it is in",
		begin + "paths: {'/a/{x}/{x}': {get: {responses: {}}}}":                           "GET /a/{x}/{x}: the parameter {x} of the path",
		begin + "paths: {'/a/{}': {get: {responses: {}}}}":                                "GET /a/{}: the parameter {} of the path",
		begin + "paths: {/a: {get: {parameters: [{$ref: '#/components/parameters/x'}]}}}": "x",
	} {
		_, err := openapi.Parse([]byte(text))
		assert.ErrorContains(t, err, want, text)
	}
	impossible := begin + "paths: {/a: {get: {parameters: [{name: n, in: query, required: true, " +
		"schema: {type: integer, minimum: 2, maximum: 1}}]}}}"
	noType := begin + "paths: {/a: {post: {requestBody: {required: true, content: {}}}}}"
	for _, c := range []struct {
		text string
		opts []openapi.Option
		want string
	}{
		{impossible, nil, "GET /a: no request can be made: no value is valid"},
		{impossible, nil, `To leave it out, use openapi.Skip("GET /a")`},
		{noType, nil, "POST /a: it demands a body, and the description has no media type of one"},
		{impossible, []openapi.Option{openapi.Skip("GET /a")}, "no operation is left"},
		{"", []openapi.Option{openapi.Only("GET /none")}, `the description has no operation "GET /none"`},
		{"", []openapi.Option{openapi.Without("idempotence", "none")}, `the description has no operation "none"`},
		{"", []openapi.Option{openapi.Without("none")}, `there is no check "none": want one of not_a_server_error`},
		{"", []openapi.Option{openapi.Values("query", "none", 1)}, "no operation has a query parameter none"},
		{"", []openapi.Option{openapi.Credentials("none", "x")}, `the description has no security scheme "none": want one of ["key"]`},
		{"", []openapi.Option{openapi.Base("x")}, "does not begin with /"},
		{"", []openapi.Option{openapi.Values("query", "limit")}, "give at least one value of the query parameter limit"},
	} {
		var s *openapi.Spec
		if c.text == "" {
			s = description(t)
		} else {
			var err error
			s, err = openapi.Parse([]byte(c.text))
			require.NoError(t, err)
		}
		_, err = s.Model(counter, c.opts...)
		assert.ErrorContains(t, err, c.want)
	}
}
