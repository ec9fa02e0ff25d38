package bigenpb

import (
	"fmt"
	"math"
	"strconv"

	"github.com/espalier-go/espalier/bigen"
	"golang.org/x/exp/slices"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// scalar makes the values of a field that has no message. They keep rules.
func scalar(f protoreflect.FieldDescriptor, r rules) ruled {
	if g, ok := known(f.FullName()); ok {
		return ruled{gen: g}
	}
	switch f.Kind() {
	case protoreflect.BoolKind:
		if r.has(1) {
			return ruled{gen: bigen.Any(bigen.Just(r.on(1)))}
		}
		return ruled{gen: bigen.Any(bigen.Bool())}
	case protoreflect.EnumKind:
		return ruled{gen: bigen.Any(enum(f, r))}
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return integers(f, r, math.MinInt32, math.MaxInt32, bigen.Int[int32]())
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return integers(f, r, 0, math.MaxUint32, bigen.Int[uint32]())
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return integers(f, r, math.MinInt64, math.MaxInt64, bigen.Int[int64]())
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return integers(f, r, 0, math.MaxUint64, bigen.Int[uint64]())
	case protoreflect.FloatKind:
		of := func(v ruleValue) float32 { return math.Float32frombits(uint32(v.bits)) }
		return floats(r, of, math.Nextafter32, math.MaxFloat32, bigen.Float[float32]())
	case protoreflect.DoubleKind:
		of := func(v ruleValue) float64 { return math.Float64frombits(v.bits) }
		return floats(r, of, math.Nextafter, math.MaxFloat64, bigen.Float[float64]())
	case protoreflect.StringKind, protoreflect.BytesKind:
		return texts(r, f.Kind() == protoreflect.BytesKind)
	}
	panic(fmt.Sprintf("bigenpb: the field %s is of an unknown kind: %v", f.FullName(), f.Kind()))
}

// enum makes the values of an enum, the default first. If a number has several names, the
// first counts. The values keep rules.
func enum(f protoreflect.FieldDescriptor, r rules) bigen.Gen[protoreflect.EnumNumber] {
	has := func(rule protowire.Number, n protoreflect.EnumNumber) bool {
		return slices.ContainsFunc(r.fields[rule], func(v ruleValue) bool {
			return protoreflect.EnumNumber(v.bits) == n
		})
	}
	listed := r.has(1) || r.has(3)
	values := f.Enum().Values()
	var numbers []protoreflect.EnumNumber
	var alts []bigen.Alt[protoreflect.EnumNumber]
	add := func(v protoreflect.EnumValueDescriptor) {
		if n := v.Number(); !slices.Contains(numbers, n) && (!r.has(1) || has(1, n)) &&
			(!r.has(3) || has(3, n)) && !has(4, n) {
			numbers = append(numbers, v.Number())
			alts = append(alts, bigen.Tag(string(v.Name()), bigen.Just(v.Number())))
		}
	}
	if v := f.DefaultEnumValue(); v != nil {
		add(v)
	}
	for i := range values.Len() {
		add(values.Get(i))
	}
	if open := !f.Enum().IsClosed() && !r.on(2); open {
		for _, v := range append(slices.Clone(r.fields[1]), r.fields[3]...) { // numbers without a name
			n := protoreflect.EnumNumber(v.bits)
			if !slices.Contains(numbers, n) && !has(4, n) && (!r.has(1) || has(1, n)) &&
				(!r.has(3) || has(3, n)) {
				numbers = append(numbers, n)
				alts = append(alts, bigen.Tag(strconv.Itoa(int(n)), bigen.Just(n)))
			}
		}
	}
	if !listed && !r.on(2) && !f.Enum().IsClosed() &&
		f.Enum().FullName() != "google.protobuf.NullValue" {
		other := bigen.As[protoreflect.EnumNumber](bigen.Int[int32]())
		if r.has(4) {
			other = bigen.SuchThat(other, func(n protoreflect.EnumNumber) bool { return !has(4, n) })
		}
		alts = append(alts, bigen.Tag("other", other).Weight(float64(len(alts))/16))
	}
	if len(alts) == 0 {
		panic("they exclude each other: no value of the enum keeps all of them")
	}
	return bigen.Pick(alts...)
}
