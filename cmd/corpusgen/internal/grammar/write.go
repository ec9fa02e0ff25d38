package grammar

import (
	_ "embed"
	"go/format"
	"strconv"
	"strings"
	"text/template"
)

// A File is what to write of a grammar.
type File struct {
	Package string
	From    string // names of the files of the grammar
	Space   string // regular expression of what may be between tokens
	Test    bool   // with a fuzz target
	Kinds   []kind // of tokens, if there is a lexer

	Root  *goType
	Types []*goType
}

//go:embed file.tmpl
var layout string

var layoutTemplate = template.Must(template.New("").Funcs(template.FuncMap{"quote": quote}).
	Parse(layout))

// Write returns a Go file of the rules that [Grammar.Resolve] has returned.
func (f File) Write(g *Grammar, rules []*Rule) ([]byte, error) {
	f.Types = newShape(g, rules).types
	f.Root, f.Kinds = f.Types[0], g.kinds
	var b strings.Builder
	if err := layoutTemplate.Execute(&b, f); err != nil {
		return nil, err
	}
	return format.Source([]byte(b.String()))
}

// quote returns a text as a Go literal, in backquotes if that is possible.
func quote(text string) string {
	if strconv.CanBackquote(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}
