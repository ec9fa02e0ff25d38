package openapi

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/callseq"
)

// Recorded gives a sequence of requests that has been recorded, with their responses, as an HTTP
// Archive (HAR 1.2), which browsers and proxies write. [Check] runs it first, for [Fuzz] it is a seed.
// What a recorded response has made, and a later request names, is named by that response when the
// sequence runs, whatever it is called then.
//
// Entries that no operation describes are left out, and so are those that were not answered by a
// success. Another one that is not as the description asks is an error, which says which and why.
func Recorded(har []byte) Option {
	return func(c *config) { c.recorded = append(c.recorded, har) }
}

// An archive is an HTTP Archive, as far as it matters.
type archive struct {
	Log struct {
		Entries []struct {
			Request struct {
				Method, URL string
				Headers     []recordedHeader
				PostData    struct{ MimeType, Text string }
			}
			Response struct {
				Status  int
				Headers []recordedHeader
				Content struct{ Text, Encoding string }
			}
		}
	}
}

type recordedHeader struct{ Name, Value string }

func headerOf(list []recordedHeader) http.Header {
	h := http.Header{}
	for _, x := range list {
		h.Add(x.Name, x.Value)
	}
	return h
}

// A recording is a sequence that is read from an archive.
type recording struct {
	*service
	calls callseq.Calls
	made  map[*kind][]*instance // in the order of their names
}

// recorded returns the sequences that options give.
func (v *service) recorded() (all []callseq.Calls, err error) {
	for _, har := range v.config.recorded {
		calls, err := v.read(har)
		if err != nil {
			return nil, err
		}
		all = append(all, calls)
	}
	return all, nil
}

// read reads an archive backward: from requests to the choices that make them.
func (v *service) read(har []byte) (callseq.Calls, error) {
	var a archive
	if err := json.Unmarshal(har, &a); err != nil {
		return nil, fmt.Errorf("it is no HTTP Archive: %w", err)
	}
	r := &recording{service: v, made: map[*kind][]*instance{}}
	for i, e := range a.Log.Entries {
		u, err := url.Parse(e.Request.URL)
		if err != nil {
			return nil, fmt.Errorf("entry %d: %w", i+1, err)
		}
		m, path := v.find(e.Request.Method, u)
		if m == nil || e.Response.Status/100 != 2 {
			continue
		}
		q := &call{maker: m, creds: given}
		body := []byte(e.Request.PostData.Text)
		q.values, err = m.values(path, u, headerOf(e.Request.Headers), e.Request.PostData.MimeType, body)
		if err == nil {
			err = bigen.Check(m.valid, any(q.values))
		}
		if err != nil {
			return nil, fmt.Errorf("entry %d, %s: %w", i+1, m.name, err)
		}
		answer := []byte(e.Response.Content.Text)
		if e.Response.Content.Encoding == "base64" {
			if answer, err = base64.StdEncoding.DecodeString(e.Response.Content.Text); err != nil {
				return nil, fmt.Errorf("entry %d: the response: %w", i+1, err)
			}
		}
		r.add(q, &Exchange{call: q, Status: e.Response.Status, Header: headerOf(e.Response.Headers),
			Body: answer})
	}
	if len(r.calls) == 0 {
		return nil, fmt.Errorf("none of its %d entries is a success of an operation of the description",
			len(a.Log.Entries))
	}
	return r.calls, nil
}

// find returns the operation of a request, and the values of the parameters of its path. Of several,
// it is the one with the fewest parameters.
func (v *service) find(method string, u *url.URL) (m *maker, path map[string]string) {
	for _, other := range v.makers {
		values, ok := other.path.match(strings.TrimPrefix(u.EscapedPath(), v.base))
		if ok && other.method == method && (m == nil || len(values) < len(path)) {
			m, path = other, values
		}
	}
	return m, path
}

// add adds a call with the arguments that [run.call] draws.
func (r *recording) add(q *call, x *Exchange) {
	c := callseq.Call{q.name}
	for _, k := range r.uses[q.name] {
		if !r.isMade(k) {
			continue
		}
		i := r.named(q, k)
		q.named = append(q.named, i)
		c = append(c, r.nameOf(i))
	}
	if c = append(c, ""); q.secured() {
		c = append(c, given)
	}
	c = append(c, any(q.values))
	for _, src := range r.sources(q) {
		i := &instance{kind: src.kind}
		i.take(src, q, r.base, x)
		r.made[src.kind] = append(r.made[src.kind], i)
		c = append(c, r.nameOf(i))
	}
	r.calls = append(r.calls, c)
}

// named returns the instance of a kind that a request names, or nil.
func (r *recording) named(q *call, k *kind) *instance {
	for _, i := range slices.Backward(r.made[k]) {
		if i.value == nil {
			continue
		}
		inPath := q.param(i) != ""
		for _, name := range q.path.params() {
			v, ok := i.params[q.path.shape(name)]
			inPath = inPath && (!ok || plainText(v) == plainText(object(q.values, "path")[name]))
		}
		inField := false
		for _, fields := range []map[string]any{
			object(q.values, "query"), object(q.values, "header"), object(q.values, "body", "value"),
		} {
			for name, v := range fields {
				inField = inField || k.named(name) && plainText(v) == plainText(i.value)
			}
		}
		if inPath || inField {
			return i
		}
	}
	return nil
}

func (r *recording) nameOf(i *instance) callseq.Name {
	if i == nil {
		return ""
	}
	return callseq.Name(i.kind.name + strconv.Itoa(slices.Index(r.made[i.kind], i)+1))
}

// values returns the values of a request, as those that a maker makes.
func (m *maker) values(
	path map[string]string, u *url.URL, header http.Header, mediaType string, sent []byte,
) (map[string]any, error) {
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, err
	}
	values := map[string]any{}
	for _, p := range m.params {
		if values[p.in] == nil {
			values[p.in] = map[string]any{}
		}
		texts := query[p.name]
		switch p.in {
		case "path":
			texts = []string{path[p.name]}
		case "header":
			texts = header.Values(p.name)
		case "cookie":
			texts = nil
			if c, err := (&http.Request{Header: header}).Cookie(p.name); err == nil {
				texts = []string{c.Value}
			}
		}
		v, has, err := m.schemas.value(p, texts, query)
		if err != nil {
			return nil, fmt.Errorf("the %s parameter %s: %w", p.in, p.name, err)
		}
		if has {
			object(values, p.in)[p.name] = v
		}
	}
	if len(sent) == 0 {
		return values, nil
	}
	base, params, err := mime.ParseMediaType(mediaType)
	if err != nil {
		return nil, fmt.Errorf("the media type of its body, %q: %w", mediaType, err)
	}
	i := slices.IndexFunc(m.bodies, func(b *body) bool { return b.is(base) })
	if i < 0 {
		return nil, fmt.Errorf("the description has no body of the media type %s", base)
	}
	v, err := m.bodies[i].decode(m.schemas, sent, params["boundary"])
	if err != nil {
		return nil, fmt.Errorf("its body: %w", err)
	}
	values["body"] = map[string]any{"type": m.bodies[i].mediaType, "value": v}
	return values, nil
}

// is reports whether a body is of a media type.
func (b *body) is(mediaType string) bool {
	base, _, err := mime.ParseMediaType(b.mediaType)
	return err == nil && base == mediaType || b.mediaType == mediaType
}

// decode is the opposite of encode.
func (b *body) decode(s *schemas, text []byte, boundary string) (v any, err error) {
	fields := map[string]any{}
	add := func(name, text string) {
		property := s.resolve(object(s.resolve(b.schema), "properties")[name])
		old, isList := fields[name].([]any)
		switch {
		case isList || property["type"] == "array":
			fields[name] = append(old, s.typed(property["items"], text))
		case property["type"] == "object" && json.Unmarshal([]byte(text), &v) == nil:
			fields[name] = v
		default:
			fields[name] = s.typed(property, text)
		}
	}
	switch {
	case b.json:
		err := json.Unmarshal(text, &v)
		return v, err
	case b.xml != nil:
		v, err := b.xml.decode(text)
		if err != nil {
			return nil, err
		}
		asJSON, _ := json.Marshal(v)
		err = json.Unmarshal(asJSON, &v)
		return v, err
	case b.form:
		query, err := url.ParseQuery(string(text))
		for name, texts := range query {
			for _, x := range texts {
				add(name, x)
			}
		}
		return fields, err
	case b.multipart:
		parts := multipart.NewReader(strings.NewReader(string(text)), boundary)
		for {
			part, err := parts.NextPart()
			if err == io.EOF {
				return fields, nil
			} else if err != nil {
				return nil, err
			}
			content, err := io.ReadAll(part)
			if err != nil {
				return nil, err
			}
			add(part.FormName(), string(content))
		}
	}
	return string(text), nil
}

// value returns the value of a parameter, if the request has it. The texts are what it has in its
// place, of a query each of them.
func (s *schemas) value(p *parameter, texts []string, query url.Values) (v any, has bool, err error) {
	schema := s.resolve(p.schema)
	if p.style == "deepObject" {
		o := map[string]any{}
		for key, values := range query {
			name, ok := strings.CutPrefix(key, p.name+"[")
			if name, isKey := strings.CutSuffix(name, "]"); ok && isKey && len(values) > 0 {
				o[name] = s.typed(object(schema, "properties")[name], values[0])
			}
		}
		return o, len(o) > 0, nil
	}
	if len(texts) == 0 {
		return nil, false, nil
	}
	text := texts[0]
	switch {
	case p.json:
		err = json.Unmarshal([]byte(text), &v)
		return v, true, err
	case p.style == "label" || p.style == "matrix":
		return nil, false, fmt.Errorf("its style %s is not read backward", p.style)
	case schema["type"] == "object":
		return nil, false, fmt.Errorf("an object of style %s is not read backward", p.style)
	case schema["type"] == "array":
		if len(texts) == 1 && !(p.in == "query" && p.explode) {
			delim := map[string]string{"spaceDelimited": " ", "pipeDelimited": "|"}[p.style]
			if delim == "" {
				delim = ","
			}
			texts = strings.Split(text, delim)
		}
		l := []any{}
		for _, x := range texts {
			l = append(l, s.typed(schema["items"], x))
		}
		return l, true, nil
	}
	return s.typed(schema, text), true, nil
}

// typed returns a text as a value of the type that a schema has: the text itself, if it cannot be one.
func (s *schemas) typed(schema any, text string) any {
	types, _ := s.scalars(schema)
	for _, t := range types {
		switch t {
		case "integer", "number":
			if f, err := strconv.ParseFloat(text, 64); err == nil {
				return f
			}
		case "boolean":
			if b, err := strconv.ParseBool(text); err == nil {
				return b
			}
		}
	}
	return text
}
