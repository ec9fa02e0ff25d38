package jsonschema

import (
	"math/bits"

	js "github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/exp/slices"
)

// demand asks that a schema holds.
func (s *shape) demand(n *node, track []int) {
	x, k, at := s.x, n.schema, place(n.schema)
	sub := func(t *js.Schema) *node { return x.node(t, n.scope) }
	if k.Bool != nil {
		if !*k.Bool {
			s.drop(anything, "%s is false", at)
		}
		return
	}
	for _, v := range k.Examples {
		s.examples = append(s.examples, plain(v))
	}
	if k.Default != nil {
		s.examples = append(s.examples, plain(*k.Default))
	}
	inner := s.track(n, track)
	if k.Ref != nil {
		if s.add(yes(sub(k.Ref)), inner); k.DraftVersion < 2019 {
			return
		}
	}
	if k.Types != nil && !k.Types.IsEmpty() {
		s.drop(anything&^typesOf(k.Types), "%s/type allows %s", at, typesOf(k.Types))
	}
	if k.Const != nil {
		s.only(givenOf(*k.Const), at+"/const")
	}
	if k.Enum != nil {
		s.only(x.listedBy(k), at+"/enum")
	}
	s.atLeast(k.Minimum, false, at+"/minimum")
	s.atLeast(k.ExclusiveMinimum, true, at+"/exclusiveMinimum")
	s.atMost(k.Maximum, false, at+"/maximum")
	s.atMost(k.ExclusiveMaximum, true, at+"/exclusiveMaximum")
	if k.MultipleOf != nil && k.MultipleOf.Sign() > 0 {
		s.multiples = append(s.multiples, k.MultipleOf)
	}
	s.length(k.MinLength, k.MaxLength, at)
	if k.Pattern != nil {
		s.texts.patterns = append(s.texts.patterns, k.Pattern.(*pattern))
		s.textsBy = append(s.textsBy, at+"/pattern")
	}
	if f := x.formats[k]; f != nil {
		if s.formats = append(s.formats, format{f, k.Format != nil}); k.Format != nil {
			s.textsBy = append(s.textsBy, at+"/format")
		}
	}
	s.demandItems(n, at, inner)
	s.demandProperties(n, at, inner)
	for _, t := range k.AllOf {
		s.add(yes(sub(t)), inner)
	}
	s.demandOneOf(n, inner)
	if k.AnyOf != nil {
		s.demandAnyOf(n, inner)
	}
	if k.Not != nil {
		s.add(no(sub(k.Not)), nil)
	}
	s.demandIf(n, inner)
	if k.DynamicRef != nil {
		s.add(yes(sub(x.dynamicTarget(k, n.scope))), inner)
	}
	if k.RecursiveRef != nil {
		s.add(yes(sub(x.recursiveTarget(k, n.scope))), inner)
	}
	for _, i := range track {
		s.tracked[i].allNames = s.tracked[i].allNames || k.UnevaluatedProperties != nil
		s.tracked[i].allItems = s.tracked[i].allItems || k.UnevaluatedItems != nil
	}
}

// track notes that what is evaluated within a node matters.
func (s *shape) track(n *node, track []int) []int {
	if n.schema.UnevaluatedItems == nil && n.schema.UnevaluatedProperties == nil {
		return track
	}
	at := slices.IndexFunc(s.tracked, func(e evaluated) bool { return e.node == n })
	if at < 0 {
		at = len(s.tracked)
		s.tracked = append(s.tracked, evaluated{node: n})
	}
	return append(slices.Clone(track), at)
}

func (s *shape) demandOneOf(n *node, track []int) {
	var c choice
	for i, t := range n.schema.OneOf {
		one := yes(s.x.node(t, n.scope))
		c.alts = append(c.alts, alternative{
			label: label(one, "oneOf", i), apply: func(s *shape) {
				s.add(one, track)
				for j, u := range n.schema.OneOf {
					if j != i {
						s.add(no(s.x.node(u, n.scope)), nil)
					}
				}
			},
		})
	}
	if c.alts != nil {
		s.leave(c)
	}
}

// maxTogether bounds the alternatives of an anyOf of which it matters which hold together.
const maxTogether = 4

func (s *shape) demandAnyOf(n *node, track []int) {
	var lits []lit
	for _, t := range n.schema.AnyOf {
		lits = append(lits, yes(s.x.node(t, n.scope)))
	}
	if len(track) == 0 {
		s.choose("anyOf", lits...)
		return
	}
	// What holds, too, evaluates more.
	var sets []uint64
	together := len(lits) <= maxTogether
	if together {
		for set := uint64(1); set < 1<<len(lits); set++ {
			sets = append(sets, set)
		}
	} else {
		s.narrow = true
		for i := range min(len(lits), 64) {
			sets = append(sets, 1<<i)
		}
	}
	var c choice
	for _, set := range sets {
		first := bits.TrailingZeros64(set)
		c.alts = append(c.alts, alternative{
			label: label(lits[first], "anyOf", first), apply: func(s *shape) {
				for i, l := range lits {
					if set&(1<<i) != 0 {
						s.add(l, track)
					} else if together {
						s.add(l.opposite(), nil)
					}
				}
			},
		})
	}
	s.leave(c)
}

func (s *shape) demandIf(n *node, track []int) {
	k := n.schema
	if k.If == nil || k.Then == nil && k.Else == nil && len(track) == 0 {
		return
	}
	if b := k.If.Bool; b != nil {
		if branch := map[bool]*js.Schema{true: k.Then, false: k.Else}[*b]; branch != nil {
			s.add(yes(s.x.node(branch, n.scope)), track)
		}
		return
	}
	condition := yes(s.x.node(k.If, n.scope))
	branch := func(l lit, then *js.Schema, name string) alternative {
		return alternative{label: name, apply: func(s *shape) {
			if l.not {
				s.add(l, nil)
			} else {
				s.add(l, track)
			}
			if then != nil {
				s.add(yes(s.x.node(then, n.scope)), track)
			}
		}}
	}
	s.leave(choice{alts: []alternative{
		branch(condition, k.Then, "then"), branch(condition.opposite(), k.Else, "else"),
	}})
}

func (s *shape) demandItems(n *node, at string, track []int) {
	k := n.schema
	s.items(k.MinItems, k.MaxItems, at)
	s.unique = s.unique || k.UniqueItems
	evaluated, all := 0, false
	list, rest := s.x.itemsOf(k)
	for i, t := range list {
		s.rules = append(s.rules, itemRule{i, i + 1, yes(s.x.node(t, n.scope))})
	}
	evaluated = len(list)
	if rest != nil {
		all = true
		if !isTrue(rest) {
			s.rules = append(s.rules, itemRule{len(list), -1, yes(s.x.node(rest, n.scope))})
		}
	}
	var has []lit
	if k.Contains != nil {
		c := contained{lit: yes(s.x.node(k.Contains, n.scope)), min: 1, max: -1, by: at + "/contains"}
		if k.MinContains != nil {
			c.min = *k.MinContains
		}
		if k.MaxContains != nil {
			c.max = *k.MaxContains
		}
		if s.contain(c); k.DraftVersion >= 2020 {
			has = append(has, c.lit)
		}
	}
	for _, i := range track {
		t := &s.tracked[i]
		t.items, t.allItems = max(t.items, evaluated), t.allItems || all
		t.contains = append(t.contains, has...)
	}
}

func (s *shape) contain(c contained) {
	if c.max >= 0 && c.min > c.max {
		s.drop(array, "no number of items is right for minContains and maxContains of %s", c.by)
	}
	if c.min > 0 || c.max >= 0 {
		s.contains = append(s.contains, c)
		s.minItems, s.minItemsBy = max(s.minItems, c.from+c.min), or(s.minItemsBy, c.by)
		s.checkItems()
	}
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func isTrue(k *js.Schema) bool { return k.Bool != nil && *k.Bool }

func (s *shape) demandProperties(n *node, at string, track []int) {
	k := n.schema
	s.properties(k.MinProperties, k.MaxProperties, at)
	for _, name := range k.Required {
		s.require(name, at+"/required")
	}
	names := sortedKeys(k.Properties)
	for _, name := range names {
		s.props[name] = append(s.props[name], yes(s.x.node(k.Properties[name], n.scope)))
	}
	var patterns []*pattern
	for _, p := range sortedPatterns(k.PatternProperties) {
		patterns = append(patterns, p.(*pattern))
		s.patternProps = append(s.patternProps,
			patternRule{p.(*pattern), yes(s.x.node(k.PatternProperties[p], n.scope))})
	}
	if rest := s.x.schemaOf(k.AdditionalProperties, k, "additionalProperties"); rest != nil {
		s.described = s.described || !isTrue(rest)
		if !isTrue(rest) {
			s.rests = append(s.rests, restRule{names, patterns, yes(s.x.node(rest, n.scope))})
		}
	}
	if k.PropertyNames != nil {
		s.objects.names = append(s.objects.names, yes(s.x.node(k.PropertyNames, n.scope)))
	}
	for _, name := range sortedKeys(k.DependentRequired) {
		s.need(name, k.DependentRequired[name], at+"/dependentRequired")
	}
	for _, name := range sortedKeys(k.DependentSchemas) {
		s.demandDependent(name, k.DependentSchemas[name], n, at+"/dependentSchemas", track)
	}
	for _, name := range sortedKeys(k.Dependencies) {
		switch d := k.Dependencies[name].(type) {
		case []string:
			s.need(name, d, at+"/dependencies")
		case *js.Schema:
			s.demandDependent(name, d, n, at+"/dependencies", track)
		}
	}
	for _, i := range track {
		t := &s.tracked[i]
		t.names = append(t.names, names...)
		t.patterns = append(t.patterns, patterns...)
		t.allNames = t.allNames || k.AdditionalProperties != nil
	}
}

func (s *shape) need(name string, others []string, by string) {
	if len(others) == 0 {
		return
	}
	s.needs[name] = append(slices.Clone(s.needs[name]), others...)
	if _, ok := s.required[name]; ok {
		for _, other := range others {
			s.require(other, by+"/"+name)
		}
	}
}

func (s *shape) demandDependent(name string, t *js.Schema, n *node, by string, track []int) {
	l := yes(s.x.node(t, n.scope))
	if isTrue(t) {
		return
	}
	s.leave(choice{alts: []alternative{
		{label: "no " + name, apply: func(s *shape) { s.exclude(name, by+"/"+name) }},
		{label: name, apply: func(s *shape) {
			s.drop(anything&^object, "%s: it has the property %q", by, name)
			s.require(name, by)
			s.add(l, track)
		}},
	}})
}
