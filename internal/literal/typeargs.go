package literal

import (
	"net/url"
	"strings"
)

// A rewriter turns type arguments as reflect has them in the name of a type into Go.
// In there, names of types are qualified with the whole path of their package and
// those of types declared in a function have a number, as in
// [map[string]example.com/box.T·1,struct { example.com/box.x int }].
type rewriter struct {
	in        string
	qualifier func(path string) string

	out    strings.Builder
	member bool // whether a field or method may follow
}

func (r *rewriter) rewrite() string {
	for r.in != "" {
		switch c := r.in[0]; {
		case c == '"':
			r.tag()
		case r.skip("interface {}"):
			r.out.WriteString("any")
		case r.skip("struct {}"):
			r.out.WriteString("struct{}")
		case r.skip("{ "):
			r.out.WriteString("{\n")
			r.member = true
		case r.skip("; "):
			r.out.WriteString("\n")
			r.member = true
		case r.skip(" }"):
			r.out.WriteString("\n}")
		case c == ',':
			// The arguments are separated without a space, parameters with one.
			r.skip(",")
			r.skip(" ")
			r.out.WriteString(", ")
		case isPathByte(c) && c != '.' && c != '-':
			r.name()
		default:
			r.out.WriteByte(c)
			r.in = r.in[1:]
		}
	}
	return r.out.String()
}

// skip drops prefix from the input if it is there.
func (r *rewriter) skip(prefix string) bool {
	in, ok := strings.CutPrefix(r.in, prefix)
	if ok {
		r.in = in
	}
	return ok
}

// tag copies a quoted string.
func (r *rewriter) tag() {
	n := 1
	for n < len(r.in) && r.in[n] != '"' {
		if r.in[n] == '\\' {
			n++
		}
		n++
	}
	n = min(n+1, len(r.in))
	r.out.WriteString(r.in[:n])
	r.in = r.in[n:]
}

// name rewrites a word or qualified name.
func (r *rewriter) name() {
	n := 0
	for n < len(r.in) && isPathByte(r.in[n]) {
		n++
	}
	word := r.in[:n]
	r.in = r.in[n:]
	member := r.member
	r.member = false
	if member && r.skip(" = ") {
		return // An embedded field's name precedes its type if that has arguments.
	}

	dot := strings.LastIndexByte(word, '.')
	if dot < 0 {
		r.out.WriteString(word)
		return
	}
	path, name := word[:dot], word[dot+1:]
	name, _, _ = strings.Cut(name, "·")
	if member && r.isMemberName() {
		r.out.WriteString(name)
		return
	}
	if p, err := url.PathUnescape(path); err == nil {
		path = p
	}
	r.out.WriteString(r.qualifier(path) + name)
}

// isMemberName reports whether the word before the input, the first of a struct's
// field or an interface's method, is the name of it and not the embedded type.
func (r *rewriter) isMemberName() bool {
	if strings.HasPrefix(r.in, "(") {
		return true
	}
	rest, ok := strings.CutPrefix(r.in, " ")
	return ok && !strings.HasPrefix(rest, "}") && !strings.HasPrefix(rest, `"`)
}

// isPathByte reports whether c can be part of an import path or an identifier.
func isPathByte(c byte) bool {
	return c >= 0x80 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		strings.IndexByte("_./%~+-@!$&'", c) >= 0
}
