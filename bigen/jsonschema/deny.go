package jsonschema

import (
	"fmt"
	"math"

	js "github.com/santhosh-tekuri/jsonschema/v6"
)

// deny asks that a schema does not hold: that one of its keywords does not.
func (s *shape) deny(n *node) {
	k, at := n.schema, place(n.schema)
	if k.Bool != nil {
		if *k.Bool {
			s.drop(anything, "%s is true, and is not to hold", at)
		}
		return
	}
	var c choice
	sub := func(t *js.Schema) *node { return s.x.node(t, n.scope) }
	add := func(name string, types typeSet, apply func(s *shape)) {
		if types&s.types == 0 {
			return
		}
		c.alts = append(c.alts, alternative{label: "not " + name, apply: func(s *shape) {
			s.drop(anything&^types, "%s/%s is not to hold", at, name)
			apply(s)
		}})
	}
	all := func(name string, lits ...lit) {
		c.alts = append(c.alts, s.holding("not "+name, lits...))
	}
	if k.Ref != nil {
		all("$ref", no(sub(k.Ref)))
	}
	if k.Ref == nil || k.DraftVersion >= 2019 {
		if k.Types != nil && !k.Types.IsEmpty() {
			add("type", anything&^typesOf(k.Types), func(*shape) {})
		}
		if k.Const != nil || k.Enum != nil {
			s.denyValues(n, add)
		}
		s.denyNumbers(k, add)
		s.denyTexts(n, add)
		s.denyItems(n, add)
		s.denyProperties(n, add)
		for _, t := range k.AllOf {
			all("allOf", no(sub(t)))
		}
		s.denyChoices(n, all)
		if k.Not != nil {
			all("not", yes(sub(k.Not)))
		}
		if k.DynamicRef != nil {
			all("$dynamicRef", no(sub(s.x.dynamicTarget(k, n.scope))))
		}
		if k.RecursiveRef != nil {
			all("$recursiveRef", no(sub(s.x.recursiveTarget(k, n.scope))))
		}
	}
	if len(c.alts) == 0 {
		s.drop(anything, "%s allows all that is left, and is not to hold", at)
		return
	}
	c.denied = n
	s.leave(c)
}

type addFunc = func(name string, types typeSet, apply func(s *shape))

// denyValues asks for other values than those that a schema lists.
func (s *shape) denyValues(n *node, add addFunc) {
	var listed typeSet
	values := []any{}
	if n.schema.Const != nil {
		values = append(values, plain(*n.schema.Const))
	}
	if n.schema.Enum != nil {
		values = append(values, plain(n.schema.Enum.Values).([]any)...)
	}
	bools := map[bool]bool{}
	for _, v := range values {
		listed |= typeOf(v)
		if b, ok := v.(bool); ok {
			bools[b] = true
		}
	}
	if listed&boolean != 0 && len(bools) == 1 {
		add("enum", boolean, func(s *shape) { s.only(givenOf(!bools[true]), "the opposite of an enum") })
	}
	if rest := anything &^ listed; rest != 0 {
		add("enum", rest, func(*shape) {})
	}
	if rest := listed &^ (null | boolean); rest != 0 {
		add("enum", rest, func(s *shape) { s.check |= rest })
	}
}

func (s *shape) denyNumbers(k *js.Schema, add addFunc) {
	if k.Minimum != nil {
		add("minimum", number, func(s *shape) { s.atMost(k.Minimum, true, "not "+place(k)+"/minimum") })
	}
	if k.ExclusiveMinimum != nil {
		add("exclusiveMinimum", number, func(s *shape) {
			s.atMost(k.ExclusiveMinimum, false, "not "+place(k)+"/exclusiveMinimum")
		})
	}
	if k.Maximum != nil {
		add("maximum", number, func(s *shape) { s.atLeast(k.Maximum, true, "not "+place(k)+"/maximum") })
	}
	if k.ExclusiveMaximum != nil {
		add("exclusiveMaximum", number, func(s *shape) {
			s.atLeast(k.ExclusiveMaximum, false, "not "+place(k)+"/exclusiveMaximum")
		})
	}
	if m := k.MultipleOf; m != nil && m.Sign() > 0 {
		types := number
		if m.Num().IsInt64() && m.Num().Int64() == 1 { // all integers are multiples
			types = fraction
		}
		add("multipleOf", types, func(s *shape) { s.check |= number })
	}
}

func (s *shape) denyTexts(n *node, add addFunc) {
	k := n.schema
	if k.MinLength != nil {
		below := *k.MinLength - 1
		add("minLength", text, func(s *shape) {
			if s.length(nil, &below, "not "+place(k)); below < 0 {
				s.drop(text, "%s/minLength is not to hold", place(k))
			}
		})
	}
	if k.MaxLength != nil && *k.MaxLength < math.MaxInt {
		above := *k.MaxLength + 1
		add("maxLength", text, func(s *shape) { s.length(&above, nil, "not "+place(k)) })
	}
	if k.Pattern != nil {
		add("pattern", text, func(s *shape) {
			if p := k.Pattern.(*pattern); p.exact() {
				s.notPatterns = append(s.notPatterns, p)
			} else {
				s.check |= text
			}
			s.textsBy = append(s.textsBy, "not "+place(k)+"/pattern")
		})
	}
	if k.Format != nil {
		add("format", text, func(s *shape) {
			s.check |= text
			s.textsBy = append(s.textsBy, "not "+place(k)+"/format")
		})
	}
}

func (s *shape) denyItems(n *node, add addFunc) {
	k, at := n.schema, "not "+place(n.schema)
	if k.MinItems != nil {
		below := *k.MinItems - 1
		add("minItems", array, func(s *shape) {
			if s.items(nil, &below, at); below < 0 {
				s.drop(array, "%s/minItems", at)
			}
		})
	}
	if k.MaxItems != nil && *k.MaxItems < math.MaxInt {
		above := *k.MaxItems + 1
		add("maxItems", array, func(s *shape) { s.items(&above, nil, at) })
	}
	if two := 2; k.UniqueItems {
		add("uniqueItems", array, func(s *shape) {
			s.items(&two, nil, at)
			s.check |= array
		})
	}
	list, rest := s.x.itemsOf(k)
	for i, t := range list {
		above := i + 1
		add(fmt.Sprint("items ", i), array, func(s *shape) {
			s.items(&above, nil, at)
			s.rules = append(s.rules, itemRule{i, i + 1, no(s.x.node(t, n.scope))})
		})
	}
	if rest != nil && !isTrue(rest) {
		add("items", array, func(s *shape) {
			s.contain(contained{
				lit: no(s.x.node(rest, n.scope)), from: len(list), min: 1, max: -1, by: at + "/items",
			})
		})
	}
	if k.Contains != nil {
		l, least := yes(s.x.node(k.Contains, n.scope)), 1
		if k.MinContains != nil {
			least = *k.MinContains
		}
		if least == 1 {
			add("contains", array, func(s *shape) {
				s.rules = append(s.rules, itemRule{0, -1, l.opposite()})
			})
		} else if least > 1 {
			add("contains", array, func(s *shape) {
				s.contain(contained{lit: l, min: 0, max: least - 1, by: at + "/contains"})
			})
		}
		if k.MaxContains != nil {
			above := *k.MaxContains + 1
			add("maxContains", array, func(s *shape) {
				s.contain(contained{lit: l, min: above, max: -1, by: at + "/maxContains"})
			})
		}
	}
	if one := 1; k.UnevaluatedItems != nil && !isTrue(k.UnevaluatedItems) {
		add("unevaluatedItems", array, func(s *shape) {
			s.items(&one, nil, at)
			s.check |= array
		})
	}
}

func (s *shape) denyProperties(n *node, add addFunc) {
	k, at := n.schema, "not "+place(n.schema)
	if k.MinProperties != nil {
		below := *k.MinProperties - 1
		add("minProperties", object, func(s *shape) {
			if s.properties(nil, &below, at); below < 0 {
				s.drop(object, "%s/minProperties", at)
			}
		})
	}
	if k.MaxProperties != nil && *k.MaxProperties < math.MaxInt {
		above := *k.MaxProperties + 1
		add("maxProperties", object, func(s *shape) { s.properties(&above, nil, at) })
	}
	for _, name := range k.Required {
		add("required "+name, object, func(s *shape) { s.exclude(name, at+"/required") })
	}
	names := sortedKeys(k.Properties)
	for _, name := range names {
		if t := k.Properties[name]; !isTrue(t) {
			add("properties "+name, object, func(s *shape) {
				s.require(name, at+"/properties")
				s.props[name] = append(s.props[name], no(s.x.node(t, n.scope)))
			})
		}
	}
	some := func(name string, p someProperty) {
		add(name, object, func(s *shape) {
			one := 1
			s.properties(&one, nil, at)
			s.some = append(s.some, p)
		})
	}
	var patterns []*pattern
	for _, p := range sortedPatterns(k.PatternProperties) {
		patterns = append(patterns, p.(*pattern))
		some("patternProperties", someProperty{
			restRule: restRule{lit: no(s.x.node(k.PatternProperties[p], n.scope))}, pattern: p.(*pattern),
		})
	}
	if rest := s.x.schemaOf(k.AdditionalProperties, k, "additionalProperties"); rest != nil && !isTrue(rest) {
		some("additionalProperties",
			someProperty{restRule: restRule{names, patterns, no(s.x.node(rest, n.scope))}})
	}
	if t := k.PropertyNames; t != nil {
		some("propertyNames",
			someProperty{restRule: restRule{lit: no(s.x.node(t, n.scope))}, ofName: true})
	}
	s.denyDependent(n, add)
	if one := 1; k.UnevaluatedProperties != nil && !isTrue(k.UnevaluatedProperties) {
		add("unevaluatedProperties", object, func(s *shape) {
			s.properties(&one, nil, at)
			s.check |= object
		})
	}
}

func (s *shape) denyDependent(n *node, add addFunc) {
	k, at := n.schema, "not "+place(n.schema)
	lacks := func(name string, others []string, by string) {
		for _, other := range others {
			add(name, object, func(s *shape) {
				s.require(name, by)
				s.exclude(other, by)
			})
		}
	}
	fails := func(name string, t *js.Schema, by string) {
		add(name, object, func(s *shape) {
			s.require(name, by)
			s.add(no(s.x.node(t, n.scope)), nil)
		})
	}
	for _, name := range sortedKeys(k.DependentRequired) {
		lacks(name, k.DependentRequired[name], at+"/dependentRequired")
	}
	for _, name := range sortedKeys(k.DependentSchemas) {
		fails(name, k.DependentSchemas[name], at+"/dependentSchemas")
	}
	for _, name := range sortedKeys(k.Dependencies) {
		switch d := k.Dependencies[name].(type) {
		case []string:
			lacks(name, d, at+"/dependencies")
		case *js.Schema:
			fails(name, d, at+"/dependencies")
		}
	}
}

// denyChoices asks that a oneOf, anyOf or if does not hold.
func (s *shape) denyChoices(n *node, all func(name string, lits ...lit)) {
	k := n.schema
	sub := func(t *js.Schema) *node { return s.x.node(t, n.scope) }
	var none []lit
	for _, t := range k.AnyOf {
		none = append(none, no(sub(t)))
	}
	if none != nil {
		all("anyOf", none...)
	}
	none = nil
	for i, t := range k.OneOf {
		none = append(none, no(sub(t)))
		for _, u := range k.OneOf[:i] {
			all("oneOf", yes(sub(t)), yes(sub(u)))
		}
	}
	if none != nil {
		all("oneOf", none...)
	}
	if k.If != nil && k.Then != nil {
		all("then", yes(sub(k.If)), no(sub(k.Then)))
	}
	if k.If != nil && k.Else != nil {
		all("else", no(sub(k.If)), no(sub(k.Else)))
	}
}
