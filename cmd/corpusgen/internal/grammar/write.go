package grammar

import (
	"cmp"
	"fmt"
	"go/format"
	"slices"
	"strconv"
	"strings"
)

// A File is what to write of a grammar.
type File struct {
	Package string
	From    []string // names of the files of the grammar
	Space   string   // regular expression of what may be between tokens
	Test    bool     // with a fuzz target
}

// Write returns a Go file of the rules that [Grammar.Resolve] has returned.
func (f File) Write(g *Grammar, rules []*Rule) ([]byte, error) {
	s := newShape(g, rules)
	root := s.types[0]
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	imports := []string{"bigen", "bigen/syntax"}
	if f.Test {
		imports = append(imports, "fuzzext")
	}
	p("package %s\n\nimport (\n", f.Package)
	if f.Test {
		p("\t\"testing\"\n\n")
	}
	for _, path := range imports {
		p("\t\"github.com/espalier-go/espalier/%s\"\n", path)
	}
	p(")\n\n")
	p("// gen%s makes syntax trees of %s.\n", root.name, strings.Join(f.From, " and "))
	p("var gen%s = bigen.For[%s](\n", root.name, root.name)
	for _, t := range s.types {
		switch t.kind {
		case lexemeKind:
			p("\tbigen.With(lex%s.Gen()),\n", t.name)
		case interfaceKind:
			p("\tbigen.Variants[%s](%s),\n", t.name, simplestFirst(t.cases))
		}
	}
	p(")\n\n")
	p("// language%s prints these trees, and parses texts into them.\n", root.name)
	p("var language%s = syntax.New(%s, %s)\n\n", root.name, root.rule(), quote(f.Space))
	if f.Test {
		p(`func Fuzz%[1]s(f *testing.F) {
	// Seeds: parse files by language%[1]s.Parse, and add the trees by fuzzext.Add(f, gen%[1]s, trees...).
	f.Fuzz(fuzzext.Valid(gen%[1]s, func(t *fuzzext.T, tree %[1]s) {
		text := language%[1]s.Print(tree)
		// TODO: call the code under test with text, instead of the following.
		again, err := language%[1]s.Parse(text)
		if err != nil {
			t.Fatalf("%%q: %%v", text, err)
		}
		if second := language%[1]s.Print(again); second != text {
			t.Fatalf("%%q is printed as %%q", text, second)
		}
	}))
}

`, root.name)
	}
	for _, t := range s.types {
		t.write(p)
	}
	return format.Source([]byte(b.String()))
}

// simplestFirst returns values of types in Go, those first whose texts nest less.
func simplestFirst(types []*goType) string {
	types = slices.Clone(types)
	slices.SortStableFunc(types, func(a, b *goType) int { return cmp.Compare(a.level, b.level) })
	var values []string
	for _, t := range types {
		if t.kind == lexemeKind {
			values = append(values, t.name+`("")`)
		} else {
			values = append(values, t.name+"{}")
		}
	}
	return strings.Join(values, ", ")
}

// write writes a type, and the description of its text.
func (t *goType) write(p func(string, ...any)) {
	p("// %s\n", t.doc)
	switch t.kind {
	case lexemeKind:
		p("type %s string\n\nvar lex%s = syntax.NewLexeme[%s](%s", t.name, t.name, t.name, quote(t.expr))
		for _, w := range t.except {
			p(", %q", w)
		}
		p(")\n\n")
	case structKind:
		p("type %s struct{", t.name)
		for _, f := range t.fields {
			p("\n\t%s %s", f.name, f.typ)
		}
		if len(t.fields) > 0 {
			p("\n")
		}
		p("}\n\nfunc text%s(c *syntax.C, p *%s) {\n\t%s\n}\n\n", t.name, t.name, strings.Join(t.code, "\n\t"))
	case interfaceKind:
		p("type %s interface{ is%s() }\n\nfunc text%s(c *syntax.C, p *%s) {\n\tswitch {\n", t.name, t.name, t.name, t.name)
		for _, c := range t.cases {
			p("\tcase syntax.Is(c, p, %s):\n", c.rule())
		}
		p("\tdefault:\n\t\tc.None()\n\t}\n}\n\n")
	}
	for _, name := range t.is {
		p("func (%s) is%s() {}\n\n", t.name, name)
	}
}

// quote returns a text as a Go literal, in backquotes if that is possible.
func quote(text string) string {
	if strconv.CanBackquote(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}
