package openapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
)

// Send sends a request to a handler, and returns the response. Each header is a name and a value
// with a colon between them. The reports of failures consist of calls of Send: paste them into a
// test. Send panics if the target is not the path and query of a URL.
func Send(
	h http.Handler, method, target, body string, headers ...string,
) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ":")
		r.Header.Add(name, strings.TrimSpace(value))
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// Value returns what stands in the JSON body of a response at a JSON pointer, as a text for a path:
//
//	pet := openapi.Send(handler, "POST", "/pets", `{"name":"Rex"}`)
//	openapi.Send(handler, "GET", "/pets/"+openapi.Value(pet, "/id"), "")
//
// It returns "" if there is nothing.
func Value(w *httptest.ResponseRecorder, pointer string) string {
	v, err := decode(w.Body.Bytes())
	if err != nil {
		return ""
	}
	if pointer != "" {
		if v, err = pointed(v, "#"+pointer); err != nil {
			return ""
		}
	}
	return (&parameter{style: "simple"}).inPath(v)
}

// decode decodes JSON, with all digits of numbers.
func decode(b []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("there is more after its end")
	}
	return v, nil
}

// goCode returns a call of Send with the arguments of c.Code: code has what replaces parameters of
// the path, by name, with a verb for from.
func (r *request) goCode(o *operation, base string, code map[string]string, from any) (string, []any) {
	var terms []string
	var args []any
	literal := base
	flush := func() {
		if literal != "" {
			terms = append(terms, verbatim(strconv.Quote(literal)))
		}
		literal = ""
	}
	for i, p := range o.path.parts {
		c := ""
		if p.param {
			c = code[p.text]
		}
		if c == "" {
			literal += r.pieces[i]
			continue
		}
		flush()
		terms, args = append(terms, c), append(args, from)
	}
	if r.query != "" {
		literal += "?" + r.query
	}
	flush()
	text := fmt.Sprintf("openapi.Send(handler, %q, %s, %s", r.method, strings.Join(terms, "+"),
		verbatim(quoted(string(r.body))))
	for _, name := range sortedKeys(r.header) {
		text += ", " + verbatim(strconv.Quote(name+": "+r.header.Get(name)))
	}
	return text + ")", args
}

// verbatim returns a text as a part of a format.
func verbatim(s string) string { return strings.ReplaceAll(s, "%", "%%") }

// quoted returns a Go literal of a text, with backquotes if there is something to escape.
func quoted(s string) string {
	if q := strconv.Quote(s); !strings.Contains(q, `\`) || !strconv.CanBackquote(s) {
		return q
	}
	return "`" + s + "`"
}
