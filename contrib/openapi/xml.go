package openapi

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"mime"
	"regexp"
	"slices"
	"strings"
)

// isXML reports whether a media type is one of XML.
func isXML(mediaType string) bool {
	base, _, err := mime.ParseMediaType(mediaType)
	if err != nil {
		base, _, _ = strings.Cut(mediaType, ";")
	}
	return base == "application/xml" || base == "text/xml" || strings.HasSuffix(base, "+xml")
}

// An xmlCodec writes and reads values of a schema as XML, in which XML objects of the description say
// what is where.
type xmlCodec struct {
	*schemas
	schema any // converted
}

// A place is where a value is in XML, as the XML object of its schema says.
type place struct {
	name, namespace, prefix string
	attribute, wrapped      bool
	unnamed                 bool // nobody says what the name is
}

// place returns the place of the values of a schema, which have the name of the property or of what
// they are in unless the schema says something else.
func (c xmlCodec) place(schema any, name string) place {
	o := object(schema, "xml")
	if o == nil {
		o = object(c.resolve(schema), "xml")
	}
	p := place{name: name, namespace: text(o, "namespace"), prefix: text(o, "prefix"),
		attribute: flag(o, "attribute"), wrapped: flag(o, "wrapped")}
	if own := text(o, "name"); own != "" {
		p.name = own
	}
	return p
}

// root returns the place of the root. Without a name, it is that of the schema among the components.
func (c xmlCodec) root() place {
	name := ""
	if ref, ok := definition(text(c.schema, "$ref")); ok {
		name = ref[strings.LastIndexByte(ref, '/')+1:]
	}
	p := c.place(c.schema, name)
	if p.wrapped = true; p.name == "" { // there is one root
		p.name, p.unnamed = "root", true
	}
	return p
}

// items returns the schema of the elements of an array with the place of each. The name of the array
// is that of the wrapping element, and counts for the elements only if there is one.
func (c xmlCodec) items(array map[string]any, of place, property string) (any, place) {
	name := property
	if of.wrapped {
		name = of.name
	}
	each := c.place(array["items"], name)
	each.unnamed = of.unnamed && each.name == of.name
	return array["items"], each
}

// properties returns the schemas of the properties of an object, in all parts of its schema.
func (c xmlCodec) properties(schema any, depth int) map[string]any {
	all, s := map[string]any{}, c.resolve(schema)
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for _, part := range list(s, keyword) {
			if depth < 10 {
				for name, p := range c.properties(part, depth+1) {
					all[name] = p
				}
			}
		}
	}
	for name, p := range object(s, "properties") {
		all[name] = p
	}
	return all
}

// types returns the types that a schema names, in all its parts.
func (c xmlCodec) types(schema any, depth int) (all []any) {
	s := c.resolve(schema)
	switch t := s["type"].(type) {
	case string:
		return []any{t}
	case []any:
		return t
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for _, part := range list(s, keyword) {
			if depth < 10 {
				all = append(all, c.types(part, depth+1)...)
			}
		}
	}
	return all
}

// encode returns a value as XML. Characters that XML does not have are replaced, and properties whose
// names are none in XML are left out.
func (c xmlCodec) encode(v any) []byte {
	var b bytes.Buffer
	e := xml.NewEncoder(&b)
	at := c.root()
	c.write(e, at, at.name, c.schema, v)
	_ = e.Flush() // a buffer takes all
	return b.Bytes()
}

// write writes a value at a place: as an element, or as one for each element of an array.
func (c xmlCodec) write(e *xml.Encoder, at place, property string, schema, v any) {
	elements, isArray := v.([]any)
	if !isArray {
		c.element(e, at, schema, v)
		return
	}
	start := at.start()
	if at.wrapped {
		_ = e.EncodeToken(start)
	}
	items, each := c.items(c.resolve(schema), at, property)
	for _, x := range elements {
		c.write(e, each, each.name, items, x)
	}
	if at.wrapped {
		_ = e.EncodeToken(start.End())
	}
}

// element writes a value as an element: an object with attributes and elements, anything else as a
// text.
func (c xmlCodec) element(e *xml.Encoder, at place, schema, v any) {
	start, fields := at.start(), object(v)
	properties := c.properties(schema, 0)
	if fields == nil {
		_ = e.EncodeToken(start)
		_ = e.EncodeToken(xml.CharData(plainText(v)))
		_ = e.EncodeToken(start.End())
		return
	}
	var inside []string
	for _, name := range sortedKeys(fields) {
		p := c.place(properties[name], name)
		switch {
		case !xmlName.MatchString(p.name):
		case p.attribute:
			start.Attr = append(start.Attr, xml.Attr{Name: xml.Name{Local: p.qualified()}, Value: plainText(fields[name])})
			if p.namespace != "" && p.prefix != "" {
				start.Attr = append(start.Attr, p.declaration())
			}
		default:
			inside = append(inside, name)
		}
	}
	_ = e.EncodeToken(start)
	for _, name := range inside {
		c.write(e, c.place(properties[name], name), name, properties[name], fields[name])
	}
	_ = e.EncodeToken(start.End())
}

// xmlName matches names without a colon.
var xmlName = regexp.MustCompile(`^[\pL_][\pL\d_.-]*$`)

func (p place) qualified() string {
	if p.prefix != "" {
		return p.prefix + ":" + p.name
	}
	return p.name
}

// declaration declares the namespace of a place.
func (p place) declaration() xml.Attr {
	name := "xmlns"
	if p.prefix != "" {
		name += ":" + p.prefix
	}
	return xml.Attr{Name: xml.Name{Local: name}, Value: p.namespace}
}

func (p place) start() xml.StartElement {
	s := xml.StartElement{Name: xml.Name{Local: p.qualified()}}
	if p.namespace != "" {
		s.Attr = []xml.Attr{p.declaration()}
	}
	return s
}

// is reports whether a name is the one of a place. Prefixes do not count: who writes XML chooses them.
func (p place) is(n xml.Name) bool {
	return p.unnamed || n.Local == p.name && (p.namespace == "" || n.Space == p.namespace)
}

// A node is an element that has been read.
type node struct {
	xml.StartElement
	children []*node
	text     string
}

// parseXML returns the root of a document.
func parseXML(b []byte) (*node, error) {
	d := xml.NewDecoder(bytes.NewReader(b))
	top := &node{}
	open := []*node{top}
	for {
		token, err := d.Token()
		last := open[len(open)-1]
		switch t := token.(type) {
		case xml.StartElement:
			n := &node{StartElement: t.Copy()}
			last.children, open = append(last.children, n), append(open, n)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			last.text += string(t)
		}
		switch {
		case err == io.EOF && len(top.children) == 1 && strings.TrimSpace(top.text) == "":
			return top.children[0], nil
		case err == io.EOF:
			return nil, errors.New("there is not exactly one root element")
		case err != nil:
			return nil, err
		}
	}
}

// decode returns the value that XML stands for. What the schema does not say is a text or an object,
// so that a validator sees it.
func (c xmlCodec) decode(b []byte) (any, error) {
	n, err := parseXML(b)
	if err != nil {
		return nil, err
	}
	at := c.root()
	if !at.is(n.Name) {
		return nil, fmt.Errorf("the root element is %s, not %s", shown(n.Name),
			shown(xml.Name{Space: at.namespace, Local: at.name}))
	}
	return c.read(n, at, at.name, c.schema), nil
}

func shown(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Local + " of " + n.Space
}

// read returns the value of an element.
func (c xmlCodec) read(n *node, at place, property string, schema any) any {
	types := c.types(schema, 0)
	isObject := slices.Contains(types, any("object")) || len(c.properties(schema, 0)) > 0
	switch {
	case slices.ContainsFunc(n.Attr, func(a xml.Attr) bool { return a.Name.Local == "nil" && a.Value == "true" }):
		return nil
	case slices.Contains(types, any("array")):
		items, each := c.items(c.resolve(schema), at, property)
		all := []any{}
		for _, child := range n.children {
			v := c.read(child, each, each.name, items)
			if !each.is(child.Name) {
				v = map[string]any{child.Name.Local: v}
			}
			all = append(all, v)
		}
		return all
	case isObject || len(types) == 0 && len(n.children) > 0:
		return c.fields(n, schema)
	case len(n.children) > 0: // the schema says that it is a text
		return c.fields(n, nil)
	}
	return scalar(n.text, types)
}

// fields returns the object that an element stands for.
func (c xmlCodec) fields(n *node, schema any) map[string]any {
	all, rest := map[string]any{}, slices.Clone(n.children)
	take := func(p place) (found []*node) {
		rest = slices.DeleteFunc(rest, func(child *node) bool {
			if p.is(child.Name) {
				found = append(found, child)
				return true
			}
			return false
		})
		return found
	}
	attributes := slices.DeleteFunc(slices.Clone(n.Attr), func(a xml.Attr) bool {
		return a.Name.Space == "xmlns" || a.Name.Local == "xmlns" || strings.HasSuffix(a.Name.Space, "XMLSchema-instance")
	})
	properties := c.properties(schema, 0)
	for _, name := range sortedKeys(properties) {
		s := properties[name]
		p, isArray := c.place(s, name), slices.Contains(c.types(s, 0), any("array"))
		switch {
		case p.attribute:
			if i := slices.IndexFunc(attributes, func(a xml.Attr) bool { return p.is(a.Name) }); i >= 0 {
				all[name] = scalar(attributes[i].Value, c.types(s, 0))
				attributes = slices.Delete(attributes, i, i+1)
			}
		case isArray && !p.wrapped:
			items, each := c.items(c.resolve(s), p, name)
			elements := []any{}
			for _, child := range take(each) {
				elements = append(elements, c.read(child, each, each.name, items))
			}
			if len(elements) > 0 || slices.Contains(list(c.resolve(schema), "required"), any(name)) {
				all[name] = elements // of an empty array, nothing is written
			}
		default:
			for _, child := range take(p) {
				all[name] = c.read(child, p, name, s)
			}
		}
	}
	for _, a := range attributes {
		all[a.Name.Local] = a.Value
	}
	for _, child := range rest {
		s := c.resolve(schema)["additionalProperties"]
		all[child.Name.Local] = c.read(child, c.place(s, child.Name.Local), child.Name.Local, s)
	}
	return all
}

// jsonNumber matches the numbers of JSON.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$`)

// scalar returns a text as a value of one of some types, if it is one.
func scalar(text string, types []any) any {
	has := func(t string) bool { return slices.Contains(types, any(t)) }
	trimmed := strings.TrimSpace(text)
	switch isNumber := has("integer") || has("number"); {
	case isNumber && jsonNumber.MatchString(trimmed):
		return json.Number(trimmed)
	case has("boolean") && (trimmed == "true" || trimmed == "1"):
		return true
	case has("boolean") && (trimmed == "false" || trimmed == "0"):
		return false
	case has("null") && trimmed == "" && !has("string"):
		return nil
	}
	return text
}
