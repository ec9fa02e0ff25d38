package apigen

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// Written begins a file that corpusgen write has written, and that nobody has changed since: the
// rest of the line is a checksum of what follows.
const Written = "// Written by corpusgen write; checksum "

// equal writes that two expressions must be equal, of a type or pointers to it: by its method
// Equal, if there is one.
func (p *Properties) equal(
	got string, gotPointer bool, want string, wantPointer bool, t types.Type,
) string {
	named := namedOf(t)
	pointer := named != nil && gotPointer && wantPointer // how they are compared
	if named != nil {
		m, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, p.e.pkg.types, "Equal")
		f, ok := m.(*types.Func)
		if ok && f.Signature().Params().Len() == 1 && f.Signature().Results().Len() == 1 {
			if param := f.Signature().Params().At(0).Type(); sameValue(param, t) {
				want = pointed(want, wantPointer, isPointer(param))
				return fmt.Sprintf("if !%s.Equal(%s) {\n"+
					"t.Errorf(\"got %%v, want %%v\", %[1]s, %[2]s)\n}\n", got, want)
			}
		}
	}
	if named != nil {
		got, want = pointed(got, gotPointer, pointer), pointed(want, wantPointer, pointer)
	}
	text := fmt.Sprintf("fuzzext.Equal(t, %s, %s)\n", got, want)
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map:
		if isText(t) {
			return fmt.Sprintf("if !bytes.Equal(%s, %s) {\n"+
				"t.Errorf(\"got %%q, want %%q\", %[1]s, %[2]s)\n}\n", got, want)
		}
		return fmt.Sprintf("if len(%s) > 0 || len(%s) > 0 { // nil or empty\n%s}\n", got, want, text)
	}
	return text
}

// pointed makes an expression a pointer or not.
func pointed(expr string, is, should bool) string {
	switch {
	case is && !should && strings.HasPrefix(expr, "&"):
		return expr[1:]
	case is && !should:
		return "*" + expr
	case !is && should && strings.HasPrefix(expr, "*"):
		return expr[1:]
	case !is && should:
		return "&" + expr
	}
	return expr
}

// variant matches a word by which one of two functions that do the same is told from the other.
var variant = regexp.MustCompile(`(Fast|Slow|Naive|Simple|Generic|Unsafe|Safe|Quick|Parallel|Serial|` +
	`Reference|InString|String|Bytes)$`)

// agreements finds functions that do the same by their names: SumFast and Sum, ValidString and Valid,
// AppendInt and FormatInt.
func (p *Properties) agreements() {
	for _, a := range p.api {
		if a.acts != "" || a.mayPanic() {
			continue
		}
		base := variant.ReplaceAllString(a.base, "")
		form, appended := strings.CutPrefix(a.base, "Append")
		for _, b := range p.api {
			same := base != a.base && b.base == base
			if verb, ok := strings.CutSuffix(b.base, form); appended && ok {
				same = slices.Contains([]string{"", "Format", "Encode", "Marshal"}, verb)
			}
			if same && a != b && a.method == b.method && b.acts == "" && p.agree(a, b, appended) {
				break
			}
		}
	}
}

// agree adds a property that two calls return the same, if their types allow that.
func (p *Properties) agree(a, b *callable, appended bool) bool {
	params := a.params
	if appended && len(params) > 1 && !a.method {
		params = params[1:]
	}
	if len(params) != len(b.params) || len(a.results) != len(b.results) || len(a.results) == 0 ||
		a.fails != b.fails || a.spread != b.spread {
		return false
	}
	s := p.scene()
	var aArgs, bArgs []string
	for i, v := range b.params {
		if !alike(params[i].Type(), v.Type()) {
			return false
		}
		arg := s.value(b, v, i > 0)
		if arg == "" {
			return false
		}
		bArgs, aArgs = append(bArgs, arg), append(aArgs, p.as(arg, v.Type(), params[i].Type()))
	}
	if appended && len(params) < len(a.params) {
		aArgs = slices.Insert(aArgs, 0, "nil")
	}
	var gots, wants []string
	checks := ""
	for i, t := range a.results {
		if !alike(t, b.results[i]) {
			return false
		}
		got, want := s.names.local("got"), s.names.local("want")
		gots, wants = append(gots, got), append(wants, want)
		checks += p.equal(p.as(got, t, b.results[i]), isPointer(t), want, isPointer(t), b.results[i])
	}
	body := strings.Join(gots, ", ")
	if a.fails == "" {
		body = a.sets(body, "", aArgs...) + b.sets(strings.Join(wants, ", "), "", bArgs...)
	} else {
		body += ", " + a.fails + " := " + a.text(aArgs...) + "\n" +
			strings.Join(wants, ", ") + ", other := " + b.text(bArgs...) + "\n"
		isNil := ""
		if a.fails == "err" {
			isNil = " == nil"
		}
		body += fmt.Sprintf("fuzzext.Equal(t, %[1]s%[2]s, other%[2]s)\n", a.fails, isNil)
	}
	p.add(s, a.title()+"Agrees", a.base+" agrees with "+b.base+".", body+checks, a, b)
	return true
}

// alike reports whether two types are the same, or both hold text.
func alike(a, b types.Type) bool { return types.Identical(a, b) || isText(a) && isText(b) }

// as converts an expression from a type to one that is alike.
func (p *Properties) as(expr string, from, to types.Type) string {
	if types.Identical(from, to) {
		return expr
	}
	return p.e.typeName(to) + "(" + expr + ")"
}

// normal matches the names of functions that change nothing in what they have returned.
var normal = regexp.MustCompile(`^(Clean|Normali[sz]e|Canon|Format$|Fmt|Trim|To[A-Z][a-z]+$|Simplify|` +
	`Sanitize|Strip|Compact|Dedup|Uniq|Sort|Lower|Upper|Title|Fold|Squeeze|Collapse|Abs$|Round|Floor|` +
	`Ceil|Trunc|Minify|Slug|Tidy)`)

// idempotence finds functions that do nothing to their own results.
func (p *Properties) idempotence() {
	for _, c := range p.api {
		if !normal.MatchString(c.base) || len(c.params) == 0 || len(c.results) != 1 ||
			c.fails == "ok" || c.acts != "" || c.mayPanic() {
			continue
		}
		t := c.results[0]
		s := p.scene()
		args, unknown := s.all(c, 1)
		if unknown != nil || !types.Identical(c.params[0].Type(), t) {
			continue
		}
		more := append([]string{"want"}, args[1:]...)
		body := c.sets("want", c.assume(), args...)
		if c.fails == "" {
			body += "got := " + c.text(more...) + "\n"
		} else {
			body += "got, err := " + c.text(more...) + "\n" + c.fatal("want") + "\n"
		}
		body += p.equal("got", isPointer(t), "want", isPointer(t), t)
		about := c.base + " changes nothing in what it has returned."
		p.add(s, c.title()+"Idempotent", about, body, c)
	}
}

// all returns arguments for a call, those from the index on as details. If it knows none for a
// parameter, it returns that.
func (s *scene) all(c *callable, details int) (args []string, unknown *types.Var) {
	for i, v := range c.params {
		arg := s.value(c, v, i >= details)
		if arg == "" {
			return nil, v
		}
		args = append(args, arg)
	}
	return args, nil
}

// A law is what must hold for calls on values a, b and c, with text/template's habit of naming:
// F(x,y) is the call.
type law struct{ not, why string }

// laws are the laws of calls that compare two values. Each fails the test if its condition holds.
var laws = map[string][]law{
	"int": {
		{"F(x,x) != 0", "a value does not equal itself"},
		{"cmp.Compare(F(x,y), 0) != -cmp.Compare(F(y,x), 0)", "the order is not antisymmetric"},
		{"F(x,y) <= 0 && F(y,z) <= 0 && F(x,z) > 0", "the order is not transitive"},
	},
	"less": {
		{"F(x,x)", "a value is less than itself"},
		{"F(x,y) && F(y,x)", "the order is not antisymmetric"},
		{"F(x,y) && F(y,z) && !F(x,z)", "the order is not transitive"},
	},
	"equal": {
		{"!F(x,x)", "a value does not equal itself"},
		{"F(x,y) != F(y,x)", "equality is not symmetric"},
		{"F(x,y) && F(y,z) && !F(x,z)", "equality is not transitive"},
	},
}

var compares = regexp.MustCompile(`^(Compare|Cmp|Less|LessThan|Before|Equal|Equals|EqualFold|Eq)$`)

// orders finds calls that compare two values of a type.
func (p *Properties) orders() {
	for _, c := range p.api {
		if !compares.MatchString(c.base) || len(c.params) != 2 || len(c.results) != 1 ||
			c.fails != "" || c.acts != "" ||
			!types.Identical(c.params[0].Type(), c.params[1].Type()) {
			continue
		}
		list := c.laws()
		s := p.scene()
		body := s.three(c.params[0])
		if list == nil || body == "" && s.setup == "" {
			continue
		}
		for _, l := range list {
			body += "if " + c.fill(l.not) + " {\nt.Error(\"" + l.why + "\")\n}\n"
		}
		more, about := p.consistent(c)
		p.add(s, c.title()+"Law", c.base+" obeys its laws.", body+more, append(about, c)...)
	}
}

// laws returns the laws of a call that compares, by its result and its name; nil if it has none.
func (c *callable) laws() []law {
	kind, _ := c.results[0].Underlying().(*types.Basic)
	switch {
	case kind == nil:
		return nil
	case kind.Kind() == types.Int:
		return laws["int"]
	case kind.Kind() != types.Bool:
		return nil
	case strings.HasPrefix(c.base, "Less"), c.base == "Before":
		return laws["less"]
	}
	return laws["equal"]
}

// three sets variables x, y and z to values of a type. It returns "" if it knows none.
func (s *scene) three(like *types.Var) (body string) {
	for _, name := range []string{"x", "y", "z"} {
		value := s.value(nil, types.NewParam(like.Pos(), nil, name, like.Type()), false)
		if value == "" {
			return ""
		}
		if value != name {
			body += name + " := " + value + "\n"
		}
	}
	return body
}

// consistent writes that an order agrees with others of the same type, and returns these.
func (p *Properties) consistent(c *callable) (body string, about []*callable) {
	if kind, _ := c.results[0].Underlying().(*types.Basic); kind.Kind() != types.Int {
		return "", nil
	}
	same := func(v *types.Var) bool { return types.Identical(v.Type(), c.params[0].Type()) }
	for _, o := range p.api {
		op := "<"
		switch o.base {
		case "Equal":
			op = "=="
		case "Less", "LessThan":
		default:
			continue
		}
		if o.method != c.method || o.fails != "" || len(o.params) != 2 ||
			!same(o.params[0]) || !same(o.params[1]) {
			continue
		}
		body += fmt.Sprintf("if (%s %s 0) != %s {\nt.Error(\"%s disagrees with %s\")\n}\n",
			c.fill("F(x,y)"), op, o.fill("F(x,y)"), o.base, c.base)
		about = append(about, o)
	}
	return body, about
}

var applied = regexp.MustCompile(`F\((\w),(\w)\)`)

// fill writes the calls of a law.
func (c *callable) fill(condition string) string {
	return applied.ReplaceAllStringFunc(condition, func(x string) string {
		m := applied.FindStringSubmatch(x)
		return c.text(m[1], m[2])
	})
}

// noPanics finds calls that no other property gives any arguments: they must not panic. Methods
// without arguments share a test for each type.
func (p *Properties) noPanics() {
	for _, c := range p.api {
		if why := p.unsuitable(c); why != "" {
			p.e.leave(c.name, "%s", why)
			continue
		}
		about := []*callable{c}
		if c.getter() {
			about = slices.DeleteFunc(slices.Clone(p.api), func(o *callable) bool {
				return !o.getter() || p.unsuitable(o) != "" ||
					!types.Identical(o.params[0].Type(), c.params[0].Type())
			})
		}
		if c.used || about[0] != c {
			continue
		}
		s := p.scene()
		args, unknown := s.all(c, 0)
		if unknown != nil {
			p.e.leave(c.name, "no value is known for its parameter %s of the type %s",
				unknown.Name(), p.e.shortType(unknown.Type()))
			continue
		}
		body, name, comment := "", c.title(), c.base+" does not panic."
		for _, o := range about {
			if len(o.results) == 1 && o.fails == "" {
				body += "_ = "
			}
			body += o.text(args...) + "\n"
		}
		if c.getter() {
			t := namedOf(c.params[0].Type()).Obj().Name()
			name, comment = t+"Methods", "No method of "+t+" without arguments panics."
		}
		p.add(s, name+"NoPanic", comment, body, about...)
	}
}

// getter reports whether a call is a method without arguments.
func (c *callable) getter() bool { return c.method && len(c.params) == 1 }

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
