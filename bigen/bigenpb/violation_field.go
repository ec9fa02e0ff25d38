package bigenpb

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"golang.org/x/exp/slices"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/espalier-go/espalier/bigen"
)

// field returns the schemas of the values of a field with one flaw: in its own rules, or in a message
// that it has. empty is an empty message with the field.
func (b *breaker) field(f protoreflect.FieldDescriptor, empty protoreflect.Message) (all []flawed) {
	r := rulesOf(f, false)
	if r.free || b.builder.given(f) != nil || b.made(f) {
		return nil
	}
	lenient := *b.builder
	lenient.unjudged = f
	own := &fieldBreaker{&lenient, f, empty, r}
	for _, x := range own.flaws() {
		if !slices.ContainsFunc(all, func(y flawed) bool { return y.name == x.name }) &&
			makes(bigen.ForSchema(x.schema)) {
			all = append(all, x)
		}
	}
	nested := func(d protoreflect.FieldDescriptor, example protoreflect.Value) (of []flawed) {
		if d.Message() == nil {
			return nil
		}
		for _, x := range b.message(example.Message().Type(), false) {
			if x.name[0] != ':' {
				x.name = "." + x.name
			}
			of = append(of, x)
		}
		return of
	}
	switch list := r.sub(repeatedRules); {
	case f.IsMap():
		if !r.sub(mapRules).sub(5).unlessFree().free {
			values := nested(f.MapValue(), empty.NewField(f).Map().NewValue())
			all = append(all, own.entries("[value]", values)...)
		}
	case f.IsList():
		if !list.sub(4).unlessFree().free {
			all = append(all, own.elements(nested(f, empty.NewField(f).List().NewElement()))...)
		}
	default:
		all = append(all, nested(f, empty.NewField(f))...)
	}
	return all
}

// A fieldBreaker breaks the rules of a field.
type fieldBreaker struct {
	*builder
	field protoreflect.FieldDescriptor
	empty protoreflect.Message
	rules rules
}

// flaws returns the schemas of values that break a rule of the field. Several of a name are
// alternatives: the first one that makes a value counts.
func (b *fieldBreaker) flaws() (all []flawed) {
	switch f, r := b.field, b.rules; {
	case f.IsMap():
		own, entries := r.sub(mapRules), b.empty.NewField(f).Map()
		all = b.sizes(mapRules)
		keys := b.parts(f.MapKey(), f.MapKey().Default(), own.sub(4).unlessFree(), "keys",
			func(k any) any { return map[any]any{k: entries.NewValue().Interface()} })
		all = append(all, b.entries("[key]", keys)...)
		values := b.parts(f.MapValue(), entries.NewValue(), own.sub(5).unlessFree(), "values",
			func(v any) any { return map[any]any{f.MapKey().Default().Interface(): v} })
		all = append(all, b.entries("[value]", values)...)
	case f.IsList():
		all = append(b.sizes(repeatedRules), b.duplicates()...)
		items := b.parts(f, b.empty.NewField(f).List().NewElement(),
			r.sub(repeatedRules).sub(4).unlessFree(), "items", func(v any) any { return []any{v} })
		all = append(all, b.elements(items)...)
	default:
		all = b.singles(f, b.empty.NewField(f), r)
	}
	if b.judge == nil || b.rules.old || len(b.rules.fields) == 0 {
		return all
	}
	judge := func(v any) error {
		m := b.empty.New()
		set(m, b.field, v)
		return b.judge.Field(m, b.field)
	}
	for i, x := range all {
		all[i].schema = rejected(x.schema, judge)
	}
	return append(all, flawed{": " + unread, rejected(b.with(b.rules), judge)})
}

// with returns the schema of the values of the field with other rules, or nil if there are none.
func (b *fieldBreaker) with(r rules) *bigen.Schema {
	return try(func() *bigen.Schema { return b.builder.field(b.field, b.empty, r, false) })
}

// try returns a schema, or nil if rules exclude each other.
func try(derive func() *bigen.Schema) (s *bigen.Schema) {
	defer func() {
		if p := recover(); p != nil {
			if _, says := p.(string); !says {
				panic(p)
			}
			s = nil
		}
	}()
	return derive()
}

// singles returns the schemas of values, or of elements, that are not repeated.
func (b *fieldBreaker) singles(
	f protoreflect.FieldDescriptor, example protoreflect.Value, r rules,
) (all []flawed) {
	if r.free || len(r.fields) == 0 {
		return nil
	}
	made := func(r rules) *bigen.Schema {
		return try(func() *bigen.Schema { return b.single(example, f, r, false) })
	}
	valid := bigen.ForSchema(made(r))
	for _, x := range breaches(f, r) {
		keeps := x.keeps
		if keeps == nil {
			keeps = func(v any) bool { return bigen.Check(valid, v) == nil }
		}
		if s := made(x.rules); s != nil {
			all = append(all, flawed{": " + x.rule, filtered(s, func(v any) error {
				return errIf(r.ignoresZero() && isZero(v) || keeps(v), "it keeps the rules")
			})})
		}
	}
	return all
}

// parts returns the schemas of elements, keys or values, as part says, with one flaw. The function
// with returns what the field is if it has only this one.
func (b *fieldBreaker) parts(
	f protoreflect.FieldDescriptor, example protoreflect.Value, r rules, part string,
	with func(v any) any,
) []flawed {
	all := b.singles(f, example, r)
	if b.judge == nil || r.old || len(r.fields) == 0 {
		return all
	}
	return append(all, flawed{": " + unread, rejected(b.single(example, f, r, false), func(v any) error {
		m := b.empty.New()
		set(m, b.field, with(v))
		return b.judge.Element(m, b.field, part)
	})})
}

// mostSize bounds how large values are that break a rule.
const mostSize = 2000

// sizes returns the schemas of lists or maps that are too short or too long.
func (b *fieldBreaker) sizes(number protowire.Number) (all []flawed) {
	own := b.rules.sub(number)
	names := map[protowire.Number][2]string{
		repeatedRules: {"min_items", "max_items"}, mapRules: {"min_pairs", "max_pairs"},
	}[number]
	add := func(name string, size rules, breaks func(n uint64) bool) {
		if s := b.with(b.rules.with(number, size)); s != nil {
			all = append(all, flawed{": " + name, filtered(s, func(v any) error {
				n := uint64(sizeOf(v))
				return errIf(!breaks(n) || n == 0 && b.rules.ignoresZero(), "it keeps the rules")
			})})
		}
	}
	least, most := own.last(1).bits, own.last(2).bits
	switch {
	case least == 1 && !b.rules.ignoresZero():
		all = append(all, flawed{": " + names[0],
			&bigen.Schema{Name: absent, Gen: bigen.Just(zero(b.field, b.empty))}})
	case least > 1:
		add(names[0], own.without(1, 2).plus(2, ruleValue{bits: least - 1}),
			func(n uint64) bool { return n < least })
	}
	if own.has(2) && most < mostSize {
		add(names[1], own.without(1, 2).plus(1, ruleValue{bits: most + 1}),
			func(n uint64) bool { return n > most })
	}
	return all
}

func sizeOf(v any) int {
	if m, ok := v.(map[any]any); ok {
		return len(m)
	}
	return len(v.([]any))
}

// duplicates returns the schema of lists whose last element is the first one, if elements must
// differ.
func (b *fieldBreaker) duplicates() []flawed {
	own := b.rules.sub(repeatedRules)
	most, limited := own.last(2).bits, own.has(2)
	if !own.on(3) || b.field.Message() != nil || limited && most < 2 {
		return nil
	}
	size := own.without(1, 2).plus(1, ruleValue{bits: max(2, own.last(1).bits) - 1})
	if limited {
		size = size.plus(2, ruleValue{bits: most - 1})
	}
	list := b.with(b.bare(repeatedRules, size))
	if list == nil {
		return nil
	}
	return []flawed{{": unique", &bigen.Schema{
		Name: list.Name, All: []bigen.SchemaPart{{Name: "list", Schema: list}},
		Join: func(parts []any) any {
			list := parts[0].([]any)
			return append(slices.Clone(list), list[0])
		},
		Split: func(v any) ([]any, error) {
			if list := v.([]any); len(list) > 0 {
				return []any{list[:len(list)-1]}, nil
			}
			return nil, errors.New("the list is empty")
		},
		Test: func(v any) error { // of two NaN, none is the other
			list := v.([]any)
			same := len(list) > 1 && reflect.DeepEqual(list[0], list[len(list)-1])
			return errIf(!same, "the first element is not the last")
		},
	}}}
}

// bare returns the rules of the field that are about its elements, and others about its size.
func (b *fieldBreaker) bare(number protowire.Number, size rules) rules {
	none := rules{old: b.rules.old, fields: map[protowire.Number][]ruleValue{}}
	return none.with(number, size)
}

// elements returns the schemas of lists whose first element has a flaw.
func (b *fieldBreaker) elements(all []flawed) []flawed {
	if len(all) == 0 {
		return nil
	}
	own := b.rules.sub(repeatedRules)
	size := own.without(1, 2).plus(1, ruleValue{bits: max(1, own.last(1).bits) - 1})
	rest := &bigen.Schema{Gen: bigen.Just[any]([]any{})}
	if most := own.last(2).bits; most != 1 {
		if own.has(2) {
			size = size.plus(2, ruleValue{bits: most - 1})
		}
		rest = b.with(b.bare(repeatedRules, size))
	}
	return lift("[]", all, func(first *bigen.Schema) *bigen.Schema {
		return &bigen.Schema{
			Name: string(b.field.FullName()),
			All:  []bigen.SchemaPart{{Name: "first", Schema: first}, {Name: "rest", Schema: rest}},
			Join: func(parts []any) any { return append([]any{parts[0]}, parts[1].([]any)...) },
			Split: func(v any) ([]any, error) {
				if list := v.([]any); len(list) > 0 {
					return []any{list[0], list[1:]}, nil
				}
				return nil, errors.New("the list is empty")
			},
		}
	})
}

// An entry is the part of an entry of a map that may have a flaw.
type entry string

// entries returns the schemas of maps with an entry whose key or value has a flaw.
func (b *fieldBreaker) entries(flaw entry, all []flawed) []flawed {
	if len(all) == 0 {
		return nil
	}
	own := b.rules.sub(mapRules)
	least := int(own.last(1).bits)
	valid := b.with(b.bare(mapRules, own.without(1, 2)))
	rest := *valid
	rest.Min, rest.Max = max(0, least-1), max(0, int(own.last(2).bits)-1)
	if own.last(2).bits == 1 {
		rest = bigen.Schema{Gen: bigen.Just[any](map[any]any{})}
	}
	return lift(string(flaw), all, func(bad *bigen.Schema) *bigen.Schema {
		key, value := valid.Key, bad
		if flaw == "[key]" {
			key, value = bad, valid.Elem
		}
		isKey, isValue := bigen.ForSchema(key), bigen.ForSchema(value)
		return &bigen.Schema{
			Name: string(b.field.FullName()),
			All: []bigen.SchemaPart{{Name: "key", Schema: key}, {Name: "value", Schema: value},
				{Name: "rest", Schema: &rest}},
			Join: func(parts []any) any {
				all := map[any]any{}
				for k, v := range parts[2].(map[any]any) {
					all[k] = v
				}
				all[parts[0]] = parts[1]
				return all
			},
			Split: func(v any) ([]any, error) {
				all := v.(map[any]any)
				for _, k := range sorted(all) {
					if bigen.Check(isKey, k) != nil || bigen.Check(isValue, all[k]) != nil {
						continue
					}
					others := map[any]any{}
					for other, v := range all {
						if other != k {
							others[other] = v
						}
					}
					return []any{k, all[k], others}, nil
				}
				return nil, errors.New("no entry has the flaw")
			},
			Test: func(v any) error { return errIf(sizeOf(v) < least, "the map has too few entries") },
		}
	})
}

// sorted returns the keys of a map in an order.
func sorted(m map[any]any) (keys []any) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return keys
}
