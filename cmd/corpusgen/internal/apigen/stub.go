package apigen

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// A stub is a type of the tests whose methods do nothing.
type stub struct {
	typ  types.Type // the interface that it is for
	name string
	code string // of its methods

	on     bool // it has a field by which they return what says something
	unsure bool // they return what refers to others, which may be nil
}

// stubsOf returns a stub for a type, or none if that is no interface, or a test cannot write its methods.
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
	for {
		name := e.imports.taken.unique("stub" + of)
		own := regexp.MustCompile(`(?m)^(type|func|var|const) ` + name + `\b`)
		if !own.MatchString(e.opts.Own) && !slices.ContainsFunc(e.pkg.tests, func(f *ast.File) bool { return f.Scope.Objects[name] != nil }) {
			return name
		}
	}
}

// writeMethod writes a method of a stub. If the stub is on, the method returns an error, or else what says something.
func (e *enum) writeMethod(s *stub, m *types.Func) {
	var in, out []*types.Var
	var names, values []string
	sig := m.Signature()
	for p := range sig.Params().Variables() {
		in = append(in, types.NewParam(p.Pos(), p.Pkg(), "", p.Type()))
	}
	fails := false
	for r := range sig.Results().Variables() {
		name := fmt.Sprint("r", len(out)+1)
		out = append(out, types.NewParam(r.Pos(), r.Pkg(), name, r.Type()))
		if value := e.something(s, r.Type()); value != "" {
			names, values = append(names, name), append(values, value)
			fails = isError(r.Type())
		}
		s.unsure = s.unsure || e.generator(r.Type(), 1) == "" && !isError(r.Type())
	}
	if fails {
		names, values = names[len(names)-1:], values[len(values)-1:]
	}
	head := e.typeName(types.NewSignatureType(nil, nil, nil, types.NewTuple(in...), types.NewTuple(out...), sig.Variadic()))
	body := ""
	if len(names) > 0 {
		s.on = true
		body = fmt.Sprintf("\nif s.on {\n%s = %s\n}", strings.Join(names, ", "), strings.Join(values, ", "))
	}
	if len(out) > 0 {
		body += "\nreturn\n"
	}
	s.code += fmt.Sprintf("\nfunc (s %s) %s%s {%s}\n", s.name, m.Name(), strings.TrimPrefix(head, "func"), body)
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
		field, does := "", "do nothing"
		if s.on {
			field, does = " on bool ", "return zero values.\n// If on is set, they return an error, or else what says something"
		}
		fmt.Fprintf(&b, "\n// A %s stands for %s. Its methods %s.\ntype %s struct{%s}\n%s", s.name, e.typeName(s.typ), does, s.name, field, s.code)
	}
	return b.String()
}

// stubFile returns a Go file with stubs, or nil if there are none.
func (h *Harness) stubFile(stubs string) ([]byte, error) {
	if stubs == "" {
		return nil, nil
	}
	return h.file(fmt.Sprintf("%s\npackage %s_test\n\nimport ()\n%s", Generated, h.pkg.Name, stubs), nil)
}

// exprs returns the code of the values of a stub.
func (s *stub) exprs() []string {
	if s.on {
		return []string{s.name + "{}", s.name + "{on: true}"}
	}
	return []string{s.name + "{}"}
}
