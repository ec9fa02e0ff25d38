// Package shprograms makes programs of package mvdan.cc/sh/v3/syntax by a generator that
// [bigen.For] derives from types of it.
package shprograms

import (
	"strings"

	"github.com/espalier-go/espalier/bigen"
	"mvdan.cc/sh/v3/syntax"
)

// Derived makes programs that are mostly valid in Bash, as [bigen.For] derives them. It leaves out
// positions, comments, what only other shells have, and what an interpreter does
// concurrently or by files: pipelines, background commands, process substitutions and
// here-documents. In C-style loops, exit can make the interpreter run forever: they are left
// out, too.
func Derived() bigen.Gen[*syntax.File] {
	return bigen.For[*syntax.File](describe().options...)
}

// Gen makes the programs of [Derived], by weights that do not depend on the depth: so package
// predict reads few types. With these weights alone, programs hardly end.
func Gen() bigen.Gen[*syntax.File] {
	var stmts bigen.Gen[*syntax.Stmt]
	var items bigen.Gen[*syntax.CaseItem]
	var words bigen.Gen[*syntax.Word]
	var commands bigen.Gen[syntax.Command]
	var parts bigen.Gen[syntax.WordPart]
	var exprs bigen.Gen[arithm]
	var tests bigen.Gen[test]
	o := append(describe().options,
		bigen.With(bigen.Lazy(func() bigen.Gen[*syntax.Stmt] { return stmts })),
		bigen.With(bigen.Lazy(func() bigen.Gen[*syntax.CaseItem] { return items })),
		bigen.With(bigen.Lazy(func() bigen.Gen[*syntax.Word] { return words })),
		bigen.With(bigen.Lazy(func() bigen.Gen[syntax.Command] { return commands })),
		bigen.With(bigen.Lazy(func() bigen.Gen[syntax.WordPart] { return parts })),
		bigen.With(bigen.Lazy(func() bigen.Gen[arithm] { return exprs })),
		bigen.With(bigen.Lazy(func() bigen.Gen[test] { return tests })))
	stmts = bigen.Iso(bigen.For[stmt](o...), stmt.node, unread)
	items = bigen.Iso(bigen.For[caseItem](o...), caseItem.node, unread)
	words = bigen.Iso(bigen.For[word](o...), word.node, unread)
	commands = bigen.Pick(
		variant[syntax.Command, *syntax.CallExpr](o), variant[syntax.Command, *syntax.Block](o), variant[syntax.Command, *syntax.Subshell](o),
		variant[syntax.Command, *syntax.IfClause](o), variant[syntax.Command, *syntax.WhileClause](o), variant[syntax.Command, *syntax.ForClause](o),
		variant[syntax.Command, *syntax.BinaryCmd](o), variant[syntax.Command, *syntax.FuncDecl](o), variant[syntax.Command, *syntax.CaseClause](o),
		variant[syntax.Command, *syntax.ArithmCmd](o), variant[syntax.Command, *syntax.TestClause](o), variant[syntax.Command, *syntax.DeclClause](o),
		variant[syntax.Command, *syntax.LetClause](o), variant[syntax.Command, *syntax.TimeClause](o), variant[syntax.Command, *syntax.CoprocClause](o))
	parts = bigen.Pick(
		variant[syntax.WordPart, *syntax.Lit](o), variant[syntax.WordPart, *syntax.SglQuoted](o), variant[syntax.WordPart, *syntax.DblQuoted](o),
		variant[syntax.WordPart, *syntax.ParamExp](o), variant[syntax.WordPart, *syntax.CmdSubst](o), variant[syntax.WordPart, *syntax.ArithmExp](o),
		variant[syntax.WordPart, *syntax.ExtGlob](o))
	exprs = bigen.Pick(
		variant[arithm, number](o), variant[arithm, variable](o), variant[arithm, expanded](o), variant[arithm, unary](o), variant[arithm, step](o),
		variant[arithm, binary](o), variant[arithm, assignment](o), variant[arithm, ternary](o), variant[arithm, parens](o))
	tests = bigen.Pick(
		variant[test, testWord](o), variant[test, testUnary](o), variant[test, testBinary](o), variant[test, testMatch](o),
		variant[test, testNot](o), variant[test, testLogic](o), variant[test, testParens](o))
	return bigen.For[*syntax.File](o...)
}

// variant makes values of the interface type I that hold a V.
func variant[I, V any](o []bigen.Option) bigen.Alt[I] {
	return bigen.Case[I](tagOf[V](), bigen.For[V](o...))
}

// Print returns the text of a program.
func Print(f *syntax.File) (string, error) {
	var b strings.Builder
	err := syntax.NewPrinter().Print(&b, f)
	return b.String(), err
}

// Parse reads a program.
func Parse(text string) (*syntax.File, error) {
	return syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
}
