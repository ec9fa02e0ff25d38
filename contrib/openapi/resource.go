package openapi

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
)

// A kind is what a parameter of paths stands for: the parameter of /pets/{petId} is a pet. Requests
// make instances of it, which other requests name.
type kind struct {
	shape string // of the paths, up to the parameter
	name  string // of a variable in reports
	param string // the name of the parameter, where it is declared first
}

// A source is how an instance of a kind follows from a request and its response.
type source struct {
	kind *kind
	expr string // a runtime expression, or "" if it is to be found out
	list bool   // the response has a list of instances
}

// kinds finds the kinds of a description, and which operations make and use instances of them.
func (s *Spec) kinds() (makes map[string]*source, uses map[string][]*kind) {
	kinds := map[string]*kind{}
	var order []*kind
	for _, o := range s.operations {
		for _, param := range o.path.params() {
			if shape := o.path.shape(param); kinds[shape] == nil {
				kinds[shape] = &kind{shape: shape, name: kindName(shape), param: param}
				order = append(order, kinds[shape])
			}
		}
	}
	makes, uses = map[string]*source{}, map[string][]*kind{}
	made := map[*kind]bool{}
	for _, o := range s.operations {
		if src := s.made(o, kinds); src != nil {
			makes[o.name] = src
			made[src.kind] = true
		}
	}
	names := map[string]int{}
	for _, k := range order {
		if names[k.name]++; names[k.name] > 1 { // variables differ
			k.name += strings.Repeat("x", names[k.name]-1)
		}
	}
	for _, o := range s.operations {
		uses[o.name] = o.uses(order, made)
	}
	return makes, uses
}

// made returns the source of the instances that an operation makes, or nil.
func (s *Spec) made(o *operation, kinds map[string]*kind) *source {
	for _, l := range o.links {
		for _, other := range s.operations {
			if other.name != l.operation || !strings.HasPrefix(l.expr, "$") {
				continue
			}
			if k := kinds[other.path.shape(l.param)]; slices.Contains(other.path.params(), l.param) {
				return &source{kind: k, expr: l.expr}
			}
		}
	}
	item := strings.TrimSuffix(o.path.whole(), "/") + "/{}"
	switch last := o.path.parts[len(o.path.parts)-1]; {
	case o.method == http.MethodPost && kinds[item] != nil:
		return &source{kind: kinds[item]}
	case o.method == http.MethodPut && last.param:
		return &source{kind: kinds[o.path.whole()], expr: "$request.path." + last.text}
	case o.method == http.MethodGet && kinds[item] != nil:
		return &source{kind: kinds[item], list: true}
	}
	return nil
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
	kind   *kind
	likely bool           // a request that makes such things has made it
	params map[string]any // by shape: what names it, and what it is below
	value  any            // what names it, or nil: there is none, as no request has succeeded
	sure   bool           // the response names it
	code   string         // Go code of what names it, with the response as %v; or "": a literal
	by     string         // the operation that has made it, if that said so, and nothing may have ended it
}

// take makes an instance known by the request and its response.
func (i *instance) take(src *source, o *operation, values map[string]any, x *Exchange) {
	i.kind = src.kind
	if x.Status/100 != 2 {
		return
	}
	i.params = map[string]any{}
	for _, name := range o.path.params() {
		i.params[o.path.shape(name)] = object(values, "path")[name]
	}
	var body any
	_ = json.Unmarshal(x.Body, &body) // or there is none
	sent := object(values, "body")["value"]
	switch location := x.Header.Get("Location"); {
	case src.expr != "":
		i.value = evaluate(src.expr, values, body, x)
		if pointer, ok := strings.CutPrefix(src.expr, "$response.body#"); ok && i.value != nil {
			i.sure, i.code = true, valueCode(pointer)
		}
		if i.value == nil {
			i.find(body, sent)
		}
	case src.list:
		if l, ok := body.([]any); ok && len(l) > 0 {
			i.find(l[0], nil)
		}
		i.sure, i.code = false, strings.Replace(i.code, `"/`, `"/0/`, 1)
		if _, ok := body.([]any); !ok {
			i.code = ""
		}
	case location != "" && i.locate(location):
		i.sure = true
		i.code = `path.Base(%v.Header().Get("Location"))`
	default:
		i.find(body, sent)
	}
	if i.value == nil {
		return
	}
	i.params[i.kind.shape] = i.value
	if i.sure && x.Status == http.StatusCreated {
		i.by = o.name
	}
}

// locate takes what names the instance from the end of a location.
func (i *instance) locate(location string) bool {
	u, err := url.Parse(location)
	if err != nil || u.Path == "" || !strings.HasSuffix(i.kind.shape, "/{}") {
		return false
	}
	base := path.Base(u.Path)
	if base == "." || base == "/" || u.RawQuery != "" {
		return false
	}
	i.value = base
	return true
}

// find takes what names the instance from a response, or else from what was sent.
func (i *instance) find(body, sent any) {
	pointers := []string{""}
	for _, name := range append([]string{"data", "result", "item"}, i.kind.name) {
		pointers = append(pointers, "/"+name)
	}
	for _, p := range pointers {
		v := body
		if p != "" {
			v = object(body)[p[1:]]
		}
		if key, id := i.kind.identify(object(v)); id != nil {
			i.value, i.sure, i.code = id, true, valueCode(p+"/"+pointerEscape.Replace(key))
			return
		}
	}
	switch body.(type) {
	case string, float64:
		i.value, i.sure, i.code = body, true, valueCode("")
		return
	}
	_, i.value = i.kind.identify(object(sent))
}

// identify returns the property of an object that names an instance of the kind, and its value.
func (k *kind) identify(v map[string]any) (key string, id any) {
	self := strings.ToLower(k.name)
	short := strings.TrimPrefix(plain(k.param), self)
	for _, candidate := range []string{plain(k.param), short, "id", self + "id", "uuid", "name", "slug",
		"key", "code"} {
		for _, key := range sortedKeys(v) {
			if candidate == "" || plain(key) != candidate {
				continue
			}
			switch x := v[key].(type) {
			case string:
				if x != "" {
					return key, x
				}
			case float64:
				return key, x
			}
		}
	}
	return "", nil
}

// evaluate returns the value of a runtime expression, or nil.
func evaluate(expr string, values map[string]any, body any, x *Exchange) any {
	inBody := func(v any, pointer string) any {
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
		{"$response.body#", func(rest string) any { return inBody(body, rest) }},
		{"$request.body#", func(rest string) any {
			return inBody(object(values, "body")["value"], rest)
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

// naming puts an instance into the values of a request, but not where these are wrong on purpose, and
// returns the code of what it replaces in the path, by the name of the parameter.
func naming(
	i *instance, o *operation, values map[string]any, broken *violation,
) (code map[string]string) {
	code = map[string]string{}
	isBroken := func(in, name string) bool {
		return broken != nil && broken.of.in == in && (in == "body" || broken.of.name == name)
	}
	if i == nil || i.value == nil {
		return code
	}
	for _, name := range o.path.params() {
		shape := o.path.shape(name)
		if v, ok := i.params[shape]; ok && !isBroken("path", name) {
			object(values, "path")[name] = v
			if shape == i.kind.shape {
				code[name] = i.code
			}
		}
	}
	for _, in := range []string{"query", "header"} {
		for name := range object(values, in) {
			if i.kind.named(name) && !isBroken(in, name) {
				object(values, in)[name] = i.value
			}
		}
	}
	fields := object(values, "body", "value")
	for name := range fields {
		if i.kind.named(name) && !isBroken("body", name) {
			fields[name] = i.value
		}
	}
	return code
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
