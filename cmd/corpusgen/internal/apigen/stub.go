package apigen

import (
	"fmt"
	"go/types"
	"strings"
)

// A stub is a type of the tests whose methods note how they are called, and return zero values.
type stub struct {
	typ    types.Type // the interface that it is for
	name   string
	code   string // of its methods
	log    string // the variable of the log
	unsure bool   // they return what refers to others: nil
}

// value is the code of the value of a stub.
func (s *stub) value() string { return s.name + "{" + s.log + "}" }

// zero is the code of its zero value, which notes nothing: literals of any can have it.
func (s *stub) zero() string { return s.name + "{}" }

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
	e.logType()
	s := &stub{typ: t, name: e.stubName(t), log: e.logVar}
	for m := range i.Methods() {
		sig := m.Signature()
		note, params := e.note(m.Name(), sig)
		note = "s." + strings.Replace(strings.TrimSuffix(note, "; "), e.logVar+".", "log.", 1)
		if sig.Results().Len() > 0 {
			note += "\n\treturn"
		}
		head := strings.TrimPrefix(e.head(sig, params, blank), "func")
		s.code += fmt.Sprintf("\nfunc (s %s) %s%s {\n\t%s\n}\n", s.name, m.Name(), head, note)
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
	return e.freeType("stub" + of)
}

// writeStubs writes the stubs that a harness uses.
func (e *enum) writeStubs(body string) string {
	var b strings.Builder
	logs := e.usesLog(body)
	for _, s := range e.stubs {
		if strings.Contains(body, s.value()) || strings.Contains(body, s.zero()) {
			logs = true
			fmt.Fprintf(&b, "\n// A %s stands for %s. Its methods note how they are called.\n"+
				"type %[1]s struct{ log *%[3]s }\n%[4]s", s.name, e.typeName(s.typ), e.logName, s.code)
		}
	}
	if logs {
		fmt.Fprintf(&b, logSource, e.logName)
	}
	return b.String()
}

// stubFile returns a Go file with stubs, or nil if there are none.
func (h *Harness) stubFile(stubs string) ([]byte, error) {
	if stubs == "" {
		return nil, nil
	}
	head := Generated + "\n" + h.constraint() + "package " + h.pkg.Name + "_test\n\nimport ()\n"
	return h.file(head+stubs, nil)
}
