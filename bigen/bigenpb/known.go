package bigenpb

import (
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/exp/slices"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/espalier-go/espalier/bigen"
)

// known returns the generator of a field of a well-known type whose values must be valid.
func known(field protoreflect.FullName) (g bigen.Gen[any], ok bool) {
	switch field {
	case "google.protobuf.Timestamp.seconds": // of the years 1 to 9999
		return bigen.Any(bigen.IntRange[int64](-62_135_596_800, 253_402_300_799)), true
	case "google.protobuf.Timestamp.nanos":
		return bigen.Any(bigen.IntRange[int32](0, 1e9-1)), true
	case "google.protobuf.Value.number_value":
		return bigen.Any(bigen.Float[float64](bigen.NoNaN, bigen.NoInf)), true
	case "google.protobuf.FieldMask.paths":
		return bigen.Any(bigen.Pick(
			bigen.Tag("short", bigen.Matching(`[a-z]+(_[a-z]+)?(\.[a-z]+)?`)),
			bigen.Tag("long",
				bigen.Matching(
					`[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*(\.[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*)*`)).Weight(0.05),
		)), true
	}
	return g, false
}

// span is a Duration, or a Timestamp.
type span struct {
	Seconds int64
	Nanos   int32
}

// duration makes a google.protobuf.Duration, whose parts have the same sign.
func duration(t protoreflect.MessageType) bigen.Gen[any] {
	const most = 315_576_000_000 // 10,000 years
	return spans(t, bigen.Struct(func(c *bigen.C, s *span) {
		bigen.At(c, &s.Seconds, bigen.IntRange[int64](-most, most))
		var lo, hi int32 = -(1e9 - 1), 1e9 - 1
		if s.Seconds > 0 {
			lo = 0
		} else if s.Seconds < 0 {
			hi = 0
		}
		bigen.At(c, &s.Nanos, bigen.IntRange(lo, hi))
	}))
}

// spans makes the messages of a type that have the parts that g makes.
func spans(t protoreflect.MessageType, g bigen.Gen[span]) bigen.Gen[any] {
	seconds, nanos := t.Descriptor().Fields().ByName("seconds"),
		t.Descriptor().Fields().ByName("nanos")
	m := &message{typ: t, parts: []part{{field: seconds}, {field: nanos}}}
	return bigen.Iso(g, func(s span) any { return m.join([]any{s.Seconds, s.Nanos}) },
		func(v any) (s span, ok bool) {
			parts, err := m.split(v)
			if err != nil {
				return s, false
			}
			return span{parts[0].(int64), parts[1].(int32)}, true
		})
}

// ruledMask makes the FieldMasks that keep rules.
func ruledMask(f protoreflect.FieldDescriptor, t protoreflect.MessageType, r rules) *bigen.Schema {
	paths := t.Descriptor().Fields().ByName("paths")
	m := &message{typ: t, parts: []part{{field: paths}}}
	usual, _ := known(paths.FullName())
	path := ruled{gen: usual}
	listed := func(number protowire.Number) (list []string) {
		for _, v := range r.fields[number] {
			list = append(list, v.bytes)
		}
		return list
	}
	within := func(list []string) func(v any) bool { // the paths of a list, and those below
		return func(v any) bool {
			return slices.ContainsFunc(list, func(p string) bool {
				return v == p || strings.HasPrefix(v.(string), p+".")
			})
		}
	}
	in, not := listed(2), listed(3)
	if in != nil {
		path.checks = append(path.checks, check{fmt.Sprintf("in: %q", in), within(in)})
		var expr []string
		for _, p := range in {
			expr = append(expr, regexp.QuoteMeta(p))
		}
		path.gen = bigen.Any(bigen.Matching(
			"(?:" + strings.Join(expr, "|") + `)(?:\.[a-z]+(?:_[a-z]+)?)?`))
	}
	if not != nil {
		excluded := within(not)
		path.checks = append(path.checks, check{fmt.Sprintf("not_in: %q", not),
			func(v any) bool { return !excluded(v) }})
	}
	s := &bigen.Schema{Name: string(f.FullName()), Join: m.join, Split: m.split}
	list := &bigen.Schema{Name: string(paths.FullName())}
	if r.has(1) {
		only := []any{}
		for _, v := range readRules([]byte(r.last(1).bytes), false).fields[1] {
			if err := path.broken(v.bytes); err != nil {
				panic(fmt.Sprintf("they exclude each other: const has the path %q: %v", v.bytes, err))
			}
			only = append(only, v.bytes)
		}
		list.Gen = bigen.Just[any](only)
	} else {
		list.Elem = path.schema(string(paths.FullName()))
	}
	s.All = []bigen.SchemaPart{{Name: "paths", ID: "1", Schema: list}}
	return s
}
