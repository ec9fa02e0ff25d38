package grammar

import (
	"cmp"
	"fmt"
	"strings"
)

// A goType is a Go type of syntax trees.
type goType struct {
	Name string
	Doc  string // what it is a text of
	Kind goKind

	Fields []field
	Code   []string  // of a struct: statements that describe its text
	Cases  []*goType // of an interface
	Expr   string    // of a lexeme: regular expression
	Except []string  // of a lexeme
	Tokens string    // of a lexeme, if there is a lexer: the function of package bigen/syntax
	Kinds  []string  // and the names of its tokens
	Is     []string  // interfaces that it is a case of
	own    []*goType // of its parts
	names  names     // of its fields
}

type goKind string

const (
	structKind    goKind = "struct"
	interfaceKind goKind = "interface"
	lexemeKind    goKind = "lexeme"
)

type field struct{ Name, Typ string }

// Rule returns the function of a type in Go.
func (t *goType) Rule() string {
	if t.Kind == lexemeKind {
		return "lex" + t.Name + ".Text"
	}
	return "text" + t.Name
}

// at returns the statement for a part at an address.
func (t *goType) at(address string) string {
	if t.Kind == lexemeKind {
		return fmt.Sprintf("%s(c, %s)", t.Rule(), address)
	}
	return fmt.Sprintf("syntax.At(c, %s, %s)", address, t.Rule())
}

func (t *goType) say(format string, args ...any) {
	t.Code = append(t.Code, fmt.Sprintf(format, args...))
}

// field adds a field, and returns its name.
func (t *goType) field(e *Expr, name, typ string) string {
	name = camel(cmp.Or(e.Label, strings.TrimPrefix(name, t.Name), name))
	name = t.names.unique(name)
	t.Fields = append(t.Fields, field{name, typ})
	return name
}
