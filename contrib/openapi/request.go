package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// A request is what a call sends.
type request struct {
	method string
	path   string // escaped, without what precedes all paths
	query  string
	header http.Header
	body   []byte
	pieces []string // of the path, one for each part of its template
}

// target is the path with the query.
func (r *request) target() string {
	if r.query == "" {
		return r.path
	}
	return r.path + "?" + r.query
}

// request returns the request with the values of parameters by location and name, and a body. An
// object of values is one that the schema of requests allows.
func (o *operation) request(base string, values map[string]any) *request {
	r := &request{method: o.method, header: http.Header{}}
	path := object(values, "path")
	for _, p := range o.path.parts {
		piece := escapeLiteral(p.text)
		if p.param {
			piece = o.param("path", p.text).inPath(path[p.text])
		}
		r.pieces = append(r.pieces, piece)
	}
	r.path = base + join(r.pieces, "")
	var query, cookies []string
	for _, p := range o.params {
		v, has := object(values, p.in)[p.name]
		switch {
		case !has || p.in == "path":
		case p.in == "query":
			for _, pair := range p.pairs(v) {
				query = append(query, url.QueryEscape(pair.name)+"="+pair.escaped())
			}
		case p.in == "header":
			r.header.Set(p.name, join(p.items(v), ","))
		default:
			for _, pair := range p.pairs(v) {
				cookies = append(cookies, pair.name+"="+join(pair.value, ","))
			}
		}
	}
	r.query = strings.Join(query, "&")
	if len(cookies) > 0 {
		r.header.Set("Cookie", strings.Join(cookies, "; "))
	}
	if b := object(values, "body"); b != nil {
		i := slices.IndexFunc(o.bodies, func(x *body) bool { return x.mediaType == b["type"] })
		if i >= 0 {
			var mediaType string
			r.body, mediaType = o.bodies[i].encode(b["value"])
			r.header.Set("Content-Type", mediaType)
		}
	}
	return r
}

func (o *operation) param(in, name string) *parameter {
	for _, p := range o.params {
		if p.in == in && p.name == name {
			return p
		}
	}
	return &parameter{name: name, in: in, style: "simple"}
}

// plainText returns a value as it stands in a path, a query or a header.
func plainText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case float64: // with the digits by which validators know it, as package json has them
		switch {
		case v == 0:
			return "0"
		case v == math.Trunc(v) && math.Abs(v) < 1e21:
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	case nil:
		return ""
	case bool:
		return strconv.FormatBool(v)
	}
	b, _ := json.Marshal(v)
	return string(b)
}

// items returns the texts that a value is written as, between which a delimiter stands.
func (p *parameter) items(v any) (items []string) {
	switch v := v.(type) {
	case []any:
		if p.json {
			break
		}
		for _, x := range v {
			items = append(items, plainText(x))
		}
		return items
	case map[string]any:
		if p.json {
			break
		}
		for _, name := range sortedKeys(v) {
			if p.explode {
				items = append(items, name+"="+plainText(v[name]))
			} else {
				items = append(items, name, plainText(v[name]))
			}
		}
		return items
	}
	if p.json {
		b, _ := json.Marshal(v)
		return []string{string(b)}
	}
	return []string{plainText(v)}
}

// inPath returns a value as a part of a path.
func (p *parameter) inPath(v any) string {
	items := p.items(v)
	for i := range items {
		items[i] = url.PathEscape(items[i])
	}
	switch p.style {
	case "label":
		if p.explode {
			return "." + join(items, ".")
		}
		return "." + join(items, ",")
	case "matrix":
		_, isObject := v.(map[string]any)
		switch {
		case p.explode && isObject:
			return ";" + join(items, ";")
		case p.explode:
			return ";" + p.name + "=" + join(items, ";"+p.name+"=")
		}
		return ";" + p.name + "=" + join(items, ",")
	}
	return join(items, ",")
}

// A pair is a name in a query with its value: texts between which a delimiter stands, or a comma.
type pair struct {
	name  string
	value []string
	delim string
}

// escaped returns the value as it stands in a query, in which delimiters are not escaped.
func (p pair) escaped() string {
	items := make([]string, len(p.value))
	for i, x := range p.value {
		items[i] = url.QueryEscape(x)
	}
	if p.delim != "" {
		return join(items, p.delim)
	}
	return join(items, ",")
}

// pairs returns what a value is in a query or in cookies.
func (p *parameter) pairs(v any) (pairs []pair) {
	if !p.json {
		switch v := v.(type) {
		case []any:
			if p.explode && p.style != "spaceDelimited" && p.style != "pipeDelimited" {
				for _, x := range v {
					pairs = append(pairs, pair{p.name, []string{plainText(x)}, ""})
				}
				return pairs
			}
		case map[string]any:
			if !p.explode {
				break
			}
			for _, name := range sortedKeys(v) {
				key := name
				if p.style == "deepObject" {
					key = p.name + "[" + name + "]"
				}
				pairs = append(pairs, pair{key, []string{plainText(v[name])}, ""})
			}
			return pairs
		}
	}
	delim := map[string]string{"spaceDelimited": "%20", "pipeDelimited": "|"}[p.style]
	return []pair{{p.name, p.items(v), delim}}
}

func join(items []string, delim string) string { return strings.Join(items, delim) }

// encode returns a body and its media type.
func (b *body) encode(v any) (text []byte, mediaType string) {
	switch {
	case b.json:
		text, _ = json.Marshal(v)
	case b.xml != nil:
		text = b.xml.encode(v)
	case b.form:
		var pairs []string
		fields := object(v)
		for _, name := range sortedKeys(fields) {
			p := &parameter{name: name, in: "query", style: "form", explode: true}
			for _, pair := range p.pairs(fields[name]) {
				pairs = append(pairs, url.QueryEscape(pair.name)+"="+url.QueryEscape(join(pair.value, ",")))
			}
		}
		text = []byte(strings.Join(pairs, "&"))
	case b.multipart:
		return b.parts(object(v))
	default:
		text = []byte(plainText(v))
	}
	return text, b.mediaType
}

// boundary is between the parts of a body. Texts that have it are made by nobody but who knows it.
const boundary = "espalier-boundary"

func (b *body) parts(fields map[string]any) (text []byte, mediaType string) {
	var buf bytes.Buffer
	w := multipart.NewWriter(&buf)
	_ = w.SetBoundary(boundary) // it is a valid one
	for _, name := range sortedKeys(fields) {
		values := []any{fields[name]}
		if l, isList := fields[name].([]any); isList {
			values = l
		}
		for _, v := range values {
			header := textproto.MIMEHeader{}
			disposition := fmt.Sprintf("form-data; name=%q", name)
			contentType := b.partType(name)
			if contentType == "application/octet-stream" {
				disposition += `; filename="file"`
			}
			header.Set("Content-Disposition", disposition)
			switch v.(type) {
			case map[string]any, []any:
				contentType = "application/json"
			}
			if contentType != "" {
				header.Set("Content-Type", contentType)
			}
			part, _ := w.CreatePart(header) // a buffer takes all
			_, _ = part.Write([]byte(plainText(v)))
		}
	}
	_ = w.Close()
	return buf.Bytes(), b.mediaType + "; boundary=" + boundary
}

// partType returns the media type of a part, or "" if it is plain text.
func (b *body) partType(name string) string {
	if t := text(b.encodings, name, "contentType"); t != "" {
		return strings.TrimSpace(strings.Split(t, ",")[0])
	}
	property := object(b.schema, "properties", name)
	if items := object(property, "items"); items != nil {
		property = items
	}
	if text(property, "format") == "binary" || property["contentMediaType"] != nil {
		return "application/octet-stream"
	}
	return ""
}
