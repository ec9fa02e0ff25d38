package openapi

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"io"
	"math/rand/v2"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/fuzzext"
)

// Values are written as the table of styles in the specification of OpenAPI says.
func TestStyles(t *testing.T) {
	t.Parallel()
	colors := []any{"blue", "black", "brown"}
	mix := map[string]any{"R": 100.0, "G": 200.0, "B": 150.0}
	for _, c := range []struct {
		in, style string
		explode   bool
		value     any
		want      string
	}{
		{"path", "simple", false, "blue", "blue"},
		{"path", "simple", false, colors, "blue,black,brown"},
		{"path", "simple", false, mix, "B,150,G,200,R,100"},
		{"path", "simple", true, mix, "B=150,G=200,R=100"},
		{"path", "simple", false, "a b/ü", "a%20b%2F%C3%BC"},
		{"path", "label", false, colors, ".blue,black,brown"},
		{"path", "label", true, colors, ".blue.black.brown"},
		{"path", "label", true, mix, ".B=150.G=200.R=100"},
		{"path", "matrix", false, "blue", ";color=blue"},
		{"path", "matrix", false, colors, ";color=blue,black,brown"},
		{"path", "matrix", true, colors, ";color=blue;color=black;color=brown"},
		{"path", "matrix", true, mix, ";B=150;G=200;R=100"},
		{"path", "matrix", false, mix, ";color=B,150,G,200,R,100"},
		{"query", "form", true, "blue", "color=blue"},
		{"query", "form", true, "", "color="},
		{"query", "form", true, "a&b=c d", "color=a%26b%3Dc+d"},
		{"query", "form", false, colors, "color=blue,black,brown"},
		{"query", "form", true, colors, "color=blue&color=black&color=brown"},
		{"query", "form", false, mix, "color=B,150,G,200,R,100"},
		{"query", "form", true, mix, "B=150&G=200&R=100"},
		{"query", "spaceDelimited", false, colors, "color=blue%20black%20brown"},
		{"query", "pipeDelimited", false, colors, "color=blue|black|brown"},
		{"query", "deepObject", true, mix, "color[B]=150&color[G]=200&color[R]=100"},
		{"query", "form", true, 1e6, "color=1000000"},
		{"query", "form", true, -float64(1 << 63), "color=-9223372036854776000"},
		{"query", "form", true, 0.5, "color=0.5"},
		{"query", "form", true, true, "color=true"},
		{"header", "simple", false, colors, "blue,black,brown"},
		{"header", "simple", true, mix, "B=150,G=200,R=100"},
		{"cookie", "form", true, "blue", "color=blue"},
	} {
		o := &operation{method: "GET", path: parseTemplate("/"), params: []*parameter{
			{name: "color", in: c.in, style: c.style, explode: c.explode},
		}}
		if c.in == "path" {
			o.path = parseTemplate("/{color}")
		}
		r := o.request("", map[string]any{c.in: map[string]any{"color": c.value}})
		got := map[string]string{
			"path": strings.TrimPrefix(r.path, "/"), "query": r.query, "header": r.header.Get("Color"),
			"cookie": r.header.Get("Cookie"),
		}[c.in]
		if unescaped, err := url.QueryUnescape(got); c.style == "deepObject" && err == nil {
			got = unescaped
		}
		assert.Equal(t, c.want, got, "%+v", c)
	}
}

// Package http reads the bodies as they are meant.
func TestBodies(t *testing.T) {
	t.Parallel()
	fields := map[string]any{"a": "x&=%", "n": 3.0, "l": []any{"1", "2"}, "f": "data"}
	read := func(b *body) *http.Request {
		text, mediaType := b.encode(fields)
		r, err := http.NewRequest("POST", "/", strings.NewReader(string(text)))
		require.NoError(t, err)
		r.Header.Set("Content-Type", mediaType)
		return r
	}
	form := read(&body{mediaType: "application/x-www-form-urlencoded", form: true})
	require.NoError(t, form.ParseForm())
	want := url.Values{"a": {"x&=%"}, "n": {"3"}, "l": {"1", "2"}, "f": {"data"}}
	require.Equal(t, want, form.PostForm)

	parts := &body{mediaType: "multipart/form-data", multipart: true, schema: map[string]any{
		"properties": map[string]any{"f": map[string]any{"type": "string", "format": "binary"}},
	}}
	r := read(parts)
	require.NoError(t, r.ParseMultipartForm(1<<20))
	file := r.MultipartForm.File["f"]
	require.Len(t, file, 1)
	f, err := file[0].Open()
	require.NoError(t, err)
	data, err := io.ReadAll(f)
	require.NoError(t, err)
	require.Equal(t, "data", string(data))
	delete(want, "f")
	require.Equal(t, map[string][]string(want), r.MultipartForm.Value)
	_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	require.NoError(t, err)
	require.NotNil(t, multipart.NewReader(nil, params["boundary"]))

	text, mediaType := (&body{mediaType: "application/json", json: true}).encode([]any{nil, 1.0})
	require.Equal(t, "[null,1] application/json", string(text)+" "+mediaType)
	text, _ = (&body{mediaType: "text/plain"}).encode("plain")
	require.Equal(t, "plain", string(text))
}

// A template finds in a path what has been put into it.
func TestTemplate(t *testing.T) {
	t.Parallel()
	texts := bigen.SuchThat(bigen.String(5), func(s string) bool { return s != "" })
	fuzzext.Check(t, bigen.ArrayOf[[2]string](texts), func(t *fuzzext.T, v [2]string) {
		for _, path := range []string{"/a/{x}/b/{y}", "/{x}/{y}", "/{x}/s/{y}.json", "/a b%/{x}:act/{y}"} {
			o := &operation{path: parseTemplate(path)}
			r := o.request("", map[string]any{"path": map[string]any{"x": v[0], "y": v[1]}})
			got, ok := o.path.match(r.path)
			require.True(t, ok, r.path)
			require.Equal(t, map[string]string{"x": v[0], "y": v[1]}, got)
		}
	})
	p := parseTemplate("/users/{userId}/pets/{id}")
	require.Equal(t, "/users/{}", p.shape("userId"))
	require.Equal(t, "/users/{}/pets/{}", p.shape("id"))
	for _, path := range []string{"/users/1", "/users/1/pets/", "/users//pets/1", "/users/1/pets/2/3", "/x"} {
		_, ok := p.match(path)
		require.False(t, ok, path)
	}
}

func TestKindName(t *testing.T) {
	t.Parallel()
	for shape, want := range map[string]string{
		"/pets/{}": "pet", "/api/v1/user-stories/{}": "userstory", "/boxes/{}": "box",
		"/classes/{}": "class", "/status/{}": "status", "/{}": "thing", "/users/{}/{}": "user",
		"/dishes/{}": "dish", "/bus/{}": "bus",
	} {
		assert.Equal(t, want, kindName(shape), shape)
	}
}

// A command for curl has the words that are meant.
func TestShell(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	for _, s := range []string{"", "a b", `it's "$x" \n`, "line\nend\t", "\"a\x7f\"", "ü\x7f", `'\''`, "`!"} {
		out, err := exec.Command(bash, "-c", "printf %s "+shell(s)).Output()
		require.NoError(t, err)
		require.Equal(t, s, string(out))
	}
	r := &request{method: "POST", path: "/a", query: "b=c", header: http.Header{"X": {"it's"}},
		body: []byte("{}"), pieces: []string{"/a/", "1", ".json"}}
	o := &operation{path: parseTemplate("/a/{id}.json")}
	require.Equal(t, `curl -X POST 'http://localhost:8080/v1/a/1.json?b=c' -H 'X: it'\''s' --data-raw '{}'`,
		r.curl(o, "/v1", nil, ""))
	require.Equal(t, `curl -X POST "http://localhost:8080/v1/a/${pet1}.json?b=c" -H 'X: it'\''s' --data-raw '{}'`,
		r.curl(o, "/v1", map[string]string{"id": "code"}, "pet1"))
	require.Equal(t, `'a$b/'"$pet1"''`, withVariable("a$b/\x00", "pet1"))
}

// What could be read as a valid value is not wrong.
func TestCouldBe(t *testing.T) {
	t.Parallel()
	s := newSchemas(map[string]any{"openapi": "3.1.0"}, inRequest)
	for _, c := range []struct {
		schema map[string]any
		yes    []string
		no     []string
	}{
		{map[string]any{"type": "integer", "maximum": 10},
			[]string{"1", "1.0", "1e1", "0x5", " 7 ", "", "Inf", "NaN", "2.5"}, []string{"11", "a", "true", "1,2"}},
		{map[string]any{"type": "boolean"}, []string{"true", "T", "0"}, []string{"yes", "2"}},
		{map[string]any{"enum": []any{"a", "b"}}, []string{"a", "B", ""}, []string{"c", "ab"}},
		{map[string]any{"type": "string"}, []string{"x"}, nil},
		{map[string]any{"type": "integer", "format": "int64"},
			[]string{"-9223372036854775808", "9223372036854775807", "-9223372036854776000"},
			[]string{"-9223372036854780000", "9223372036854775808"}},
		{map[string]any{"type": "integer", "format": "int32"}, []string{"-2147483648", "2147483647"},
			[]string{"-2147483649", "2147483648"}},
		{map[string]any{"type": "integer", "exclusiveMaximum": json.Number("9007199254740993")},
			[]string{"9007199254740992"}, []string{"9007199254740994"}},
		{map[string]any{"type": "integer", "multipleOf": 3}, []string{"9007199254740993"},
			[]string{"9007199254741001"}},
	} {
		valid, err := s.validator(s.of(c.schema))
		require.NoError(t, err)
		for _, text := range c.yes {
			assert.True(t, couldBe(valid, text), "%v: %q", c.schema, text)
		}
		for _, text := range c.no {
			assert.False(t, couldBe(valid, text), "%v: %q", c.schema, text)
		}
	}
}

// Requests that break the description do so in exact arithmetic, as a strict service reads them,
// and all others do not.
func TestIntegerBounds(t *testing.T) {
	t.Parallel()
	const schema = `"schema": {"type": "object", "required": ["n"], "additionalProperties": false, "properties":
		{"n": {"type": "integer", "format": "int64"}}}`
	spec, err := Parse([]byte(`{"openapi": "3.0.3", "info": {"title": "", "version": ""}, "paths": {"/a": {"post": {
		"parameters": [{"name": "q", "in": "query", "schema": {"type": "integer", "format": "int64"}}],
		"requestBody": {"required": true, "content": {"application/json": {` + schema + `}}},
		"responses": {"200": {"description": ""}, "400": {"description": ""}}}}}}`))
	require.NoError(t, err)
	m, err := newMaker(spec.operations[0], spec.requests, nil)
	require.NoError(t, err)
	isInt64 := func(s string) bool {
		_, err := strconv.ParseInt(s, 10, 64)
		return err == nil
	}
	random := rand.New(rand.NewPCG(1, 0))
	for _, name := range []string{"", "wrong query parameter q", "wrong body application/json"} {
		g, broken := m.generator(name)
		require.Equal(t, name == "", broken == nil)
		for range 2000 {
			r := m.request("", bigen.Sample(g, random).(map[string]any))
			u, err := url.Parse(r.target())
			require.NoError(t, err)
			good := !u.Query().Has("q") || isInt64(u.Query().Get("q"))
			var body struct{ N *int64 }
			good = good && json.Unmarshal(r.body, &body) == nil && body.N != nil
			if name != "wrong body application/json" { // which others than numbers may be
				require.Equal(t, broken == nil, good, "%s: %s %s", name, r.target(), r.body)
			}
		}
	}
}

// Options set the values of properties of bodies, at any depth.
func TestValuesOfBodies(t *testing.T) {
	t.Parallel()
	spec, err := Parse([]byte(`{"openapi": "3.0.3", "info": {"title": "", "version": ""}, "paths": {
		"/a": {"post": {"requestBody": {"required": true, "content": {"application/json": {"schema": {
			"$ref": "#/components/schemas/A"}}, "application/x-www-form-urlencoded": {"schema": {
			"type": "object", "required": ["petId"], "properties": {"petId": {"type": "string"}}}}}},
			"responses": {"default": {"description": ""}}}}},
		"components": {"schemas": {"A": {"type": "object", "required": ["owner", "petId"], "properties": {
			"petId": {"type": "string"}, "owner": {"type": "object", "required": ["a/b"],
			"properties": {"a/b": {"type": "string"}}}}}}}}`))
	require.NoError(t, err)
	c := newConfig([]Option{Values("body", "/owner/a~1b", "x", "y"), Values("body", "/petId", "7")})
	require.NoError(t, c.check(spec))
	m, err := newMaker(spec.operations[0], spec.requests, c.fixed)
	require.NoError(t, err)
	random, seen := rand.New(rand.NewPCG(1, 0)), map[any]int{}
	for range 200 {
		values := bigen.Sample(m.valid, random).(map[string]any)
		k := &kind{name: "pet"}
		m.inFields(&instance{kind: k, value: "8"}, values, nil)
		body := object(values, "body", "value")
		require.Equal(t, "7", body["petId"])
		seen[object(body, "owner")["a/b"]]++
	}
	require.Len(t, seen, 3) // nil in forms
	require.Positive(t, seen["x"]*seen["y"])
	require.ErrorContains(t, newConfig([]Option{Values("body", "owner", 1)}).check(spec), "not a JSON pointer")
	require.ErrorContains(t, newConfig([]Option{Values("body", "/no", 1)}).check(spec),
		"no operation has a body with the property /no")

	g, broken := m.generator("wrong body application/json")
	r := m.request("", bigen.Sample(g, random).(map[string]any))
	require.Contains(t, broken.why(r.body), "want object")
	require.Contains(t, broken.why([]byte(`{"petId": 1, "owner": {"a/b": ""}}`)), `at "/petId": got number`)
	require.Contains(t, broken.why([]byte("null")), "got null, want object")
}

// The code of a request is a call of Send with what has been sent.
func TestGoCode(t *testing.T) {
	t.Parallel()
	o := &operation{method: "POST", path: parseTemplate("/a/{x}"), params: []*parameter{
		{name: "q", in: "query", style: "form", explode: true}, {name: "h", in: "header", style: "simple"},
	}, bodies: []*body{{mediaType: "text/plain"}}}
	texts := bigen.StringOf(choices.Chars("a%\"`'\\/ \n\x00ü+&="), 0, 6)
	fuzzext.Check(t, bigen.ArrayOf[[4]string](texts), func(t *fuzzext.T, v [4]string) {
		t.Assume(v[0] != "")
		r := o.request("/base", map[string]any{
			"path": map[string]any{"x": v[0]}, "query": map[string]any{"q": v[1]},
			"header": map[string]any{"h": strings.Map(func(r rune) rune {
				if r < ' ' || r > '~' {
					return 'x'
				}
				return r
			}, v[2])},
			"body": map[string]any{"type": "text/plain", "value": v[3]},
		})
		format, args := r.goCode(o, "/base", nil, nil)
		require.Empty(t, args)
		expr, err := parser.ParseExpr(fmt.Sprintf(format, args...))
		require.NoError(t, err)
		var words []string
		for _, arg := range expr.(*ast.CallExpr).Args[1:] {
			word, err := strconv.Unquote(arg.(*ast.BasicLit).Value)
			require.NoError(t, err)
			words = append(words, word)
		}
		require.Equal(t, []string{"POST", r.target(), v[3], "Content-Type: text/plain",
			"H: " + r.header.Get("h")}, words)

		format, args = r.goCode(o, "/base", map[string]string{"x": "name(%v)"}, "pet1")
		require.Equal(t, []any{"pet1"}, args)
		code := fmt.Sprintf(format, args...)
		require.Contains(t, code, `"/base/a/"+name(pet1)`)
		_, err = parser.ParseExpr(code)
		require.NoError(t, err)
	})
}
