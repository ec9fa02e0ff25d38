package apigen

import (
	"fmt"
	"go/types"
	"regexp"
	"strings"
)

// A stub is a type of the tests whose methods do nothing, and return zero values.
type stub struct {
	typ    types.Type // the interface that it is for
	name   string
	code   string // of its methods
	unsure bool   // they return what refers to others: nil
}

// value is the code of the value of a stub.
func (s *stub) value() string { return s.name + "{}" }

// stubOf returns the stub for a type, or nil if that is not an interface, or a test cannot write
// its methods.
func (e *enum) stubOf(t types.Type) *stub {
	i, ok := t.Underlying().(*types.Interface)
	if !ok || i.NumMethods() == 0 || !e.expressible(t) || !e.expressible(i) {
		return nil
	}
	for _, s := range e.stubs {
		if types.Identical(s.typ, t) {
			return s
		}
	}
	s := &stub{typ: t, name: e.stubName(t)}
	for m := range i.Methods() {
		sig, body := m.Signature(), " return "
		if sig.Results().Len() == 0 {
			body = ""
		}
		head := strings.TrimPrefix(e.head(sig, unnamed, blank), "func")
		s.code += fmt.Sprintf("\nfunc (%s) %s%s {%s}\n", s.name, m.Name(), head, body)
		for r := range sig.Results().Variables() {
			s.unsure = s.unsure || e.generator(r.Type(), 1) == "" && !isError(r.Type())
		}
	}
	e.stubs = append(e.stubs, s)
	return s
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

// writeStubs writes the stubs that a harness uses.
func (e *enum) writeStubs(body string) string {
	var b strings.Builder
	for _, s := range e.stubs {
		if strings.Contains(body, s.value()) {
			fmt.Fprintf(&b, "\n// A %s stands for %s. Its methods do nothing.\ntype %[1]s struct{}\n%[3]s",
				s.name, e.typeName(s.typ), s.code)
		}
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
