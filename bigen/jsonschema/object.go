package jsonschema

import (
	"fmt"
	"math"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"golang.org/x/exp/slices"
)

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

// A member is a property of an object that is being made or read.
type member struct {
	Name  string
	Value any
}

// declared returns the names of properties that the schemas mention, in order, and whether there
// can be no others because all names are listed.
func (s *shape) declared() (names []string, closed bool) {
	all := map[string]bool{}
	for name := range s.props {
		all[name] = true
	}
	for name := range s.required {
		all[name] = true
	}
	for name, others := range s.needs {
		all[name] = true
		for _, other := range others {
			all[other] = true
		}
	}
	if len(s.objects.names) > 0 {
		if values, ok := s.nameGoal().listed(); ok {
			closed = true
			for _, v := range values {
				all[fmt.Sprint(v)] = true
			}
		}
	}
	return sortedKeys(all), closed
}

// nameGoal returns the goal of the names of properties.
func (s *shape) nameGoal() *goal {
	g := s.x.goal(append(slices.Clone(s.objects.names), yes(s.x.textNode())))
	g.possible()
	return g
}

func (s *shape) named(name string) bool {
	return !slices.ContainsFunc(s.objects.names, func(l lit) bool { return !l.holds(name) })
}

// requiredProperties returns the goals of which each object has values, or why there is no object.
func (s *shape) requiredProperties() (kids []*goal, why string) {
	for _, name := range sortedKeys(s.required) {
		if !s.named(name) {
			return nil, fmt.Sprintf("the property %q, which %s requires, has a name that propertyNames "+
				"forbids", name, s.required[name])
		}
		lits := s.property(name)
		if s.x.excludes(lits) {
			return nil, fmt.Sprintf("no value of the property %q, which %s requires, is valid: %s", name,
				s.required[name], s.x.reason(lits))
		}
		kids = append(kids, s.x.goal(lits))
	}
	if s.maxProps >= 0 && len(s.required) > s.maxProps {
		return nil, fmt.Sprintf("%d properties are required, and %s allows %d", len(s.required),
			s.maxPropsBy, s.maxProps)
	}
	if len(s.required) >= s.minProps && len(s.others) == 0 {
		return kids, ""
	}
	names, closed := s.declared()
	room := 0
	for _, name := range names {
		if s.absent[name] == "" && s.named(name) && !s.x.excludes(s.property(name)) {
			room++
		}
	}
	open := !closed && s.opens()
	if len(s.others) > 0 && !open {
		return nil, "no property beyond those that schemas name is valid"
	}
	if room < s.minProps && !open {
		return nil, fmt.Sprintf("objects can have %d properties, and %s asks for %d", room, s.minPropsBy,
			s.minProps)
	}
	return kids, ""
}

// opens reports whether objects can have properties that are not declared.
func (s *shape) opens() bool {
	if len(s.objects.names) > 0 && len(s.nameGoal().parts) == 0 {
		return false
	}
	for _, r := range s.patternProps {
		if !s.x.excludes(s.rest(r.pattern)) {
			return true
		}
	}
	return !s.x.excludes(s.rest(nil))
}

// rest returns what is asked of properties that no rule names and that match just one pattern, if
// any.
func (s *shape) rest(p *pattern) (lits []lit) {
	for _, r := range s.patternProps {
		if p != nil && r.pattern.source == p.source {
			lits = append(lits, r.lit)
		}
	}
	for _, r := range s.rests {
		if p == nil || !slices.ContainsFunc(r.patterns, func(q *pattern) bool { return q.source == p.source }) {
			lits = append(lits, r.lit)
		}
	}
	return lits
}

// An objectMaker makes objects of a shape.
type objectMaker struct {
	*shape
	names []string
	goals []*goal // of the names' values; nil if the property must be absent
	needs [][]int // what a property needs, in the end, itself included
	tied  bool    // some need others

	always, optional []bigen.Gen[any] // of the names' values

	kinds []kindOfName
	alts  []choices.Alt
	most  int
	mean  float64
}

// A kindOfName is names of properties that are not declared.
type kindOfName struct {
	tag string
	gen bigen.Gen[any]
}

func (p *part) objectGen() bigen.Gen[any] {
	s := p.shape
	o := &objectMaker{shape: s, most: s.maxProps}
	if o.most < 0 {
		o.most = math.MaxInt32
	}
	names, closed := s.declared()
	for _, name := range names {
		var g *goal
		if s.absent[name] == "" && s.named(name) {
			if g = s.x.goal(s.property(name)); !g.possible() {
				g = nil
			}
		}
		o.names, o.goals = append(o.names, name), append(o.goals, g)
	}
	for _, g := range o.goals {
		if g == nil {
			o.always, o.optional = append(o.always, bigen.Gen[any]{}), append(o.optional, bigen.Gen[any]{})
			continue
		}
		kid := s.x.within(g)
		o.always = append(o.always, kid)
		o.optional = append(o.optional, bigen.Pick(
			bigen.Tag("absent", bigen.Just[any](absentValue{})).WeightBy(o.absentWeight),
			bigen.Tag("present", kid),
		))
	}
	for i := range names {
		o.needs = append(o.needs, o.closure(i))
		o.tied = o.tied || len(o.needs[i]) > 1
	}
	if !closed {
		o.addKinds()
	}
	if o.mean == 0 {
		return o.gen(0)
	}
	// The deeper, the fewer.
	const depths = 6
	var gens []bigen.Gen[any]
	for depth := range depths {
		gens = append(gens, o.gen(o.mean*shrinking(2*depth)))
	}
	return bigen.Given(func(c *bigen.C) bigen.Gen[any] {
		return gens[min(o.x.family.Param(c).depth, depths-1)]
	})
}

// gen returns the generator of objects with a mean number of properties that are not declared.
func (o *objectMaker) gen(mean float64) bigen.Gen[any] {
	return bigen.Iso(bigen.Steps(func(c *bigen.C, all []member) (bigen.Machine[member], []member) {
		m := &objectMachine{objectMaker: o, c: c, have: map[string]bool{}}
		return m, m.begin(all)
	}, mean, math.MaxInt32), toObject, o.fromObject)
}

// absentWeight is how likely an optional property is absent, beside 1. Values with many properties
// have some of them, and fewer below the top.
func (o *objectMaker) absentWeight(c *bigen.C) float64 {
	const many = 8
	return max(1, float64(len(o.names))/many) / math.Pow(.6, float64(o.x.family.Param(c).depth))
}

// closure returns the indices of what a property needs, and of what that needs, in turn.
func (o *objectMaker) closure(i int) (all []int) {
	all = []int{i}
	for j := 0; j < len(all); j++ {
		for _, other := range o.shape.needs[o.names[all[j]]] {
			if at, _ := slices.BinarySearch(o.names, other); !slices.Contains(all, at) {
				all = append(all, at)
			}
		}
	}
	return all
}

// addKinds adds the kinds of names that are not declared.
func (o *objectMaker) addKinds() {
	undeclared := func(v any) bool {
		name, _ := v.(string)
		_, declared := slices.BinarySearch(o.names, name)
		return !declared && o.named(name)
	}
	seen := map[string]bool{}
	for _, r := range o.patternProps {
		if seen[r.pattern.source] || o.x.excludes(o.rest(r.pattern)) {
			continue
		}
		seen[r.pattern.source] = true
		gen := bigen.Any(matching(r.pattern.whole))
		p := r.pattern
		o.kinds = append(o.kinds, kindOfName{p.source, bigen.SuchThat(gen, func(v any) bool {
			return p.MatchString(v.(string)) && undeclared(v)
		})})
	}
	if !o.x.excludes(o.rest(nil)) {
		gen := bigen.Any(bigen.StringOf(nil, 0, math.MaxInt32))
		if len(o.objects.names) > 0 {
			g := o.nameGoal()
			if !g.possible() {
				return
			}
			gen = o.x.within(g)
		}
		o.kinds = append(o.kinds, kindOfName{"additional", bigen.SuchThat(gen, undeclared)})
	}
	for _, k := range o.kinds {
		o.alts = append(o.alts, bigen.NewAlt(k.tag, 1))
	}
	switch {
	case len(o.kinds) == 0:
	case len(o.names) == 0:
		o.mean = 2
	case !o.described && len(seen) == 0:
		o.mean = .1
	default:
		o.mean = .5
	}
}

func toObject(all []member) any {
	object := make(map[string]any, len(all))
	for _, m := range all {
		object[m.Name] = m.Value
	}
	return object
}

// fromObject lists the properties: those that are declared, those of which there must be some, and
// the rest, each by name.
func (o *objectMaker) fromObject(v any) ([]member, bool) {
	object, ok := v.(map[string]any)
	if !ok || object == nil {
		return nil, false
	}
	var head, rest []member
	for _, name := range sortedKeys(object) {
		if _, declared := slices.BinarySearch(o.names, name); declared {
			head = append(head, member{name, object[name]})
		} else {
			rest = append(rest, member{name, object[name]})
		}
	}
	for _, p := range o.others {
		at := slices.IndexFunc(rest, func(m member) bool { return p.has(m.Name, m.Value) })
		if at >= 0 {
			head = append(head, rest[at])
			rest = slices.Delete(rest, at, at+1)
		}
	}
	return append(head, rest...), true
}
