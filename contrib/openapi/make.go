package openapi

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/espalier-go/espalier/bigen"
)

// A maker makes the values of the requests of an operation: as the description asks, or with one
// violation of it.
type maker struct {
	*operation
	schemas    *schemas
	fixed      map[string][]any // values of parameters, by location and name, such as "query limit"
	valid      bigen.Gen[any]
	violations []*violation
	choice     bigen.Gen[string] // of "" or the name of a violation
}

// A violation is one way in which a request is not as the description asks.
type violation struct {
	of     change
	name   string
	schema map[string]any           // of the whole request
	holds  func(values any) bool    // or nil: all values of the schema have it
	why    func(sent []byte) string // what is wrong with the body, or nil

	once sync.Once
	gen  bigen.Gen[any]
	err  error
}

// newMaker returns the maker of an operation. If it cannot make a request, the error says why.
func newMaker(o *operation, s *schemas, fixed map[string][]any) (*maker, error) {
	if o.needsBody && len(o.bodies) == 0 {
		return nil, fmt.Errorf("%s: it demands a body, and the description has no media type of one", o.name)
	}
	m := &maker{operation: o, schemas: s, fixed: fixed}
	var err error
	if m.valid, err = s.generator(m.whole(nil)); err != nil {
		return nil, fmt.Errorf("%s: no request can be made: %w", o.name, err)
	}
	m.findViolations()
	alts := []bigen.Alt[string]{bigen.Tag("valid", bigen.Just("")).Weight(4 * float64(len(m.violations)))}
	for _, v := range m.violations {
		alts = append(alts, bigen.Tag(v.name, bigen.Just(v.name)))
	}
	if m.choice = bigen.Just(""); len(m.violations) > 0 {
		m.choice = bigen.Pick(alts...)
	}
	return m, nil
}

// generator returns the generator of the values of requests, and the violation of that name, which
// they have; or nil, if that part of a request cannot be wrong.
func (m *maker) generator(name string) (bigen.Gen[any], *violation) {
	for _, v := range m.violations {
		if v.name != name {
			continue
		}
		v.once.Do(func() {
			v.gen, v.err = m.schemas.generator(v.schema)
			if v.err == nil && v.holds != nil {
				v.gen = bigen.SuchThat(v.gen, v.holds)
			}
		})
		if v.err == nil {
			return v.gen, v
		}
	}
	return m.valid, nil
}

// A change replaces the schema of a part of the request: of a parameter, or of the body.
type change struct {
	in, name string // in is body, or where the parameter is
	schema   any    // or nil: the part is missing
}

// whole returns the schema of requests with a change, or none.
func (m *maker) whole(c *change) map[string]any {
	sections, required := map[string]any{}, []any{}
	for _, in := range []string{"path", "query", "header", "cookie"} {
		if s := m.section(in, c); s != nil {
			sections[in] = s
			required = append(required, in)
		}
	}
	if s := m.bodySchema(c); s != nil {
		sections["body"] = s
		if m.needsBody || c != nil && c.in == "body" {
			required = append(required, "body")
		}
	}
	return map[string]any{
		"type": "object", "properties": sections, "required": required, "additionalProperties": false,
	}
}

// section returns the schema of the parameters at one place, or nil if there are none.
func (m *maker) section(in string, c *change) any {
	properties, required := map[string]any{}, []any{}
	for _, p := range m.params {
		if p.in != in {
			continue
		}
		schema := p.schema
		if values, ok := m.fixed[in+" "+p.name]; ok {
			schema = map[string]any{"enum": values}
		}
		needed := p.required
		if c != nil && c.in == in && c.name == p.name {
			if c.schema == nil {
				continue
			}
			schema, needed = c.schema, true
		}
		properties[p.name] = map[string]any{"allOf": []any{schema, written(p)}}
		if needed {
			required = append(required, p.name)
		}
	}
	if len(properties) == 0 {
		return nil
	}
	return map[string]any{
		"type": "object", "properties": properties, "required": required, "additionalProperties": false,
	}
}

// written returns the schema of the values that can be written where a parameter is.
func written(p *parameter) map[string]any {
	if p.json {
		return map[string]any{}
	}
	texts := map[string]any{"not": map[string]any{"type": "null"}}
	switch p.in {
	case "path": // an empty segment is another path, and so are these
		texts["not"] = map[string]any{"enum": []any{nil, ".", ".."}}
		texts["pattern"] = "^[^/]+$"
	case "header":
		texts["pattern"] = "^[!-~]([ -~]*[!-~])?$"
	case "cookie":
		texts["pattern"] = `^[!#-+\--:<-\[\]-~]+$`
	}
	items := map[string]any{}
	for k, v := range texts {
		items[k] = v
	}
	texts["items"], texts["additionalProperties"] = items, items
	if p.in == "path" {
		texts["minItems"], texts["minProperties"] = 1, 1
	}
	return texts
}

func (m *maker) bodySchema(c *change) any {
	if c != nil && c.in == "body" && c.schema == nil {
		return nil
	}
	var alternatives []any
	for _, b := range m.bodies {
		schema := b.schema
		if c != nil && c.in == "body" {
			if c.name != b.mediaType {
				continue
			}
			schema = c.schema
		} else {
			schema = m.withFixed(schema)
		}
		if b.form || b.multipart {
			schema = map[string]any{"type": "object", "allOf": []any{schema}}
		}
		alternatives = append(alternatives, map[string]any{
			"title": b.mediaType, "type": "object", "additionalProperties": false,
			"properties": map[string]any{
				"type": map[string]any{"const": b.mediaType}, "value": schema,
			},
			"required": []any{"type", "value"},
		})
	}
	switch len(alternatives) {
	case 0:
		return nil
	case 1:
		return alternatives[0]
	}
	return map[string]any{"anyOf": alternatives}
}

// withFixed returns the schema of a body with the values of properties that an option has set.
func (m *maker) withFixed(schema any) any {
	all := []any{schema}
	for _, name := range sortedKeys(m.fixed) {
		pointer, isBody := strings.CutPrefix(name, "body ")
		if !isBody || !m.hasField(pointer) {
			continue
		}
		var part any = map[string]any{"enum": m.fixed[name]}
		for _, key := range slices.Backward(keysOf(pointer)) {
			part = map[string]any{"properties": map[string]any{key: part}}
		}
		all = append(all, part)
	}
	if len(all) == 1 {
		return schema
	}
	return map[string]any{"allOf": all}
}

// findViolations lists what can be wrong with a request.
func (m *maker) findViolations() {
	add := func(c change, format string, args ...any) *violation {
		v := &violation{of: c, name: fmt.Sprintf(format, args...), schema: m.whole(&c)}
		m.violations = append(m.violations, v)
		return v
	}
	for _, p := range m.params {
		types, scalar := m.schemas.scalars(p.schema)
		explodes := p.explode && slices.Contains(types, any("object")) // other names stand for it
		if p.required && p.in != "path" && !explodes {
			add(change{p.in, p.name, nil}, "no %s parameter %s", p.in, p.name)
		}
		if _, fixed := m.fixed[p.in+" "+p.name]; fixed || p.json || !scalar {
			continue
		}
		valid, err := m.schemas.validator(p.accepted)
		if err != nil {
			continue
		}
		wrong := map[string]any{"type": []any{"string"}, "not": p.accepted}
		if slices.Contains(types, any("integer")) || slices.Contains(types, any("number")) {
			wrong["type"] = []any{"string", "number"} // one that is too large, for example
		}
		v := add(change{p.in, p.name, wrong}, "wrong %s parameter %s", p.in, p.name)
		v.holds = func(values any) bool {
			return !couldBe(valid, plainText(object(values, p.in)[p.name]))
		}
	}
	notJSON := slices.ContainsFunc(m.bodies, func(b *body) bool { return !b.json }) // it may be empty
	if m.needsBody && !notJSON {
		add(change{"body", "", nil}, "no body")
	}
	for _, b := range m.bodies {
		if !b.json {
			continue
		}
		wrong := map[string]any{"not": b.accepted}
		v := add(change{"body", b.mediaType, wrong}, "wrong body %s", b.mediaType)
		if valid, err := m.schemas.validator(b.accepted); err == nil {
			v.holds = func(values any) bool {
				text, _ := b.encode(object(values, "body")["value"])
				sent, err := decode(text)
				return err != nil || valid(sent) != nil && valid(asFloats(sent)) != nil
			}
			v.why = func(text []byte) string {
				sent, err := decode(text)
				if err == nil {
					err = valid(sent)
				}
				return fmt.Sprint(err)
			}
		}
	}
}

// asFloats returns a value of JSON as a service has it that reads numbers as float64.
func asFloats(v any) any {
	switch v := v.(type) {
	case json.Number:
		if f, err := v.Float64(); err == nil {
			return exactly(f)
		}
	case []any:
		l := make([]any, len(v))
		for i, x := range v {
			l[i] = asFloats(x)
		}
		return l
	case map[string]any:
		m := make(map[string]any, len(v))
		for name, x := range v {
			m[name] = asFloats(x)
		}
		return m
	}
	return v
}

// exactly returns a number with all of its digits: validators take a float64 for the number with
// the fewest digits that rounds to it, and -2⁶³ is not that.
func exactly(f float64) any {
	if f != math.Trunc(f) {
		return f
	}
	return json.Number(strconv.FormatFloat(f, 'f', 0, 64))
}

// couldBe reports whether a text could be read as a valid value.
func couldBe(valid func(v any) error, written string) bool {
	written = strings.TrimSpace(written)
	if written == "" { // as if it were missing
		return true
	}
	candidates := []any{written, strings.ToLower(written), strings.ToUpper(written)}
	if b, err := strconv.ParseBool(written); err == nil {
		candidates = append(candidates, b)
	}
	if f, err := strconv.ParseFloat(written, 64); err == nil {
		if math.IsInf(f, 0) || math.IsNaN(f) {
			return true
		}
		candidates = append(candidates, f, exactly(f), exactly(math.Trunc(f)))
		if f != 0 { // else the exponent may be huge
			candidates = append(candidates, json.Number(written))
		}
	}
	if i, ok := new(big.Int).SetString(written, 0); ok {
		candidates = append(candidates, json.Number(i.String()))
	}
	for _, c := range candidates {
		if valid(c) == nil {
			return true
		}
	}
	return false
}
