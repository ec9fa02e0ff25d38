// Package literal prints Go values as Go expressions.
//
// It lets the reader of a report paste a failing input into a test and debug it there.
// The verbs of package fmt do not: %#v prints addresses instead of what pointers point
// to, does not detect cycles, and prints everything on one line. [Of] prints what a
// developer would write by hand, formatted by gofmt. It prints equal values alike in
// every run.
package literal

import (
	"reflect"
	"strings"
)

const (
	maxSize  = 64 << 10 // bytes of an expression
	maxDepth = 1000     // pointers, maps and slices around a value
)

// Of returns v as a Go expression. Names of types of the package with import path
// pkg, which may be empty, are printed without qualifier, others with the name of
// their package.
//
// The expression is on one line if it fits within 80 columns. It omits fields that are
// zero. It has a nil with a comment for what it cannot express: functions, channels and
// unsafe pointers that are not nil, places where a value contains itself, and anything
// beyond 64 KiB of text or 1000 levels of nesting.
func Of(v any, pkg string) string { return OfValue(reflect.ValueOf(v), pkg) }

// OfValue is Of for a value that may come from an unexported field.
func OfValue(v reflect.Value, pkg string) string {
	text, _ := ofValue(v, pkg, maxSize, nil)
	return text
}

// Within is Of with a limit of size bytes instead of 64 KiB, at least for values
// with short type names. It also reports whether the text is complete: in the package,
// where the types of the value are in scope and packages imported, it compiles and makes
// an equal value.
func Within(size int, v any, pkg string) (text string, all bool) {
	return ofValue(reflect.ValueOf(v), pkg, size, nil)
}

// Unformatted is Of without gofmt, which takes ten times as long as the rest. Use it for texts
// that are compared. [Format] formats them later.
func Unformatted(v any, pkg string) string {
	return layOut(newPrinter(pkg, maxSize).value(reflect.ValueOf(v), free))
}

// TypeName returns how the package with import path pkg writes t.
func TypeName(t reflect.Type, pkg string) string { return newTypeNames(pkg).name(t) }

func ofValue(v reflect.Value, pkg string, size int, marks Marks) (text string, all bool) {
	for budget := size; ; budget /= 2 {
		p := newPrinter(pkg, budget)
		p.marks = marks
		s := Format(layOut(p.value(v, free)))
		// The budget covers what the printer writes, but not how gofmt aligns it.
		if len(s) <= size || budget == 0 {
			return s, !p.partial && !p.types.foreign
		}
	}
}

// A place says what surrounds an expression, and so how much of its type the expression
// must spell out.
type place int

const (
	free    place = iota // the type is not known, and nil is possible
	exact                // the expression alone gives a variable its type
	field                // the expression has the type of a struct field
	element              // the expression has the type of a composite literal's key or element
)

// implied reports whether an expression takes on its type from its place.
func (pl place) implied() bool { return pl == field || pl == element }

// A printer turns values into nodes.
type printer struct {
	types  *typeNames
	budget int  // bytes of text that may still be printed
	full   bool // whether something did not fit into the budget
	indent int  // lists around the current value

	marks Marks
	at    Path // of the current value, if there are marks

	partial bool // whether something is printed that does not make the same value
	// visiting holds the references around the current value.
	visiting map[reference]bool
	// orders holds the sorted entries of maps, by the maps' addresses.
	orders map[uintptr][]entry
}

// A reference identifies a pointer, map or slice.
type reference struct {
	addr uintptr
	len  int
	typ  reflect.Type
}

func newPrinter(pkg string, budget int) *printer {
	return &printer{
		types:    newTypeNames(pkg),
		budget:   budget,
		visiting: make(map[reference]bool),
		orders:   make(map[uintptr][]entry),
	}
}

// charge takes n bytes from the budget, or reports that there are not enough.
func (p *printer) charge(n int) bool {
	if p.full || n > p.budget {
		p.full = true
		return false
	}
	p.budget -= n
	return true
}

// value returns v as an expression for a place pl.
func (p *printer) value(v reflect.Value, pl place) *node {
	switch v.Kind() {
	case reflect.Invalid:
		return &node{open: "nil"}
	case reflect.Interface:
		return p.iface(v, pl)
	case reflect.Pointer:
		return p.pointer(v, pl)
	case reflect.Struct:
		if isTime(v.Type()) && !isZero(v) {
			return p.time(v, pl)
		}
		if n, ok := p.address(v, pl); ok {
			return n
		}
		if x, ok := bigOf(v); ok {
			return p.bigInt(x, v.Type(), pl).wrap("*", "")
		}
		return p.structure(v, p.typePrefix(v.Type(), pl), v.Type(), pl)
	case reflect.Array:
		return p.array(v, pl)
	case reflect.Slice:
		return p.slice(v, pl)
	case reflect.Map:
		return p.mapping(v, pl)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if v.IsNil() {
			return p.null(v.Type(), pl)
		}
		return p.comment(oneLine(p.types.name(v.Type())), v.Type(), pl)
	default:
		return p.basic(v, pl)
	}
}

func (p *printer) iface(v reflect.Value, pl place) *node {
	if v.IsNil() {
		return p.null(v.Type(), pl)
	}
	if pl != exact {
		return p.value(v.Elem(), free)
	}
	return p.call(p.types.conversion(v.Type()), v.Type(), pl, func() *node {
		return p.value(v.Elem(), free)
	})
}

func (p *printer) pointer(v reflect.Value, pl place) *node {
	t := v.Type()
	if v.IsNil() {
		return p.null(t, pl)
	}
	if t.Name() != "" && !pl.implied() {
		return p.call(p.types.conversion(t), t, pl, func() *node {
			return p.pointer(v, field)
		})
	}
	if v.CanInterface() {
		if s, comment, ok := MessageText(v.Interface(), p.types.name(t)); comment {
			return p.comment(s, t, pl)
		} else if ok {
			return p.text(p.types.qualifier("github.com/espalier-go/espalier/bigen/bigenpb",
				"bigenpb")+s, t, pl)
		}
	}
	if x, ok := bigOf(v.Elem()); ok && t.Name() == "" {
		return p.bigInt(x, t, pl)
	}
	return p.nested(v, pl, func() *node {
		elem := v.Elem()
		if elem.Kind() != reflect.Struct ||
			(isTime(elem.Type()) || parsers[elem.Type()] != "") && !isZero(elem) {
			if !newTakesValues() {
				return p.older(elem, t, pl)
			}
			return p.call("new", t, pl, func() *node { return p.value(elem, exact) })
		}
		prefix := "&" + p.types.name(elem.Type())
		if pl == element && t.Name() == "" {
			prefix = ""
		}
		return p.structure(elem, prefix, t, pl)
	})
}

// nested calls print to print v, a pointer, map or slice, unless v is already being
// printed or is too deep inside other values.
func (p *printer) nested(v reflect.Value, pl place, print func() *node) *node {
	ref := reference{addr: v.Pointer(), typ: v.Type()}
	if v.Kind() == reflect.Slice {
		ref.len = v.Len()
	}
	if p.visiting[ref] {
		return p.comment("cycle", v.Type(), pl)
	}
	if len(p.visiting) >= maxDepth {
		return p.comment("too deep", v.Type(), pl)
	}
	p.visiting[ref] = true
	defer delete(p.visiting, ref)
	return print()
}

// call returns a call of fun, the name of a function or type, with the argument
// that arg returns. The call has type t.
func (p *printer) call(fun string, t reflect.Type, pl place, arg func() *node) *node {
	if !p.charge(len(fun) + len("()")) {
		return p.rest(t, pl)
	}
	return arg().wrap(fun+"(", ")")
}

// text returns the expression s of type t.
func (p *printer) text(s string, t reflect.Type, pl place) *node {
	if !p.charge(len(s)) {
		return p.rest(t, pl)
	}
	return &node{open: s}
}

// null returns the nil value of type t.
func (p *printer) null(t reflect.Type, pl place) *node {
	if pl.implied() {
		return p.text("nil", t, pl)
	}
	return p.text(p.types.conversion(t)+"(nil)", t, pl)
}

// comment returns a nil that stands for a value of type t and says why.
func (p *printer) comment(why string, t reflect.Type, pl place) *node {
	n := p.substitute(why, t, pl)
	if !p.charge(len(n.open)) {
		return p.rest(t, pl)
	}
	return n
}

// rest returns what stands for a value of type t that does not fit into the budget.
func (p *printer) rest(t reflect.Type, pl place) *node {
	n := p.substitute(restText, t, pl)
	n.rest = true
	return n
}

const restText = "..."

func (p *printer) substitute(why string, t reflect.Type, pl place) *node {
	p.partial = true
	n := &node{open: "nil /* " + strings.ReplaceAll(why, "*/", "* /") + " */"}
	if pl == exact && nillable(t) {
		n.wrap(p.types.conversion(t)+"(", ")")
	}
	return n
}

func nillable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.Map,
		reflect.Pointer, reflect.Slice, reflect.UnsafePointer:
		return true
	}
	return false
}
