package apigen

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// A stub is a type of the tests whose methods do nothing but return what it says.
type stub struct {
	typ  types.Type // the interface that it is for
	name string
	code string // of its methods

	fields []stubField // what they return
	on     bool        // it has a field by which they return an error, or else what no field can say
	unsure bool        // they return what refers to others, which may be nil
}

// A stubField is a field of a stub for a result: a bool, a number or a text.
type stubField struct {
	name, typ string
	values    []string // other than zero
}

// stubsOf returns a stub for a type, or none if that is not an interface, or a test cannot write its
// methods.
func (e *enum) stubsOf(t types.Type) []*stub {
	i, ok := t.Underlying().(*types.Interface)
	if !ok || i.NumMethods() == 0 || !e.expressible(t) || !e.expressible(i) {
		return nil
	}
	for n, s := range e.stubs {
		if types.Identical(s.typ, t) {
			return e.stubs[n : n+1]
		}
	}
	s := &stub{typ: t, name: e.stubName(t)}
	for m := range i.Methods() {
		e.writeMethod(s, m)
	}
	e.stubs = append(e.stubs, s)
	return []*stub{s}
}

// stubName returns a name that no test of the package has.
func (e *enum) stubName(t types.Type) string {
	of := t.Underlying().(*types.Interface).Method(0).Name()
	if named := namedOf(t); named != nil {
		of = named.Obj().Name()
	}
	own := e.pkg.TestNames()
	for {
		name := e.imports.taken.unique("stub" + of)
		mine := regexp.MustCompile(`(?m)^(type|func|var|const) ` + name + `\b`)
		if !own[name] && !mine.MatchString(e.opts.Own) {
			return name
		}
	}
}

// writeMethod writes a method of a stub. It returns what fields say, if they can. If the stub is
// on, it returns an error, or else what says something.
func (e *enum) writeMethod(s *stub, m *types.Func) {
	var always, returned, names, values []string
	sig, fails := m.Signature(), false
	name := func(i int) string { return fmt.Sprint("r", i+1) }
	for i, r := range slices.Collect(sig.Results().Variables()) {
		if field := e.field(s, m, r); field != "" {
			always, returned = append(always, name(i)+" = s."+field), append(returned, "s."+field)
		} else if value := e.something(s, r.Type()); value != "" {
			names, values = append(names, name(i)), append(values, value)
			fails = isError(r.Type())
		}
		s.unsure = s.unsure || e.generator(r.Type(), 1) == "" && !isError(r.Type())
	}
	if fails {
		names, values = names[len(names)-1:], values[len(values)-1:]
	}
	body := always
	if len(names) > 0 {
		s.on = true
		body = append(body, "if s.on {", strings.Join(names, ", ")+" = "+strings.Join(values, ", "), "}")
	}
	switch sig.Results().Len() {
	case 0:
	case len(returned):
		body = []string{"return " + strings.Join(returned, ", ")}
	default:
		body = append(body, "return")
	}
	head := strings.TrimPrefix(e.head(sig, unnamed, name), "func")
	s.code += fmt.Sprintf("\nfunc (s %s) %s%s {%s}\n", s.name, m.Name(), head, lines(body))
}

// lines returns the lines of a block, without its braces.
func lines(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return "\n" + strings.Join(all, "\n") + "\n"
}

// stubValues is how many values of a stub have data, maxStubFields how many results these are for.
const (
	stubValues    = 4
	maxStubFields = 8
)

// field adds a field to a stub for a result of a method. It returns the code of the result, after
// "s.", or "" if no field can say what that is. All fields are comparable, since a caller may
// compare what it stores.
func (e *enum) field(s *stub, m *types.Func, r *types.Var) string {
	b, ok := r.Type().Underlying().(*types.Basic)
	if !ok || len(s.fields) == maxStubFields {
		return ""
	}
	values := []string{"1", "2", "3", "5"}
	switch {
	case b.Info()&types.IsBoolean != 0:
		values = []string{"true", "false"}
	case b.Info()&types.IsString != 0:
		values = []string{`"a"`, `"b"`, `"ab"`, `""`}
	case b.Info()&types.IsNumeric == 0:
		return ""
	}
	f := stubField{name: r.Name(), typ: e.typeName(r.Type())}
	taken := func(o stubField) bool { return o.name == f.name }
	odd := slices.Contains([]string{"", "_", "on"}, f.name)
	if odd || ast.IsExported(f.name) || slices.ContainsFunc(s.fields, taken) {
		f.name = lowerFirst(m.Name()) + fmt.Sprint(len(s.fields)+1)
	}
	for i := range stubValues {
		f.values = append(f.values, values[(len(s.fields)+i)%len(values)])
	}
	s.fields = append(s.fields, f)
	return f.name
}

// something returns the code of a value other than zero that a method of a stub can return, or "".
func (e *enum) something(s *stub, t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "true"
		case u.Info()&types.IsString != 0:
			return `"a"`
		case u.Info()&types.IsNumeric != 0:
			return "1"
		}
	case *types.Interface:
		switch {
		case isError(t):
			return `errors.New("error")`
		case u.NumMethods() == 0:
			return `"a"`
		case types.Implements(s.typ, u):
			return "s"
		}
	case *types.Slice:
		if element := e.something(s, u.Elem()); element != "" && element != "s" {
			return e.typeName(t) + "{" + element + "}"
		}
	case *types.Map:
		return e.typeName(t) + "{}"
	case *types.Pointer:
		return "new(" + e.typeName(u.Elem()) + ")"
	}
	return ""
}

// writeStubs writes the stubs that a harness uses.
func (e *enum) writeStubs(body string) string {
	var b strings.Builder
	for _, s := range e.stubs {
		if !strings.Contains(body, s.name+"{") {
			continue
		}
		var fields []string
		does := "do nothing"
		for _, f := range s.fields {
			fields = append(fields, f.name+" "+f.typ)
			does = "return what its fields say"
		}
		if s.on {
			fields = append(fields, "on bool")
			if len(s.fields) == 0 {
				does = "return zero values"
			}
			does += ".\n// If on is set, they return an error, or else what says something"
		}
		list := " " + strings.Join(fields, "") + " "
		if len(fields) > 1 {
			list = "\n" + strings.Join(fields, "\n") + "\n"
		}
		fmt.Fprintf(&b, "\n// A %s stands for %s. Its methods %s.\ntype %[1]s struct {%[4]s}\n%[5]s",
			s.name, e.typeName(s.typ), does, list, s.code)
	}
	return b.String()
}

// stubFile returns a Go file with stubs, or nil if there are none.
func (h *Harness) stubFile(stubs string) ([]byte, error) {
	if stubs == "" {
		return nil, nil
	}
	head := Generated + "\npackage " + h.pkg.Name + "_test\n\nimport ()\n"
	return h.file(head+stubs, nil)
}

// exprs returns the code of the values of a stub: the zero value, some with data, and one that is
// on.
func (s *stub) exprs() []string {
	all := []string{s.name + "{}"}
	for i := range stubValues {
		var data []string
		for _, f := range s.fields {
			if value := f.values[i]; value != "false" && value != `""` {
				data = append(data, f.name+": "+value)
			}
		}
		if code := s.name + "{" + strings.Join(data, ", ") + "}"; !slices.Contains(all, code) {
			all = append(all, code)
		}
	}
	if s.on {
		all = append(all, s.name+"{on: true}")
	}
	return all
}
