package openapi

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// An operation is one of the description.
type operation struct {
	name      string // METHOD /path
	id        string // its operationId, or ""
	method    string
	path      template
	params    []*parameter
	bodies    []*body
	needsBody bool
	fields    []string // properties of bodies
	responses map[string]*response
	auth      [][]string // alternatives, each a list of security schemes
	links     []link
}

// A parameter is one of an operation.
type parameter struct {
	name     string
	in       string // path, query, header or cookie
	style    string
	explode  bool
	json     bool // its value is JSON
	required bool
	schema   any // converted
	accepted any // the same, for what must be refused
}

// A body is what an operation takes, of one media type.
type body struct {
	mediaType string
	form      bool // or JSON, or text
	multipart bool
	json      bool
	xml       *xmlCodec // or nil
	schema    any       // converted
	accepted  any       // the same, for what must be refused
	encodings map[string]any
}

// A response is what an operation answers with one status, or several.
type response struct {
	contents map[string]*validated // by media type
	headers  map[string]header
}

type header struct {
	*validated
	required bool
}

// A link is how the parameter of another operation follows from a response.
type link struct {
	operation string // METHOD /path
	param     string
	expr      string // a runtime expression
}

var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}

// readOperations reads the operations of a description.
func (s *Spec) readOperations() error {
	ids := map[string]string{}
	paths := object(s.doc, "paths")
	for _, path := range sortedKeys(paths) {
		if !strings.HasPrefix(path, "/") {
			continue // an extension
		}
		item, err := follow(s.doc, paths[path])
		if err != nil {
			return fmt.Errorf("path %s: %w", path, err)
		}
		for _, method := range methods {
			if item[method] == nil {
				continue
			}
			o, err := s.operation(strings.ToUpper(method), path, item, object(item, method))
			if err != nil {
				return fmt.Errorf("%s %s: %w", strings.ToUpper(method), path, err)
			}
			if o.id != "" {
				ids[o.id] = o.name
			}
			s.operations = append(s.operations, o)
		}
	}
	if len(s.operations) == 0 {
		return fmt.Errorf("it describes no operation: paths is empty")
	}
	for _, o := range s.operations {
		for i, l := range o.links {
			if name, ok := ids[l.operation]; ok {
				o.links[i].operation = name
			}
		}
	}
	return nil
}

func (s *Spec) operation(method, path string, item, from map[string]any) (*operation, error) {
	for i, name := range parseTemplate(path).params() {
		if name == "" || slices.Contains(parseTemplate(path).params()[:i], name) {
			return nil, fmt.Errorf("the parameter {%s} of the path has no name, or that of another one", name)
		}
	}
	o := &operation{
		name: method + " " + path, id: text(from, "operationId"), method: method,
		path: parseTemplate(path), responses: map[string]*response{},
	}
	if err := s.parameters(o, item, from); err != nil {
		return nil, err
	}
	if from["requestBody"] != nil {
		if err := s.body(o, from["requestBody"]); err != nil {
			return nil, fmt.Errorf("requestBody: %w", err)
		}
	}
	for status, v := range object(from, "responses") {
		if strings.HasPrefix(status, "x-") {
			continue
		}
		if err := s.response(o, strings.ToUpper(status), v); err != nil {
			return nil, fmt.Errorf("response %s: %w", status, err)
		}
	}
	security, declared := from["security"]
	if !declared {
		security = s.doc["security"]
	}
	for _, alternative := range list(security) {
		o.auth = append(o.auth, sortedKeys(object(alternative)))
	}
	return o, nil
}

// parameters reads the parameters of the path and the operation, which replace those.
func (s *Spec) parameters(o *operation, item, from map[string]any) error {
	for _, v := range append(slices.Clone(list(item, "parameters")), list(from, "parameters")...) {
		p, err := follow(s.doc, v)
		if err != nil {
			return err
		}
		read, err := s.parameter(p)
		if err != nil {
			return fmt.Errorf("parameter %s: %w", text(p, "name"), err)
		}
		o.params = slices.DeleteFunc(o.params, func(q *parameter) bool { return read.is(q.in, q.name) })
		if !s.isSetByOthers(read) {
			o.params = append(o.params, read)
		}
	}
	for _, name := range o.path.params() {
		if !slices.ContainsFunc(o.params, func(p *parameter) bool { return p.in == "path" && p.name == name }) {
			o.params = append(o.params, &parameter{
				name: name, in: "path", style: "simple", required: true,
				schema: map[string]any{"type": "string"}, accepted: map[string]any{"type": "string"},
			})
		}
	}
	return nil
}

// is reports whether a parameter is the one of a name at a place.
func (p *parameter) is(in, name string) bool {
	return p.in == in && (p.name == name || in == "header" && strings.EqualFold(p.name, name))
}

// isSetByOthers reports whether OpenAPI says that no parameter sets a header, or that credentials do.
func (s *Spec) isSetByOthers(p *parameter) bool {
	for _, name := range []string{"Accept", "Content-Type", "Authorization"} {
		if p.is("header", name) {
			return true
		}
	}
	for _, scheme := range object(s.doc, "components", "securitySchemes") {
		scheme, err := follow(s.doc, scheme)
		if err == nil && text(scheme, "type") == "apiKey" && p.is(text(scheme, "in"), text(scheme, "name")) {
			return true
		}
	}
	return false
}

func (s *Spec) parameter(v map[string]any) (*parameter, error) {
	p := &parameter{name: text(v, "name"), in: text(v, "in"), style: text(v, "style")}
	styles := map[string]string{
		"path": "simple", "query": "form", "header": "simple", "cookie": "form",
	}
	usual := styles[p.in]
	switch {
	case p.name == "":
		return nil, fmt.Errorf("it has no name")
	case usual == "":
		return nil, fmt.Errorf("it is in %q: want path, query, header or cookie", p.in)
	case p.style == "":
		p.style = usual
	}
	p.required = p.in == "path" || flag(v, "required")
	if p.explode = p.style == "form" || p.style == "deepObject"; v["explode"] != nil {
		p.explode = flag(v, "explode")
	}
	schema := v["schema"]
	for _, mediaType := range sortedKeys(object(v, "content")) {
		p.json = isJSON(mediaType)
		schema = at(v, "content", mediaType, "schema")
	}
	p.schema, p.accepted = s.requests.of(schema), s.accepted.of(schema)
	return p, nil
}

func (s *Spec) body(o *operation, v any) error {
	from, err := follow(s.doc, v)
	if err != nil {
		return err
	}
	o.needsBody = flag(from, "required")
	content := object(from, "content")
	for _, mediaType := range sortedKeys(content) {
		b := &body{
			mediaType: mediaType,
			json:      isJSON(mediaType),
			form:      mediaType == "application/x-www-form-urlencoded",
			multipart: strings.HasPrefix(mediaType, "multipart/"),
			schema:    s.requests.of(at(content, mediaType, "schema")),
			accepted:  s.accepted.of(at(content, mediaType, "schema")),
			encodings: object(content, mediaType, "encoding"),
		}
		o.fields = s.properties(o.fields, at(content, mediaType, "schema"), 0)
		switch {
		case mediaType == "*/*":
			b.mediaType, b.json = "application/json", true
		case b.json, b.form, b.multipart:
		case isXML(mediaType):
			b.xml = &xmlCodec{s.requests, b.schema}
		default: // text, and what no schema describes
			b.schema = map[string]any{"allOf": []any{b.schema}, "type": "string"}
			b.mediaType = strings.ReplaceAll(strings.ReplaceAll(mediaType,
				"application/*", "application/octet-stream"), "/*", "/plain")
		}
		o.bodies = append(o.bodies, b)
	}
	return nil
}

// properties adds the names of the properties of a schema, as far as they are plain to see.
func (s *Spec) properties(names []string, schema any, depth int) []string {
	v, err := follow(s.doc, schema)
	if err != nil || depth > 10 {
		return names // conversion says what is wrong
	}
	for _, name := range sortedKeys(object(v, "properties")) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, part := range list(v, "allOf") {
		names = s.properties(names, part, depth+1)
	}
	return names
}

// isJSON reports whether a media type is one of JSON.
func isJSON(mediaType string) bool {
	base := strings.TrimSpace(strings.ToLower(strings.Split(mediaType, ";")[0]))
	return base == "application/json" || base == "text/json" || strings.HasSuffix(base, "+json")
}

func (s *Spec) response(o *operation, status string, v any) error {
	from, err := follow(s.doc, v)
	if err != nil {
		return err
	}
	r := &response{contents: map[string]*validated{}, headers: map[string]header{}}
	for mediaType, c := range object(from, "content") {
		r.contents[mediaType] = &validated{schema: s.responses.of(at(c, "schema"))}
	}
	for name, h := range object(from, "headers") {
		if strings.EqualFold(name, "Content-Type") {
			continue // OpenAPI says so
		}
		h, err := follow(s.doc, h)
		if err != nil {
			return fmt.Errorf("header %s: %w", name, err)
		}
		r.headers[name] = header{&validated{schema: s.responses.of(h["schema"])}, flag(h, "required")}
	}
	for _, name := range sortedKeys(object(from, "links")) {
		l, err := follow(s.doc, object(from, "links")[name])
		if err != nil {
			return fmt.Errorf("link %s: %w", name, err)
		}
		target := text(l, "operationId")
		if ref, ok := strings.CutPrefix(text(l, "operationRef"), "#/paths/"); ok {
			path, method, _ := strings.Cut(ref, "/")
			path, _ = url.PathUnescape(path)
			target = strings.ToUpper(method) + " " + pointerUnescape.Replace(path)
		}
		for param, expr := range object(l, "parameters") {
			if e, ok := expr.(string); ok {
				param = param[strings.LastIndexByte(param, '.')+1:] // path.id, too
				o.links = append(o.links, link{target, param, e})
			}
		}
	}
	slices.SortFunc(o.links, func(a, b link) int {
		return strings.Compare(a.operation+"\x00"+a.param+"\x00"+a.expr,
			b.operation+"\x00"+b.param+"\x00"+b.expr)
	})
	o.responses[status] = r
	return nil
}

// has reports whether the operation has a parameter.
func (o *operation) has(in, name string) bool {
	return slices.ContainsFunc(o.params, func(p *parameter) bool { return p.is(in, name) })
}

// hasField reports whether a body may have the property at a JSON pointer: the first key tells.
func (o *operation) hasField(pointer string) bool {
	return slices.Contains(o.fields, keysOf(pointer)[0])
}

// keysOf returns the keys of a JSON pointer, at least one.
func keysOf(pointer string) []string {
	keys := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, key := range keys {
		keys[i] = pointerUnescape.Replace(key)
	}
	return keys
}

// answer returns what the description says of a status, or nil.
func (o *operation) answer(status int) *response {
	for _, key := range []string{fmt.Sprint(status), fmt.Sprint(status/100) + "XX", "DEFAULT"} {
		if r := o.responses[key]; r != nil {
			return r
		}
	}
	return nil
}

// statuses returns the statuses that the description has, in order.
func (o *operation) statuses() []string { return sortedKeys(o.responses) }

// secured reports whether the operation must not be called without credentials.
func (o *operation) secured() bool {
	return len(o.auth) > 0 && !slices.ContainsFunc(o.auth, func(a []string) bool { return len(a) == 0 })
}
