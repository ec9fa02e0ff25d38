package apigen

import (
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// noPanics finds calls to which no law gives any arguments: they must not panic. Methods without
// arguments share a property for each type.
func (p *Properties) noPanics() {
	for _, c := range p.api {
		if why := p.unsuitable(c); why != "" {
			p.e.leave(c.name, "%s", why)
			continue
		}
		s := p.scene()
		s.anyText = c.method || c.fails != "err"
		args, unknown := s.all(c, 0)
		if unknown != nil {
			p.e.leave(c.name, "no value is known for its parameter %s of the type %s",
				unknown.Name(), p.e.shortType(unknown.Type()))
			continue
		}
		body := ""
		if len(c.results) == 1 && c.fails == "" {
			body = "_ = "
		}
		body += c.text(args...) + "\n"
		p.add(s, &Property{
			Name: c.title() + "NoPanic", About: c.base + " does not panic.", Rest: true, body: body,
		}, c)
	}
}

// Rest makes one property, the last, of those which say no more than that calls do not panic: of
// the calls that no other property gives any arguments. It appends doubts, which are sentences, to
// its comment. Calls share what they need, unless each is to have a fresh one.
func (p *Properties) Rest(doubts []string, fresh bool) {
	for _, q := range p.All {
		q.Settle()
	}
	if !fresh {
		for _, q := range p.All {
			if q.Rest && !p.Covered(q) {
				p.rest = append(p.rest, q)
			}
		}
	}
	p.All = slices.DeleteFunc(p.All, func(q *Property) bool { return q.Rest })
	if len(p.rest) == 0 {
		return
	}
	about := "None of these calls panics."
	if len(doubts) > 0 {
		about += "\n\nLeft out, since it seems to be the mistake of the caller:\n\n\t" +
			strings.Join(doubts, "\n\t")
	}
	all := p.scene()
	q := &Property{Name: "NoPanic", About: about, Rest: true}
	var calls []*callable
	q.body = all.merge(p.rest, fresh)
	for _, r := range p.rest {
		calls = append(calls, r.calls...)
	}
	p.add(all, q, calls...)
	if fresh {
		q.Name = p.last
	}
	p.last = q.Name
}

// IsRest reports whether a property says no more than that its calls do not panic.
func (p *Properties) IsRest(name string) bool {
	return slices.ContainsFunc(p.All, func(q *Property) bool { return q.Rest && q.Name == name })
}

// Covered reports whether some law gives arguments to the first call of a property. What undoes
// another call gets only what that returns.
func (p *Properties) Covered(rest *Property) bool {
	return slices.ContainsFunc(p.All, func(q *Property) bool {
		i := slices.Index(q.calls, rest.calls[0])
		return !q.Rest && i >= 0 && (i == 0 || q.law != "RoundTrip" && q.law != "Stable")
	})
}

// merge returns the body of some properties in one scene. They share what is generated, and those
// that make the same of it share that, too, unless each is to have a fresh one.
func (s *scene) merge(list []*Property, fresh bool) (body string) {
	var setups, bodies []string
	for _, q := range list {
		at := map[string]string{}
		taken := map[int]bool{}
		for i, f := range q.scene.fields {
			at[use(i)] = s.shared(f, taken)
		}
		place := func(code string) string {
			return placeholder.ReplaceAllStringFunc(code, func(old string) string { return at[old] })
		}
		opened := ""
		for _, x := range q.scene.setup {
			if x.assume == "" {
				opened += place(x.code) + "\n"
			} else {
				opened += "if " + place(x.code) + "; " + x.assume + " {\n"
			}
		}
		if i := slices.Index(setups, opened); i >= 0 && !fresh {
			bodies[i] += place(q.body)
			continue
		}
		setups, bodies = append(setups, opened), append(bodies, place(q.body))
	}
	for i, opened := range setups {
		ends := strings.Count(opened, " {\n") - strings.Count(opened, "\n}\n")
		switch {
		case opened == "":
			body += bodies[i]
			continue
		case !strings.HasPrefix(opened, "if "):
			opened, ends = "{\n"+opened, ends+1
		}
		body += opened + bodies[i] + strings.Repeat("}\n", ends)
	}
	return body
}

var placeholder = regexp.MustCompile(`«\d+»`)

// shared returns a field like another one, which is not taken.
func (s *scene) shared(f sceneField, taken map[int]bool) string {
	for i, g := range s.fields {
		if !taken[i] && types.Identical(f.typ, g.typ) && f.tag == g.tag &&
			s.textGen(f) == s.textGen(g) {
			taken[i] = true
			return use(i)
		}
	}
	taken[len(s.fields)] = true
	return s.field(f.name, f.typ, f.tag, f.of)
}

// unsuitable says why a call is not tried on any arguments.
func (p *Properties) unsuitable(c *callable) string {
	switch {
	case c.acts != "":
		return "it calls " + c.acts
	case c.mayPanic():
		return "it may panic, as its comment or name says"
	case len(c.results) == 0 && c.fails == "":
		return "it returns nothing"
	case len(c.params) == 0:
		return "it takes nothing"
	case c.method && slices.ContainsFunc(c.params[1:], isIndex):
		return "it takes an index"
	}
	return ""
}

func isIndex(v *types.Var) bool { return index.MatchString(v.Name()) && typeIs(v, "int") }

var index = regexp.MustCompile(`^(i|j|k|idx|index|pos)$`)
