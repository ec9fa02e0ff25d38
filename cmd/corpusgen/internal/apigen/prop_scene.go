package apigen

import (
	"cmp"
	"fmt"
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
	setup  []step
	names  namer       // of variables
	calls  []*callable // in the setup
	parsed bool        // constructors that parse are preferred
	// unfilled values are as their constructors return them.
	unfilled bool
	anyText  bool // arguments of calls are any texts

	checked // once it is written
}

// A sceneField is a generated value.
type sceneField struct {
	name string
	typ  types.Type
	tag  string    // of bigen, without its key
	of   *callable // that is given the value; or nil
}

// A step is a statement before the property, and the condition without which a value is discarded.
type step struct{ code, assume string }

// statements writes steps.
func statements(steps []step) (code string) {
	for _, x := range steps {
		code += x.code + "\n"
		if x.assume != "" {
			code += "t.Assume(" + x.assume + ")\n"
		}
	}
	return code
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

// field adds a generated value for a call, and returns its expression.
func (s *scene) field(name string, t types.Type, tag string, of *callable) string {
	s.fields = append(s.fields, sceneField{name, t, tag, of})
	return use(len(s.fields) - 1)
}

// valueOf returns an expression for a parameter of a call, "" if it knows none. The number of a
// detail is small.
func (s *scene) valueOf(c *callable, v *types.Var, detail bool) string {
	if s.anyText && isPlainString(v.Type()) {
		name := v.Name()
		if nameOf(v) == "" {
			name = "s"
		}
		return s.field(name, v.Type(), "", nil)
	}
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
		return s.standIn(c, t, name)
	}
	named, pointer := namedOf(t), isPointer(t)
	switch {
	case s.p.generatorOf(t) != "" && pointer:
		return s.field(name, t, "", c)
	case isText(t) && c.fills(v, name):
		return "make([]byte, 1<<12)"
	}
	if named != nil && e.own(named) && (s.parsed && c.base == "String" || !e.derivable(named, 0)) {
		if expr := s.constructed(named, pointer, name); expr != "" {
			return expr
		}
	}
	if pointer && named != nil && e.derivable(named, 0) {
		return "&" + s.field(name, named, "", c)
	}
	if !e.derivable(t, 0) {
		return ""
	}
	return s.field(name, t, s.p.limits(c, v, detail), c)
}

// standIn returns an expression of an interface type, or "".
func (s *scene) standIn(c *callable, t types.Type, name string) string {
	text := types.Typ[types.String]
	switch types.TypeString(t, nil) {
	case "context.Context":
		return "t.Context()"
	case "error":
		return `errors.New("error")`
	case "io.Reader":
		return "strings.NewReader(" + s.field(name, text, "", c) + ")"
	case "io.Writer":
		return "new(bytes.Buffer)"
	case "any", "interface{}":
		if into.MatchString(name) {
			return "new(any)"
		}
		return s.field(name, text, "", c)
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
func (p *Properties) limits(c *callable, v *types.Var, detail bool) string {
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
	if named := namedOf(v.Type()); !detail || named != nil && len(p.e.constants(named)) > 1 {
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

// A checked is a property as it is written.
type checked struct {
	before  string // declares the type of the parameter
	in, typ string // the parameter
	gen     string // its generator
	body    string
	options string // of Check
}

// check writes the call of fuzzext.Check with a property.
func (s *scene) check(body string, calls []*callable) string {
	body = strings.TrimRight(statements(s.setup)+body, "\n")
	if len(s.fields) == 1 && !isItems(s.fields[0].typ) {
		s.checked = s.single(body, calls)
	} else {
		s.checked = s.several(body)
	}
	c := s.checked
	return fmt.Sprintf("%sfuzzext.Check(t, %s, func(t *fuzzext.T, %s %s) {\n%s\n}%s)",
		c.before, c.gen, c.in, c.typ, c.body, c.options)
}

// single writes a property whose parameter is the only field.
func (s *scene) single(body string, calls []*callable) (c checked) {
	f := s.fields[0]
	if c.in = lowerFirst(f.name); s.names.local(c.in) != c.in {
		c.in = "in"
	}
	c.typ, c.gen, c.options = s.p.e.typeName(f.typ), s.generator(f), s.examples(f, calls)
	c.body = strings.ReplaceAll(body, use(0), c.in)
	return c
}

// several writes a property whose parameter is a struct of the fields.
func (s *scene) several(body string) checked {
	c := checked{before: "type args struct {\n", in: "in", typ: "args", body: body}
	var names namer
	var gens []string
	fields := ""
	texts, own := s.texts()
	for i, f := range s.fields {
		name := names.local(strings.ToUpper(f.name[:1]) + f.name[1:])
		tag := ""
		if f.tag != "" {
			tag = " `bigen:\"" + f.tag + "\"`"
		}
		c.before += name + " " + s.p.e.typeName(f.typ) + tag + "\n"
		c.body = strings.ReplaceAll(c.body, use(i), "in."+name)
		gens = append(gens, s.p.parts(f.typ, 0)...)
		if (texts == "" || !isPlainString(f.typ)) && own[i] != "" {
			fields += fmt.Sprintf("bigen.Field(func(a *args) *%s { return &a.%s }, %s),\n",
				s.p.e.typeName(f.typ), name, own[i])
		}
	}
	if texts != "" {
		gens = append(gens, texts)
	}
	options := with(gens)
	if fields != "" {
		options = "\n" + strings.TrimPrefix(options+",\n", ",\n") + fields
	}
	c.before, c.gen = c.before+"}\n", "bigen.For[args]("+options+")"
	return c
}

// textGen returns the generator of a field of the texts that tests give to its call, or "".
func (s *scene) textGen(f sceneField) string {
	switch {
	case f.tag != "":
	case isPlainString(f.typ):
		return s.p.textGen(f.of, false)
	case isBytes(f.typ):
		return s.p.textGen(f.of, true)
	}
	return ""
}

// texts returns the generators of the fields that are texts, and, if it is the same for all that
// are strings, that.
func (s *scene) texts() (all string, own []string) {
	own = make([]string, len(s.fields))
	same, n := true, 0
	for i, f := range s.fields {
		if own[i] = s.textGen(f); !isPlainString(f.typ) {
			continue
		}
		same = same && (n == 0 || own[i] == all)
		all, n = own[i], n+1
	}
	if !same {
		all = ""
	}
	return all, own
}

func isPlainString(t types.Type) bool { return types.Identical(t, types.Typ[types.String]) }

func isBytes(t types.Type) bool { return types.Identical(t, types.NewSlice(types.Typ[types.Byte])) }

// isItems reports whether a type is a slice of structs without a name, which is long.
func isItems(t types.Type) bool {
	slice, ok := t.(*types.Slice)
	if !ok {
		return false
	}
	_, ok = slice.Elem().(*types.Struct)
	return ok
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
	if gen := s.textGen(f); gen != "" {
		return gen
	}
	lo, hi, limited := strings.Cut(strings.TrimPrefix(f.tag, "range="), "..")
	switch u := f.typ.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case limited:
			return fmt.Sprintf("bigen.IntRange[%s](%s, %s)", t, lo, hi)
		case strings.HasPrefix(f.tag, "match="):
			return fmt.Sprintf("bigen.Matching(%q)", f.tag[len("match="):])
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
	if t != "string" && t != "[]byte" || s.textGen(f) != "" {
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

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}
