package jsonschema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"strings"

	js "github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/exp/slices"
)

// A typeSet is a set of types of JSON values. Numbers are of two types.
type typeSet uint8

const (
	null typeSet = 1 << iota
	boolean
	integer
	fraction // a number that is not an integer
	text
	array
	object

	number   = integer | fraction
	anything = 1<<7 - 1
)

var typeNames = []string{"null", "boolean", "integer", "fraction", "string", "array", "object"}

func typesOf(t *js.Types) (set typeSet) {
	for _, name := range t.ToStrings() {
		if name == "number" {
			set |= number
		}
		for i, n := range typeNames {
			if n == name {
				set |= 1 << i
			}
		}
	}
	return set
}

func (t typeSet) String() string {
	var names []string
	if t&number == number {
		names, t = append(names, "number"), t&^number
	}
	for i, name := range typeNames {
		if t&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

func typeOf(v any) typeSet {
	switch v := v.(type) {
	case nil:
		return null
	case bool:
		return boolean
	case float64:
		if v == float64(int64(v)) || v >= 1<<53 || v <= -1<<53 {
			return integer
		}
		return fraction
	case string:
		return text
	case []any:
		return array
	}
	return object
}

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

// numbers is what is asked of numbers.
type numbers struct {
	lo, hi         *big.Rat // nil: no bound
	loOpen, hiOpen bool
	loBy, hiBy     string
	multiples      []*big.Rat
}

func (s *shape) atLeast(r *big.Rat, open bool, by string) {
	if r == nil {
		return
	}
	if c := -1; s.lo != nil {
		if c = s.lo.Cmp(r); c > 0 || c == 0 && (s.loOpen || !open) {
			return
		}
	}
	s.lo, s.loOpen, s.loBy = r, open, by
	s.checkRange()
}

func (s *shape) atMost(r *big.Rat, open bool, by string) {
	if r == nil {
		return
	}
	if s.hi != nil {
		if c := s.hi.Cmp(r); c < 0 || c == 0 && (s.hiOpen || !open) {
			return
		}
	}
	s.hi, s.hiOpen, s.hiBy = r, open, by
	s.checkRange()
}

func (s *shape) checkRange() {
	if s.lo == nil || s.hi == nil {
		return
	}
	if c := s.lo.Cmp(s.hi); c > 0 || c == 0 && (s.loOpen || s.hiOpen) {
		s.drop(number, "no number is in the range of %s and %s", s.loBy, s.hiBy)
	}
}

// Values that need more parts than this are not made, since they are too large to test with.
const (
	maxRunes = 1 << 20
	maxParts = 10_000
)

// texts is what is asked of strings.
type texts struct {
	minLen, maxLen     int // maxLen < 0: no bound
	minLenBy, maxLenBy string
	patterns           []*pattern
	notPatterns        []*pattern
	formats            []format
	textsBy            []string // the places of patterns and formats
	made               *madeTexts
}

type format struct {
	*js.Format
	asserted bool
}

func (s *shape) length(lo, hi *int, by string) {
	if lo != nil && *lo > s.minLen {
		s.minLen, s.minLenBy = *lo, by+"/minLength"
	}
	if hi != nil && (s.texts.maxLen < 0 || *hi < s.maxLen) {
		s.maxLen, s.maxLenBy = *hi, by+"/maxLength"
	}
	if s.minLen > maxRunes {
		s.drop(text, "%s asks for %d runes: no more than %d are made", s.minLenBy, s.minLen, maxRunes)
	}
	if s.maxLen >= 0 && s.minLen > s.maxLen {
		s.drop(text, "no string has a length for %s and %s", s.minLenBy, s.maxLenBy)
	}
}

// arrays is what is asked of arrays.
type arrays struct {
	minItems, maxItems     int // maxItems < 0: no bound
	minItemsBy, maxItemsBy string
	rules                  []itemRule
	contains               []contained
	unique                 bool
}

// An itemRule is about the items from one index up to another; to < 0 means up to the end.
type itemRule struct {
	from, to int
	lit      lit
}

// contained says how many items a literal holds for; max < 0 means any number.
type contained struct {
	lit      lit
	from     int // the index where counting begins
	min, max int
	by       string
}

func (s *shape) items(lo, hi *int, by string) {
	if lo != nil && *lo > s.minItems {
		s.minItems, s.minItemsBy = *lo, by+"/minItems"
	}
	if hi != nil && (s.maxItems < 0 || *hi < s.maxItems) {
		s.maxItems, s.maxItemsBy = *hi, by+"/maxItems"
	}
	s.checkItems()
}

func (s *shape) checkItems() {
	if s.minItems > maxParts {
		s.drop(array, "%s asks for %d items: no more than %d are made", s.minItemsBy, s.minItems, maxParts)
	}
	if s.maxItems >= 0 && s.minItems > s.maxItems {
		s.drop(array, "no array has a length for %s and %s", s.minItemsBy, s.maxItemsBy)
	}
}

// item returns what is asked of the item at an index.
func (a *arrays) item(i int) (lits []lit) {
	for _, r := range a.rules {
		if r.from <= i && (r.to < 0 || i < r.to) {
			lits = append(lits, r.lit)
		}
	}
	return lits
}

// last returns an index from which on all items are alike.
func (a *arrays) last() (i int) {
	for _, r := range a.rules {
		i = max(i, r.from, r.to)
	}
	for _, c := range a.contains {
		i = max(i, c.from)
	}
	return i
}

// objects is what is asked of objects.
type objects struct {
	minProps, maxProps     int // maxProps < 0: no bound
	minPropsBy, maxPropsBy string
	props                  map[string][]lit
	patternProps           []patternRule
	rests                  []restRule
	names                  []lit             // about each name
	required               map[string]string // names, and by what
	absent                 map[string]string
	needs                  map[string][]string // names that a property needs
	some                   []someProperty
	settled                int            // of some: it is chosen which property each of these is
	others                 []someProperty // of some: those that no schema names
	described              bool           // a keyword says what other properties are like
}

type patternRule struct {
	pattern *pattern
	lit     lit
}

// A restRule is about the properties that it does not name.
type restRule struct {
	names    []string
	patterns []*pattern
	lit      lit
}

func (r *restRule) covers(name string) bool {
	return !slices.Contains(r.names, name) && !matchesAny(r.patterns, name)
}

func matchesAny(patterns []*pattern, name string) bool {
	return slices.ContainsFunc(patterns, func(p *pattern) bool { return p.MatchString(name) })
}

// someProperty asks for a property whose name has the pattern, if that is not nil, and is
// covered by the rule, whose literal holds of the value or of the name.
type someProperty struct {
	restRule
	pattern *pattern
	ofName  bool
}

// takes reports whether a property of a name may be the one.
func (p *someProperty) takes(name string) bool {
	return p.covers(name) && (p.pattern == nil || p.pattern.MatchString(name))
}

func (p *someProperty) has(name string, v any) bool {
	if !p.takes(name) {
		return false
	}
	if p.ofName {
		v = name
	}
	return p.lit.holds(v)
}

func (o objects) clone() objects {
	o.props = cloneMap(o.props)
	for k := range o.props {
		o.props[k] = slices.Clone(o.props[k])
	}
	o.patternProps, o.rests = slices.Clone(o.patternProps), slices.Clone(o.rests)
	o.names, o.some, o.others = slices.Clone(o.names), slices.Clone(o.some), slices.Clone(o.others)
	o.required, o.absent, o.needs = cloneMap(o.required), cloneMap(o.absent), cloneMap(o.needs)
	return o
}

func cloneMap[K comparable, V any](m map[K]V) map[K]V {
	c := make(map[K]V, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
}

func (s *shape) require(name, by string) {
	if _, ok := s.required[name]; !ok {
		s.required[name] = by
	}
	if other, ok := s.absent[name]; ok {
		s.drop(object, "the property %q is required by %s and excluded by %s", name, by, other)
	}
}

func (s *shape) exclude(name, by string) {
	if _, ok := s.absent[name]; !ok {
		s.absent[name] = by
	}
	if other, ok := s.required[name]; ok {
		s.drop(object, "the property %q is required by %s and excluded by %s", name, other, by)
	}
}

func (s *shape) properties(lo, hi *int, by string) {
	if lo != nil && *lo > s.minProps {
		s.minProps, s.minPropsBy = *lo, by+"/minProperties"
	}
	if hi != nil && (s.maxProps < 0 || *hi < s.maxProps) {
		s.maxProps, s.maxPropsBy = *hi, by+"/maxProperties"
	}
	if s.minProps > maxParts {
		s.drop(object, "%s asks for %d properties: no more than %d are made", s.minPropsBy, s.minProps,
			maxParts)
	}
	if s.maxProps >= 0 && s.minProps > s.maxProps {
		s.drop(object, "no object has a number of properties for %s and %s", s.minPropsBy, s.maxPropsBy)
	}
}

// property returns what is asked of the value of a property.
func (o *objects) property(name string) (lits []lit) {
	lits = append(lits, o.props[name]...)
	for _, r := range o.patternProps {
		if r.pattern.MatchString(name) {
			lits = append(lits, r.lit)
		}
	}
	for _, r := range o.rests {
		if r.covers(name) {
			lits = append(lits, r.lit)
		}
	}
	return lits
}

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
