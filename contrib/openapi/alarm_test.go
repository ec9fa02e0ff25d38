package openapi_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/contrib/openapi"
)

// answers returns a handler that answers some requests as a text says: a status, headers, and a body.
// What it does not know is not found.
func answers(requests map[string]string) func(testing.TB) http.Handler {
	return func(testing.TB) http.Handler {
		mux := http.NewServeMux()
		for pattern, answer := range requests {
			mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) {
				head, body, _ := strings.Cut(answer, "|")
				var status int
				for i, word := range strings.Split(head, "\n") {
					if name, value, ok := strings.Cut(word, ":"); ok && i > 0 {
						w.Header().Set(name, value)
					} else if _, err := fmt.Sscan(word, &status); err != nil {
						panic(err)
					}
				}
				w.WriteHeader(status)
				_, _ = io.WriteString(w, body)
			})
		}
		return mux
	}
}

const jsonHeader = "\nContent-Type:application/json|"

// Services that are as their descriptions say have no failures.
func TestNoFalseAlarm(t *testing.T) {
	t.Parallel()
	response := func(schemas ...string) string {
		return `{"responses": {"default": {"description": "", "content": {` + strings.Join(schemas, ", ") + `}}}}`
	}
	const object = `"application/json": {"schema": {"type": "object"}}`
	created := func(answer string) map[string]string {
		return map[string]string{"POST /pets": answer, "GET /pets/7": "200", "GET /pets/a%2Fb": "200"}
	}
	pets := []string{"POST /pets", "GET /pets/{petId}"}
	for name, c := range map[string]struct {
		operations []string
		handler    func(testing.TB) http.Handler
	}{
		"sniffed content type": {[]string{`GET /a ` + response(`"text/plain": {}`)},
			answers(map[string]string{"GET /a": "200|hello"})},
		"the most specific content": {[]string{`GET /a ` + response(`"*/*": {"schema": {"type": "string"}}`, object)},
			answers(map[string]string{"GET /a": "200" + jsonHeader + "{}"})},
		"content with parameters": {[]string{`GET /a ` + response(`"application/json;v=1": {"schema": {"type": "string"}}`,
			`"application/json;v=2": {"schema": {"type": "object"}}`)},
			answers(map[string]string{"GET /a": "200\nContent-Type:application/json;v=2|{}"})},
		"HEAD": {[]string{`HEAD /a ` + response(object)}, func(testing.TB) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method != "HEAD" {
					w.WriteHeader(http.StatusMethodNotAllowed)
				}
				_, _ = io.WriteString(w, "text")
			})
		}},
		"large integers": {[]string{`GET /a ` + response(`"application/json": {"schema":
			{"type": "integer", "format": "int64"}}`)},
			answers(map[string]string{"GET /a": "200" + jsonHeader + "9223372036854775807"})},
		"a path of two templates": {[]string{"GET /pets/search", "PUT /pets/{name}", "DELETE /pets/{other}"},
			answers(map[string]string{"GET /pets/search": "200", "PUT /pets/{x}": "200", "DELETE /pets/{x}": "200"})},
		"an action below a template": {[]string{"PUT /files/{name}", "POST /files/{name}:publish"},
			func(testing.TB) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Method != "PUT" && (r.Method != "POST" || !strings.HasSuffix(r.URL.Path, ":publish")) {
						w.WriteHeader(http.StatusMethodNotAllowed)
					}
				})
			}},
		"a wrapped id":         {pets, answers(created("201" + jsonHeader + `{"code": 0, "data": {"id": 7}}`))},
		"an id of the request": {pets, answers(created("201" + jsonHeader + `{"id": "r-1", "data": {"id": "7"}}`))},
		"a location of a part": {pets, answers(created("201\nLocation:/pets/7/status"))},
		"a location elsewhere": {pets, answers(created("201\nLocation:/jobs/9"))},
		"an escaped location":  {pets, answers(created("201\nLocation:/pets/a%2Fb"))},
		"a name":               {pets, answers(created("201" + jsonHeader + `{"name": "Rex"}`))},
		"a text":               {pets, answers(created("201" + jsonHeader + `"created"`))},
		"a large id": {pets, answers(map[string]string{
			"POST /pets":                    "201" + jsonHeader + `{"id": 1152921504606846978}`,
			"GET /pets/1152921504606846978": "200"})},
		"another tenant": {[]string{"POST /pets", `GET /pets/{petId} {"parameters": [{"name": "X-Tenant", "in": "header",
			"schema": {"type": "string"}}], "responses": {"default": {"description": ""}}}`},
			func(t testing.TB) http.Handler {
				mux := answers(created("201" + jsonHeader + `{"id": 7}`))(t)
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Header.Get("X-Tenant") != "" {
						w.WriteHeader(http.StatusNotFound)
						return
					}
					mux.ServeHTTP(w, r)
				})
			}},
		"a dry run": {[]string{`DELETE /pets/{id} {"parameters": [{"name": "dryRun", "in": "query",
			"schema": {"enum": [true]}}], "responses": {"default": {"description": ""}}}`, "GET /pets/{id}"},
			func(testing.TB) http.Handler {
				gone := map[string]bool{}
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					switch dry := r.URL.Query().Get("dryRun"); {
					case r.Method != "GET" && r.Method != "DELETE":
						w.WriteHeader(http.StatusMethodNotAllowed)
					case gone[r.URL.Path]:
						w.WriteHeader(http.StatusNotFound)
					case dry != "" && dry != "true":
						w.WriteHeader(http.StatusBadRequest)
					case r.Method == "DELETE" && dry == "":
						gone[r.URL.Path] = true
					}
				})
			}},
		"a reset": {[]string{"POST /pets", "GET /pets/{id}", "POST /reset"}, func(testing.TB) http.Handler {
			last, first := 0, 0
			mux := http.NewServeMux()
			mux.HandleFunc("POST /pets", func(w http.ResponseWriter, _ *http.Request) {
				last++
				w.WriteHeader(http.StatusCreated)
				fmt.Fprintf(w, `{"id": %d}`, last)
			})
			mux.HandleFunc("POST /reset", func(http.ResponseWriter, *http.Request) { first = last })
			mux.HandleFunc("GET /pets/{id}", func(w http.ResponseWriter, r *http.Request) {
				var id int
				if _, err := fmt.Sscan(r.PathValue("id"), &id); err != nil || id <= first || id > last {
					w.WriteHeader(http.StatusNotFound)
				}
			})
			return mux
		}},
		"a readOnly property": {[]string{`POST /a {"requestBody": {"required": true, "content": {"application/json":
			{"schema": {"type": "object", "properties": {"id": {"type": "integer", "readOnly": true}}}}}},
			"responses": {"default": {"description": ""}}}`}, func(testing.TB) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var v struct {
					ID *int `json:"id"`
				}
				b, _ := io.ReadAll(r.Body)
				if len(b) == 0 || b[0] != '{' || json.Unmarshal(b, &v) != nil || strings.Contains(string(b), "null") ||
					r.Method != "POST" {
					w.WriteHeader(http.StatusBadRequest)
				}
			})
		}},
		"an empty text": {[]string{`POST /a {"requestBody": {"required": true, "content": {"text/plain":
			{"schema": {"type": "string"}}}}, "responses": {"default": {"description": ""}}}`},
			answers(map[string]string{"POST /a": "200"})},
		"links like paths": {[]string{`GET /a ` + response(object)},
			answers(map[string]string{"GET /a": "200" + jsonHeader + `{"ref": "/Users/2819c223", "to": "/home/feed"}`})},
		"a conditional PUT": {[]string{`PUT /a/{id} {"requestBody": {"required": true, "content": {"application/json":
			{"schema": {"type": "boolean"}}}}, "responses": {"default": {"description": ""}}}`},
			func(testing.TB) http.Handler {
				n := 0
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					var v bool
					switch err := json.NewDecoder(r.Body).Decode(&v); {
					case r.Method != "PUT" || err != nil:
						w.WriteHeader(http.StatusBadRequest)
					case n > 0:
						w.WriteHeader(http.StatusPreconditionFailed)
					default:
						n++
					}
				})
			}},
	} {
		m, err := describe(t, c.operations...).Model(c.handler)
		require.NoError(t, err, name)
		said, _ := fails(t, m, 1, 60)
		assert.Empty(t, said, name)
	}
}

// A parameter that credentials set is not one that can be missing.
func TestCredentialsAsParameter(t *testing.T) {
	t.Parallel()
	s, err := openapi.Parse([]byte(`{"openapi": "3.0.3", "info": {"title": "", "version": ""},
		"components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
			"parameters": {"key": {"name": "x-key", "in": "header", "required": true, "schema": {"type": "string"}}}},
		"security": [{"key": []}], "paths": {"/b": {"$ref": "#/paths/~1a"}, "/a": {
			"parameters": [{"$ref": "#/components/parameters/key"}],
			"get": {"responses": {"default": {"description": ""}}}}}}`))
	require.NoError(t, err)
	m, err := s.Model(func(testing.TB) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Key") != "secret" {
				w.WriteHeader(http.StatusUnauthorized)
			} else if r.Method != "GET" {
				w.WriteHeader(http.StatusMethodNotAllowed)
			}
		})
	}, key)
	require.NoError(t, err)
	require.Equal(t, []string{"GET /a", "GET /b"}, s.Operations())
	said, _ := fails(t, m, 1, 100)
	require.Empty(t, said)
}

// What a description of OpenAPI 2.0 produces as a whole, its operations do.
func TestProduces(t *testing.T) {
	t.Parallel()
	s, err := openapi.Parse([]byte(`{"swagger": "2.0", "info": {"title": "", "version": ""},
		"produces": ["application/x.v1+json"], "paths": {"/a": {"get": {"responses": {"200":
		{"description": "", "schema": {"type": "string"}}}}}}}`))
	require.NoError(t, err)
	for answer, want := range map[string]string{
		"200\nContent-Type:application/x.v1+json|\"a\"": "",
		"200\nContent-Type:application/x.v1+json|1":     "response_schema_conformance: GET /a",
		"200" + jsonHeader + `"a"`:                      "content_type_conformance: GET /a",
	} {
		m, err := s.Model(answers(map[string]string{"GET /a": answer}))
		require.NoError(t, err)
		said, _ := fails(t, m, 1, 30)
		if want == "" {
			require.Empty(t, said)
		} else {
			require.Contains(t, said, want)
		}
	}
}

// The media types of an operation of OpenAPI 2.0 are those of the parameters and responses to which
// it refers, too.
func TestMediaTypesOfReferences(t *testing.T) {
	t.Parallel()
	for _, operation := range []string{
		`"post": {"parameters": [{"$ref": "#/parameters/B"}], %s}`,
		`"parameters": [{"$ref": "#/parameters/B"}], "post": {%s}`,
		`"post": {"parameters": [{"$ref": "#/parameters/F"}], %s}`,
	} {
		s, err := openapi.Parse([]byte(`{"swagger": "2.0", "info": {"title": "", "version": ""},
			"produces": ["application/json"], "consumes": ["application/json"], "paths": {"/a": {` +
			fmt.Sprintf(operation, `"produces": ["text/plain"], "consumes": ["application/x-www-form-urlencoded"],
				"responses": {"200": {"$ref": "#/responses/OK"}, "400": {"description": ""}}`) + `}},
			"parameters": {"B": {"name": "b", "in": "body", "required": true, "schema": {"type": "object",
					"additionalProperties": false, "properties": {"x": {"type": "string"}}}},
				"F": {"name": "x", "in": "formData", "required": true, "type": "string"}},
			"responses": {"OK": {"description": "", "schema": {"type": "string"}}}}`))
		require.NoError(t, err)
		succeeded := 0
		m, err := s.Model(func(testing.TB) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if sent := r.Header.Get("Content-Type"); r.Method != "POST" ||
					sent != "application/x-www-form-urlencoded" {
					w.WriteHeader(http.StatusBadRequest)
					return
				}
				succeeded++
				w.Header().Set("Content-Type", "text/plain")
				_, _ = io.WriteString(w, "hello")
			})
		}, openapi.Without("negative_data_rejection"))
		require.NoError(t, err)
		said, _ := fails(t, m, 1, 30)
		assert.Empty(t, said, operation)
		assert.Positive(t, succeeded, operation)
	}
}

// Bodies in XML are checked like those in JSON: a service that repeats what it gets has no failure.
func TestXMLResponses(t *testing.T) {
	t.Parallel()
	const body = `"content": {"application/xml": {"schema": {"type": "object", "required": ["id", "tags"],
		"xml": {"name": "pet"}, "properties": {"id": {"type": "integer", "xml": {"attribute": true}},
		"tags": {"type": "array", "items": {"type": "string", "maxLength": 3, "xml": {"name": "tag"}},
			"xml": {"wrapped": true}}}}}}`
	spec := describe(t, `POST /a {"requestBody": {"required": true, `+body+`},
		"responses": {"200": {"description": "", `+body+`}, "default": {"description": ""}}}`)
	for change, want := range map[[2]string]string{
		{}:                                  "",
		{"id=", "no="}:                      "missing property 'id'",
		{"pet>", "cat>"}:                    "is not the XML of the description",
		{"tag>", "tug>"}:                    "got object, want string",
		{"<tags>", "<tags><tag>long</tag>"}: "maxLength",
	} {
		m, err := spec.Model(func(testing.TB) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method != "POST" {
					w.WriteHeader(http.StatusMethodNotAllowed)
					return
				}
				b, _ := io.ReadAll(r.Body)
				w.Header().Set("Content-Type", "application/xml; charset=utf-8")
				_, _ = io.WriteString(w, strings.ReplaceAll(string(b), change[0], change[1]))
			})
		})
		require.NoError(t, err)
		said, _ := fails(t, m, 1, 60)
		if want == "" {
			assert.Empty(t, said, change)
		} else {
			assert.Contains(t, said, "response_schema_conformance: POST /a", change)
			assert.Contains(t, said, want, change)
		}
	}
}
