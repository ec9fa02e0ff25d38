package grammar

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A shape is the Go types of a grammar.
type shape struct {
	g      *Grammar
	types  []*goType // each followed by those of its parts
	byRule map[string]*goType
	taken  map[string]bool
	rule   *Rule // whose types are made
}

// A goType is a Go type of syntax trees.
type goType struct {
	name  string
	doc   string // what it is a text of, in EBNF
	kind  goKind
	level int

	fields []field
	code   []string  // of a struct: statements that describe its text
	cases  []*goType // of an interface
	expr   string    // of a lexeme: regular expression
	except []string  // of a lexeme
	is     []string  // interfaces that it is a case of
	own    []*goType // of its parts
}

type goKind int

const (
	structKind goKind = iota
	interfaceKind
	lexemeKind
)

type field struct{ name, typ string }

// newShape makes the types of rules that [Grammar.Resolve] has returned.
func newShape(g *Grammar, rules []*Rule) *shape {
	s := &shape{g: g, byRule: map[string]*goType{}, taken: map[string]bool{}}
	var own []*goType
	for i, r := range rules {
		if r.token && i > 0 && r.Body.Op == Lit {
			continue // it has no value
		}
		t := &goType{doc: r.Name + " = " + r.Body.String(), level: r.level}
		s.byRule[r.Name] = t
		if i == 0 || !r.token || s.used(rules, r) {
			t.name = s.unique(camel(r.Name))
			own = append(own, t)
		}
		switch {
		case r.token || r.Body.Op == Word || s.characters(r.Body):
			t.kind = lexemeKind
		case r.Body.Op == Alt:
			t.kind = interfaceKind
		}
	}
	for _, r := range rules {
		if t := s.byRule[r.Name]; t != nil && t.name != "" {
			s.rule = r
			s.fill(t, r.Body)
		}
	}
	s.setExcept(rules)
	s.order(own)
	return s
}

func (s *shape) order(types []*goType) {
	for _, t := range types {
		s.types = append(s.types, t)
		s.order(t.own)
	}
}

// used reports whether a rule that is no token has a reference to r.
func (s *shape) used(rules []*Rule, r *Rule) bool {
	return slices.ContainsFunc(rules, func(by *Rule) bool {
		return !by.token && slices.ContainsFunc(slices.Collect(by.Body.refs), func(ref *Expr) bool { return ref.Text == r.Name })
	})
}

// characters reports whether an expression is one token: it has characters out of a set, and only tokens.
func (s *shape) characters(e *Expr) bool {
	sets := !e.walk(func(e *Expr) bool { return e.Op != Set && e.Op != Not })
	return sets && !slices.ContainsFunc(slices.Collect(e.refs), func(ref *Expr) bool { return !s.g.rules[ref.Text].token })
}

// unique returns a name of a type that no other has.
func (s *shape) unique(name string) string {
	if first, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(first) {
		name = "X" + name
	}
	base := name
	for i := 2; s.taken[name]; i++ {
		name = fmt.Sprint(base, i)
	}
	s.taken[name] = true
	return name
}

// made returns a new type for part of another.
func (s *shape) made(owner *goType, e *Expr, kind goKind, is ...string) *goType {
	name := owner.name + camel(cmp.Or(e.Label, s.hint(owner, e)))
	if e.Label != "" && e.Op == Seq { // an alternative has the label
		name = camel(e.Label)
	}
	t := &goType{name: s.unique(name), doc: e.String(), kind: kind, level: max(1, s.g.levelOf(e)+1), is: is}
	owner.own = append(owner.own, t)
	s.fill(t, e)
	return t
}

// fill fills in what e, the text of t, says.
func (s *shape) fill(t *goType, e *Expr) {
	switch t.kind {
	case structKind:
		s.parts(t, e)
	case lexemeKind:
		t.expr = s.g.regexp(e)
	case interfaceKind:
		for _, kid := range s.ending(e.Kids) {
			var c *goType
			if kid.Op == Ref && kid.Label == "" && s.byRule[kid.Text].kind != interfaceKind {
				c = s.byRule[kid.Text]
			} else if kid.Op == Word || s.characters(kid) {
				c = s.made(t, kid, lexemeKind)
			} else {
				c = s.made(t, kid, structKind, t.name)
			}
			t.cases = append(t.cases, c)
			if !slices.Contains(c.is, t.name) {
				c.is = append(c.is, t.name)
			}
		}
	}
}

// ending returns alternatives with one more for each that recurses only in a part at its end that may be
// absent: without that part. A value that has become large takes alternatives that do not recurse.
func (s *shape) ending(alts []*Expr) (all []*Expr) {
	for _, e := range alts {
		n := len(e.Kids) - 1
		if e.Op == Seq && e.Label == "" && e.Kids[n].Op == Opt && s.recursive(e.Kids[n]) && !slices.ContainsFunc(e.Kids[:n], s.recursive) {
			without := Expr{Op: Seq, Kids: e.Kids[:n], Pos: e.Pos}
			with := Expr{Op: Seq, Kids: slices.Concat(e.Kids[:n], e.Kids[n].Kids), Pos: e.Pos}
			all = append(all, s.g.simplify(&without), s.g.simplify(&with))
		} else {
			all = append(all, e)
		}
	}
	return all
}

// recursive reports whether an expression leads back to the rule whose types are made.
func (s *shape) recursive(e *Expr) bool {
	return slices.ContainsFunc(slices.Collect(e.refs), func(ref *Expr) bool {
		r := s.g.rules[ref.Text]
		return r == s.rule || s.g.leads(r, s.rule, map[*Rule]bool{})
	})
}

// parts adds the fields of a struct, and the statements that describe its text.
func (s *shape) parts(t *goType, e *Expr) {
	seq := []*Expr{e}
	if e.Op == Seq && !s.characters(e) {
		seq = e.Kids
	}
	for i, kid := range seq {
		switch {
		case i > 0 && i == len(seq)-1 && s.operand(t, kid):
			name := s.byRule[kid.Text].name
			t.say("syntax.Last(c, &p.%s, text%s)", t.field(kid, name, name), name)
		case kid.Op == Lit:
			t.say("c.Token(%q)", kid.Text)
		case s.characters(kid):
			s.single(t, kid)
		case kid.Op == Seq:
			s.parts(t, kid)
		case kid.Op == Opt && kid.Kids[0].Op == Lit:
			f := t.field(kid.Kids[0], camel(s.hint(t, kid.Kids[0])), "bool")
			t.say("syntax.Flag(c, &p.%s, %q)", f, kid.Kids[0].Text)
		case kid.Op == Opt:
			elem, rule := s.element(t, kid.Kids[0], true)
			name := elem.name
			if first := kid.Kids[0]; first.Op == Seq && first.Kids[0].Op == Lit && startsWord(first.Kids[0].Text) {
				name = camel(first.Kids[0].Text)
			}
			t.say("syntax.Opt(c, &p.%s, %s)", t.field(kid.Kids[0], name, "*"+elem.name+s.tag(seq, i)), rule)
		case kid.Op == Ref || kid.Op == Alt || kid.Op == Word:
			s.single(t, kid)
		default:
			least := 0
			if kid.Op == Rep1 || kid.Op == List {
				least = 1
			}
			elem, rule := s.element(t, kid.Kids[0], false)
			f := t.field(kid.Kids[0], plural(strings.TrimPrefix(elem.name, t.name)), "[]"+elem.name+s.tag(seq, i))
			t.say("syntax.List(c, &p.%s, %d, %q, %s)", f, least, kid.Text, rule)
		}
	}
}

// operand reports whether e, at the end of an alternative, is the alternatives themselves, and some of them
// begin with it.
func (s *shape) operand(t *goType, e *Expr) bool {
	rule := s.byRule[s.rule.Name]
	return e.Op == Ref && s.byRule[e.Text] == rule && slices.Contains(t.is, rule.name) &&
		slices.ContainsFunc(s.rule.Body.Kids, func(alt *Expr) bool { return alt.Op == Seq && alt.Kids[0].Op == Ref && alt.Kids[0].Text == e.Text })
}

// tag returns the struct tag of what is optional or repeated in a sequence. What may follow on an operand
// and leads to further ones is an operator: Sum = Product { "+" Product }. Expressions go through a rule
// for each precedence, so that most of these are to have no operator.
func (s *shape) tag(seq []*Expr, i int) string {
	var rules []string
	if op := seq[i].Op; op == Rep1 || op == List {
		rules = append(rules, "len=1..")
	}
	operator := seq[0].Op != Lit && (i > 0 || seq[0].Op == List) && s.recursive(seq[i])
	for _, e := range seq[i:] {
		operator = operator && (e.Op == Opt || e.Op == Rep || e.Op == Rep1 || e.Op == List || e.Op == List0)
	}
	if operator {
		rules = append(rules, "odds=0.25")
	}
	if len(rules) == 0 {
		return ""
	}
	return " `bigen:\"" + strings.Join(rules, ",") + "\"`"
}

// single adds a field for e, a reference or alternatives.
func (s *shape) single(t *goType, e *Expr) {
	p := s.part(t, e)
	t.say("%s", p.at("&p."+t.field(e, p.name, p.name)))
}

// part returns the type of a reference or of alternatives.
func (s *shape) part(owner *goType, e *Expr) *goType {
	switch {
	case e.Op == Ref:
		return s.byRule[e.Text]
	case e.Op == Word || s.characters(e):
		return s.made(owner, e, lexemeKind)
	}
	return s.made(owner, e, interfaceKind)
}

// element returns the type of what is optional or repeated, and its rule in Go. If concrete is set, that is
// no interface.
func (s *shape) element(owner *goType, e *Expr, concrete bool) (*goType, string) {
	kids := []*Expr{e}
	if e.Op == Seq {
		kids = e.Kids
	}
	only := -1
	for i, kid := range kids {
		if kid.Op == Lit {
			continue
		}
		if only >= 0 || kid.Op != Ref && kid.Op != Word && kid.Op != Alt && !s.characters(kid) || concrete && kid.Op == Alt ||
			concrete && kid.Op == Ref && s.byRule[kid.Text].kind == interfaceKind {
			t := s.made(owner, e, structKind)
			return t, t.rule()
		}
		only = i
	}
	if only < 0 {
		t := s.made(owner, e, structKind)
		return t, t.rule()
	}
	t := s.part(owner, kids[only])
	if len(kids) == 1 {
		return t, t.rule()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "func(c *syntax.C, p *%s) {\n", t.name)
	for i, kid := range kids {
		if i == only {
			fmt.Fprintln(&b, t.at("p"))
		} else {
			fmt.Fprintf(&b, "c.Token(%q)\n", kid.Text)
		}
	}
	b.WriteString("}")
	return t, b.String()
}

// rule returns the function of a type in Go.
func (t *goType) rule() string {
	if t.kind == lexemeKind {
		return "lex" + t.name + ".Text"
	}
	return "text" + t.name
}

// at returns the statement for a part at an address.
func (t *goType) at(address string) string {
	if t.kind == lexemeKind {
		return fmt.Sprintf("%s(c, %s)", t.rule(), address)
	}
	return fmt.Sprintf("syntax.At(c, %s, %s)", address, t.rule())
}

func (t *goType) say(format string, args ...any) {
	t.code = append(t.code, fmt.Sprintf(format, args...))
}

// field adds a field, and returns its name.
func (t *goType) field(e *Expr, name, typ string) string {
	if short := strings.TrimPrefix(name, t.name); short != "" {
		name = short
	}
	if e.Label != "" {
		name = camel(e.Label)
	}
	if first, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(first) {
		name = "X" + name
	}
	base := name
	for i := 2; slices.ContainsFunc(t.fields, func(f field) bool { return f.name == name }); i++ {
		name = fmt.Sprint(base, i)
	}
	t.fields = append(t.fields, field{name, typ})
	return name
}

// setExcept excepts the words of the grammar from tokens that match them.
func (s *shape) setExcept(rules []*Rule) {
	var words []string
	for _, r := range rules {
		if r.token {
			continue
		}
		r.Body.walk(func(e *Expr) bool {
			if e.Op == Lit && e.Text != "" && startsWord(e.Text) {
				words = append(words, e.Text)
			}
			return true
		})
	}
	slices.Sort(words)
	words = slices.Compact(words)
	for _, r := range rules {
		t := s.byRule[r.Name]
		if !r.token || t == nil || t.name == "" {
			continue
		}
		re := regexp.MustCompile(`\A(?:` + t.expr + `)\z`)
		for _, w := range words {
			if re.MatchString(w) {
				t.except = append(t.except, w)
			}
		}
	}
}

func startsWord(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r)
}

// camel returns a name as Go writes exported ones: addOp and ADD_OP are AddOp.
func camel(name string) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if part == strings.ToUpper(part) {
			part = strings.ToLower(part)
		}
		r, n := utf8.DecodeRuneInString(part)
		b.WriteRune(unicode.ToUpper(r))
		b.WriteString(part[n:])
	}
	return b.String()
}

func plural(name string) string {
	switch n := len(name); {
	case strings.HasSuffix(name, "s"):
		return name + "es"
	case n > 2 && name[n-1] == 'y' && strings.IndexByte("aeiou", name[n-2]) < 0:
		return name[:n-1] + "ies"
	}
	return name + "s"
}

// hint suggests a name for part of a type: of its first literal or rule, and of a literal behind it.
func (s *shape) hint(owner *goType, e *Expr) (name string) {
	kids := []*Expr{e}
	if e.Op == Seq {
		kids = e.Kids
	}
	for i, kid := range kids {
		switch kid.Op {
		case Lit:
			name = literalName(kid.Text)
		case Word:
			name = "op"
			if startsWord(kid.Kids[0].Text) {
				name = "word"
			}
		case Ref:
			if s.byRule[kid.Text] == owner && len(kids) > 1 {
				continue
			}
			name = kid.Text
		default:
			if len(kid.Kids) > 0 {
				name = s.hint(owner, kid.Kids[0])
			}
		}
		if name == "" {
			continue
		}
		if i+1 < len(kids) && kids[i+1].Op == Lit && (kid.Op == Ref || kid.Op == Lit && startsWord(kid.Text) && startsWord(kids[i+1].Text)) {
			name += "_" + literalName(kids[i+1].Text)
		}
		return name
	}
	return "part"
}

// literalName returns a name for a literal, empty if there is none.
func literalName(text string) string {
	if startsWord(text) {
		return text
	}
	names := strings.Fields("! not \" quote # hash $ dollar % percent & and ' quote ( paren * star + plus , comma - minus . dot / slash : colon ; semicolon < less = equal > greater ? question @ at [ bracket \\ backslash ^ caret _ underscore ` backquote { brace | or ~ tilde")
	var b strings.Builder
	for _, r := range text {
		if i := slices.Index(names, string(r)); i >= 0 {
			b.WriteString(names[i+1] + " ")
		}
	}
	return b.String()
}
