package jsonschema

import (
	"encoding/json"
	"fmt"
	"reflect"

	js "github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/exp/slices"
)

// A shape is a conjunction: what schemas ask of the values of each type, where each choice that the
// schemas leave has been made. What is asked of a type counts for values of this type alone.
type shape struct {
	x       *schemas
	types   typeSet
	why     []string // why types are missing
	seen    map[seenKey]bool
	seenSum uint64
	todo    []choice // that are still to be made
	within  *chain   // what is being added
	labels  []string // of the choices that have been made
	check   typeSet  // types of which not all values of the shape are valid
	narrow  bool     // other values are valid that no shape makes

	examples []any // that schemas give, by default or examples

	given  []given // if listed, the only values
	listed bool

	numbers
	texts
	arrays
	objects
	tracked []evaluated
}

// A choice is the alternatives that a schema leaves.
type choice struct {
	alts   []alternative
	denied *node // what does not hold, with each of them
	within *chain
}

// A chain is the literals of which the last has come, each from the one before, for the same value.
type chain struct {
	lit   lit
	outer *chain
}

type alternative struct {
	label string
	apply func(s *shape)
}

// evaluated is what has been evaluated by a schema that says what becomes of the rest.
type evaluated struct {
	node     *node
	names    []string
	patterns []*pattern
	allNames bool
	items    int
	allItems bool
	contains []lit
}

func (s *shape) clone() *shape {
	c := *s
	c.why = slices.Clone(s.why)
	c.seen = make(map[seenKey]bool, len(s.seen)+4)
	for k := range s.seen {
		c.seen[k] = true
	}
	c.todo = slices.Clone(s.todo)
	c.labels = slices.Clone(s.labels)
	c.examples = slices.Clone(s.examples)
	c.numbers.multiples = slices.Clone(s.multiples)
	c.texts.patterns, c.texts.formats = slices.Clone(s.texts.patterns), slices.Clone(s.texts.formats)
	c.textsBy, c.notPatterns = slices.Clone(s.textsBy), slices.Clone(s.notPatterns)
	c.arrays.rules, c.arrays.contains = slices.Clone(s.rules), slices.Clone(s.contains)
	c.objects = s.objects.clone()
	c.tracked = slices.Clone(s.tracked)
	for i := range c.tracked {
		t := &c.tracked[i]
		t.names, t.patterns = slices.Clone(t.names), slices.Clone(t.patterns)
		t.contains = slices.Clone(t.contains)
	}
	return &c
}

// dead reports whether no value has the shape.
func (s *shape) dead() bool { return s.types == 0 }

// drop removes types, for a reason.
func (s *shape) drop(t typeSet, format string, args ...any) {
	if s.types&t == 0 {
		return
	}
	s.types &^= t
	if why := fmt.Sprintf(format, args...); !slices.Contains(s.why, why) && len(s.why) < 8 {
		s.why = append(s.why, why)
	}
}

// only makes values the only ones.
func (s *shape) only(values []given, by string) {
	have := make(map[string]bool, len(s.given))
	for _, v := range s.given {
		have[v.text] = true
	}
	var left []given
	var types typeSet
	for _, v := range values {
		if s.types&v.typ != 0 && have[v.text] == s.listed {
			left, types = append(left, v), types|v.typ
			have[v.text] = !s.listed // once
		}
	}
	s.given, s.listed = left, true
	s.drop(anything&^types, "%s allows no other values", by)
}

// A given value is one that a schema lists.
type given struct {
	value any
	text  string // its JSON, which tells it from all others
	typ   typeSet
}

func givenOf(values ...any) (all []given) {
	for _, v := range values {
		v = plain(v)
		text, err := json.Marshal(v)
		if err != nil {
			text = fmt.Append(nil, v)
		}
		all = append(all, given{v, string(text), typeOf(v)})
	}
	return all
}

// listedBy returns the values that a schema lists in its enum.
func (x *schemas) listedBy(k *js.Schema) []given {
	all, ok := x.enums[k]
	if !ok {
		all = givenOf(k.Enum.Values...)
		x.enums[k] = all
	}
	return all
}

// onlyListed reports whether nothing is asked of the listed values but their types.
func (s *shape) onlyListed() bool {
	asks := s.lo != nil || s.hi != nil || s.multiples != nil || s.minLen > 0 || s.maxLen >= 0 ||
		s.patterns != nil || s.notPatterns != nil || s.asserts() || s.minItems > 0 || s.maxItems >= 0 || s.rules != nil ||
		s.contains != nil || s.unique || s.minProps > 0 || s.maxProps >= 0 || len(s.props) > 0 ||
		s.patternProps != nil || s.rests != nil || s.objects.names != nil || len(s.required) > 0 ||
		len(s.absent) > 0 || len(s.needs) > 0 || s.some != nil || s.check != 0 || s.narrow
	return !asks
}

func containsValue(all []any, v any) bool {
	return slices.ContainsFunc(all, func(w any) bool { return reflect.DeepEqual(v, w) })
}

// Values that need more parts than this are not made, since they are too large to test with.
const (
	maxRunes = 1 << 20
	maxParts = 10_000
)

func newShape(x *schemas) *shape {
	return &shape{
		x: x, types: anything, seen: map[seenKey]bool{},
		texts: texts{maxLen: -1}, arrays: arrays{maxItems: -1},
		objects: objects{
			maxProps: -1, props: map[string][]lit{}, required: map[string]string{},
			absent: map[string]string{}, needs: map[string][]string{},
		},
	}
}
