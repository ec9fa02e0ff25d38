package literal

import (
	"go/token"
	"path"
	"reflect"
	"strconv"
	"strings"
	"unicode"
)

// typeNames spells types as the package with import path pkg would.
type typeNames struct {
	pkg     string
	known   map[reflect.Type]string
	foreign bool // whether it has spelled a type that the package cannot use
}

func newTypeNames(pkg string) *typeNames {
	return &typeNames{pkg: pkg, known: make(map[reflect.Type]string)}
}

// qualifier returns what precedes a name of the package with the given path and name.
func (tn *typeNames) qualifier(path, name string) string {
	if path == tn.pkg || name == "" {
		return ""
	}
	return name + "."
}

// name returns t as it is written in Go.
func (tn *typeNames) name(t reflect.Type) string {
	s, ok := tn.known[t]
	if !ok {
		if t.Name() != "" {
			s = tn.named(t)
		} else {
			s = tn.unnamed(t)
		}
		tn.known[t] = s
	}
	return s
}

// conversion returns t as it is written in front of the parenthesis of a conversion.
func (tn *typeNames) conversion(t reflect.Type) string {
	s := tn.name(t)
	if t.Name() != "" {
		return s
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Chan:
		return "(" + s + ")"
	}
	for t.Name() == "" {
		switch t.Kind() {
		case reflect.Func:
			// The parenthesis would be read as the one of the function's results.
			return "(" + s + ")"
		case reflect.Pointer, reflect.Chan, reflect.Slice, reflect.Array, reflect.Map:
			t = t.Elem()
		default:
			return s
		}
	}
	return s
}

func (tn *typeNames) named(t reflect.Type) string {
	if t.PkgPath() == "" {
		return t.Name()
	}
	pkgName, _, _ := strings.Cut(t.String(), ".")
	if t.PkgPath() != tn.pkg && !token.IsExported(t.Name()) {
		tn.foreign = true
	}
	name, args := t.Name(), ""
	if i := strings.IndexByte(name, '['); i >= 0 {
		name, args = name[:i], name[i:]
	}
	return tn.qualifier(t.PkgPath(), pkgName) + name + tn.arguments(args)
}

func (tn *typeNames) unnamed(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + tn.name(t.Elem())
	case reflect.Slice:
		return "[]" + tn.elem(t)
	case reflect.Array:
		return "[" + strconv.Itoa(t.Len()) + "]" + tn.elem(t)
	case reflect.Map:
		return "map[" + tn.name(t.Key()) + "]" + tn.name(t.Elem())
	case reflect.Chan:
		return tn.channel(t)
	case reflect.Func:
		return "func" + tn.signature(t)
	case reflect.Struct:
		return tn.structType(t)
	case reflect.Interface:
		return tn.interfaceType(t)
	}
	return t.String()
}

// elem returns the type of the elements of an array or slice.
func (tn *typeNames) elem(t reflect.Type) string {
	if t.Elem() == reflect.TypeFor[byte]() {
		return "byte"
	}
	return tn.name(t.Elem())
}

func (tn *typeNames) channel(t reflect.Type) string {
	elem := tn.name(t.Elem())
	switch {
	case t.ChanDir() == reflect.RecvDir:
		return "<-chan " + elem
	case t.ChanDir() == reflect.SendDir:
		return "chan<- " + elem
	case strings.HasPrefix(elem, "<-"):
		return "chan (" + elem + ")"
	}
	return "chan " + elem
}

// signature returns the parameters and results of a function.
func (tn *typeNames) signature(t reflect.Type) string {
	var b strings.Builder
	b.WriteByte('(')
	for i := range t.NumIn() {
		if i > 0 {
			b.WriteString(", ")
		}
		if t.IsVariadic() && i == t.NumIn()-1 {
			b.WriteString("..." + tn.name(t.In(i).Elem()))
		} else {
			b.WriteString(tn.name(t.In(i)))
		}
	}
	b.WriteByte(')')
	if t.NumOut() == 1 {
		return b.String() + " " + tn.name(t.Out(0))
	}
	for i := range t.NumOut() {
		b.WriteString([]string{" (", ", "}[min(i, 1)] + tn.name(t.Out(i)))
	}
	if t.NumOut() > 0 {
		b.WriteByte(')')
	}
	return b.String()
}

func (tn *typeNames) structType(t reflect.Type) string {
	var fields []string
	tagged := false
	for i := range t.NumField() {
		f := t.Field(i)
		s := tn.name(f.Type)
		if !f.Anonymous {
			s = f.Name + " " + s
		}
		if f.Tag != "" {
			tagged = true
			s += " " + quoteTag(string(f.Tag))
		}
		fields = append(fields, s)
	}
	return body("struct", fields, tagged)
}

func (tn *typeNames) interfaceType(t reflect.Type) string {
	if t.NumMethod() == 0 {
		return "any"
	}
	var methods []string
	for i := range t.NumMethod() {
		m := t.Method(i)
		methods = append(methods, m.Name+tn.signature(m.Type))
	}
	return body("interface", methods, false)
}

// quoteTag returns a struct tag as a string literal.
func quoteTag(tag string) string {
	if strconv.CanBackquote(tag) {
		return "`" + tag + "`"
	}
	return strconv.Quote(tag)
}

// body returns a struct or interface type with the given members, on as many lines
// as gofmt gives it.
func body(keyword string, members []string, tagged bool) string {
	const maxOneLine = 24 // just below gofmt's limit
	switch {
	case len(members) == 0:
		return keyword + "{}"
	case len(members) == 1 && len(members[0]) <= maxOneLine && !tagged:
		return keyword + "{ " + members[0] + " }"
	}
	return keyword + " {\n" + strings.Join(members, "\n") + "\n}"
}

// oneLine returns the type s without the line breaks that gofmt would write.
func oneLine(s string) string {
	return strings.NewReplacer(" {\n", "{ ", "\n}", " }", "\n", "; ").Replace(s)
}

// assumedName returns the name that the package with the given path has by
// convention, or "" if there is none.
func assumedName(pkgPath string) string {
	name := path.Base(pkgPath)
	if version, ok := strings.CutPrefix(name, "v"); ok {
		if _, err := strconv.Atoi(version); err == nil && path.Dir(pkgPath) != "." {
			name = path.Base(path.Dir(pkgPath))
		}
	}
	name = strings.TrimPrefix(name, "go-")
	if i := strings.IndexFunc(name, notInIdentifier); i >= 0 {
		name = name[:i]
	}
	if !token.IsIdentifier(name) {
		return ""
	}
	return name
}

func notInIdentifier(r rune) bool {
	return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
