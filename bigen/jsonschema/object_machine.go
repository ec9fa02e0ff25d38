package jsonschema

import (
	"fmt"
	"math"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"golang.org/x/exp/slices"
)

// An objectMachine makes or reads an object.
type objectMachine struct {
	*objectMaker
	c        *bigen.C
	have     map[string]bool
	declined []bool
	count    int
}

// absentValue is what stands for a property that an object does not have.
type absentValue struct{}

// begin makes or reads the declared properties, and as many others as there must be.
func (m *objectMachine) begin(all []member) (head []member) {
	back := m.c.Backward()
	m.declined = make([]bool, len(m.names))
	next := 0
	for i, name := range m.names {
		given := back && next < len(all) && all[next].Name == name
		must, may := m.decide(i)
		switch {
		case !may && given:
			m.c.Refuse("the schema excludes the property %q of this object", name)
		case must && back && !given:
			m.c.Refuse("the object has no property %q, which is required", name)
		case !may:
			m.declined[i] = true
			continue
		}
		v := any(absentValue{})
		if given {
			v = all[next].Value
		}
		gen := m.optional[i]
		if must {
			gen = m.always[i]
		}
		bigen.Part(m.c, name, &v, gen)
		if _, missing := v.(absentValue); missing {
			m.declined[i] = true
			continue
		}
		next++
		m.have[name] = true
		m.count++
		head = append(head, member{name, v})
	}
	if back {
		all = all[next:]
	}
	some := len(m.others)
	for i := 0; i < some || m.count < m.minProps; i++ {
		if len(m.kinds) == 0 || back && i >= len(all) {
			m.c.Refuse("the object has %d properties, and needs more", m.count)
		}
		var e member
		if back {
			e = all[i]
		}
		m.extra(fmt.Sprint("more ", i), i, &e)
		head = append(head, e)
	}
	return head
}

// decide returns whether an object must and may have a declared property, after those before.
func (m *objectMachine) decide(i int) (must, may bool) {
	if m.goals[i] == nil {
		return false, false
	}
	if _, ok := m.required[m.names[i]]; ok {
		return true, true
	}
	for j := 0; j < i && m.tied; j++ {
		if m.have[m.names[j]] && slices.Contains(m.needs[j], i) {
			return true, true
		}
	}
	for _, j := range m.needs[i] {
		if m.goals[j] == nil || m.declined[j] {
			return false, false
		}
	}
	if m.most < math.MaxInt32 {
		coming := map[int]bool{}
		for j := range m.names {
			_, required := m.required[m.names[j]]
			if m.have[m.names[j]] || required {
				for _, k := range m.needs[j] {
					coming[k] = true
				}
			}
		}
		for _, j := range m.needs[i] {
			coming[j] = true
		}
		if len(coming)+len(m.others) > m.most {
			return false, false
		}
	}
	if m.minProps > 0 && len(m.kinds) == 0 {
		// Without this property, there must be enough others.
		room := m.count
		for j := i + 1; j < len(m.names); j++ {
			if m.goals[j] != nil && !slices.Contains(m.needs[j], i) {
				room++
			}
		}
		if room < m.minProps {
			return true, true
		}
	}
	return false, true
}

// extra makes or reads a property that is not declared. If it is one of those of which there
// must be some, i says which.
func (m *objectMachine) extra(name string, i int, e *member) {
	n := 0
	if len(m.kinds) > 1 {
		if m.c.Backward() {
			n = m.find(e.Name)
		}
		tag := any(n)
		var kinds []bigen.Alt[any]
		for i := range m.kinds {
			kinds = append(kinds, bigen.Tag(m.kinds[i].tag, bigen.Just[any](i)))
		}
		bigen.Part(m.c, name+" kind", &tag, bigen.Pick(kinds...))
		n = tag.(int)
	}
	var one *someProperty
	if i < len(m.others) {
		one = &m.others[i]
	}
	m.make(name, n, e, one)
}

// find returns the kind of a name.
func (m *objectMachine) find(name string) int {
	for i, r := range m.kinds {
		if r.tag == "additional" && i == len(m.kinds)-1 || m.matches(r.tag, name) {
			return i
		}
	}
	m.c.Refuse("the schema has no property %q", name)
	return 0
}

func (m *objectMachine) matches(source, name string) bool {
	return slices.ContainsFunc(m.patternProps, func(r patternRule) bool {
		return r.pattern.source == source && r.pattern.MatchString(name)
	})
}

func (m *objectMachine) make(name string, n int, e *member, one *someProperty) {
	v := any(e.Name)
	var values *goal
	bigen.Part(m.c, name+" name", &v, bigen.SuchThat(m.kinds[n].gen, func(v any) bool {
		key := v.(string)
		if m.have[key] || one != nil && (!one.takes(key) || one.ofName && !one.lit.holds(key)) {
			return false
		}
		values = m.values(key, one)
		return values != nil
	}))
	e.Name = v.(string)
	if values == nil {
		values = m.values(e.Name, one)
	}
	bigen.Part(m.c, name+" value", &e.Value, m.x.within(values))
	m.have[e.Name] = true
	m.count++
}

// values returns the goal of the values of a property that is not declared, or nil.
func (m *objectMachine) values(name string, one *someProperty) *goal {
	lits := m.property(name)
	if one != nil && !one.ofName {
		lits = append(lits, one.lit)
	}
	m.x.mu.Lock()
	defer m.x.mu.Unlock()
	if g := m.x.goal(lits); g.possible() {
		return g
	}
	return nil
}

// Offer implements [bigen.Machine], as do the methods below: a step is one more property.
func (m *objectMachine) Offer() []choices.Alt {
	if m.count >= m.most {
		return nil
	}
	return m.alts
}

// Allows reports true.
func (m *objectMachine) Allows(int) bool { return true }

// Find returns the kind of a property's name.
func (m *objectMachine) Find(_ *bigen.C, e *member) int { return m.find(e.Name) }

// Step makes or reads a property.
func (m *objectMachine) Step(c *bigen.C, n int, e *member) {
	if !c.Backward() {
		m.make("", n, e, nil)
		return
	}
	one := *e
	m.make("", n, &one, nil)
}
