// Package protovalidate makes protobuf messages that keep all validation rules of protovalidate: also
// those in CEL, predefined ones, and those that package bigenpb does not know. The library of
// protovalidate for Go decides.
//
//	gen := bigenpb.Message[*pb.Booking](protovalidate.Rules(nil))
//
// Package bigenpb makes values that keep the rules that it reads. What the library rejects is made
// anew, the narrowest part first: the elements of a list, then the field, then the message.
package protovalidate

import (
	"errors"

	"buf.build/go/protovalidate"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/espalier-go/espalier/bigen/bigenpb"
)

// Rules makes only messages that are valid in the eyes of a validator. If it is nil, it is the global
// one. Backward, what the validator says is the reason why a message is not made.
//
// Deriving a generator panics if hardly any value is valid, or if rules in CEL do not compile. The
// panic names the part and the rule. Give that part a generator, by [bigenpb.Field] or
// [bigenpb.With], that makes valid values more often.
func Rules(v protovalidate.Validator) bigenpb.Option {
	if v == nil {
		v = protovalidate.GlobalValidator
	}
	return bigenpb.Judged(judge{v})
}

// judge is a validator that looks at one descriptor at a time.
type judge struct{ protovalidate.Validator }

func (j judge) Message(m protoreflect.Message) error { return j.only(m, m.Descriptor()) }

func (j judge) Field(m protoreflect.Message, f protoreflect.FieldDescriptor) error {
	return j.only(m, f)
}

func (j judge) Element(m protoreflect.Message, f protoreflect.FieldDescriptor, part string) error {
	err := j.only(m, f)
	var invalid *protovalidate.ValidationError
	if !errors.As(err, &invalid) {
		return err
	}
	of := &protovalidate.ValidationError{}
	for _, v := range invalid.Violations {
		// The path of the rule is repeated.items, map.keys or map.values, and more.
		path := v.Proto.GetRule().GetElements()
		if len(path) > 1 && path[1].GetFieldName() == part {
			of.Violations = append(of.Violations, v)
		}
	}
	if len(of.Violations) == 0 {
		return nil
	}
	return of
}

// only validates a message by the rules of one descriptor: its own, or the one of a field.
func (j judge) only(m protoreflect.Message, d protoreflect.Descriptor) error {
	return j.Validate(m.Interface(), protovalidate.WithFilter(protovalidate.FilterFunc(
		func(_ protoreflect.Message, of protoreflect.Descriptor) bool { return of == d })))
}
