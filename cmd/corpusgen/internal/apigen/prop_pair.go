package apigen

import (
	"go/types"
	"slices"
	"strings"
	"unicode"
)

// inverses are words of names: what the second does undoes what the first has done.
var inverses = [][2]string{
	{"marshal", "unmarshal"}, {"encode", "decode"}, {"quote", "unquote"}, {"escape", "unescape"},
	{"compress", "decompress"}, {"encrypt", "decrypt"}, {"serialize", "deserialize"},
	{"pack", "unpack"}, {"format", "parse"}, {"string", "parse"}, {"string", "set"},
	{"string", "new"}, {"string", "from"}, {"dump", "load"}, {"zip", "unzip"},
	{"deflate", "inflate"}, {"split", "join"}, {"join", "split"}, {"itoa", "atoi"},
	{"stringify", "parse"}, {"dump", "parse"}, {"encode", "parse"}, {"marshal", "parse"},
	{"to", "from"}, {"append", "decode"}, {"append", "consume"},
	{"", "parse"}, // Comma and ParseComma: the whole name
}

// fillers are words of names that say what form a result has.
var fillers = []string{"to", "from", "string", "bytes", "as", "into", "binary", "text"}

// words splits a name such as EncodeToString.
func words(name string) (all []string) {
	runes := []rune(name)
	begin := 0
	for i := 1; i <= len(runes); i++ {
		ends := i == len(runes)
		if !ends && unicode.IsUpper(runes[i]) { // but for the last, letters of an acronym do not
			ends = !unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])
		}
		if ends {
			all = append(all, strings.ToLower(string(runes[begin:i])))
			begin = i
		}
	}
	return all
}

// stem returns the words of the name of a call without a verb and without what says which type or
// form it is about. It is not ok if the verb is not in the name; each name has the verb "".
func (p *Properties) stem(c *callable, verb string, strict bool) (stem string, ok bool) {
	all := words(c.base)
	if i := slices.Index(all, verb); i >= 0 {
		all = slices.Delete(all, i, i+1)
	} else if verb != "" {
		return "", false
	}
	var about []string
	for _, t := range c.types() {
		if n := namedOf(t); n != nil && p.e.own(n) {
			about = append(about, strings.ToLower(n.Obj().Name()))
		}
	}
	all = slices.DeleteFunc(all, func(w string) bool {
		return !strict && slices.Contains(fillers, w)
	})
	rest := strings.Join(all, "")
	if slices.Contains(about, rest) || !strict && rest == strings.ToLower(p.e.pkg.Name) {
		rest = ""
	}
	return rest, true
}

// types returns the types of the parameters and results.
func (c *callable) types() (all []types.Type) {
	for _, v := range c.params {
		all = append(all, v.Type())
	}
	return append(all, c.results...)
}

// roundTrips finds calls that undo others.
func (p *Properties) roundTrips() {
	for _, do := range p.api {
		if do.acts != "" || strings.HasPrefix(do.base, "Must") {
			continue
		}
		// EncodeText belongs to DecodeText, not to DecodeString, and what takes an alphabet to what
		// takes one.
		for _, order := range [][2]bool{{true, true}, {false, true}, {true, false}, {false, false}} {
			if p.undone(do, order[0], order[1]) {
				break
			}
		}
	}
}

// undone adds a property that what do does is undone, and reports whether it does. All is whether
// the other call must take all details.
func (p *Properties) undone(do *callable, strict, all bool) bool {
	for _, pair := range inverses {
		stem, ok := p.stem(do, pair[0], strict)
		named := pair[0] == "" // by the whole name: reason enough, also for floats and bools
		if !ok || pair[0] == "string" && do.base != "String" || named && (stem == "" || !strict) {
			continue
		}
		for _, undo := range p.api {
			other, ok := p.stem(undo, pair[1], strict)
			if !ok || other != stem || undo == do || undo.acts != "" ||
				strings.HasPrefix(undo.base, "Must") {
				continue
			}
			t := pairOf(do, undo)
			if t == nil || t.takesAll() != all {
				continue
			}
			if t.lossy = !named && slices.ContainsFunc(t.back, lossy); p.roundTrip(t) {
				return true
			}
		}
	}
	return false
}

// A pair is two calls. One undoes the other:
//
//	data, err := do(value, details...)  // or with nil before the value
//	back, err := undo(data, details...) // or var got T; undo(data, &got); or got.undo(data)
type pair struct {
	do, undo *callable
	given    []*types.Var // what do takes, without a buffer
	first    int          // index of the first value; a codec, the receiver of both, may come before
	at       int          // index of what do appends to among its parameters; -1 for none
	form     types.Type   // of what do returns
	source   int          // index of the parameter of undo that takes it
	back     []types.Type // what undo returns, or writes to the parameter
	target   int          // of this index; -1 if it returns it
	lossy    bool         // the value may change a little
}

// pairOf returns a pair if the types of two calls allow one to undo the other, or nil.
func pairOf(do, undo *callable) *pair {
	if len(do.results) != 1 {
		return nil
	}
	p := &pair{do: do, undo: undo, given: slices.Clone(do.params), at: -1, target: -1}
	p.form, p.back = do.results[0], undo.results
	appends := strings.HasPrefix(do.base, "Append")
	isForm := func(v *types.Var) bool { return types.Identical(v.Type(), p.form) }
	if p.at = slices.IndexFunc(p.given, isForm); appends && p.at >= 0 {
		p.given = slices.Delete(p.given, p.at, p.at+1)
	} else {
		p.at = -1
	}
	p.source = slices.IndexFunc(undo.params, func(v *types.Var) bool {
		return v != receiver(undo) && readable(p.form, v)
	})
	if p.source < 0 || len(p.given) == 0 || strings.HasPrefix(undo.base, "Append") {
		return nil
	}
	value := p.given[0].Type()
	if len(p.back) == 0 && undo.fails != "ok" {
		p.target = slices.IndexFunc(undo.params, func(v *types.Var) bool {
			return isPointer(v.Type()) && sameValue(v.Type(), value) || isAny(v.Type()) && isAny(value)
		})
		p.back = []types.Type{value}
	} else if last := len(p.back) - 1; last > 0 && (appends || len(p.given) == last) &&
		(types.Identical(p.back[last], p.form) || types.Identical(p.back[last], types.Typ[types.Int])) {
		p.back = p.back[:last] // and what remains, or how much was read
	}
	p.first = boolInt(len(p.given) > len(p.back) && do.method && undo.method && p.target < 0)
	if p.target < 0 && len(undo.results) == 0 || len(p.back)+p.first > len(p.given) {
		return nil
	}
	for i, t := range p.back {
		if !sameValue(t, p.given[p.first+i].Type()) || isAny(t) && p.target < 0 {
			return nil
		}
	}
	return p
}

// takesAll reports whether undo takes all details of do.
func (r *pair) takesAll() bool {
	details := slices.Concat(r.given[:r.first], r.given[r.first+len(r.back):])
	for i, v := range r.undo.params {
		if i != r.source && i != r.target && len(details) > 0 &&
			types.Identical(details[0].Type(), v.Type()) {
			details = details[1:]
		}
	}
	return len(details) == 0
}

// roundTrip adds the property of a pair, if there are values for it.
func (p *Properties) roundTrip(r *pair) bool {
	do, undo, s := r.do, r.undo, p.scene()
	s.parsed = do.method && len(do.params) == 1 && isStruct(do.params[0].Type())
	args := make([]string, len(r.given))
	for i, v := range r.given {
		if isAny(v.Type()) && r.target >= 0 {
			args[i] = s.sample()
		} else if args[i] = s.valueOf(do, v, i >= r.first+len(r.back)); args[i] == "" {
			return false
		}
	}
	doArgs := args
	if r.at >= 0 {
		doArgs = slices.Insert(slices.Clone(args), r.at, "nil")
	}
	stable, body := "", do.sets("data", do.assume(), doArgs...)
	undoArgs, todo := r.undoArgs(args)
	if undoArgs == nil {
		return false
	}
	body += todo
	if r.target >= 0 {
		t, name := r.back[0], p.named["any"]
		if !isAny(t) {
			name = strings.TrimPrefix(p.e.typeName(t), "*")
		}
		call := undo.text(undoArgs...)
		if undo.fails != "" {
			call = strings.Replace(undo.fatal("data"), "if ", "if err := "+call+"; ", 1)
		}
		body += "var got " + name + "\n" + call + "\n" + p.equal("got", false, args[0], isPointer(t), t)
	} else {
		var got []string
		checks := ""
		for i, t := range r.back {
			got = append(got, s.names.local("got"))
			checks += p.equal(got[i], isPointer(t), args[r.first+i], isPointer(r.given[r.first+i].Type()), t)
		}
		vars := blanks(strings.Join(got, ", "), len(undo.results)-len(r.back))
		body += undo.sets(vars, undo.fatal("data"), undoArgs...)
		stable = r.stable(p, s, body, got, doArgs)
		body += checks
	}
	about := undo.base + " undoes " + do.base + "."
	group := "round trip of " + do.name
	used := undo.used // so far, for it is given only what do makes
	done := false
	if !r.lossy {
		done = p.add(s, &Property{
			Name: do.title() + "RoundTrip", About: about, Group: group, law: "RoundTrip", body: body,
			unsure: slices.ContainsFunc(r.back, lossy) || !r.takesAll(),
		}, do, undo)
	}
	if stable != "" {
		again := *s
		done = p.add(&again, &Property{
			Name: do.title() + "Stable", About: do.base + " returns the same after " + undo.base + ".",
			Group: group, law: "Stable", body: stable, unsure: r.lossy || !r.takesAll(),
		}, do, undo) || done
	}
	undo.used = used
	return done
}

// stable returns the body of a weaker property: what do makes of what undo returns is the same.
func (r *pair) stable(p *Properties, s *scene, body string, got, args []string) string {
	if r.at >= 0 || r.do.fails == "ok" {
		return ""
	}
	args = slices.Clone(args)
	for i, t := range r.back {
		given := r.given[r.first+i].Type()
		args[r.first+i] = pointed(got[i], isPointer(t), isPointer(given))
	}
	again := r.do.sets("again", r.do.fatal(got[0]), args...)
	return body + again + p.equal("again", isPointer(r.form), "data", isPointer(r.form), r.form)
}

// undoArgs returns the arguments of undo: what do has made, where the value goes, the details that
// do was given, and zero values, about which todo has a comment; nil if there are not so many.
func (p *pair) undoArgs(args []string) (all []string, todo string) {
	details := slices.Concat(p.given[:p.first], p.given[p.first+len(p.back):])
	args = slices.Concat(args[:p.first], args[p.first+len(p.back):])
	for i, v := range p.undo.params {
		arg := zeroOf(v.Type())
		switch {
		case i == p.source:
			arg = made(p.form, v)
		case i == p.target:
			arg = "&got"
		case len(details) > 0 && types.Identical(details[0].Type(), v.Type()):
			arg, details, args = args[0], details[1:], args[1:]
		case arg == "":
			return nil, ""
		default:
			todo = "// TODO: " + v.Name() + " is the zero value: change it if it matters.\n"
		}
		all = append(all, arg)
	}
	return all, todo
}

// blanks adds blank variables to a list.
func blanks(list string, n int) string {
	return strings.TrimPrefix(list+strings.Repeat(", _", n), ", ")
}

func isAny(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.NumMethods() == 0 && i.IsMethodSet()
}

func isStruct(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// sameValue reports whether two types are the same, but for a pointer.
func sameValue(a, b types.Type) bool {
	if types.Identical(a, b) || isAny(a) && isAny(b) {
		return true
	}
	na, nb := namedOf(a), namedOf(b)
	return na != nil && na == nb
}

// lossy reports whether values of a type are often changed by a round trip: floating-point numbers.
func lossy(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex|types.IsBoolean) != 0
}

func isText(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.String
	case *types.Slice:
		b, ok := u.Elem().(*types.Basic)
		return ok && b.Kind() == types.Byte
	}
	return false
}

func typeIs(v *types.Var, name string) bool { return types.TypeString(v.Type(), nil) == name }

// readable reports whether a parameter takes what has a form.
func readable(form types.Type, v *types.Var) bool {
	return typeIs(v, "io.Reader") || alike(form, v.Type())
}

// made writes what do has made as an argument of undo.
func made(form types.Type, v *types.Var) string {
	_, isString := v.Type().Underlying().(*types.Basic)
	switch {
	case typeIs(v, "io.Reader"):
		return "strings.NewReader(string(data))"
	case types.Identical(form, v.Type()):
		return "data"
	case isString:
		return "string(data)"
	}
	return "[]byte(data)"
}

func zeroOf(t types.Type) string {
	if b, ok := t.Underlying().(*types.Basic); ok {
		switch info := b.Info(); {
		case info&types.IsBoolean != 0:
			return "false"
		case info&types.IsNumeric != 0:
			return "0"
		case info&types.IsString != 0:
			return `""`
		}
	}
	return ""
}

// sample is a value of a struct that the file declares, for a parameter of the type any.
func (s *scene) sample() string {
	name := s.p.named["any"]
	if name == "" {
		name = s.p.names.local("sample")
		s.p.named["any"] = name
		s.p.gens[name] = "// A " + name + " is what the tests encode. " +
			"TODO: add fields, or put a type of yours in its place.\ntype " + name +
			" struct {\nName string\nCount int\nReady bool\nTags []string `bigen:\"len=1..4\"`\n}"
	}
	declared := types.NewTypeName(0, nil, name, nil)
	return s.field("v", types.NewNamed(declared, types.NewStruct(nil, nil), nil), "", nil)
}
