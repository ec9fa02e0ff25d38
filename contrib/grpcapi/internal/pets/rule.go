package pets

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
)

// number and text are the bytes of a field of a message of rules.
func number(n protowire.Number, v uint64) string {
	return string(protowire.AppendVarint(protowire.AppendTag(nil, n, protowire.VarintType), v))
}

func text(n protowire.Number, content ...string) string {
	tag := protowire.AppendTag(nil, n, protowire.BytesType)
	return string(protowire.AppendString(tag, strings.Join(content, "")))
}

// ruled returns the options of a field with rules of protovalidate: in the FieldRules of that number
// or, if there are none, that it is required.
func ruled(n protowire.Number, content ...string) *descriptorpb.FieldOptions {
	rules := text(n, content...)
	if len(content) == 0 {
		rules = number(n, 1)
	}
	o := &descriptorpb.FieldOptions{}
	o.ProtoReflect().SetUnknown([]byte(text(1159, rules)))
	return o
}

// Rules are the validation rules of a CreatePetRequest, named as by package bigenpb.
func Rules() (names []string) {
	for _, r := range rules {
		names = append(names, r.name)
	}
	return names
}

// rules are how the service checks them.
var rules = []struct {
	name  string
	keeps func(in *dynamicpb.Message) bool
}{
	{"pet_name: max_len", func(in *dynamicpb.Message) bool {
		return utf8.RuneCountInString(field(in, "pet_name").String()) <= 20
	}},
	{"age: range", func(in *dynamicpb.Message) bool {
		age := field(in, "age").Int()
		return 0 <= age && age <= 40
	}},
	{"tags: max_items", func(in *dynamicpb.Message) bool { return len(tags(in)) <= 3 }},
	{"tags: unique", func(in *dynamicpb.Message) bool {
		all := tags(in)
		slices.Sort(all)
		return len(slices.Compact(all)) == len(tags(in))
	}},
	{"tags[]: min_len", func(in *dynamicpb.Message) bool { return !slices.Contains(tags(in), "") }},
	{"owner: required", func(in *dynamicpb.Message) bool { return owner(in) != nil }},
	{"owner.code: pattern", func(in *dynamicpb.Message) bool {
		o := owner(in)
		code := protoreflect.Name("code")
		if o == nil || !o.Has(o.Descriptor().Fields().ByName(code)) {
			return true
		}
		return regexp.MustCompile("^[A-Z]{2}$").MatchString(o.Get(o.Descriptor().Fields().ByName(code)).String())
	}},
}

func tags(in *dynamicpb.Message) (all []string) {
	list := field(in, "tags").List()
	for i := range list.Len() {
		all = append(all, list.Get(i).String())
	}
	return all
}

// owner returns the owner in a request, or nil.
func owner(in *dynamicpb.Message) protoreflect.Message {
	f := in.Descriptor().Fields().ByName("owner")
	if !in.Has(f) {
		return nil
	}
	return in.Get(f).Message()
}
