package bigenpb

import (
	"fmt"
	"strings"

	"github.com/espalier-go/espalier/bigen"
	"golang.org/x/exp/slices"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A oneof is fields of which some exclude each other: those of a oneof, or of several that share
// fields, as rules of a message may say.
type oneof struct {
	name   string // of the first group
	groups []group
	fields []protoreflect.FieldDescriptor   // of all groups, in order
	must   []protoreflect.FieldDescriptor   // which of them rules of fields require
	sets   [][]protoreflect.FieldDescriptor // which of them may be set
}

// A group is fields of which at most one is set and, if it is required, exactly one.
type group struct {
	name     string
	fields   []protoreflect.FieldDescriptor
	required bool
	ruled    bool // it is a rule: the syntax does not exclude that several fields are set
}

// oneofsOf returns the oneofs of a message, including those that rules of the message declare,
// unless it is free from them. It panics if one allows nothing.
func oneofsOf(d protoreflect.MessageDescriptor, free bool) (all []*oneof) {
	for _, g := range groupsOf(d, free) {
		joined := &oneof{name: g.name}
		all = slices.DeleteFunc(all, func(o *oneof) bool {
			shares := slices.ContainsFunc(o.fields, g.has)
			if shares {
				joined.groups = append(joined.groups, o.groups...)
				joined.fields = append(joined.fields, o.fields...)
				joined.name = joined.groups[0].name
			}
			return shares
		})
		joined.groups = append(joined.groups, g)
		joined.fields = append(joined.fields, g.fields...)
		slices.SortFunc(joined.fields, func(f, g protoreflect.FieldDescriptor) int {
			return f.Index() - g.Index()
		})
		joined.fields = slices.Compact(joined.fields)
		all = append(all, joined)
	}
	for _, o := range all {
		for _, f := range o.fields {
			// In protoc-gen-validate, a field is required if the oneof has it.
			if r := rulesOf(f, free); !r.old && r.required() {
				o.must = append(o.must, f)
			}
		}
		if o.allow(d); len(o.sets) == 0 {
			panic(fmt.Sprintf("bigenpb: the rules of the oneof %s of %s exclude each other, whichever of "+
				"its fields are set: give the message a generator by bigenpb.With", o.name, d.FullName()))
		}
	}
	return all
}

// groupsOf returns the groups of a message, each of which has a field.
func groupsOf(d protoreflect.MessageDescriptor, free bool) (all []group) {
	add := func(g group) {
		if len(g.fields) > 0 {
			all = append(all, g)
		}
	}
	for i := range d.Oneofs().Len() {
		o := d.Oneofs().Get(i)
		if o.IsSynthetic() {
			continue
		}
		options := optionsOf(o)
		g := group{name: string(o.Name()), required: !free && (options.on(protocGenValidate) ||
			options.sub(protovalidate).on(1)) || o.FullName() == "google.protobuf.Value.kind"}
		for i := range o.Fields().Len() {
			g.fields = append(g.fields, o.Fields().Get(i))
		}
		add(g)
	}
	if free {
		return all
	}
	for _, v := range optionsOf(d).sub(protovalidate).fields[4] {
		r := readRules([]byte(v.bytes), false)
		g := group{name: "oneof", required: r.on(2), ruled: true}
		for _, name := range r.fields[1] {
			if f := d.Fields().ByName(protoreflect.Name(name.bytes)); f != nil && !g.has(f) {
				g.fields = append(g.fields, f)
			}
		}
		add(g)
	}
	return all
}

func (g group) has(f protoreflect.FieldDescriptor) bool { return slices.Contains(g.fields, f) }

// mostSets bounds in how many ways the fields of a oneof may be set.
const mostSets = 5000

// allow finds out which fields may be set: first none, then one, then more of them.
func (o *oneof) allow(d protoreflect.MessageDescriptor) {
	o.sets = [][]protoreflect.FieldDescriptor{nil}
	for _, f := range o.fields {
		for _, set := range o.sets {
			if more := append(slices.Clone(set), f); o.excess(more) == nil {
				o.sets = append(o.sets, more)
			}
		}
		if len(o.sets) > mostSets {
			panic(fmt.Sprintf("bigenpb: the oneofs of %s share fields, which may be set in more than %d "+
				"ways: give it a generator by bigenpb.With", d.FullName(), mostSets))
		}
	}
	o.sets = slices.DeleteFunc(o.sets, func(set []protoreflect.FieldDescriptor) bool {
		return o.lack(set) != "" || slices.ContainsFunc(o.must,
			func(f protoreflect.FieldDescriptor) bool { return !slices.Contains(set, f) })
	})
	slices.SortStableFunc(o.sets, func(s, t []protoreflect.FieldDescriptor) int {
		return len(s) - len(t)
	})
}

// excess returns an error if two of the fields exclude each other.
func (o *oneof) excess(set []protoreflect.FieldDescriptor) error {
	for _, g := range o.groups {
		var first protoreflect.FieldDescriptor
		for _, f := range set {
			if !g.has(f) {
				continue
			}
			if first != nil {
				return fmt.Errorf("the fields %s and %s exclude each other", first.Name(), f.Name())
			}
			first = f
		}
	}
	return nil
}

// lack returns the name of a group that needs a field and has none, or "".
func (o *oneof) lack(set []protoreflect.FieldDescriptor) string {
	for _, g := range o.groups {
		if g.required && !slices.ContainsFunc(set, g.has) {
			return g.name
		}
	}
	return ""
}

// choice is the fields of a oneof that are set, with their values.
type choice struct {
	fields []protoreflect.FieldDescriptor
	values []any
}

// oneof returns the part for the fields that a oneof allows. Trees identify it by the smallest
// number of the fields. Some fields may have schemas already.
func (b *builder) oneof(
	o *oneof, empty protoreflect.Message, free bool, made map[protoreflect.FieldDescriptor]*bigen.Schema,
) bigen.SchemaPart {
	s := &bigen.Schema{Name: string(empty.Descriptor().FullName()) + "." + o.name}
	fields := map[protoreflect.FieldDescriptor]bigen.SchemaPart{}
	part := func(f protoreflect.FieldDescriptor) bigen.SchemaPart {
		if _, ok := fields[f]; !ok {
			schema := made[f]
			if schema == nil {
				schema = b.field(f, empty, rulesOf(f, free), !f.HasPresence())
			}
			fields[f] = bigen.SchemaPart{Name: string(f.Name()), ID: number(f), Schema: schema}
		}
		return fields[f]
	}
	for _, set := range o.sets {
		if len(set) == 0 {
			s.Either = append(s.Either, bigen.SchemaPart{
				Name:   "none",
				Schema: &bigen.Schema{Gen: bigen.Just[any](nil)},
			})
			continue
		}
		one := &bigen.Schema{Name: string(set[0].FullName())}
		var numbers []string
		for _, f := range set {
			one.All = append(one.All, part(f))
			numbers = append(numbers, number(f))
		}
		one.Join = func(parts []any) any { return choice{set, slices.Clone(parts)} }
		one.Split = func(v any) ([]any, error) {
			switch v, ok := v.(choice); {
			case !ok:
				return nil, fmt.Errorf("the oneof %s has no field", o.name)
			case !slices.Equal(v.fields, set):
				return nil, fmt.Errorf("the oneof %s has the field %s", o.name, namesOf(v.fields))
			default:
				return v.values, nil
			}
		}
		s.Either = append(s.Either, bigen.SchemaPart{Name: strings.Join(numbers, "+"), Schema: one})
	}
	least := slices.MinFunc(o.fields, func(f, g protoreflect.FieldDescriptor) int {
		return int(f.Number()) - int(g.Number())
	})
	return bigen.SchemaPart{Name: o.name, ID: "oneof " + number(least), Schema: s}
}

func namesOf(fields []protoreflect.FieldDescriptor) string {
	var names []string
	for _, f := range fields {
		names = append(names, string(f.Name()))
	}
	return strings.Join(names, " and ")
}

// chosen returns the choice of a oneof, or nil if none of its fields is set.
func (o *oneof) chosen(r protoreflect.Message) (any, error) {
	var c choice
	for _, f := range o.fields {
		if r.Has(f) {
			c.fields, c.values = append(c.fields, f), append(c.values, get(r, f))
		}
	}
	if err := o.excess(c.fields); err != nil {
		return nil, err
	}
	if name := o.lack(c.fields); name != "" {
		return nil, fmt.Errorf("the oneof %s has no field", name)
	}
	if len(c.fields) == 0 {
		return nil, nil
	}
	return c, nil
}
