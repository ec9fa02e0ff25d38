package openapi

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A kind is what a parameter of paths stands for: the parameter of /pets/{petId} is a pet. Requests
// make instances of it, which other requests name.
type kind struct {
	shape string   // of the paths, up to the parameter
	name  string   // of a variable in reports
	param string   // the name of the parameter, where it is declared first
	path  template // up to the parameter, there
}

// A source is how an instance of a kind follows from a request and its response.
type source struct {
	kind *kind
	expr string // a runtime expression, or "" if it is to be found out
	list bool   // the response has a list of instances
	link bool   // a link says so

	above map[string]string // runtime expressions of what the instance is below, by shape
}

// kinds finds the kinds of operations, and which of these make and use instances of them.
func kinds(all []*operation) (makes map[string][]*source, uses map[string][]*kind) {
	kinds := map[string]*kind{}
	var order []*kind
	names := map[string]int{}
	for _, o := range all {
		for _, param := range o.path.params() {
			shape := o.path.shape(param)
			if kinds[shape] != nil {
				continue
			}
			k := &kind{shape: shape, name: kindName(shape), param: param, path: o.path.upTo(param)}
			if names[k.name]++; names[k.name] > 1 { // variables differ
				k.name += strings.Repeat("x", names[k.name]-1)
			}
			kinds[shape] = k
			order = append(order, k)
		}
	}
	makes, uses = map[string][]*source{}, map[string][]*kind{}
	made := map[*kind]bool{}
	for _, o := range all {
		for _, src := range o.makes(all, kinds) {
			makes[o.name] = append(makes[o.name], src)
			made[src.kind] = true
		}
	}
	for _, o := range all {
		uses[o.name] = o.uses(order, made)
	}
	return makes, uses
}

// makes returns the sources of the instances that an operation makes: at most one by convention,
// and those of its links.
func (o *operation) makes(all []*operation, kinds map[string]*kind) (sources []*source) {
	item := strings.TrimSuffix(o.path.whole(), "/") + "/{}"
	switch last := o.path.parts[len(o.path.parts)-1]; {
	case o.method == http.MethodPost && kinds[item] != nil:
		sources = []*source{{kind: kinds[item]}}
	case o.method == http.MethodPut && last.param:
		sources = []*source{{kind: kinds[o.path.whole()], expr: "$request.path." + last.text}}
	case o.method == http.MethodGet && kinds[item] != nil:
		sources = []*source{{kind: kinds[item], list: true}}
	}
	for _, l := range o.links {
		for _, other := range all {
			if other.name != l.operation || !strings.HasPrefix(l.expr, "$") ||
				!slices.Contains(other.path.params(), l.param) {
				continue
			}
			src := &source{kind: kinds[other.path.shape(l.param)], expr: l.expr, link: true,
				above: o.linked(other, l.param)}
			i := slices.IndexFunc(sources, func(s *source) bool {
				return s.kind == src.kind && (!s.link || s.expr == src.expr)
			})
			switch {
			case i < 0:
				sources = append(sources, src)
			case !sources[i].link && !sources[i].list: // a link says more than conventions do
				sources[i] = src
			}
		}
	}
	return sources
}

// linked returns what links say of the parameters that precede one in the path of another
// operation: runtime expressions by shape.
func (o *operation) linked(other *operation, param string) map[string]string {
	params, exprs := other.path.params(), map[string]string{}
	for _, l := range o.links {
		i := slices.Index(params, l.param)
		if l.operation == other.name && i >= 0 && i < slices.Index(params, param) {
			exprs[other.path.shape(l.param)] = l.expr
		}
	}
	return exprs
}

// uses returns the kinds whose instances an operation can name: the one of its path that tells the
// most, and those of other parameters and of properties of its body.
func (o *operation) uses(kinds []*kind, made map[*kind]bool) (used []*kind) {
	params := o.path.params()
	for i := len(params) - 1; i >= 0 && used == nil; i-- {
		for _, k := range kinds {
			if k.shape == o.path.shape(params[i]) && made[k] {
				used = append(used, k)
			}
		}
	}
	fields := slices.Clone(o.fields)
	for _, p := range o.params {
		if p.in == "query" || p.in == "header" {
			fields = append(fields, p.name)
		}
	}
	for _, k := range kinds {
		if made[k] && !slices.Contains(used, k) && slices.ContainsFunc(fields, k.named) {
			used = append(used, k)
		}
	}
	return used
}

// named reports whether a field names an instance of the kind: a petId, pet_id or pet-id is a pet.
func (k *kind) named(field string) bool {
	name := plain(field)
	return name == strings.ToLower(k.name)+"id" || name == strings.ToLower(k.name)+"uuid"
}

// An instance is what a request has made.
type instance struct {
	kind     *kind
	likely   bool           // a request that makes such things has made it
	params   map[string]any // by shape: what names it, and what it is below
	value    any            // what names it, or nil: there is none, as no request has succeeded
	sure     bool           // the response names it
	declared bool           // a report has a variable for its response
	from     origin         // of what names it: if that is not known, reports have a literal
	by       string         // the operation that has made it, if that said so, and nothing may have ended it
}

// take makes an instance known by the request and its response.
func (i *instance) take(src *source, q *call, base string, x *Exchange) {
	if x.Status/100 != 2 {
		return
	}
	i.params = map[string]any{}
	for _, name := range q.path.params() {
		i.params[q.path.shape(name)] = object(q.values, "path")[name]
	}
	body, err := decode(x.Body)
	if err != nil {
		body = nil
	}
	for shape, expr := range src.above {
		if v := evaluate(expr, q.values, body, x); v != nil {
			i.params[shape] = v
		}
	}
	sent := object(q.values, "body")["value"]
	switch {
	case src.expr != "":
		i.value = evaluate(src.expr, q.values, body, x)
		if pointer, ok := strings.CutPrefix(src.expr, "$response.body#"); ok && i.value != nil {
			i.sure, i.from = true, inBody(pointer)
		}
	case src.list:
		if l, ok := body.([]any); ok && len(l) > 0 {
			i.find("/0", l[0])
		}
		i.sure = false // it may have been there before
	default:
		if i.locate(x.Header.Get("Location"), base); i.value == nil {
			i.find("", body)
		}
	}
	if i.value == nil {
		i.find("", sent)
		i.sure, i.from = false, origin{}
	}
	if i.value == nil {
		return
	}
	i.params[i.kind.shape] = i.value
	if i.sure && x.Status == http.StatusCreated && q.plain {
		i.by = q.name
	}
}

// locate takes what names the instance from a location, if that is one of its kind.
func (i *instance) locate(location, base string) {
	u, err := url.Parse(location)
	if err != nil || location == "" {
		return
	}
	values, ok := i.kind.path.match(strings.TrimPrefix(u.EscapedPath(), base))
	if !ok {
		return
	}
	i.value, i.sure = values[i.kind.param], true
	if last := path.Base(location); last == url.PathEscape(values[i.kind.param]) {
		i.from = origin{location: true}
	}
}

// find takes what names the instance from a part of a body, which stands at a pointer: from a property
// that says so, or else from one that may.
func (i *instance) find(pointer string, v any) {
	self := strings.ToLower(i.kind.name)
	param := plain(i.kind.param)
	exact := []string{param, self + "id", "id", self + "uuid", "uuid"}
	if short := strings.TrimPrefix(param, self); short != "" {
		exact = append(exact, short)
	}
	for n, names := range [][]string{exact, {"name", "slug", "key", "code"}} {
		for _, wrapper := range []string{i.kind.name, "data", "result", "item", ""} {
			at, o := pointer, object(v)
			if wrapper != "" {
				at, o = pointer+"/"+wrapper, object(v, wrapper)
			}
			if key, id := property(o, names); id != nil {
				i.value, i.sure, i.from = id, n == 0, inBody(at+"/"+pointerEscape.Replace(key))
				return
			}
		}
	}
	switch v.(type) {
	case string, json.Number:
		i.value, i.from = v, inBody(pointer)
	}
}

// property returns the first property with one of some names that is a text or a number.
func property(o map[string]any, names []string) (key string, v any) {
	for _, name := range names {
		for _, key := range sortedKeys(o) {
			if plain(key) != name {
				continue
			}
			switch x := o[key].(type) {
			case string:
				if x != "" {
					return key, x
				}
			case json.Number, float64:
				return key, x
			}
		}
	}
	return "", nil
}

// evaluate returns the value of a runtime expression, or nil.
func evaluate(expr string, values map[string]any, body any, x *Exchange) any {
	part := func(v any, pointer string) any {
		if pointer == "" {
			return v
		}
		found, err := pointed(v, "#"+pointer)
		if err != nil {
			return nil
		}
		return found
	}
	for _, source := range []struct {
		prefix string
		get    func(rest string) any
	}{
		{"$response.body#", func(rest string) any { return part(body, rest) }},
		{"$request.body#", func(rest string) any {
			return part(object(values, "body")["value"], rest)
		}},
		{"$response.header.", func(rest string) any {
			if h := x.Header.Get(rest); h != "" {
				return h
			}
			return nil
		}},
		{"$request.path.", func(rest string) any { return object(values, "path")[rest] }},
		{"$request.query.", func(rest string) any { return object(values, "query")[rest] }},
		{"$request.header.", func(rest string) any { return object(values, "header")[rest] }},
	} {
		if rest, ok := strings.CutPrefix(expr, source.prefix); ok {
			return source.get(rest)
		}
	}
	return nil
}

// inPath puts an instance into the path of a request, but not where that is wrong on purpose, and
// returns the code of what it replaces, by the name of the parameter.
func (m *maker) inPath(i *instance, values map[string]any, broken *violation) (code map[string]string) {
	code = map[string]string{}
	for _, name := range m.path.params() {
		shape := m.path.shape(name)
		v, ok := i.params[shape]
		if !ok || m.keeps("path", name, broken) {
			continue
		}
		object(values, "path")[name] = v
		simple := m.operation.param("path", name).style == "simple"
		if shape == i.kind.shape && i.from.known() && simple {
			code[name] = i.from.goCode()
		}
	}
	return code
}

// inFields puts an instance into the queries, headers and bodies that name it.
func (m *maker) inFields(i *instance, values map[string]any, broken *violation) {
	put := func(fields map[string]any, in string) {
		for name, old := range fields {
			if i.kind.named(name) && !m.keeps(in, name, broken) {
				fields[name] = like(old, i.value)
			}
		}
	}
	put(object(values, "query"), "query")
	put(object(values, "header"), "header")
	put(object(values, "body", "value"), "body")
}

// keeps reports whether a part of a request stays as it is: it is wrong on purpose, or set by an option.
func (m *maker) keeps(in, name string, broken *violation) bool {
	key := in + " " + name
	if in == "body" {
		key = "body /" + pointerEscape.Replace(name)
	}
	_, fixed := m.fixed[key]
	return fixed || broken != nil && broken.of.in == in && (in == "body" || broken.of.name == name)
}

// like returns what names an instance as a value of the type of another one, if it can be.
func like(old, v any) any {
	switch old.(type) {
	case float64:
		if s, ok := v.(string); ok {
			if _, err := strconv.ParseFloat(s, 64); err == nil {
				return json.Number(s)
			}
		}
	case string:
		return plainText(v)
	}
	return v
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
