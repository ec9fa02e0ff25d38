package bigenpb

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"

	"golang.org/x/exp/slices"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// A Violation makes messages that break one rule of those in options, and keep the others.
type Violation struct {
	Name string // the field and its rule, such as owner.emails[]: max_len
	Gen  bigen.Gen[*dynamicpb.Message]
}

// Violations returns a violation for each rule of a message and of the messages in it. They test
// whether a service or a validator rejects what it must reject. A message type that is at several
// places has violations at one of them.
//
// Of the two bounds of a range, either may be broken. With [Judged], rules that this package does not
// read have one violation for each field and message, and the judge confirms the others. There is no
// violation of a rule that all values keep, that nothing can break alone, or that demands what is
// larger than 2000 bytes or elements; nor of the rules of what an option makes. That a required
// field of proto2 is set, and that an enum of proto2 has a value, are not rules: messages that lack
// that are none.
//
// A generator is derived when it first runs. Violations panics for the reasons for which [Message]
// does.
func Violations(d protoreflect.MessageDescriptor, opts ...Option) (all []Violation) {
	t := dynamicpb.NewMessageType(d)
	b, schema := newBuilder(t, opts)
	if b.judge != nil {
		b.judge.examine(bigen.ForSchema(schema), d.FullName())
	}
	v := &breaker{builder: b, seen: map[protoreflect.FullName]bool{}}
	for _, f := range v.message(t, false) {
		gen := sync.OnceValue(func() bigen.Gen[any] { return bigen.ForSchema(f.schema) })
		if b.judge == nil || makes(gen()) {
			name := strings.TrimPrefix(f.name, ": ") // of the message itself
			all = append(all, Violation{name, messages[*dynamicpb.Message](bigen.Lazy(gen))})
		}
	}
	if b.judge != nil {
		b.judge.parts = nil // from here on, nothing is counted
	}
	return all
}

// makes reports whether a generator makes a value sometimes.
func makes(g bigen.Gen[any]) bool {
	for seed := range uint64(20) {
		if _, _, err := bigen.Run(g, choices.Random(rand.New(rand.NewPCG(seed, 0)))); err == nil {
			return true
		}
	}
	return false
}

// A flawed is the schema of values that break one rule.
type flawed struct {
	name   string // where, from the value on, and the rule
	schema *bigen.Schema
}

// lift returns schemas of a part of a value as those of the value.
func lift(part string, all []flawed, whole func(s *bigen.Schema) *bigen.Schema) (of []flawed) {
	for _, x := range all {
		if s := whole(x.schema); s != nil {
			of = append(of, flawed{part + x.name, s})
		}
	}
	return of
}

// A breaker makes the schemas of values that break rules, from those of values that keep them.
type breaker struct {
	*builder
	seen map[protoreflect.FullName]bool // messages that have violations
}

// message returns the schemas of the messages of a type with one flaw.
func (b *breaker) message(t protoreflect.MessageType, free bool) (all []flawed) {
	d := t.Descriptor()
	valid := b.schemas[messageKey{d, free}]
	if valid == nil || valid.All == nil || free || b.seen[d.FullName()] {
		return nil
	}
	b.seen[d.FullName()] = true
	for i, p := range valid.of.parts {
		replace := func(with bigen.SchemaPart, by part) *bigen.Schema {
			return valid.with(i, with, by)
		}
		if p.oneof != nil {
			all = append(all, b.oneofs(p.oneof, t.New(), replace)...)
		} else {
			all = append(all, b.part(p, valid.All[i], t.New(), replace)...)
		}
	}
	if b.judge != nil && optionsOf(d).has(protovalidate) {
		all = append(all, flawed{": " + unread, b.judgedInvalid(valid.Schema)})
	}
	return all
}

// judgedInvalid returns the schema of those messages that are invalid, as the judge says by the rules
// of their type.
func (b *breaker) judgedInvalid(s *bigen.Schema) *bigen.Schema {
	unjudged := *s
	unjudged.Test = nil
	return rejected(&unjudged, func(v any) error { return b.judge.Message(v.(protoreflect.Message)) })
}

// unread is the name of rules that only a judge reads.
const unread = "rules in CEL"

// with returns the schema of messages that have another part.
func (d *derived) with(i int, schema bigen.SchemaPart, by part) *bigen.Schema {
	m := &message{typ: d.of.typ, parts: slices.Clone(d.of.parts)}
	m.parts[i] = by
	s := *d.Schema
	s.All, s.Join, s.Split = slices.Clone(s.All), m.join, m.split
	s.All[i] = schema
	return &s
}

// A replacement puts a part into messages in place of the one that keeps the rules.
type replacement func(schema bigen.SchemaPart, by part) *bigen.Schema

// part returns the schemas of messages in which a field has a flaw. The schema of the field that has
// none is valid.
func (b *breaker) part(
	p part, valid bigen.SchemaPart, empty protoreflect.Message, replace replacement,
) (all []flawed) {
	f := p.field
	put := func(s *bigen.Schema) *bigen.Schema {
		valid.Optional, valid.Schema = false, s
		return replace(valid, part{field: f, required: f.HasPresence() && s.Name != absent})
	}
	if p.required && f.Cardinality() != protoreflect.Required {
		var none any
		if !f.HasPresence() {
			none = zero(f, empty)
		}
		all = append(all, flawed{string(f.Name()) + ": required",
			put(&bigen.Schema{Name: absent, Gen: bigen.Just(none)})})
	}
	return append(all, lift(string(f.Name()), b.field(f, empty), put)...)
}

// absent is the name of the schema of what is not there.
const absent = "absent"

// zero returns the value of a field that is not set.
func zero(f protoreflect.FieldDescriptor, empty protoreflect.Message) any {
	switch {
	case f.IsMap():
		return map[any]any{}
	case f.IsList():
		return []any{}
	}
	return empty.Get(f).Interface()
}

// oneofs returns the schemas of messages in which the fields of a oneof have a flaw.
func (b *breaker) oneofs(o *oneof, empty protoreflect.Message, replace replacement) (all []flawed) {
	d := empty.Descriptor()
	// set adds messages that are made by other rules, as far as the sets of fields break one. ofMessage
	// says that it is one of the message.
	set := func(name string, ofMessage bool, others *oneof,
		breaks func(set []protoreflect.FieldDescriptor) bool,
	) {
		others.allow(d)
		others.sets = slices.DeleteFunc(others.sets, func(set []protoreflect.FieldDescriptor) bool {
			return !breaks(set)
		})
		if len(others.sets) == 0 {
			return
		}
		s := replace(b.oneof(others, empty, false, nil), part{oneof: others})
		if ofMessage && b.judge != nil {
			s = b.judgedInvalid(s)
		}
		all = append(all, flawed{name, s})
	}
	for i, g := range o.groups {
		without := *o
		without.groups = slices.Clone(o.groups)
		if g.required && d.FullName() != "google.protobuf.Value" {
			without.groups[i].required = false
			set(g.name+": required", g.ruled, &without, func(set []protoreflect.FieldDescriptor) bool {
				return !slices.ContainsFunc(set, g.has)
			})
		}
		if g.ruled {
			without := *o
			without.groups = slices.Delete(slices.Clone(o.groups), i, i+1)
			set(fmt.Sprintf("%s: one of %s", g.name, namesOf(g.fields)), true, &without,
				func(set []protoreflect.FieldDescriptor) bool {
					both := slices.DeleteFunc(slices.Clone(set), func(f protoreflect.FieldDescriptor) bool {
						return !g.has(f)
					})
					return len(both) > 1
				})
		}
	}
	for i, f := range o.must {
		without := *o
		without.must = slices.Delete(slices.Clone(o.must), i, i+1)
		set(string(f.Name())+": required", false, &without, func(set []protoreflect.FieldDescriptor) bool {
			return !slices.Contains(set, f)
		})
	}
	for _, f := range o.fields {
		i := slices.IndexFunc(o.sets, func(set []protoreflect.FieldDescriptor) bool {
			return slices.Contains(set, f)
		})
		if i < 0 {
			continue
		}
		only := *o
		only.sets = o.sets[i : i+1]
		all = append(all, lift(string(f.Name()), b.field(f, empty), func(s *bigen.Schema) *bigen.Schema {
			if !f.HasPresence() { // then a zero is none
				s = filtered(s, func(v any) error { return errIf(isZero(v), "it is zero") })
			}
			made := map[protoreflect.FieldDescriptor]*bigen.Schema{f: s}
			return replace(b.oneof(&only, empty, false, made), part{oneof: &only})
		})...)
	}
	return all
}

// filtered returns the schema of those values of another one that pass a test.
func filtered(s *bigen.Schema, test func(v any) error) *bigen.Schema {
	return &bigen.Schema{
		Name: s.Name,
		All:  []bigen.SchemaPart{{Name: "value", Schema: s}},
		Join: func(parts []any) any { return parts[0] },
		Split: func(v any) ([]any, error) {
			return []any{v}, nil
		},
		Test: test,
	}
}

// rejected returns the schema of those values of another one that do not pass a test.
func rejected(s *bigen.Schema, test func(v any) error) *bigen.Schema {
	return filtered(s, func(v any) error { return errIf(test(v) == nil, "it keeps the rules") })
}

func errIf(is bool, text string) error {
	if is {
		return errors.New(text)
	}
	return nil
}

// isZero reports whether a value is what a field without presence has if it is not set.
func isZero(v any) bool {
	switch v := v.(type) {
	case []any:
		return len(v) == 0
	case map[any]any:
		return len(v) == 0
	case []byte:
		return len(v) == 0
	case protoreflect.Message:
		return proto.Size(v.Interface()) == 0
	}
	return reflect.ValueOf(v).IsZero()
}
