package apigen

import (
	"fmt"
	"go/types"
	"regexp"
	"strings"
)

// logSource is the type of the variable in which functions and stubs of tests note how they are
// called.
const logSource = `
// A %[1]s notes how functions and stubs that are arguments are called.
type %[1]s struct {
	mu    sync.Mutex
	calls []string
}

func (l *%[1]s) add(args ...any) {
	if l != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.calls = append(l.calls, strings.TrimSuffix(fmt.Sprintln(args...), "\n"))
	}
}

// Calls returns the calls so far.
func (l *%[1]s) Calls() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.calls)
}

// Reset forgets the calls.
func (l *%[1]s) Reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls = nil
}
`

// logType is the name of this type, which no test of the package has.
func (e *enum) logType() string {
	if e.logName == "" {
		e.logName = e.freeType("callLog")
		e.logVar = e.imports.taken.local("log")
	}
	return e.logName
}

// usesLog reports whether the code of a harness has the log.
func (e *enum) usesLog(body string) bool {
	return e.logName != "" &&
		(strings.Contains(body, e.logVar+".add(") || strings.Contains(body, "{"+e.logVar+"}"))
}

// freeType returns a name, as it is or longer, that no test of the package has.
func (e *enum) freeType(of string) string {
	own := e.pkg.TestNames()
	for {
		name := e.imports.taken.unique(of)
		mine := regexp.MustCompile(`(?m)^(type|func|var|const) ` + name + `\b`)
		if !own[name] && !mine.MatchString(e.opts.Own) {
			return name
		}
	}
}

// note returns a statement that notes a call in the log, and names for the parameters that it has:
// those that are text or basic, or have such fields. The statement ends in a semicolon.
func (e *enum) note(label string, s *types.Signature) (code string, params func(i int) string) {
	if e.silent {
		return "", unnamed
	}
	e.logType()
	names, args := map[int]string{}, []string{fmt.Sprintf("%q", label)}
	for i := range s.Params().Len() {
		name := s.Params().At(i).Name()
		if name == "" || name == "_" || name == e.logVar || name == "s" {
			name = "a" + fmt.Sprint(i+1)
		}
		if said := e.said(name, s.Params().At(i).Type()); len(said) > 0 {
			names[i] = name
			args = append(args, said...)
		}
	}
	return e.logVar + ".add(" + strings.Join(args, ", ") + "); ", func(i int) string {
		if len(names) > 0 && names[i] == "" {
			return "_"
		}
		return names[i]
	}
}

// maxSaid bounds the fields of a parameter that are noted.
const maxSaid = 4

// said returns expressions that say what a parameter is: of structs, only those of the package.
func (e *enum) said(name string, t types.Type) (all []string) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Kind() != types.UnsafePointer && u.Kind() != types.Uintptr {
			return []string{name}
		}
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Byte {
			return []string{"string(" + name + ")"}
		} else if ok && b.Kind() != types.Uintptr {
			return []string{name}
		}
	case *types.Interface:
		if isError(t) {
			return []string{name + " != nil"}
		}
	}
	fields := t
	if p, ok := t.Underlying().(*types.Pointer); ok {
		fields = p.Elem()
	}
	named := namedOf(fields)
	if s, ok := fields.Underlying().(*types.Struct); ok && (named == nil || e.own(named)) {
		for f := range s.Fields() {
			b, ok := f.Type().Underlying().(*types.Basic)
			if ok && f.Exported() && b.Kind() != types.Uintptr && b.Kind() != types.UnsafePointer &&
				len(all) < maxSaid {
				all = append(all, name+"."+f.Name())
			}
		}
	}
	return all
}
