package bigenpb

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/bigen/internal/wholetext"
	"golang.org/x/exp/slices"
	"google.golang.org/protobuf/encoding/protowire"
)

// textRules are rules of strings that each of their values must keep.
var textRules = []struct {
	number protowire.Number
	name   string
	keeps  func(s string, v ruleValue) bool
}{
	{2, "min_len", func(s string, v ruleValue) bool { return runes(s) >= v.bits }},
	{3, "max_len", func(s string, v ruleValue) bool { return runes(s) <= v.bits }},
	{4, "min_bytes", func(s string, v ruleValue) bool { return uint64(len(s)) >= v.bits }},
	{5, "max_bytes", func(s string, v ruleValue) bool { return uint64(len(s)) <= v.bits }},
	{7, "prefix", func(s string, v ruleValue) bool { return strings.HasPrefix(s, v.bytes) }},
	{8, "suffix", func(s string, v ruleValue) bool { return strings.HasSuffix(s, v.bytes) }},
	{9, "contains", func(s string, v ruleValue) bool { return strings.Contains(s, v.bytes) }},
	{11, "not_in", func(s string, v ruleValue) bool { return s != v.bytes }},
	{19, "len", func(s string, v ruleValue) bool { return runes(s) == v.bits }},
	{20, "len_bytes", func(s string, v ruleValue) bool { return uint64(len(s)) == v.bits }},
	{23, "not_contains", func(s string, v ruleValue) bool { return !strings.Contains(s, v.bytes) }},
}

func runes(s string) uint64 { return uint64(utf8.RuneCountInString(s)) }

// bytesRules maps the numbers of rules of bytes to the numbers of the same rules of strings.
var bytesRules = []protowire.Number{1: 1, 2: 4, 3: 5, 4: 6, 5: 7, 6: 8, 7: 9, 8: 10, 9: 11, 13: 20}

// texts makes the strings that keep rules, or the bytes.
func texts(r rules, bytes bool) ruled {
	switch {
	case len(r.fields) == 0 && bytes:
		return ruled{gen: bigen.Any(bigen.For[[]byte]())}
	case len(r.fields) == 0:
		return ruled{gen: bigen.Any(bigen.String(math.MaxInt32))}
	case !bytes:
		return ruled{gen: bigen.Any(textOf(r)), checks: textChecks(r)}
	}
	ip := r.on(10)
	r = asTextRules(r)
	return ruled{gen: bigen.Any(bytesOf(r, ip)), checks: textChecks(r), bytes: true}
}

// asTextRules returns rules of bytes as the same rules of strings.
func asTextRules(r rules) rules {
	of := r.fields
	r.fields = map[protowire.Number][]ruleValue{}
	for from, to := range bytesRules {
		r.fields[to] = of[protowire.Number(from)]
	}
	for number, size := range map[protowire.Number]uint64{11: 4, 12: 16, 15: 16} { // addresses, a UUID
		if rs := (rules{fields: of}); rs.on(number) && !(r.old && number == 15) {
			r.fields[20] = []ruleValue{{bits: size}}
		}
	}
	return r
}

// textChecks returns the rules that a generator of texts may break.
func textChecks(r rules) (checks []check) {
	for _, rule := range textRules {
		for _, v := range r.fields[rule.number] {
			what := fmt.Sprintf("%s: %d", rule.name, v.bits)
			if v.bytes != "" {
				what = fmt.Sprintf("%s: %q", rule.name, v.bytes)
			}
			keeps := func(s any) bool { return rule.keeps(s.(string), v) }
			checks = append(checks, check{what, keeps})
		}
	}
	if pattern := r.last(6).bytes; pattern != "" {
		matches := regexp.MustCompile(pattern).MatchString
		keeps := func(s any) bool { return matches(s.(string)) }
		checks = append(checks, check{"pattern: " + pattern, keeps})
	}
	return checks
}

// textOf makes strings. Most of them keep the rules.
func textOf(r rules) bigen.Gen[string] {
	if values := listed(r); len(values) > 0 {
		return bigen.OneOf(values...)
	}
	lo, hi := lengths(r, utf8.UTFMax)
	if format, ok := formatOf(r); ok {
		return withAffixes(r, format)
	}
	if pattern := r.last(6).bytes; pattern != "" {
		var all, none []string
		for number, format := range map[protowire.Number]string{
			7: "%s(?s:.*)", 8: "(?s:.*)%s", 9: "(?s:.*)%s(?s:.*)",
		} {
			if r.has(number) {
				all = append(all, fmt.Sprintf(format, regexp.QuoteMeta(r.last(number).bytes)))
			}
		}
		slices.Sort(all)
		for _, v := range r.fields[23] {
			none = append(none, "(?s:.*)"+regexp.QuoteMeta(v.bytes)+"(?s:.*)")
		}
		return matching(pattern, lo, hi, all, none)
	}
	if r.has(7) || r.has(8) || r.has(9) {
		return affixed(r, utf8.RuneCountInString, lo, hi, func(lo, hi int) bigen.Gen[string] {
			return bigen.StringOf(nil, lo, hi)
		})
	}
	return bigen.StringOf(nil, int(lo), int(hi))
}

// bytesOf is [textOf] for bytes, which may be IP addresses.
func bytesOf(r rules, ip bool) bigen.Gen[string] {
	if values := listed(r); len(values) > 0 {
		return bigen.OneOf(values...)
	}
	if ip {
		return bigen.Pick(bigen.Tag("ipv4", byteString(4, 4)), bigen.Tag("ipv6", byteString(16, 16)))
	}
	lo, hi := lengths(r, 1)
	if pattern := r.last(6).bytes; pattern != "" {
		return matching(pattern, 0, math.MaxInt32, nil, nil)
	}
	if r.has(7) || r.has(8) || r.has(9) {
		return affixed(r, func(s string) int { return len(s) }, lo, hi, func(lo, hi int) bigen.Gen[string] {
			return byteString(uint64(lo), uint64(hi))
		})
	}
	return byteString(lo, hi)
}

// matching makes texts with a part that matches a pattern, of a number of runes, which match all
// expressions and none of the others.
func matching(pattern string, lo, hi uint64, all, none []string) bigen.Gen[string] {
	text, err := wholetext.Of(pattern)
	if err != nil {
		panic(err.Error())
	}
	least, most := int(lo), int(min(hi, math.MaxInt32))
	whole, exact := wholetext.Limit(text, least, most)
	if exact && len(all)+len(none) == 0 {
		return bigen.Matching(whole)
	}
	g, some, known := wholetext.Intersection(append(all, text), none, least, most)
	switch {
	case !known:
		return bigen.Matching(whole)
	case !some:
		panic("they exclude each other: no text keeps all of them")
	}
	return g
}

// An affixes is a text with what rules ask for at its ends and within.
type affixes struct{ Begin, Before, Within, After, End string }

// affixed makes texts of lo to hi runes or bytes, as size counts them, that begin and end as rules
// say, and contain what rules say. Its other parts are made by some.
func affixed(
	r rules, size func(string) int, lo, hi uint64, some func(lo, hi int) bigen.Gen[string],
) bigen.Gen[string] {
	parts := affixes{Begin: r.last(7).bytes, Within: r.last(9).bytes, End: r.last(8).bytes}
	fixed := size(parts.Begin) + size(parts.Within) + size(parts.End)
	least, most := max(0, int(lo)-fixed), int(min(hi, math.MaxInt32))-fixed
	if most < least {
		return overlapping(r, size, lo, hi)
	}
	gen := bigen.Struct(func(c *bigen.C, a *affixes) {
		bigen.At(c, &a.Begin, bigen.Just(parts.Begin))
		bigen.At(c, &a.End, bigen.Just(parts.End))
		bigen.At(c, &a.Within, bigen.Just(parts.Within))
		room := most
		if parts.Within != "" {
			bigen.At(c, &a.Before, some(0, most))
			room -= size(a.Before)
		} else {
			bigen.At(c, &a.Before, bigen.Just(""))
		}
		bigen.At(c, &a.After, some(max(0, least-size(a.Before)), room))
	})
	join := func(a affixes) string { return a.Begin + a.Before + a.Within + a.After + a.End }
	return bigen.Pick(bigen.Tag("apart", bigen.Iso(gen, join, func(s string) (a affixes, ok bool) {
		inner, begins := strings.CutPrefix(s, parts.Begin)
		inner, ends := strings.CutSuffix(inner, parts.End)
		a = parts
		if a.Before, a.After, ok = strings.Cut(inner, parts.Within); parts.Within == "" {
			a.Before, a.After = "", inner
		}
		return a, ok && begins && ends
	})), bigen.Tag("overlapping", overlapping(r, size, lo, hi)).Weight(0))
}

// overlapping makes texts of a length whose beginning and end overlap, as far as rules allow that.
// Rules filter them.
func overlapping(r rules, size func(string) int, lo, hi uint64) bigen.Gen[string] {
	begin, end := r.last(7).bytes, r.last(8).bytes
	fits := func(s string) bool { return lo <= uint64(size(s)) && uint64(size(s)) <= hi }
	var shortest []string
	for n := min(len(begin), len(end)); n > 0; n-- {
		if s := begin + end[n:]; strings.HasPrefix(end, begin[len(begin)-n:]) && fits(s) &&
			strings.Contains(s, r.last(9).bytes) {
			shortest = append(shortest, s)
		}
	}
	all := byteString(0, math.MaxInt32)
	if size("é") == 1 {
		all = bigen.String(math.MaxInt32)
	}
	all = bigen.SuchThat(all, fits)
	if shortest == nil {
		return all
	}
	return bigen.Pick(bigen.Tag("shortest", bigen.OneOf(shortest...)), bigen.Tag("other", all).Weight(0))
}

// withAffixes makes the texts of a format that begin, end and continue as rules say, if they do.
func withAffixes(r rules, format bigen.Gen[string]) bigen.Gen[string] {
	begin, within, end := r.last(7).bytes, r.last(9).bytes, r.last(8).bytes
	if begin == "" && within == "" && end == "" {
		return format
	}
	inner := bigen.Pick(
		bigen.Tag("word", bigen.Matching("[a-z0-9]{1,9}")), bigen.Tag("format", format),
		bigen.Tag("nothing", bigen.Just("")), bigen.Tag("path", bigen.Matching("(?:/[a-z0-9]{1,9}){1,3}")),
	)
	around := bigen.Iso(inner, func(s string) string { return begin + s + within + end },
		func(s string) (string, bool) {
			s, begins := strings.CutPrefix(s, begin)
			s, ends := strings.CutSuffix(s, within+end)
			return s, begins && ends
		})
	valid := func(s string) bool { return bigen.Check(format, s) == nil }
	return bigen.Pick(bigen.Tag("around", bigen.SuchThat(around, valid)), bigen.Tag("other", format).Weight(0))
}

// byteString makes strings of arbitrary bytes.
func byteString(lo, hi uint64) bigen.Gen[string] {
	return bigen.Iso(bigen.Bytes(int(lo), int(hi)),
		func(b []byte) string { return string(b) },
		func(s string) ([]byte, bool) { return []byte(s), true })
}

// listed returns the only values that the rules const and in allow, if any.
func listed(r rules) (values []string) {
	for _, number := range []protowire.Number{1, 10} {
		for _, v := range r.fields[number] {
			values = append(values, v.bytes)
		}
	}
	return values
}

// lengths returns the bounds of the number of runes. Each rune has at most width bytes.
func lengths(r rules, width uint64) (lo, hi uint64) {
	leastBytes := max(r.last(4).bits, r.last(20).bits)
	lo, hi = max(r.last(2).bits, r.last(19).bits, (leastBytes+width-1)/width), math.MaxInt32
	for _, number := range []protowire.Number{3, 5, 19, 20} {
		for _, v := range r.fields[number] {
			hi = min(hi, v.bits)
		}
	}
	return lo, hi
}
