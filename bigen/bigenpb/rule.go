package bigenpb

import (
	"cmp"
	"fmt"
	"math"
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
	durationRules     = 21
	timestampRules    = 22
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
	r := rules{old, map[protowire.Number][]ruleValue{}}
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

// rulesOf returns the FieldRules of a field.
func rulesOf(f protoreflect.FieldDescriptor) rules {
	options := optionsOf(f)
	if r := options.sub(protovalidate); len(r.fields) > 0 {
		if r.last(27).bits == 3 { // ignore: always
			return rules{}
		}
		return r
	}
	// disabled, ignored
	if all := optionsOf(f.ContainingMessage()); all.on(protocGenValidate) || all.on(1072) {
		return rules{}
	}
	options.old = true
	return options.sub(protocGenValidate)
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

// ruledSpan makes the Durations or Timestamps that keep rules, of up to usualSpan around zero
// unless rules want others.
func ruledSpan(f protoreflect.FieldDescriptor, t protoreflect.MessageType, all rules) bigen.Gen[any] {
	r, last, most := all.sub(durationRules), protowire.Number(8), instant{315_576_000_000, 1e9 - 1}
	least := instant{-most.Second - 1, 1}
	timestamp := t.Descriptor().Name() == "Timestamp"
	if timestamp {
		r, last = all.sub(timestampRules), 6 // lt_now is 7
		least, most = instant{-62_135_596_800, 0}, instant{253_402_300_799, 1e9 - 1}
	}
	numbers := rules{fields: map[protowire.Number][]ruleValue{}}
	usual := true
	for number := protowire.Number(2); number <= last; number++ { // one more than in rules of numbers
		numbers.fields[number-1] = r.fields[number]
		for _, v := range r.fields[number] {
			at := instantOf(v)
			usual = usual && -usualSpan < at.Second && at.Second < usualSpan
		}
	}
	if usual {
		least, most = instant{-usualSpan, 0}, instant{usualSpan, 0}
	}
	instants := scale[instant]{
		of: instantOf, next: instant.next, compare: instant.compare, least: least, most: most,
		all: between(least, most), between: between,
	}
	return spans(t, bigen.Iso(bigen.ForSchema(instants.ruled(numbers).schema(string(f.FullName()))),
		func(v any) span { return v.(instant).span(timestamp) },
		func(s span) (any, bool) { return s.instant(), true }))
}

const usualSpan = 9e9 // seconds, about 285 years

// An instant is a span whose nanoseconds, from 0 to 999,999,999, are after the second.
type instant struct {
	Second int64
	Nano   int32
}

// instantOf returns the instant of a bound.
func instantOf(v ruleValue) instant {
	parts := readRules([]byte(v.bytes), false)
	return span{int64(parts.last(1).bits), int32(parts.last(2).bits)}.instant()
}

func (s span) instant() instant {
	if s.Nanos < 0 {
		return instant{s.Seconds - 1, s.Nanos + 1e9}
	}
	return instant{s.Seconds, s.Nanos}
}

func (i instant) span(timestamp bool) span {
	if i.Second < 0 && i.Nano > 0 && !timestamp {
		return span{i.Second + 1, i.Nano - 1e9}
	}
	return span{i.Second, i.Nano}
}

func (i instant) compare(j instant) int {
	return cmp.Or(cmp.Compare(i.Second, j.Second), cmp.Compare(i.Nano, j.Nano))
}

func (i instant) next(to instant) instant {
	switch {
	case to.compare(i) < 0 && i.Nano == 0:
		return instant{i.Second - 1, 1e9 - 1}
	case to.compare(i) < 0:
		return instant{i.Second, i.Nano - 1}
	case i.Nano == 1e9-1:
		return instant{i.Second + 1, 0}
	}
	return instant{i.Second, i.Nano + 1}
}

// between makes the instants from one to another.
func between(lo, hi instant) bigen.Gen[instant] {
	return bigen.Struct(func(c *bigen.C, i *instant) {
		bigen.At(c, &i.Second, bigen.IntRange(lo.Second, hi.Second))
		var first, last int32 = 0, 1e9 - 1
		if i.Second == lo.Second {
			first = lo.Nano
		}
		if i.Second == hi.Second {
			last = hi.Nano
		}
		bigen.At(c, &i.Nano, bigen.IntRange(first, last))
	})
}

// integers makes integers that keep rules.
func integers[T bigen.Integer](
	f protoreflect.FieldDescriptor, r rules, least, most T, all bigen.Gen[T],
) ruled {
	return scale[T]{
		of: func(v ruleValue) T {
			if f.Kind() == protoreflect.Sint32Kind || f.Kind() == protoreflect.Sint64Kind {
				return T(protowire.DecodeZigZag(v.bits))
			}
			return T(v.bits)
		},
		next: func(v, to T) T {
			if to < v {
				return v - 1
			}
			return v + 1
		},
		compare: cmp.Compare[T], least: least, most: most, all: all, between: bigen.IntRange[T],
	}.ruled(r)
}

// floats makes floating-point numbers that keep rules.
func floats[T float32 | float64](
	r rules, of func(v ruleValue) T, next func(v, to T) T, most T, all bigen.Gen[T],
) ruled {
	s := scale[T]{
		of: of, next: next, compare: cmp.Compare[T], least: -most, most: most, all: all,
		between: bigen.FloatRange[T],
	}
	if !r.on(8) { // finite
		s.below, s.above = []T{T(math.Inf(-1))}, []T{T(math.Inf(1))}
	} else {
		s.all = bigen.FloatRange(-most, most)
	}
	return s.ruled(r)
}

// A scale is ordered values, of which rules allow some.
type scale[T comparable] struct {
	of           func(v ruleValue) T
	next         func(v, to T) T // the value after v towards another
	compare      func(v, w T) int
	least, most  T
	below, above []T // further values, beyond these two
	all          bigen.Gen[T]
	between      func(lo, hi T) bigen.Gen[T]
}

// ruled makes the values that keep rules. It panics if there are none. If the lower bound is above
// the upper one, the values are on either side.
func (s scale[T]) ruled(r rules) ruled {
	values := func(rules ...protowire.Number) (list []T) {
		for _, number := range rules {
			for _, v := range r.fields[number] {
				list = append(list, s.of(v))
			}
		}
		return list
	}
	upper, lower := values(2, 3), values(4, 5)
	fits := func(v T) bool {
		under, over := true, true
		for _, w := range values(2) {
			under = under && s.compare(v, w) < 0
		}
		for _, w := range values(3) {
			under = under && s.compare(v, w) <= 0
		}
		for _, w := range values(4) {
			over = over && s.compare(v, w) > 0
		}
		for _, w := range values(5) {
			over = over && s.compare(v, w) >= 0
		}
		if upper != nil && lower != nil && s.compare(upper[0], lower[0]) < 0 {
			return under || over
		}
		return under && over
	}
	made := ruled{}
	if not := values(7); not != nil {
		made.checks = []check{{"not_in", func(v any) bool { return !slices.Contains(not, v.(T)) }}}
	}
	if listed := values(1, 6); listed != nil {
		listed = slices.DeleteFunc(listed, func(v T) bool {
			return !fits(v) || values(1) != nil && v != values(1)[0] ||
				values(6) != nil && !slices.Contains(values(6), v)
		})
		if len(listed) == 0 {
			panic("they exclude each other: no listed value keeps all of them")
		}
		made.gen = bigen.Any(bigen.OneOf(listed...))
		return made
	}
	if upper == nil && lower == nil {
		made.gen = bigen.Any(s.all)
		return made
	}
	// Each side has a range, and what is beyond it.
	from, to := s.bound(r, lower, 4, s.most), s.bound(r, upper, 2, s.least)
	var alts []bigen.Alt[T]
	var only bigen.Gen[T]
	add := func(tag string, lo, hi *T, beyond []T) {
		if lo != nil && hi != nil && s.compare(*lo, *hi) <= 0 {
			only = s.between(*lo, *hi)
			alts = append(alts, bigen.Tag(tag, only))
		}
		if len(beyond) > 0 {
			only = bigen.OneOf(beyond...)
			alts = append(alts, bigen.Tag(tag+" all", only).Weight(.05))
		}
	}
	if lower != nil && upper != nil && s.compare(upper[0], lower[0]) >= 0 {
		add("between", from, to, nil)
	} else {
		if upper != nil {
			add("below", &s.least, to, s.below)
		}
		if lower != nil {
			add("above", from, &s.most, s.above)
		}
	}
	switch len(alts) {
	case 0:
		panic("they exclude each other: no value is in the range")
	case 1:
		made.gen = bigen.Any(only)
	default:
		made.gen = bigen.Any(bigen.Pick(alts...))
	}
	return made
}

// bound returns the first value within a bound, seen from there toward another value, or nil if
// the bound is exclusive and that is the value.
func (s scale[T]) bound(r rules, bounds []T, exclusive protowire.Number, toward T) *T {
	if bounds == nil {
		return &toward
	}
	v := bounds[0]
	if r.has(exclusive) {
		if s.compare(v, toward) == 0 {
			return nil
		}
		v = s.next(v, toward)
	}
	return &v
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
