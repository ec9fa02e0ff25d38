package bigenpb

import (
	"bytes"
	"fmt"
	"strings"

	"golang.org/x/exp/slices"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/espalier-go/espalier/bigen"
)

const anyPrefix = "type.googleapis.com/"

// held is what an Any may hold.
type held struct {
	url string
	typ protoreflect.MessageType // nil, if it is not known: then the Any has no bytes
}

// holds returns what an Any with rules may hold: messages of the option AnyOf or, without it, what
// the rule in lists.
func (b *builder) holds(r rules) (all []held) {
	in, not := r.fields[2], r.fields[3]
	for _, t := range b.anyOf {
		name := string(t.Descriptor().FullName())
		url := anyPrefix + name
		if i := slices.IndexFunc(in, func(v ruleValue) bool {
			return v.bytes[strings.LastIndexByte(v.bytes, '/')+1:] == name
		}); i >= 0 {
			url = in[i].bytes
		}
		all = append(all, held{url, t})
	}
	for _, v := range in {
		if len(b.anyOf) == 0 {
			t, _ := protoregistry.GlobalTypes.FindMessageByURL(v.bytes)
			all = append(all, held{v.bytes, t})
		}
	}
	return slices.DeleteFunc(all, func(h held) bool {
		is := func(v ruleValue) bool { return v.bytes == h.url }
		return len(in) > 0 && !slices.ContainsFunc(in, is) || slices.ContainsFunc(not, is)
	})
}

// any makes s the schema of a google.protobuf.Any that keeps rules. It is empty if nothing says
// what it may hold. It panics if rules exclude all that it may hold.
func (b *builder) any(s *bigen.Schema, t protoreflect.MessageType, r rules) {
	fields := t.Descriptor().Fields()
	outer := &message{
		typ:   t,
		parts: []part{{field: fields.ByName("type_url")}, {field: fields.ByName("value")}},
	}
	all := b.holds(r)
	switch {
	case len(all) == 0 && !r.has(2) && len(b.anyOf) == 0:
		m := &message{typ: t, empty: true}
		s.Join, s.Split = m.join, m.split
		return
	case len(all) == 0:
		panic("they exclude each other: no type that the Any may hold keeps all of them")
	}
	s.Join, s.Split = nil, nil
	for _, h := range all {
		s.Either = append(s.Either, bigen.SchemaPart{Name: h.url[strings.LastIndexByte(h.url, '/')+1:],
			Schema: b.anyWith(outer, h)})
	}
}

// anyWith returns the schema of an Any that holds a message.
func (b *builder) anyWith(outer *message, h held) *bigen.Schema {
	s := &bigen.Schema{Name: "an Any of " + h.url}
	if h.typ != nil {
		s.All = []bigen.SchemaPart{{Name: "value", Schema: b.message(h.typ, false)}}
	}
	s.Join = func(parts []any) any {
		var content []byte
		if len(parts) > 0 {
			content = marshal(parts[0].(protoreflect.Message))
		}
		return outer.join([]any{h.url, content})
	}
	s.Split = func(v any) ([]any, error) {
		parts, err := outer.split(v)
		if err != nil {
			return nil, err
		}
		url, content := parts[0].(string), parts[1].([]byte)
		switch {
		case url != h.url:
			return nil, fmt.Errorf("the Any has the type %q", url)
		case h.typ == nil && len(content) > 0:
			return nil, fmt.Errorf("the Any has bytes, but this program has no type %s", url)
		case h.typ == nil:
			return nil, nil
		}
		m := h.typ.New()
		if err := proto.Unmarshal(content, m.Interface()); err != nil {
			return nil, fmt.Errorf("the bytes in the Any are not a %s: %v", m.Descriptor().FullName(), err)
		}
		if !bytes.Equal(marshal(m), content) {
			return nil, fmt.Errorf("deterministic marshaling makes other bytes than the Any has")
		}
		return []any{m}, nil
	}
	return s
}

// marshal returns the bytes of a message that the generator makes: always the same.
func marshal(m protoreflect.Message) []byte {
	b, err := proto.MarshalOptions{Deterministic: true, AllowPartial: true}.Marshal(m.Interface())
	if err != nil {
		panic(fmt.Sprintf("bigenpb: the generator makes a %s that cannot be marshaled: %v",
			m.Descriptor().FullName(), err))
	}
	return b
}
