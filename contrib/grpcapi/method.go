package grpcapi

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigenpb"
)

// A method is one of a registered service.
type method struct {
	name     string // /package.Service/Method
	verb     string // Create, Get, List, Delete, or another word
	noun     string // what it is about, such as pet
	desc     protoreflect.MethodDescriptor
	requests bigen.Gen[[]string] // in the text format
	broken   []*violation
	choice   bigen.Gen[string] // of "" or the name of a violation
	response bigen.Gen[*dynamicpb.Message]
	makes    bool     // things of the kind noun
	uses     []string // the kinds that a request names
}

// newMethod finds the descriptor of a method.
func newMethod(name string, opts []bigenpb.Option) (m *method, err error) {
	service, short, _ := strings.Cut(strings.TrimPrefix(name, "/"), "/")
	d, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service))
	if err != nil {
		return nil, fmt.Errorf("%s: the descriptor of its service: %w", name, err)
	}
	s, ok := d.(protoreflect.ServiceDescriptor)
	if !ok {
		return nil, fmt.Errorf("%s: %s is not a service", name, service)
	}
	m = &method{name: name, desc: s.Methods().ByName(protoreflect.Name(short))}
	if m.desc == nil {
		return nil, fmt.Errorf("%s: the descriptor of the service has no such method", name)
	}
	m.verb, m.noun = words(short)
	defer func() { // bigenpb panics if rules exclude each other
		if r := recover(); r != nil {
			m, err = nil, fmt.Errorf("%s: no message can be made: %v\nTo leave it out, use grpcapi.Skip(%q)",
				name, r, name)
		}
	}()
	one := texts(bigenpb.Dynamic(m.desc.Input(), opts...), m.desc.Input())
	m.response = bigenpb.Dynamic(m.desc.Output(), opts...)
	m.requests = bigen.SliceOf(one, 1, 1)
	if m.desc.IsStreamingClient() {
		m.requests = bigen.SliceOf(one, 0, 4)
	}
	m.violations(opts)
	for _, kind := range m.named(m.desc.Input()) {
		if !slices.Contains(m.uses, kind) {
			m.uses = append(m.uses, kind)
		}
	}
	slices.Sort(m.uses)
	m.makes = (m.verb == "Create" || m.verb == "List") && m.noun != "" && !m.desc.IsStreamingServer()
	return m, nil
}

// A violation makes requests that break one validation rule.
type violation struct {
	name     string
	message  bigen.Gen[*dynamicpb.Message]
	requests bigen.Gen[[]string] // one, in the text format
}

// violations lists how requests break the validation rules. Four of five keep them.
func (m *method) violations(opts []bigenpb.Option) {
	alts := []bigen.Alt[string]{bigen.Tag("valid", bigen.Just(""))}
	for _, v := range bigenpb.Violations(m.desc.Input(), opts...) {
		one := texts(v.Gen, m.desc.Input())
		m.broken = append(m.broken, &violation{v.Name, v.Gen, bigen.SliceOf(one, 1, 1)})
		alts = append(alts, bigen.Tag(v.Name, bigen.Just(v.Name)))
	}
	if m.choice = bigen.Just(""); len(m.broken) > 0 {
		alts[0] = alts[0].Weight(4 * float64(len(m.broken)))
		m.choice = bigen.Pick(alts...)
	}
}

// generator returns the generator of requests, and the violation of that name, or nil.
func (m *method) generator(name string) (bigen.Gen[[]string], *violation) {
	for _, v := range m.broken {
		if v.name == name {
			return v.requests, v
		}
	}
	return m.requests, nil
}

// texts returns the generator of messages in the text format.
func texts(g bigen.Gen[*dynamicpb.Message], d protoreflect.MessageDescriptor) bigen.Gen[string] {
	return bigen.Iso(g, func(m *dynamicpb.Message) string {
		return format(m)
	}, func(text string) (*dynamicpb.Message, bool) {
		m := dynamicpb.NewMessage(d)
		return m, unmarshal(text, m) == nil
	})
}

// format returns the text of a message. Package prototext varies its spaces from binary to binary, so
// that nobody relies on them; here, a message has one text, with the spaces that it needs.
func format(m proto.Message) string {
	var b strings.Builder
	inText, escaped, last, space := false, false, ' ', false
	for _, r := range (prototext.MarshalOptions{AllowPartial: true}).Format(m) {
		if r == ' ' && !inText {
			space = true
			continue
		}
		if space && !strings.ContainsRune(" :{<[,", last) && !strings.ContainsRune("}>],", r) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		switch {
		case escaped:
			escaped = false
		case r == '\\':
			escaped = inText
		case r == '"':
			inText = !inText
		}
		last, space = r, false
	}
	return b.String()
}

func unmarshal(text string, m proto.Message) error {
	return prototext.UnmarshalOptions{AllowPartial: true}.Unmarshal([]byte(text), m)
}

// words returns the verb of a method's name, and what it is about: CreatePet creates a pet, ListPets
// lists some.
func words(name string) (verb, noun string) {
	end := strings.IndexFunc(name[min(1, len(name)):], func(r rune) bool { return r >= 'A' && r <= 'Z' })
	if end < 0 {
		return name, ""
	}
	verb, noun = name[:end+1], strings.ToLower(name[end+1:])
	if verb == "List" {
		noun = strings.TrimSuffix(noun, "s")
	}
	return verb, noun
}

// identifiers are the names of fields that name what a message is about.
var identifiers = []string{"id", "name", "uid"}

// kindOf returns the kind of thing that a field of a request names, or "".
func (m *method) kindOf(f protoreflect.FieldDescriptor) string {
	if f.IsList() || f.IsMap() || f.Message() != nil {
		return ""
	}
	name := strings.ToLower(string(f.Name()))
	if m.verb != "Create" && m.noun != "" && slices.Contains(identifiers, name) {
		return m.noun
	}
	for _, end := range identifiers {
		kind, ok := strings.CutSuffix(name, "_"+end)
		kind = strings.ReplaceAll(kind, "_", "")
		if ok && !(m.verb == "Create" && kind == m.noun) { // it gets that name
			return kind
		}
	}
	return ""
}

// named returns the fields of a message, and of its messages, that name things, with their kinds.
func (m *method) named(message protoreflect.MessageDescriptor) map[protoreflect.FieldDescriptor]string {
	found := map[protoreflect.FieldDescriptor]string{}
	for i := range message.Fields().Len() {
		f := message.Fields().Get(i)
		if kind := m.kindOf(f); kind != "" {
			found[f] = kind
		}
	}
	return found
}

// things returns the messages of a response that are about a kind of thing: the response itself, a
// message in it, or the elements of a list.
func things(response protoreflect.Message, kind string) (found []protoreflect.Message) {
	is := func(d protoreflect.MessageDescriptor) bool {
		return strings.EqualFold(string(d.Name()), kind)
	}
	if is(response.Descriptor()) {
		return []protoreflect.Message{response}
	}
	response.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.Message() == nil || f.IsMap() || !is(f.Message()):
		case f.IsList():
			for i := range v.List().Len() {
				found = append(found, v.List().Get(i).Message())
			}
		default:
			found = append(found, v.Message())
		}
		return true
	})
	return found
}

// identify returns what names a thing: the value of its field id, name or uid, or one such as pet_id.
func identify(thing protoreflect.Message, kind string) (v protoreflect.Value, ok bool) {
	for _, name := range identifiers {
		for _, name := range []string{name, kind + "_" + name} {
			f := thing.Descriptor().Fields().ByName(protoreflect.Name(name))
			if f != nil && !f.IsList() && f.Message() == nil && thing.Has(f) {
				return thing.Get(f), true
			}
		}
	}
	return v, false
}
