package bigenpb

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"golang.org/x/exp/slices"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A Judge says what is wrong with messages, by rules that this package does not read, such as those
// in CEL. The module contrib/protovalidate has one. Its methods must not change or keep messages.
type Judge interface {
	// Message says what is wrong with a message by the rules in the options of its type. Those of its
	// fields are judged apart.
	Message(m protoreflect.Message) error

	// Field says what is wrong with a field by its rules. No other field of m is set.
	Field(m protoreflect.Message, f protoreflect.FieldDescriptor) error

	// Element is Field for a list of one element, or a map of one entry. The rules are those of the
	// items, keys or values, as part says.
	Element(m protoreflect.Message, f protoreflect.FieldDescriptor, part string) error
}

// Judged makes only messages that pass what a judge says of each part that has rules of
// protovalidate: parts that do not pass are made anew, the narrowest first. Fields and messages that
// have generators of their own are not judged. A rule that rejects half of the messages of a
// recursive type doubles the work with each level of them.
//
// [Message] panics if hardly any value passes. The panic names the part that most often does not.
func Judged(j Judge) Option { return func(b *builder) { b.judge = &judged{Judge: j} } }

// judged is a judge, and what it has said.
type judged struct {
	Judge
	parts []*verdicts
}

// verdicts counts what a judge has said of a part.
type verdicts struct {
	part             string
	judged, rejected int
	last             error
}

// filter returns the schema of those values of another one that pass a test of the judge.
func (j *judged) filter(s *bigen.Schema, part string, test func(v any) error) *bigen.Schema {
	return filtered(s, j.counted(part, test))
}

// counted returns a test, and counts what it says while the generator is made.
func (j *judged) counted(part string, test func(v any) error) func(v any) error {
	of := &verdicts{part: part}
	j.parts = append(j.parts, of)
	return func(v any) error {
		err := test(v)
		if j.parts != nil {
			if of.judged++; err != nil {
				of.rejected, of.last = of.rejected+1, err
			}
		}
		return err
	}
}

// judgeMessage filters the messages of a type, if it has rules.
func (b *builder) judgeMessage(s *bigen.Schema, d protoreflect.MessageDescriptor) {
	if b.judge != nil && optionsOf(d).has(protovalidate) {
		s.Test = b.judge.counted("the message "+string(d.FullName()), func(v any) error {
			return b.judge.Message(v.(protoreflect.Message))
		})
	}
}

// judgeField filters the values of a field, if it has rules.
func (b *builder) judgeField(
	s *bigen.Schema, f protoreflect.FieldDescriptor, empty protoreflect.Message, r rules,
) *bigen.Schema {
	if b.judge == nil || r.old || len(r.fields) == 0 || b.made(f) || b.unjudged == f {
		return s
	}
	return b.judge.filter(s, "the field "+string(f.FullName()), func(v any) error {
		m := empty.New()
		set(m, f, v)
		return b.judge.Field(m, f)
	})
}

// judgePart filters the items, keys or values of a field, if they have rules. The function with
// returns what the field is if it has only this one.
func (b *builder) judgePart(
	s *bigen.Schema, f protoreflect.FieldDescriptor, empty protoreflect.Message, r rules, part string,
	with func(v any) any,
) *bigen.Schema {
	if b.judge == nil || r.old || len(r.fields) == 0 || b.made(f) {
		return s
	}
	return b.judge.filter(s, "the "+part+" of the field "+string(f.FullName()), func(v any) error {
		m := empty.New()
		set(m, f, with(v))
		return b.judge.Element(m, f, part)
	})
}

// made reports whether an option makes the values of a field.
func (b *builder) made(f protoreflect.FieldDescriptor) bool {
	if f.IsMap() {
		f = f.MapValue()
	}
	if f.Message() == nil {
		return false
	}
	_, given := b.with[f.Message().FullName()]
	return given
}

// examine panics if a generator makes hardly any value that passes.
func (j *judged) examine(g bigen.Gen[any], name protoreflect.FullName) {
	const most = 20
	for seed := range uint64(most) {
		if _, _, err := bigen.Run(g, choices.Random(rand.New(rand.NewPCG(seed, 0)))); err == nil {
			j.parts = nil // from here on, nothing is counted
			return
		}
	}
	worst := slices.MaxFunc(j.parts, func(a, b *verdicts) int { return a.rejected - b.rejected })
	what := strings.Join(strings.Fields(fmt.Sprint(worst.last)), " ")
	panic(fmt.Sprintf("bigenpb: none of %d random values of %s passes: of %s, %d of %d values do not, the "+
		"last since: %s: give it a generator by bigenpb.Field or bigenpb.With", most, name, worst.part,
		worst.rejected, worst.judged, what))
}
