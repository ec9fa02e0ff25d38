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

// equal writes that two expressions must be equal, of a type or pointers to it: by a method
// that compares them, if there is one.
func (p *Properties) equal(
	got string, gotPointer bool, want string, wantPointer bool, t types.Type,
) string {
	named := namedOf(t)
	pointer := named != nil && gotPointer && wantPointer // how they are compared
	for _, by := range []struct{ name, result, wrong string }{
		{"Equal", "bool", "!%s.Equal(%s)"}, {"Cmp", "int", "%s.Cmp(%s) != 0"},
		{"Compare", "int", "%s.Compare(%s) != 0"},
	} {
		if param := p.compares(named, by.name, by.result); param != nil && sameValue(param, t) {
			other := pointed(want, wantPointer, isPointer(param))
			return fmt.Sprintf("if "+by.wrong+" {\nt.Errorf(\"got %%v, want %%v\", %[1]s, %[2]s)\n}\n",
				strings.TrimLeft(got, "&"), other)
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

// compares returns the type of the parameter of a method that compares two values, or nil.
func (p *Properties) compares(named *types.Named, name, result string) types.Type {
	if named == nil {
		return nil
	}
	m, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, p.e.pkg.types, name)
	f, ok := m.(*types.Func)
	if !ok || f.Signature().Params().Len() != 1 || f.Signature().Results().Len() != 1 ||
		types.TypeString(f.Signature().Results().At(0).Type(), nil) != result {
		return nil
	}
	return f.Signature().Params().At(0).Type()
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
var variant = regexp.MustCompile(`(Fast|Slow|Naive|Simple|Generic|Unsafe|Safe|Quick|Parallel|` +
	`Serial|Reference|InString|String|Bytes)$`)

// agreements finds functions that do the same by their names: SumFast and Sum, ValidString and
// Valid, AppendInt and FormatInt.
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
		arg := s.valueOf(b, v, i > 0)
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
	return p.add(s, &Property{
		Name: a.title() + "Agrees", About: a.base + " agrees with " + b.base + ".",
		body: body + checks, law: "Agrees",
	}, a, b)
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

// all returns arguments for a call, those from the index on as details. If it knows none for a
// parameter, it returns that.
func (s *scene) all(c *callable, details int) (args []string, unknown *types.Var) {
	for i, v := range c.params {
		arg := s.valueOf(c, v, i >= details)
		if arg == "" {
			return nil, v
		}
		args = append(args, arg)
	}
	return args, nil
}
