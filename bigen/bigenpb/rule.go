package bigenpb

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"

	"github.com/espalier-go/espalier/bigen"
	"golang.org/x/exp/slices"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Validation rules are extensions of options, which two libraries define. They are read from
// bytes, by the numbers of fields, so that neither library is linked. Most numbers are the same in
// both.
const (
	protovalidate     = 1159 // in the options of messages, oneofs and fields
	protocGenValidate = 1071
	repeatedRules     = 18 // in FieldRules, in addition to ruleNumbers
	mapRules          = 19
	anyRules          = 20
	durationRules     = 21
	timestampRules    = 22
	maskRules         = 28
)

// ruleNumbers has the fields of FieldRules for the kinds of scalars.
var ruleNumbers = map[protoreflect.Kind]protowire.Number{
	protoreflect.FloatKind: 1, protoreflect.DoubleKind: 2, protoreflect.Int32Kind: 3,
	protoreflect.Int64Kind:  4,
	protoreflect.Uint32Kind: 5, protoreflect.Uint64Kind: 6, protoreflect.Sint32Kind: 7,
	protoreflect.Sint64Kind:  8,
	protoreflect.Fixed32Kind: 9, protoreflect.Fixed64Kind: 10, protoreflect.Sfixed32Kind: 11,
	protoreflect.Sfixed64Kind: 12,
	protoreflect.BoolKind:     13, protoreflect.StringKind: 14, protoreflect.BytesKind: 15,
	protoreflect.EnumKind: 16,
}

// rules are the fields of a message of rules.
type rules struct {
	old    bool // rules of protoc-gen-validate, not protovalidate
	free   bool // they say that neither the value nor what it contains is validated
	fields map[protowire.Number][]ruleValue
}

// ruleValue is a value of a field: the bits of a number, or bytes.
type ruleValue struct {
	bits  uint64
	bytes string
}

// readRules returns the fields of a message. If bytes are malformed, it returns the fields
// before them.
func readRules(b []byte, old bool) rules {
	r := rules{old: old, fields: map[protowire.Number][]ruleValue{}}
	for len(b) > 0 {
		number, typ, tag := protowire.ConsumeTag(b)
		size := protowire.ConsumeFieldValue(number, typ, b[max(tag, 0):])
		if tag < 0 || size < 0 {
			break
		}
		var v ruleValue
		switch content := b[tag : tag+size]; typ {
		case protowire.VarintType:
			v.bits, _ = protowire.ConsumeVarint(content)
		case protowire.BytesType:
			bytes, _ := protowire.ConsumeBytes(content)
			v.bytes = string(bytes)
		default: // fixed numbers
			for i, c := range content {
				v.bits |= uint64(c) << (8 * i)
			}
		}
		r.fields[number] = append(r.fields[number], v)
		b = b[tag+size:]
	}
	return r
}

// optionsOf returns the options of a descriptor. Extensions that the program does not link are
// unknown fields, but have the same bytes.
func optionsOf(d protoreflect.Descriptor) rules {
	b, _ := proto.MarshalOptions{AllowPartial: true}.Marshal(d.Options())
	return readRules(b, false)
}

// rulesOf returns the FieldRules of a field of a message, which may be free from them.
func rulesOf(f protoreflect.FieldDescriptor, free bool) rules {
	if free {
		return rules{free: true}
	}
	options := optionsOf(f)
	if r := options.sub(protovalidate); len(r.fields) > 0 {
		return r.unlessFree()
	}
	// disabled, ignored
	if all := optionsOf(f.ContainingMessage()); all.on(protocGenValidate) || all.on(1072) {
		return rules{}
	}
	options.old = true
	return options.sub(protocGenValidate).unlessFree()
}

// unlessFree returns the FieldRules r, or none of them if they say that nothing is validated.
func (r rules) unlessFree() rules {
	always, skip := !r.old && r.last(27).bits == 3, r.old && r.sub(17).on(1)
	if always || skip {
		return rules{old: r.old, free: true}
	}
	return r
}

// last returns the value of a field that is not repeated, or the zero value.
func (r rules) last(number protowire.Number) (v ruleValue) {
	if all := r.fields[number]; len(all) > 0 {
		v = all[len(all)-1]
	}
	return v
}

func (r rules) has(number protowire.Number) bool { return len(r.fields[number]) > 0 }

func (r rules) on(number protowire.Number) bool { return r.last(number).bits != 0 }

// sub returns the fields of the message that is in a field.
func (r rules) sub(number protowire.Number) rules {
	var b []byte
	for _, v := range r.fields[number] {
		b = append(b, v.bytes...)
	}
	return readRules(b, r.old)
}

// without returns the rules but for some.
func (r rules) without(numbers ...protowire.Number) rules {
	all := map[protowire.Number][]ruleValue{}
	for number, values := range r.fields {
		if !slices.Contains(numbers, number) {
			all[number] = values
		}
	}
	r.fields = all
	return r
}

// plus returns the rules and some more of a number.
func (r rules) plus(number protowire.Number, values ...ruleValue) rules {
	more := r.without(number)
	more.fields[number] = append(slices.Clone(r.fields[number]), values...)
	return more
}

// with returns the rules with others in the message that is in a field: sub returns these.
func (r rules) with(number protowire.Number, sub rules) rules {
	var b []byte
	for n, values := range sub.fields {
		for _, v := range values {
			if v.bytes != "" {
				b = protowire.AppendString(protowire.AppendTag(b, n, protowire.BytesType), v.bytes)
			} else {
				b = protowire.AppendVarint(protowire.AppendTag(b, n, protowire.VarintType), v.bits)
			}
		}
	}
	return r.without(number).plus(number, ruleValue{bytes: string(b)})
}

// required reports whether rules of a field want it to be set.
func (r rules) required() bool {
	if r.old { // of a message, an Any, a Duration or a Timestamp
		return r.sub(17).on(2) || r.sub(20).on(1) || r.sub(durationRules).on(1) ||
			r.sub(timestampRules).on(1)
	}
	return r.on(25)
}

// ignoresZero reports whether the zero value need not keep the rules.
func (r rules) ignoresZero() bool {
	if !r.old {
		return r.last(27).bits == 1
	}
	for number := range protowire.Number(13) {
		if r.sub(number).on(8) {
			return true
		}
	}
	return r.sub(14).on(26) || r.sub(15).on(14) || r.sub(repeatedRules).on(5) || r.sub(mapRules).on(6)
}

// ruled makes values that keep rules.
type ruled struct {
	gen    bigen.Gen[any]
	checks []check
	bytes  bool // gen makes a string, which stands for bytes
}

// check is a rule that a generator may break.
type check struct {
	rule  string
	keeps func(v any) bool
}

// broken returns an error for the rule that a value breaks.
func (g ruled) broken(v any) error {
	for _, c := range g.checks {
		if !c.keeps(v) {
			return fmt.Errorf("the value breaks the rule %s", c.rule)
		}
	}
	return nil
}

// schema returns the schema of the values. It panics if it finds none.
func (g ruled) schema(name string) *bigen.Schema {
	for seed := uint64(0); len(g.checks) > 0; seed++ {
		v := bigen.Sample(g.gen, rand.New(rand.NewPCG(1, seed)))
		err := g.broken(v)
		if err == nil {
			g.gen = bigen.SuchThat(g.gen, func(v any) bool { return g.broken(v) == nil }, v)
			break
		}
		if seed == 2000 {
			panic(fmt.Sprintf("none of many random values keeps them: %v", err))
		}
	}
	s := &bigen.Schema{Name: name, Gen: g.gen}
	if len(g.checks) == 0 && !g.bytes {
		return s
	}
	return &bigen.Schema{
		Name: name,
		All:  []bigen.SchemaPart{{Name: "value", Schema: s}},
		Join: func(parts []any) any {
			if g.bytes {
				return []byte(parts[0].(string))
			}
			return parts[0]
		},
		Split: func(v any) ([]any, error) {
			if g.bytes {
				v = string(v.([]byte))
			}
			return []any{v}, g.broken(v)
		},
	}
}

// ruledScalar returns the schema of a scalar that keeps rules and, if it is required, is not zero.
func ruledScalar(f protoreflect.FieldDescriptor, r rules, required bool) *bigen.Schema {
	g := scalar(f, r.sub(ruleNumbers[f.Kind()]))
	if required {
		g.checks = append(g.checks, check{"required", func(v any) bool {
			b, ok := v.([]byte)
			return len(b) > 0 || !ok && !reflect.ValueOf(v).IsZero()
		}})
	}
	return g.schema(string(f.FullName()))
}

// remedy completes what a panic says about the rules of a field.
func remedy(f protoreflect.FieldDescriptor) {
	p := recover()
	if s, ok := p.(string); ok && !strings.HasPrefix(s, "bigenpb") {
		p = fmt.Sprintf("bigenpb: the rules of the field %s: %s: give it a generator by "+
			"bigenpb.Field(%[1]q, gen)", f.FullName(), s)
	}
	if p != nil {
		panic(p)
	}
}
