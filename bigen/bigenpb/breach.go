package bigenpb

import (
	"math"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A breach is a rule, and the rules that values keep instead if they break it.
type breach struct {
	rule  string
	rules rules            // of the field
	keeps func(v any) bool // the rule; or nil: what keeps all rules of the field keeps it
}

// breaches returns the breaches of the rules of a field that is not repeated, or of the elements of
// one. What has no opposite is left out of the rules, and few values keep it by chance.
func breaches(f protoreflect.FieldDescriptor, r rules) (all []breach) {
	kind, message := f, protoreflect.FullName("")
	if f.Message() != nil {
		message = f.Message().FullName()
		if f.Message().ParentFile().Path() == "google/protobuf/wrappers.proto" {
			kind = f.Message().Fields().Get(0)
		}
	}
	number, of := ruleNumbers[kind.Kind()], scaleBreaches
	switch kind.Kind() {
	case protoreflect.BoolKind:
		of = boolBreaches
	case protoreflect.EnumKind:
		of = enumBreaches
	case protoreflect.StringKind:
		of = stringBreaches
	case protoreflect.BytesKind:
		of = bytesBreaches
	case protoreflect.FloatKind:
		of = floatBreaches(uint64(math.Float32bits(float32(math.Inf(1)))))
	case protoreflect.DoubleKind:
		of = floatBreaches(math.Float64bits(math.Inf(1)))
	case protoreflect.MessageKind, protoreflect.GroupKind:
		switch message {
		case "google.protobuf.Duration":
			number, of = durationRules, spanBreaches
		case "google.protobuf.Timestamp":
			number, of = timestampRules, timeBreaches
		case "google.protobuf.Any":
			number, of = anyRules, listBreaches
		case "google.protobuf.FieldMask":
			number, of = maskRules, maskBreaches
		default:
			return nil
		}
	}
	for _, x := range of(r.sub(number)) {
		x.rules = r.with(number, x.rules)
		if keeps := x.keeps; keeps != nil && kind != f { // of the value in a wrapper
			x.keeps = func(v any) bool { return keeps(v.(protoreflect.Message).Get(kind).Interface()) }
		}
		all = append(all, x)
	}
	return all
}

// opposite returns a breach of a rule by its opposite, if r has the rule.
func (r rules) opposite(name string, rule, by protowire.Number) []breach {
	if !r.has(rule) {
		return nil
	}
	return []breach{{rule: name, rules: r.without(rule).plus(by, r.fields[rule]...)}}
}

// bounds returns the breaches of a range with the rules lt, lte, gt and gte, of which first is the
// number of lt. By the laws of De Morgan, the opposite of the range is that of both bounds. If it
// allows nothing, one is enough.
func (r rules) bounds(first protowire.Number) (all []breach) {
	whole := r.without(first, first+1, first+2, first+3)
	both := whole
	for i := range protowire.Number(4) {
		bound, opposite := first+i, first+3-i
		if r.has(bound) {
			both = both.plus(opposite, r.fields[bound]...)
			all = append(all, breach{rule: "range", rules: whole.plus(opposite, r.fields[bound]...)})
		}
	}
	if len(all) < 2 {
		return all
	}
	return append([]breach{{rule: "range", rules: both}}, all...)
}

// scaleBreaches are those of numbers.
func scaleBreaches(r rules) []breach {
	all := append(r.opposite("const", 1, 7), r.opposite("in", 6, 7)...)
	all = append(all, r.opposite("not_in", 7, 6)...)
	return append(all, r.bounds(2)...)
}

// floatBreaches returns a function for those of floating-point numbers with an infinity.
func floatBreaches(inf uint64) func(r rules) []breach {
	return func(r rules) []breach {
		all := scaleBreaches(r)
		if r.on(8) {
			others := r.without(2, 3, 4, 5, 8).plus(6, ruleValue{bits: inf})
			all = append(all, breach{rule: "finite", rules: others})
		}
		return all
	}
}

func boolBreaches(r rules) []breach {
	if !r.has(1) {
		return nil
	}
	return []breach{{rule: "const", rules: r.without(1).plus(1, ruleValue{bits: 1 - r.last(1).bits})}}
}

func enumBreaches(r rules) []breach {
	all := append(r.opposite("const", 1, 4), r.opposite("in", 3, 4)...)
	if all = append(all, r.opposite("not_in", 4, 3)...); r.on(2) {
		all = append(all, breach{rule: "defined_only", rules: r.without(2)})
	}
	return all
}

// spanBreaches are those of Durations.
func spanBreaches(r rules) []breach {
	all := append(r.opposite("const", 2, 8), r.opposite("in", 7, 8)...)
	all = append(all, r.opposite("not_in", 8, 7)...)
	return append(all, r.bounds(3)...)
}

// timeBreaches are those of Timestamps.
func timeBreaches(r rules) []breach {
	all := r.bounds(3)
	if r.has(2) {
		all = append(all, breach{rule: "const", rules: r.without(2)})
	}
	if r.on(ltNow) {
		all = append(all, r.opposite("lt_now", ltNow, gtNow)...)
	}
	if r.on(gtNow) {
		all = append(all, r.opposite("gt_now", gtNow, ltNow)...)
	}
	if r.has(within) {
		far := time.Duration(instantOf(r.last(within)).Second)*time.Second + 24*time.Hour
		all = append(all, breach{rule: "within", rules: r.without(within), keeps: func(v any) bool {
			m := v.(protoreflect.Message)
			at := time.Unix(m.Get(m.Descriptor().Fields().ByName("seconds")).Int(), 0)
			return time.Since(at).Abs() <= far
		}})
	}
	return all
}

// listBreaches are those of lists of what is allowed and what is not.
func listBreaches(r rules) (all []breach) {
	if r.has(2) {
		all = append(all, breach{rule: "in", rules: r.without(2)})
	}
	return append(all, r.opposite("not_in", 3, 2)...)
}

func maskBreaches(r rules) (all []breach) {
	if r.has(1) {
		all = append(all, breach{rule: "const", rules: r.without(1)})
	}
	return append(all, listBreaches(r)...)
}
