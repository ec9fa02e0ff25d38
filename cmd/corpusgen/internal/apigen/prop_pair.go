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
	{"compress", "decompress"}, {"encrypt", "decrypt"}, {"serialize", "deserialize"}, {"pack", "unpack"},
	{"format", "parse"}, {"string", "parse"}, {"string", "set"}, {"string", "new"}, {"string", "from"}, {"write", "read"}, {"dump", "load"}, {"zip", "unzip"},
	{"deflate", "inflate"}, {"split", "join"}, {"join", "split"}, {"itoa", "atoi"}, {"stringify", "parse"}, {"dump", "parse"},
	{"encode", "parse"}, {"marshal", "parse"}, {"to", "from"}, {"append", "decode"}, {"append", "consume"},
}

// fillers are words of names that say what form a result has.
var fillers = []string{"to", "from", "string", "bytes", "as", "into", "binary", "text"}

// words splits a name such as EncodeToString.
func words(name string) (all []string) {
	runes := []rune(name)
	begin := 0
	for i := 1; i <= len(runes); i++ {
		if i == len(runes) || unicode.IsUpper(runes[i]) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			all = append(all, strings.ToLower(string(runes[begin:i])))
			begin = i
		}
	}
	return all
}

// stem returns the words of the name of a call without a verb and without what says which type or
// form it is about. It is not ok if the verb is not in the name.
func (p *Properties) stem(c *callable, verb string, strict bool) (stem string, ok bool) {
	all := words(c.base)
	i := slices.Index(all, verb)
	if i < 0 {
		return "", false
	}
	all = slices.Delete(all, i, i+1)
	var about []string
	for _, t := range c.types() {
		if n := namedOf(t); n != nil && p.e.own(n) {
			about = append(about, strings.ToLower(n.Obj().Name()))
		}
	}
	rest := strings.Join(slices.DeleteFunc(all, func(w string) bool { return !strict && slices.Contains(fillers, w) }), "")
	if slices.Contains(about, rest) || !strict && rest == strings.ToLower(p.e.pkg.Name) {
		rest = ""
	}
	return rest, true
}

// types returns those of the parameters and results.
func (c *callable) types() (all []types.Type) {
	for _, v := range c.params {
		all = append(all, v.Type())
	}
	return append(all, c.results...)
}

// roundTrips finds calls that undo others.
func (p *Properties) roundTrips() {
	for _, do := range p.api {
		if do.note.acts != "" || strings.HasPrefix(do.base, "Must") {
			continue
		}
		for _, strict := range []bool{true, false} { // EncodeText belongs to DecodeText, not to DecodeString
			if p.undone(do, strict) {
				break
			}
		}
	}
}

// undone adds a property that what do does is undone, and reports whether it does.
func (p *Properties) undone(do *callable, strict bool) bool {
	for _, pair := range inverses {
		stem, ok := p.stem(do, pair[0], strict)
		if !ok {
			continue
		}
		for _, undo := range p.api {
			other, ok := p.stem(undo, pair[1], strict)
			if !ok || other != stem || undo == do || undo.note.acts != "" || strings.HasPrefix(undo.base, "Must") {
				continue
			}
			if pair[0] == "string" && do.base != "String" {
				continue
			}
			if p.roundTrip(do, undo) {
				return true
			}
		}
	}
	return false
}

// roundTrip adds a property that undo returns what do was given, if their types allow that:
//
//	data, err := do(value, details...)  // or do(buf, value, details...), or do(nil, value, details...)
//	back, err := undo(data, details...) // or var got T; undo(data, &got); or got.undo(data)
func (p *Properties) roundTrip(do, undo *callable) bool {
	given, form := slices.Clone(do.params), types.Type(nil) // what do takes and makes; nil for what it writes
	at, filler := slices.IndexFunc(given, func(v *types.Var) bool { return typeIs(v, "io.Writer") }), "buf"
	if at < 0 {
		if len(do.results) != 1 {
			return false
		}
		form = do.results[0]
		if at, filler = slices.IndexFunc(given, func(v *types.Var) bool { return types.Identical(v.Type(), form) }), "nil"; !strings.HasPrefix(do.base, "Append") {
			at = -1
		}
	}
	if at >= 0 {
		given = slices.Delete(given, at, at+1)
	}
	source := slices.IndexFunc(undo.params, func(v *types.Var) bool { return v != receiver(undo) && readable(form, v) })
	if source < 0 || len(given) == 0 || strings.HasPrefix(undo.base, "Append") {
		return false
	}
	back, target := undo.results, -1 // what undo returns, or the parameter that it writes
	if len(back) == 0 && undo.fails != "ok" {
		target = slices.IndexFunc(undo.params, func(v *types.Var) bool {
			return isPointer(v.Type()) && sameValue(v.Type(), given[0].Type()) || isAny(v.Type()) && isAny(given[0].Type())
		})
		back = []types.Type{given[0].Type()}
	} else if strings.HasPrefix(do.base, "Append") && len(back) == 2 {
		back = back[:1] // and what remains, or how much was read
	}
	first := boolInt(len(given) > len(back) && do.method && undo.method && target < 0) // a codec is the receiver of both
	if target < 0 && len(undo.results) == 0 || len(back)+first > len(given) {
		return false
	}
	for i, t := range back {
		if !sameValue(t, given[first+i].Type()) || lossy(t) || isAny(t) && target < 0 {
			return false
		}
	}

	s := p.scene()
	s.parsed = do.method && len(do.params) == 1 && isStruct(do.params[0].Type())
	args := make([]string, len(given))
	for i, v := range given {
		if isAny(v.Type()) && target >= 0 {
			args[i] = s.sample()
		} else if args[i] = s.value(do, v, i >= first+len(back)); args[i] == "" {
			return false
		}
	}
	details := slices.Concat(given[:first], given[first+len(back):])
	detailArgs := slices.Concat(args[:first], args[first+len(back):])
	undoArgs := make([]string, len(undo.params))
	todo := ""
	for i, v := range undo.params {
		switch {
		case i == source:
			undoArgs[i] = made(form, v)
		case i == target:
			undoArgs[i] = "&got"
		case len(details) > 0 && types.Identical(details[0].Type(), v.Type()):
			undoArgs[i], details, detailArgs = detailArgs[0], details[1:], detailArgs[1:]
		case zeroOf(v.Type()) != "":
			undoArgs[i] = zeroOf(v.Type())
			todo = "// TODO: " + v.Name() + " is the zero value: change it if it matters.\n"
		default:
			return false
		}
	}

	doArgs, body, data := args, "", "data"
	if at >= 0 {
		doArgs = slices.Insert(slices.Clone(args), at, filler)
	}
	if form == nil {
		body, data = "buf := new(bytes.Buffer)\n", "buf"
		body += do.sets(blanks("", len(do.results)), do.assume(), doArgs...)
	} else {
		body += do.sets("data", do.assume(), doArgs...)
	}
	body += todo
	if target >= 0 {
		t := given[0].Type()
		name := "sample"
		if !isAny(t) {
			name = strings.TrimPrefix(p.e.typeName(t), "*")
		}
		body += "var got " + name + "\n"
		if undo.fails == "" {
			body += undo.text(undoArgs...) + "\n"
		} else {
			body += strings.Replace(undo.fatal(data), "if ", "if err := "+undo.text(undoArgs...)+"; ", 1) + "\n"
		}
		body += p.equal("got", false, args[0], isPointer(t), t)
	} else {
		var got []string
		checks := ""
		for i, t := range back {
			got = append(got, s.names.local("got"))
			checks += p.equal(got[i], isPointer(t), args[first+i], isPointer(given[first+i].Type()), t)
		}
		body += undo.sets(blanks(strings.Join(got, ", "), len(undo.results)-len(back)), undo.fatal(data), undoArgs...) + checks
	}
	used := undo.used // so far, for it is given only what do makes
	p.add(s, do.title()+"RoundTrip", undo.base+" undoes "+do.base+".", body, do, undo)
	undo.used = used
	return true
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

// readable reports whether a parameter takes what has a form: nil for what was written to a buffer.
func readable(form types.Type, v *types.Var) bool {
	if form == nil || typeIs(v, "io.Reader") {
		return typeIs(v, "io.Reader") || isText(v.Type())
	}
	return alike(form, v.Type())
}

// made writes what do has made as an argument of undo.
func made(form types.Type, v *types.Var) string {
	_, isString := v.Type().Underlying().(*types.Basic)
	switch {
	case form == nil && typeIs(v, "io.Reader"):
		return "buf"
	case form == nil && isString:
		return "buf.String()"
	case form == nil:
		return "buf.Bytes()"
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

// sample is a value of the type sample, which the file declares.
func (s *scene) sample() string {
	const name = "sample"
	s.p.gens[name] = `// A sample is what the tests encode. TODO: add fields, or put a type of yours in its place.
type sample struct {
	Name  string
	Count int
	Ready bool
	Tags  []string ` + "`bigen:\"len=1..4\"`" + `
}`
	return s.field("v", types.NewNamed(types.NewTypeName(0, nil, name, nil), types.NewStruct(nil, nil), nil), "")
}
