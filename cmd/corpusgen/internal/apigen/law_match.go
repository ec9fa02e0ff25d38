package apigen

import (
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A slot is a call of a shape, as in G(x A, ...) B!, or a variable alone.
type slot struct {
	name    string      // F, G or H; "" for a variable alone
	params  [][2]string // variables and their letters
	details bool        // it may have more
	result  string      // a letter, a type, _ for any number of results, or "" for a variable
	fails   bool        // it must be able to fail
}

var slotSyntax = regexp.MustCompile(`^([FGH])\((.*)\) (\w+)(!?)$`)

// shapeOf reads a shape.
func shapeOf(text string) (slots []slot) {
	for _, part := range strings.Split(text, "; ") {
		m := slotSyntax.FindStringSubmatch(part)
		if m == nil { // a variable
			m = []string{"", "", part, "", ""}
		}
		s := slot{name: m[1], result: m[3], fails: m[4] != ""}
		for _, param := range strings.Split(m[2], ", ") {
			if param == "..." {
				s.details = true
				continue
			}
			name, letter, _ := strings.Cut(param, " ")
			s.params = append(s.params, [2]string{name, letter})
		}
		slots = append(slots, s)
	}
	return slots
}

// A match is calls that fit the shape of a law.
type match struct {
	*law
	slots  []slot
	calls  []*callable           // of the slots that are calls
	types  map[string]types.Type // of letters
	vars   map[string]*types.Var // parameters that variables stand for
	of     map[string]*callable  // and the calls that have these
	groups []string              // of the name of F
}

// laws finds all calls that fit a law of the table.
func (p *Properties) laws() {
	for i := range table {
		l := &table[i]
		m := &match{law: l, slots: shapeOf(l.shape)}
		for _, c := range p.api {
			first := *m
			first.types, first.vars = map[string]types.Type{}, map[string]*types.Var{}
			first.of = map[string]*callable{}
			if p.fit(&first, c) {
				p.others(&first)
			}
		}
	}
}

// others adds the property of a law whose first call is known, with the first others that fit.
func (p *Properties) others(m *match) bool {
	if len(m.calls) == len(m.names) {
		return p.state(m)
	}
	return slices.ContainsFunc(p.api, func(c *callable) bool {
		next := *m
		next.calls, next.types = slices.Clone(m.calls), maps.Clone(m.types)
		next.vars, next.of = maps.Clone(m.vars), maps.Clone(m.of)
		return p.fit(&next, c) && p.others(&next)
	})
}

// fit adds the next call to a match, if it fits.
func (p *Properties) fit(m *match, c *callable) bool {
	n := len(m.calls)
	s, pattern := m.slots[n], m.names[n]
	if n > 0 {
		pattern = expand(pattern, m.groups)
	}
	groups := regexp.MustCompile(pattern).FindStringSubmatch(c.base)
	if groups == nil || slices.Contains(m.calls, c) || c.acts != "" ||
		c.mayPanic() && !strings.HasPrefix(pattern, "^Must") || s.fails && c.fails == "" ||
		m.weak && c.mayChange() || len(c.params) < len(s.params) ||
		len(c.params) > len(s.params) && !s.details {
		return false
	}
	for i, v := range c.params {
		if i >= len(s.params) {
			if a := m.types["A"]; isIndex(v) || a != nil && namedOf(a) != nil && sameValue(a, v.Type()) {
				return false // as in z.Mul(x, y)
			}
			continue
		}
		name, letter := s.params[i][0], s.params[i][1]
		if !p.bind(m, letter, v.Type()) {
			return false
		}
		if m.vars[name] == nil {
			m.vars[name], m.of[name] = v, c
		}
	}
	switch {
	case s.result == "_":
	case len(c.results) != 1:
		return false
	case len(s.result) > 1:
		if types.TypeString(c.results[0].Underlying(), nil) != s.result {
			return false
		}
	case !p.bind(m, s.result, c.results[0]):
		return false
	}
	if m.calls = append(m.calls, c); n == 0 {
		m.groups = groups
	}
	return true
}

// mayChange reports whether a call may change a value that the law uses again: one of two that it
// has pointers to, or the receiver that it returns.
func (c *callable) mayChange() bool {
	if len(c.params) == 0 || !isPointer(c.params[0].Type()) {
		return false
	}
	of := c.params[0].Type()
	return c.method && len(c.results) == 1 && types.Identical(c.results[0], of) ||
		len(c.params) > 1 && types.Identical(c.params[1].Type(), of)
}

// bind says what type a letter stands for, unless it stands for another one.
func (p *Properties) bind(m *match, letter string, t types.Type) bool {
	if is := m.types[letter]; is != nil {
		return sameValue(is, t) || isText(is) && isText(t)
	}
	if letter == "D" && sameValue(m.types["A"], t) {
		return false
	}
	m.types[letter] = t
	return p.is(letter, t)
}

// state adds the property that a match states, if there are values for it.
func (p *Properties) state(m *match) bool {
	about, name := m.says, m.name
	for i, c := range m.calls {
		about = regexp.MustCompile(`\b`+m.slots[i].name+`\b`).ReplaceAllString(about, c.base)
	}
	first := m.calls[0]
	if len(m.calls) > 1 {
		name = strings.ReplaceAll(name, "{G}", m.calls[1].base)
	}
	if p.has(first, name) {
		return false
	}
	s := p.scene()
	body := s.text(m)
	if body == "" {
		return false
	}
	return p.add(s, &Property{
		Name: first.title() + name, About: about, Weak: m.weak, unsure: !m.sure, law: name, body: body,
	}, m.calls...) && !m.weak // what is weak may hold of other calls
}

// has reports whether a property of a call is of a law.
func (p *Properties) has(c *callable, law string) bool {
	return slices.ContainsFunc(p.All, func(q *Property) bool {
		return q.law == law && len(q.calls) > 0 && q.calls[0] == c
	})
}
