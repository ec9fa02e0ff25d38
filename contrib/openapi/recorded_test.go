package openapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
	"github.com/espalier-go/espalier/contrib/openapi/internal/pets"
)

// entry returns an entry of an archive.
func entry(method, url, headers, mediaType, body string, status int, answerHeaders, answer string) string {
	list := func(lines string) string {
		var all []string
		for _, line := range strings.Fields(lines) {
			name, value, _ := strings.Cut(line, ":")
			all = append(all, `{"name": "`+name+`", "value": "`+value+`"}`)
		}
		return "[" + strings.Join(all, ", ") + "]"
	}
	quote := func(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }
	return `{"request": {"method": "` + method + `", "url": "` + url + `", "headers": ` + list(headers) +
		`, "postData": {"mimeType": ` + quote(mediaType) + `, "text": ` + quote(body) + `}}, "response": {"status": ` +
		string(rune('0'+status/100)) + string(rune('0'+status/10%10)) + string(rune('0'+status%10)) +
		`, "headers": ` + list(answerHeaders) + `, "content": {"text": ` + quote(answer) + `}}}`
}

func har(entries ...string) []byte {
	return []byte(`{"log": {"entries": [` + strings.Join(entries, ", ") + `]}}`)
}

const host = "https://pets.example.com/api/v1"

// What has been recorded is read as the calls that make it, and these run against another service.
func TestRecorded(t *testing.T) {
	t.Parallel()
	s, err := Load("internal/pets/openapi.yaml")
	require.NoError(t, err)
	newPets := func(testing.TB) http.Handler { return pets.With(pets.None) }
	v, err := s.service(newPets, []Option{Credentials("key", "secret")})
	require.NoError(t, err)
	const json = "application/json"
	calls, err := v.read(har(
		entry("GET", "https://elsewhere.example.com/style.css", "", "", "", 200, "", ""),
		entry("POST", host+"/pets", "X-Key:k", json, `{"name":"Rex","tag":null}`, 201, "Location:/api/v1/pets/41",
			`{"id":41,"name":"Rex"}`),
		entry("POST", host+"/pets", "X-Key:k", json, `{"name":""}`, 422, "", ""),
		entry("POST", host+"/pets", "X-Key:k", json, `{"name":"Tom"}`, 201, "", `{"id":42,"name":"Tom"}`),
		entry("GET", host+"/pets?limit=3&tag=a,b%20c", "X-Key:k", "", "", 200, "", `[]`),
		entry("POST", host+"/pets/41/visits", "X-Key:k", "application/x-www-form-urlencoded",
			"minutes=5&note=a%26b", 200, "", ""),
		entry("PUT", host+"/pets/42", "X-Key:k", json, `{"name":"Tim"}`, 200, "", ""),
		entry("GET", host+"/pets/7", "X-Key:k", "", "", 200, "", ""),
	))
	require.NoError(t, err)
	object := func(pairs ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i].(string)] = pairs[i+1]
		}
		return m
	}
	body := func(mediaType string, value any) map[string]any { return object("type", mediaType, "value", value) }
	require.Equal(t, callseq.Calls{
		{"POST /pets", "", "given", object("body", body(json, object("name", "Rex", "tag", nil))), callseq.Name("pet1")},
		{"POST /pets", "", "given", object("body", body(json, object("name", "Tom"))), callseq.Name("pet2")},
		{"GET /pets", "", "given", object("query", object("limit", 3.0, "tag", []any{"a", "b c"})),
			callseq.Name("pet3")},
		{"POST /pets/{petId}/visits", callseq.Name("pet1"), "", "given", object("path", object("petId", 41.0),
			"body", body("application/x-www-form-urlencoded", object("minutes", 5.0, "note", "a&b")))},
		{"PUT /pets/{petId}", callseq.Name("pet2"), "", "given", object("path", object("petId", 42.0),
			"body", body(json, object("name", "Tim")))},
		{"GET /pets/{petId}", callseq.Name(""), "", "given", object("path", object("petId", 7.0))},
	}, calls)
	m := v.model()
	require.NoError(t, bigen.Check(m.Gen(), calls))
	m.Run(t, calls)
	require.Equal(t, map[int]int{200: 1}, v.answered["POST /pets/{petId}/visits"])
	require.Equal(t, map[int]int{200: 1}, v.answered["PUT /pets/{petId}"])
	require.Equal(t, map[int]int{404: 1}, v.answered["GET /pets/{petId}"])
}

// What is not as described is told.
func TestRecordedErrors(t *testing.T) {
	t.Parallel()
	s, err := Load("internal/pets/openapi.yaml")
	require.NoError(t, err)
	v, err := s.service(nil, nil)
	require.NoError(t, err)
	for _, c := range []struct {
		har  []byte
		want string
	}{
		{[]byte("{"), "it is no HTTP Archive"},
		{har(), "none of its 0 entries is a success of an operation of the description"},
		{har(entry("GET", host+"/pets?limit=x", "", "", "", 200, "", "")), `at "/query/limit": got string`},
		{har(entry("POST", host+"/pets", "", "text/plain", "x", 201, "", "")),
			"entry 1, POST /pets: the description has no body of the media type text/plain"},
		{har(entry("POST", host+"/pets", "", "application/json", "{", 201, "", "")), "entry 1, POST /pets: its body: "},
		{har(entry("POST", host+"/pets", "", "application/json", "{}", 201, "", "")), "missing property 'name'"},
	} {
		_, err := v.read(c.har)
		assert.ErrorContains(t, err, c.want)
	}
}

// Values of all styles that are read backward are those that were written.
func TestReadValues(t *testing.T) {
	t.Parallel()
	s := newSchemas(map[string]any{"openapi": "3.1.0"}, inRequest)
	list := map[string]any{"type": "array", "items": map[string]any{"type": "integer"}}
	for _, c := range []struct {
		in, style string
		explode   bool
		schema    any
		value     any
	}{
		{"query", "form", true, list, []any{1.0, 2.0}},
		{"query", "form", false, list, []any{1.0, 2.0}},
		{"query", "spaceDelimited", false, list, []any{1.0, 2.0}},
		{"query", "pipeDelimited", false, list, []any{1.0, 2.0}},
		{"query", "deepObject", true, map[string]any{"type": "object", "properties": map[string]any{
			"a": map[string]any{"type": "boolean"}}}, map[string]any{"a": true, "b": "x"}},
		{"path", "simple", false, list, []any{1.0, 2.0}},
		{"header", "simple", false, list, []any{1.0, 2.0}},
		{"cookie", "form", true, map[string]any{"type": []any{"boolean", "string"}}, "x"},
		{"query", "form", true, map[string]any{"type": "string"}, "a&b=c d"},
	} {
		m := &maker{schemas: s, operation: &operation{method: "GET", path: parseTemplate("/{v}"), params: []*parameter{
			{name: "v", in: c.in, style: c.style, explode: c.explode, schema: c.schema},
		}}}
		want := map[string]any{c.in: map[string]any{"v": c.value}}
		r := m.request("", want)
		u := r.target()
		parsed, err := http.NewRequest("GET", u, nil)
		require.NoError(t, err, u)
		path, ok := m.path.match(parsed.URL.EscapedPath())
		if c.in != "path" {
			path, ok = nil, true
		}
		require.True(t, ok, u)
		got, err := m.values(path, parsed.URL, r.header, "", nil)
		require.NoError(t, err, u)
		require.Equal(t, want, got, u)
	}
}

// That nothing succeeds is told, with what may help.
func TestUntested(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		answered map[int]int
		want     string
	}{
		{map[int]int{404: 199}, ""},
		{map[int]int{404: 1000, 200: 1}, ""},
		{map[int]int{404: 150, 400: 100}, `is "/v1" the path`},
		{map[int]int{401: 150, 404: 50}, "use openapi.Credentials"},
		{map[int]int{400: 150, 404: 50}, "go test -v shows"},
	} {
		v := &service{base: "/v1", answered: map[string]map[int]int{"GET /a": c.answered}}
		if c.want == "" {
			assert.Empty(t, v.untested())
		} else {
			assert.Contains(t, v.untested(), c.want)
		}
	}
}
