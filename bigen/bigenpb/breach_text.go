package bigenpb

import (
	"regexp"
	"strings"

	"golang.org/x/exp/slices"
	"google.golang.org/protobuf/encoding/protowire"
)

// formatNames has the names of formats, by the numbers of the rules of strings.
var formatNames = map[protowire.Number]string{
	12: "email", 13: "hostname", 14: "ip", 15: "ipv4", 16: "ipv6", 17: "uri", 18: "uri_ref",
	21: "address", 22: "uuid", 24: "well_known_regex", 26: "ip_with_prefixlen",
	27: "ipv4_with_prefixlen", 28: "ipv6_with_prefixlen", 29: "ip_prefix", 30: "ipv4_prefix",
	31: "ipv6_prefix", 32: "host_and_port", 33: "tuuid", 35: "ulid", 37: "protobuf_fqn",
	38: "protobuf_dot_fqn",
}

// stringBreaches are those of strings.
func stringBreaches(r rules) []breach {
	same := map[protowire.Number]protowire.Number{1: 1, 6: 6, 10: 10}
	for _, rule := range textRules {
		same[rule.number] = rule.number
	}
	all := textBreaches(r, same)
	for number := range protowire.Number(39) {
		name := formatNames[number]
		if name == "" || !r.on(number) || r.old && number == 26 { // where it is ignore_empty
			continue
		}
		never := "\x7f" // no format has it, but loose headers do
		if number == 24 {
			never = "\n"
		}
		all = append(all, breach{name, r.without(number).plus(9, ruleValue{bytes: never}),
			func(v any) bool { return !strings.Contains(v.(string), never) }})
	}
	return all
}

// bytesBreaches are those of bytes.
func bytesBreaches(r rules) []breach {
	of := map[protowire.Number]protowire.Number{}
	for own, number := range bytesRules {
		of[number] = protowire.Number(own)
	}
	all := textBreaches(r, of)
	for _, format := range []struct {
		number protowire.Number
		name   string
		sizes  []int
	}{
		{10, "ip", []int{4, 16}}, {11, "ipv4", []int{4}}, {12, "ipv6", []int{16}}, {15, "uuid", []int{16}},
	} {
		if r.on(format.number) && !(r.old && format.number == 15) {
			all = append(all, breach{format.name, r.without(format.number), func(v any) bool {
				return slices.Contains(format.sizes, len(v.([]byte)))
			}})
		}
	}
	return all
}

// textBreaches are those that strings and bytes have. of maps the number of a rule of strings to the
// number of the rule.
func textBreaches(r rules, of map[protowire.Number]protowire.Number) (all []breach) {
	text := func(v any) string {
		if b, ok := v.([]byte); ok {
			return string(b)
		}
		return v.(string)
	}
	add := func(name string, others rules, keeps func(s string) bool) {
		all = append(all, breach{name, others, func(v any) bool { return keeps(text(v)) }})
	}
	list := func(name string, rule protowire.Number) {
		if values := r.fields[of[rule]]; of[rule] != 0 && len(values) > 0 {
			add(name, r.without(of[rule]).plus(of[11], values...), func(s string) bool {
				return slices.ContainsFunc(values, func(v ruleValue) bool { return v.bytes == s })
			})
		}
	}
	list("const", 1)
	list("in", 10)
	for _, rule := range textRules {
		if of[rule.number] == 0 || !r.has(of[rule.number]) {
			continue
		}
		v := r.last(of[rule.number])
		others := r.without(of[rule.number])
		switch n := v.bits; rule.number {
		case 2, 4:
			if n == 0 {
				continue
			}
			others = others.plus(of[rule.number+1], ruleValue{bits: n - 1})
		case 3, 5:
			others = others.plus(of[rule.number-1], ruleValue{bits: n + 1})
		case 11:
			others = others.plus(of[10], r.fields[of[11]]...)
		case 19:
			others = others.plus(of[2], ruleValue{bits: n + 1})
		case 20:
			others = others.plus(of[4], ruleValue{bits: n + 1})
		case 23:
			others = others.plus(of[9], v)
		}
		if v.bits <= mostSize {
			add(rule.name, others, func(s string) bool { return rule.keeps(s, v) })
		}
	}
	if pattern := r.last(of[6]).bytes; pattern != "" {
		add("pattern", r.without(of[6]), regexp.MustCompile(pattern).MatchString)
	}
	return all
}
