package bigenpb_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/exp/slices"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/bigenpb"
	"github.com/espalier-go/espalier/bigen/bigentest"
)

// violated checks that each violation of a message is named as wanted, and makes only messages that break
// the rules, which it reads. It returns some messages of each.
func violated(
	t *testing.T, d protoreflect.MessageDescriptor, want ...string,
) map[string][]*dynamicpb.Message {
	t.Helper()
	valid := bigenpb.Dynamic(d)
	names, made := []string{}, map[string][]*dynamicpb.Message{}
	for _, v := range bigenpb.Violations(d) {
		names = append(names, v.Name)
		random := rand.New(rand.NewPCG(1, 0))
		for range 20 {
			m := bigen.Sample(v.Gen, random)
			made[v.Name] = append(made[v.Name], m)
			require.Error(t, bigen.Check(valid, m), "%s: {%v}", v.Name, m)
			bigentest.Value(t, v.Gen, m)
		}
	}
	require.ElementsMatch(t, want, names)
	return made
}

// Each rule of a field has a violation, but for those that nothing breaks.
func TestViolations(t *testing.T) {
	entries := listed(`TYPE_MESSAGE type_name: ".ruled.M.VEntry"`)
	inf := ruleFloat(3, 1) + ruleNumber(8, on)
	for name, c := range map[string]struct {
		field, rules string
		want         []string
	}{
		"numbers":    {typed("TYPE_INT32"), ruleText(3, ruleNumber(4, 3), ruleNumber(2, 10), ruleNumber(7, 5)), []string{"v: range", "v: not_in"}},
		"outside":    {typed("TYPE_UINT64"), ruleText(6, ruleNumber(2, 3), ruleNumber(4, 10)), []string{"v: range"}},
		"one number": {typed("TYPE_INT64"), ruleText(4, ruleNumber(3, 7), ruleNumber(5, 7)), []string{"v: range"}},
		"const":      {typed("TYPE_UINT32"), ruleText(5, ruleNumber(1, 7)), []string{"v: const"}},
		"in":         {typed("TYPE_SINT32"), ruleText(7, ruleNumber(6, 7), ruleNumber(6, 0)), []string{"v: in"}},
		"all":        {typed("TYPE_UINT32"), ruleText(5, ruleNumber(5, 0)), nil},
		"finite":     {typed("TYPE_FLOAT"), ruleText(1, inf), []string{"v: range", "v: finite"}},
		"bool":       {typed("TYPE_BOOL"), ruleText(13, ruleNumber(1, on)), []string{"v: const"}},
		"enum": {typed(aSize), ruleText(16, ruleNumber(2, on), ruleNumber(4, 0)),
			[]string{"v: defined_only", "v: not_in"}},
		"lengths": {typed("TYPE_STRING"), ruleText(14, ruleNumber(2, 2), ruleNumber(3, 4), ruleText(6, "^[a-z]*$")),
			[]string{"v: min_len", "v: max_len", "v: pattern"}},
		"affixes": {typed("TYPE_STRING"), ruleText(14, ruleText(7, "a"), ruleText(8, "z"), ruleText(23, "m")),
			[]string{"v: prefix", "v: suffix", "v: not_contains"}},
		"length":   {typed("TYPE_STRING"), ruleText(14, ruleNumber(19, 0)), []string{"v: len"}},
		"too long": {typed("TYPE_STRING"), ruleText(14, ruleNumber(3, 1<<30)), nil},
		"header":   {typed("TYPE_STRING"), ruleText(14, ruleNumber(24, 2), ruleNumber(25, off)), []string{"v: well_known_regex"}},
		"email":    {typed("TYPE_STRING"), ruleText(14, ruleNumber(12, on)), []string{"v: email"}},
		"bytes": {typed("TYPE_BYTES"), ruleText(15, ruleNumber(2, 2), ruleText(5, "a"), ruleText(9, "ab")),
			[]string{"v: min_bytes", "v: prefix", "v: not_in"}},
		"address":  {typed("TYPE_BYTES"), ruleText(15, ruleNumber(10, on)), []string{"v: ip"}},
		"required": {typed("TYPE_STRING"), ruleNumber(25, on), []string{"v: required"}},
		"required and short": {optional("TYPE_STRING"), ruleNumber(25, on) + ruleText(14, ruleNumber(3, 4)),
			[]string{"v: required", "v: max_len"}},
		"required list": {listed("TYPE_INT32"), ruleNumber(25, on), []string{"v: required"}},
		"ignored zero":  {typed("TYPE_INT32"), ruleNumber(27, 1) + ruleText(3, ruleNumber(4, 3)), []string{"v: range"}},
		"no zero":       {typed("TYPE_UINT32"), ruleNumber(27, 1) + ruleText(5, ruleNumber(5, 1)), nil},
		"ignored":       {typed("TYPE_INT32"), ruleNumber(27, 3) + ruleText(3, ruleNumber(4, 3)), nil},
		"list": {listed("TYPE_INT32"), ruleText(18, ruleNumber(1, 2), ruleNumber(2, 3), ruleNumber(3, on),
			ruleText(4, ruleText(3, ruleNumber(4, 3)))),
			[]string{"v: min_items", "v: max_items", "v: unique", "v[]: range"}},
		"one element": {listed("TYPE_STRING"), ruleText(18, ruleNumber(1, 1), ruleNumber(2, 1),
			ruleText(4, ruleText(14, ruleNumber(3, 3)))),
			[]string{"v: min_items", "v: max_items", "v[]: max_len"}},
		"map": {entries, ruleText(19, ruleNumber(1, 2), ruleNumber(2, 3), ruleText(4, ruleText(14, ruleNumber(2, 2))),
			ruleText(5, ruleText(3, ruleNumber(4, 3)))),
			[]string{"v: min_pairs", "v: max_pairs", "v[key]: min_len", "v[value]: range"}},
		"span": {typed(aDuration), ruleText(21, ruleText(5, ruleNumber(1, 3)), ruleText(8, ruleNumber(1, 9))),
			[]string{"v: range", "v: not_in"}},
		"time":    {typed(aTime), ruleText(22, ruleText(2, ruleNumber(1, 3))), []string{"v: const"}},
		"past":    {typed(aTime), ruleText(22, ruleNumber(7, on)), []string{"v: lt_now"}},
		"near":    {typed(aTime), ruleText(22, ruleText(9, ruleNumber(1, 3600))), []string{"v: within"}},
		"any":     {typed(anAny), ruleText(20, ruleText(2, "a.b/c")), []string{"v: in"}},
		"no any":  {typed(anAny), ruleText(20, ruleText(3, "a.b/c")), []string{"v: not_in"}},
		"mask":    {typed(aMask), ruleText(28, ruleText(2, "a"), ruleText(3, "a.b")), []string{"v: in", "v: not_in"}},
		"wrapper": {typed(aWrapper), ruleText(14, ruleText(6, "^a")), []string{"v: pattern"}},
		"message": {typed(aDuration), ruleNumber(25, on), []string{"v: required"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			violated(t, withRules(validate, c.rules, c.field), c.want...)
		})
	}
}

// One rule at a time is broken: what the others say holds.
func TestViolationsKeepTheOthers(t *testing.T) {
	d := withRules(validate, ruleText(14, ruleNumber(2, 2), ruleNumber(3, 4), ruleText(6, "^[a-z]*$")), typed("TYPE_STRING"))
	made := violated(t, d, "v: min_len", "v: max_len", "v: pattern")
	text := func(m *dynamicpb.Message) string { return m.Get(d.Fields().ByName("v")).String() }
	short := map[bool]bool{}
	for _, m := range made["v: min_len"] {
		require.Regexp(t, "^[a-z]?$", text(m))
		short[text(m) == ""] = true
	}
	require.Len(t, short, 2)
	for _, m := range made["v: max_len"] {
		require.Regexp(t, "^[a-z]{5,}$", text(m))
	}
	for _, m := range made["v: pattern"] {
		require.Regexp(t, "^(?s:.{2,4})$", text(m))
	}
}

// Messages in messages have violations, recursive ones at one place; and so have oneofs.
func TestViolationsWithin(t *testing.T) {
	const fields = `field { name: "v" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
		field { name: "next" number: 2 type: TYPE_MESSAGE type_name: ".ruled.M" label: LABEL_REPEATED }
		field { name: "a" number: 3 type: TYPE_BOOL label: LABEL_OPTIONAL oneof_index: 0 }
		field { name: "b" number: 4 type: TYPE_INT32 label: LABEL_OPTIONAL oneof_index: 0 }
		field { name: "c" number: 5 type: TYPE_INT32 label: LABEL_OPTIONAL } oneof_decl { name: "one" }
		field { name: "other" number: 6 type: TYPE_MESSAGE type_name: ".ruled.M.Other" label: LABEL_REPEATED }
		nested_type { name: "Other" field { name: "w" number: 1 type: TYPE_INT32 label: LABEL_OPTIONAL } }`
	unknown := func(o protoreflect.ProtoMessage, rules ...string) {
		o.ProtoReflect().SetUnknown([]byte(ruleText(validate, rules...)))
	}
	d := withOptions(fields, func(m *descriptorpb.DescriptorProto) {
		m.OneofDecl[0].Options, m.Options = &descriptorpb.OneofOptions{}, &descriptorpb.MessageOptions{}
		unknown(m.OneofDecl[0].Options, ruleNumber(1, on))
		unknown(m.Options, ruleText(4, ruleText(1, "v"), ruleText(1, "c")))
		for _, f := range []*descriptorpb.FieldDescriptorProto{m.Field[3], m.NestedType[0].Field[0]} {
			f.Options = &descriptorpb.FieldOptions{}
			unknown(f.Options, ruleText(3, ruleNumber(4, 3)))
		}
	})
	made := violated(t, d, "oneof: one of v and c", "one: required", "b: range", "other[].w: range")
	for _, m := range made["oneof: one of v and c"] {
		require.True(t, m.Has(d.Fields().ByName("v")) && m.Has(d.Fields().ByName("c")))
	}
}

// In protoc-gen-validate, too, and options of the user are no rules.
func TestViolationsOfOldRules(t *testing.T) {
	violated(t, withRules(oldValidate, ruleText(14, ruleNumber(20, 3), ruleNumber(26, on)), typed("TYPE_STRING")), "v: len_bytes")
	violated(t, withRules(oldValidate, ruleText(17, ruleNumber(2, on)), typed(aDuration)), "v: required")
	d := withRules(validate, ruleText(14, ruleNumber(2, 2)), typed("TYPE_STRING"))
	require.Empty(t, bigenpb.Violations(d, bigenpb.Field("v", bigen.Just("abc"))))
	require.Panics(t, func() { bigenpb.Violations(d, bigenpb.Field("none", bigen.Just(""))) })
}

// Generators of violations are the same in each process.
func TestViolationsAgain(t *testing.T) {
	d := withRules(validate, ruleText(3, ruleNumber(4, 3), ruleNumber(2, 10), ruleNumber(7, 5)), typed("TYPE_INT32"))
	var first []string
	for range 20 {
		var again []string
		for _, v := range bigenpb.Violations(d) {
			m := bigen.Sample(v.Gen, rand.New(rand.NewPCG(1, 0)))
			again = append(again, v.Name+m.String())
		}
		if first == nil {
			first = again
		}
		require.True(t, slices.Equal(first, again))
	}
}
