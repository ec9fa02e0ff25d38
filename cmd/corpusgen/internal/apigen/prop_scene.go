package apigen

import (
	"cmp"
	"fmt"
	"go/constant"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A scene is what a property makes before it calls what it is about: generated values, which are
// the parameter of the property or the fields of its parameter, and others made of these.
type scene struct {
	p      *Properties
	fields []sceneField
	setup  string      // statements
	names  namer       // of variables
	calls  []*callable // in the setup
	parsed bool        // constructors that parse are preferred
}

// A sceneField is a generated value.
type sceneField struct {
	name string
	typ  types.Type
	tag  string // of bigen, without its key
}

func (p *Properties) scene() *scene {
	s := &scene{p: p}
	for _, name := range []string{"t", "in", "args", "data", "buf", "err", "ok"} {
		s.names.local(name)
	}
	for _, name := range p.e.imports.names {
		s.names.local(name)
	}
	return s
}

// use writes the field at an index: «3». It becomes in.Name, or the parameter itself.
func use(i int) string { return fmt.Sprintf("«%d»", i) }

// field adds a generated value, and returns its expression.
func (s *scene) field(name string, t types.Type, tag string) string {
	s.fields = append(s.fields, sceneField{name, t, tag})
	return use(len(s.fields) - 1)
}

// value returns an expression for a parameter of a call, "" if it knows none. The number of a
// detail is small.
func (s *scene) value(c *callable, v *types.Var, detail bool) string {
	e, t := s.p.e, v.Type()
	name := v.Name()
	if name == "" || name == "_" || v == receiver(c) {
		name, _ = wordsOf(t)
	}
	if e.unusable(t) != "" {
		return ""
	}
	switch u := t.Underlying().(type) {
	case *types.Signature:
		if found := e.functions(t, u); len(found) > 0 {
			return found[0]
		}
		return ""
	case *types.Interface:
		return s.standIn(t, name)
	}
	named, pointer := namedOf(t), isPointer(t)
	switch {
	case s.p.generatorOf(t) != "" && pointer:
		return s.field(name, t, "")
	case isText(t) && c.fills(v, name):
		return "make([]byte, 1<<12)"
	}
	if named != nil && e.own(named) && (s.parsed && c.base == "String" || !e.derivable(named, 0)) {
		if expr := s.constructed(named, pointer, name); expr != "" {
			return expr
		}
	}
	if pointer && named != nil && e.derivable(named, 0) {
		return "&" + s.field(name, named, "")
	}
	if !e.derivable(t, 0) {
		return ""
	}
	return s.field(name, t, limits(c, v, detail))
}

// standIn returns an expression of an interface type, or "".
func (s *scene) standIn(t types.Type, name string) string {
	text := types.Typ[types.String]
	switch types.TypeString(t, nil) {
	case "context.Context":
		return "t.Context()"
	case "error":
		return `errors.New("error")`
	case "io.Reader":
		return "strings.NewReader(" + s.field(name, text, "") + ")"
	case "io.Writer":
		return "new(bytes.Buffer)"
	case "any", "interface{}":
		if into.MatchString(name) {
			return "new(any)"
		}
		return s.field(name, text, "")
	}
	return ""
}

// fills reports whether a call fills in a parameter, a buffer, with what another one has.
func (c *callable) fills(v *types.Var, name string) bool {
	other := func(o *types.Var) bool { return o != v && isText(o.Type()) }
	return filled.MatchString(name) && !strings.HasPrefix(c.base, "Append") &&
		(name == "dst" || slices.ContainsFunc(c.params, other))
}

// into matches the names of parameters of the type any that a call writes to.
var into = regexp.MustCompile(`(?i)^(v|out|dst|dest|target|ptr|to|into|obj|result|val|value|x|i)$`)

// filled matches the names of buffers that a call fills in.
var filled = regexp.MustCompile(`^(dst|dest|buf|out)$`)

func receiver(c *callable) *types.Var {
	if c != nil && c.method {
		return c.params[0]
	}
	return nil
}

// between matches a comment such as "for 2 <= base <= 36".
const between = `(-?\d+) (?:<=|≤) (?:%[1]s) (?:<=|≤) (-?\d+)|` +
	`\b%[1]s must be (?:in the range |between |from )\[?(-?\d+)(?:,| and| to|\.\.) ?(-?\d+)`

// limits is the tag of bigen for a number: what the comment of the call says, or small values for a
// detail, unless it is a byte, a rune, or the 64-bit number that a function is about, its first
// argument.
func limits(c *callable, v *types.Var, detail bool) string {
	b, ok := v.Type().Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 || c == nil {
		return ""
	}
	re, err := regexp.Compile(fmt.Sprintf(between, regexp.QuoteMeta(v.Name())))
	if err == nil && v.Name() != "" {
		if m := re.FindStringSubmatch(strings.ReplaceAll(c.doc, "\n", " ")); m != nil {
			return "range=" + cmp.Or(m[1], m[3]) + ".." + cmp.Or(m[2], m[4])
		}
	}
	if _, isNamed := types.Unalias(v.Type()).(*types.Named); !detail || isNamed {
		return ""
	}
	first := !c.method && v == c.params[0]
	switch k := b.Kind(); {
	case k == types.Int8, k == types.Uint8, b.Name() == "rune",
		first && (k == types.Int64 || k == types.Uint64):
		return ""
	case b.Info()&types.IsUnsigned != 0:
		return "range=0..100"
	}
	return "range=-10..100"
}

// constructed makes a value of a type of the package by a function of it.
func (s *scene) constructed(named *types.Named, pointer bool, name string) string {
	e := s.p.e
	var best *callable
	for _, c := range s.p.api {
		if c.method || len(c.results) != 1 || len(c.params) == 0 || c.mayPanic() || c.acts != "" ||
			namedOf(c.results[0]) != named {
			continue
		}
		unknown := slices.ContainsFunc(c.params, func(v *types.Var) bool {
			t := v.Type()
			return !e.derivable(t, 0) || namedOf(t) == named || len(s.p.parts(t, 0)) > 4
		})
		if !unknown && (best == nil || s.rank(c) < s.rank(best)) {
			best = c
		}
	}
	if best == nil {
		return ""
	}
	var args []string
	for _, v := range best.params {
		param := name
		if len(best.params) > 1 && v.Name() != "" {
			param += strings.ToUpper(v.Name()[:1]) + v.Name()[1:]
		}
		args = append(args, s.field(param, v.Type(), limits(best, v, true)))
	}
	local := s.names.local(lowerFirst(name))
	s.setup += best.sets(local, best.assume(), args...)
	s.calls = append(s.calls, best)
	switch {
	case isPointer(best.results[0]) == pointer:
		return local
	case pointer:
		return "&" + local
	}
	return "*" + local
}

// rank prefers constructors that parse if a value is to be parsed, or those that do not fail. Of
// those that can fail, it prefers few parameters, of the others many, which make more values.
func (s *scene) rank(c *callable) int {
	parses := strings.HasPrefix(c.base, "Parse") || len(c.params) == 1 && c.fails != ""
	params := len(c.params)
	if c.fails == "" && !s.parsed {
		params = -params
	}
	return 1000*boolInt(s.parsed && !parses || !s.parsed && c.fails != "") + 10*params + len(c.base)/4
}

// check writes the call of fuzzext.Check with a property.
func (s *scene) check(body string, calls []*callable) string {
	body = s.setup + body
	var before, gen, typ, in, options string
	if len(s.fields) == 1 {
		f := s.fields[0]
		typ, gen = s.p.e.typeName(f.typ), s.generator(f)
		if in = lowerFirst(f.name); s.names.local(in) != in {
			in = "in"
		}
		body = strings.ReplaceAll(body, use(0), in)
		options = s.examples(f, calls)
	} else {
		typ, in, before = "args", "in", "type args struct {\n"
		var names namer
		var gens []string
		for i, f := range s.fields {
			name := names.local(strings.ToUpper(f.name[:1]) + f.name[1:])
			tag := ""
			if f.tag != "" {
				tag = " `bigen:\"" + f.tag + "\"`"
			}
			before += name + " " + s.p.e.typeName(f.typ) + tag + "\n"
			body = strings.ReplaceAll(body, use(i), "in."+name)
			gens = append(gens, s.p.parts(f.typ, 0)...)
		}
		before, gen = before+"}\n", "bigen.For[args]("+with(gens)+")"
	}
	return fmt.Sprintf("%sfuzzext.Check(t, %s, func(t *fuzzext.T, %s %s) {\n%s\n}%s)",
		before, gen, in, typ, strings.TrimRight(body, "\n"), options)
}

// with writes options of bigen.For.
func with(gens []string) string {
	slices.Sort(gens)
	var options []string
	for _, gen := range slices.Compact(gens) {
		options = append(options, "bigen.With("+gen+")")
	}
	return strings.Join(options, ", ")
}

const maxRunes = 64 // of a text that is a whole value

// generator writes a generator of a single field.
func (s *scene) generator(f sceneField) string {
	t := s.p.e.typeName(f.typ)
	if gen := s.p.generatorOf(f.typ); gen != "" {
		return gen
	}
	lo, hi, limited := strings.Cut(strings.TrimPrefix(f.tag, "range="), "..")
	switch u := f.typ.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case limited:
			return fmt.Sprintf("bigen.IntRange[%s](%s, %s)", t, lo, hi)
		case t == "string":
			return fmt.Sprintf("bigen.String(%d)", maxRunes)
		case info&types.IsInteger != 0:
			return fmt.Sprintf("bigen.Int[%s]()", t)
		case info&types.IsFloat != 0:
			return fmt.Sprintf("bigen.Float[%s]()", t)
		}
	case *types.Slice:
		if t == "[]byte" {
			return fmt.Sprintf("bigen.Bytes(0, %d)", maxRunes)
		}
	}
	return "bigen.For[" + t + "](" + with(s.p.parts(f.typ, 0)) + ")"
}

// examples writes the option with what the tests of the package give to the calls.
func (s *scene) examples(f sceneField, calls []*callable) string {
	t := s.p.e.typeName(f.typ)
	if t != "string" && t != "[]byte" {
		return ""
	}
	var list []string
	for _, text := range s.p.examples(slices.Concat(s.calls, calls)) {
		switch {
		case t == "[]byte":
			list = append(list, "[]byte("+strconv.Quote(text)+")")
		case utf8.ValidString(text):
			list = append(list, strconv.Quote(text))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return ",\nfuzzext.Examples(" + strings.Join(list, ", ") + ")"
}

// parts returns the package variables that generate a type, or parts of it. It declares them.
func (p *Properties) parts(t types.Type, depth int) (gens []string) {
	if gen := p.generatorOf(t); gen != "" {
		return []string{gen}
	}
	return p.within(t, depth)
}

// within returns the package variables that generate parts of a type.
func (p *Properties) within(t types.Type, depth int) (gens []string) {
	all, _ := partsOf(t.Underlying())
	for _, part := range all {
		if _, isFunc := part.Underlying().(*types.Signature); !isFunc && depth < maxDepth {
			gens = append(gens, p.parts(part, depth+1)...)
		}
	}
	return gens
}

// generatorOf declares the package variable that generates a type, and returns its name: for
// structs of the package, which a user may want to restrict, and for types with constants or
// variables.
func (p *Properties) generatorOf(t types.Type) string {
	named := namedOf(t)
	if named == nil {
		return ""
	}
	text := p.e.typeName(t)
	if name, ok := p.named[text]; ok {
		return name
	}
	p.named[text] = "" // also while its parts are looked up
	about, code := "", ""
	if vars := p.variables(t); vars != "" {
		about, code = "the "+text+" that the package has.", "bigen.OneOf("+vars+")"
	} else if _, isBasic := t.Underlying().(*types.Basic); isBasic && text != "time.Duration" {
		about, code = p.enumerated(named)
	} else if isStruct(t) && !isPointer(t) && p.e.own(named) && p.e.derivable(named, 0) {
		about = "any " + text + ". TODO: restrict it to valid ones, as by bigen.Field."
		code = "bigen.For[" + text + "](" + with(p.within(named, 0)) + ")"
	}
	if code == "" {
		return ""
	}
	name := p.names.local("gen" + named.Obj().Name())
	p.named[text], p.gens[name] = name, "// "+name+" makes "+about+"\nvar "+name+" = "+code
	return name
}

// variables lists the variables of the package that have a type which nothing else generates.
func (p *Properties) variables(t types.Type) string {
	var list []string
	if types.IsInterface(t) || p.e.derivable(namedOf(t), 0) {
		return ""
	}
	for _, o := range p.e.objects() {
		if v, ok := o.(*types.Var); ok && types.Identical(v.Type(), t) {
			list = append(list, p.e.qualified(v))
		}
	}
	return strings.Join(list, ", ")
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}

// enumerated writes the generator of a type with constants: these alone if they are names or
// numbers without gaps, otherwise any value, and the constants more often.
func (p *Properties) enumerated(named *types.Named) (about, code string) {
	t, constants := p.e.typeName(named), p.e.constants(named)
	if len(constants) < 2 {
		return "", ""
	}
	var list []string
	var numbers []int64
	for _, c := range constants {
		list = append(list, p.e.qualified(c))
		if n, ok := constant.Int64Val(constant.ToInt(c.Val())); ok && c.Val().Kind() == constant.Int {
			numbers = append(numbers, n)
		}
	}
	values := strings.Join(list, ", ")
	isDense := len(numbers) == len(list) &&
		slices.Max(numbers)-slices.Min(numbers) < int64(2*len(list))
	switch info := named.Underlying().(*types.Basic).Info(); {
	case info&types.IsString != 0, isDense:
		return "the constants of " + t + ".", "bigen.OneOf(" + values + ")"
	case info&types.IsInteger != 0:
		code = "bigen.Favor(bigen.Int[" + t + "](), " + values + ")"
		return "any " + t + ", and often its constants.", code
	}
	return "", ""
}

// derivable reports whether bigen.For has a generator of a type whose values are of use.
func (e *enum) derivable(t types.Type, depth int) bool {
	if depth > maxDepth || !e.expressible(t) {
		return depth > maxDepth && e.deep
	}
	if slices.Contains(derived, types.TypeString(t, nil)) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Array:
		if u.Len() > 1<<10 {
			return false
		}
	case *types.Pointer:
		if depth == 0 {
			return false
		}
	case *types.Slice, *types.Map, *types.Struct:
	default:
		return false
	}
	all, ok := partsOf(t.Underlying())
	return ok && !slices.ContainsFunc(all, func(p types.Type) bool { return !e.derivable(p, depth+1) })
}
