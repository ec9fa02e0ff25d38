package shprograms

import (
	"reflect"
	"strings"

	"github.com/espalier-go/espalier/bigen"
	"mvdan.cc/sh/v3/syntax"
)

// description tells how to make the types of package syntax that the types of their fields alone
// do not describe: by types of this package, which have rules.
type description struct {
	options      []bigen.Option
	constructors map[string]reflect.Type // by tag: their arguments
}

func describe() *description {
	d := &description{constructors: map[string]reflect.Type{}}
	as(d, file.node)
	as(d, stmt.node)
	as(d, block.node)
	as(d, subshell.node)
	as(d, call.node)
	as(d, ifClause.node)
	as(d, whileClause.node)
	as(d, forClause.node)
	as(d, binaryCmd.node)
	as(d, funcDecl.node)
	as(d, caseClause.node)
	as(d, caseItem.node)
	as(d, arithmCmd.node)
	as(d, testClause.node)
	as(d, declClause.node)
	as(d, letClause.node)
	as(d, timeClause.node)
	as(d, coprocClause.node)
	as(d, redirect.node)
	as(d, word.node)
	as(d, literal.node)
	as(d, sglQuoted.node)
	as(d, dblQuoted.node)
	as(d, paramExp.node)
	as(d, cmdSubst.node)
	as(d, arithmExp.node)
	as(d, extGlob.node)
	variants[loop](d, wordIter{})
	variants[callForm](d, command{}, assignments{})
	variants[assign](d, value{}, element{}, array{})
	variants[declArg](d, declName(""), declValue{}, declFlag(""))
	variants[expansion](d, plain{}, short{}, length{}, indirect{}, index{}, slice{}, replace{}, names{}, operator{})
	variants[arithm](d, number{}, variable{}, expanded{}, unary{}, step{}, binary{}, assignment{}, ternary{}, parens{})
	variants[test](d, testWord{}, testUnary{}, testBinary{}, testMatch{}, testNot{}, testLogic{}, testParens{})
	d.options = append(d.options,
		bigen.Variants[syntax.Command]((*syntax.CallExpr)(nil), (*syntax.Block)(nil), (*syntax.Subshell)(nil),
			(*syntax.IfClause)(nil), (*syntax.WhileClause)(nil), (*syntax.ForClause)(nil), (*syntax.BinaryCmd)(nil),
			(*syntax.FuncDecl)(nil), (*syntax.CaseClause)(nil), (*syntax.ArithmCmd)(nil), (*syntax.TestClause)(nil),
			(*syntax.DeclClause)(nil), (*syntax.LetClause)(nil), (*syntax.TimeClause)(nil), (*syntax.CoprocClause)(nil)),
		bigen.Variants[syntax.WordPart]((*syntax.Lit)(nil), (*syntax.SglQuoted)(nil), (*syntax.DblQuoted)(nil),
			(*syntax.ParamExp)(nil), (*syntax.CmdSubst)(nil), (*syntax.ArithmExp)(nil), (*syntax.ExtGlob)(nil)),
		bigen.Variants[quotedPart]((*syntax.Lit)(nil), (*syntax.ParamExp)(nil), (*syntax.CmdSubst)(nil), (*syntax.ArithmExp)(nil)),
		bigen.With(bigen.Iso(bigen.IntRange(0, 1), func(i int) bool { return i > 0 }, func(bool) (int, bool) { return 0, false })),
		bigen.With(oneOf[name]("a", "b", "c", "f", "HOME", "IFS")),
		bigen.With(oneOf[parameter]("a", "b", "c", "f", "HOME", "1", "@", "*", "?")),
		bigen.With(oneOf[digits]("0", "1", "2", "3", "7")),
		bigen.With(oneOf[text]("a", "b", "c", "f", "x y", "-n", "1", "2", "", "*", "a*", "/", "%s")),
		bigen.With(oneOf[literal]("a", "b", "c", "f", "1", "2", "3", "*", "a?", "[ab]", "~", "/", "%s", ":", "x.y")),
		bigen.With(oneOf[commandName]("a", "b", "f", "true", "false", ":", "echo", "printf", "set", "shift", "unset", "cd", "pwd", "return",
			"break", "continue", "exit", "eval", "test", "read", "trap", "type", "shopt", "getopts", "mapfile", "command", "builtin", "source", "dirs", "pushd", "popd", "alias", "wait", "umask", "hash", "exec")),
		bigen.With(oneOf[flag]("-a", "-e", "-n", "-p", "-u", "-x", "-", "+e", "--")),
		bigen.With(oneOf[pattern]("a", "*", "b|1", "[ab]")),
		bigen.With(oneOf[declName]("a", "b", "c", "f")),
		bigen.With(oneOf[declFlag]("-a", "-A", "-x", "-r", "-p", "-g", "-n", "-f")),
		bigen.With(bigen.OneOf("declare", "local", "export", "readonly", "typeset")),
		bigen.With(bigen.OneOf(syntax.AndStmt, syntax.OrStmt)),
		bigen.With(bigen.OneOf(syntax.Break, syntax.Fallthrough, syntax.Resume)),
		bigen.With(bigen.OneOf(syntax.RdrOut, syntax.AppOut, syntax.RdrIn, syntax.RdrInOut, syntax.DplIn, syntax.DplOut,
			syntax.RdrClob, syntax.WordHdoc, syntax.RdrAll, syntax.AppAll)),
		bigen.With(bigen.OneOf(syntax.GlobZeroOrOne, syntax.GlobZeroOrMore, syntax.GlobOneOrMore, syntax.GlobOne, syntax.GlobExcept)),
		bigen.With(bigen.OneOf(syntax.NamesPrefix, syntax.NamesPrefixWords)),
		bigen.With(bigen.OneOf(syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.DefaultUnset, syntax.DefaultUnsetOrNull,
			syntax.ErrorUnset, syntax.ErrorUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull,
			syntax.RemSmallSuffix, syntax.RemLargeSuffix, syntax.RemSmallPrefix, syntax.RemLargePrefix,
			syntax.UpperFirst, syntax.UpperAll, syntax.LowerFirst, syntax.LowerAll)),
		bigen.With(bigen.OneOf(syntax.Not, syntax.BitNegation, syntax.Plus, syntax.Minus)),
		bigen.With(bigen.OneOf(increment, decrement)),
		bigen.With(bigen.OneOf(syntax.Add, syntax.Sub, syntax.Mul, syntax.Quo, syntax.Rem, syntax.Pow,
			syntax.Eql, syntax.Gtr, syntax.Lss, syntax.Neq, syntax.Leq, syntax.Geq, syntax.And, syntax.Or, syntax.Xor,
			syntax.Shr, syntax.Shl, syntax.AndArit, syntax.OrArit, syntax.Comma)),
		bigen.With(bigen.OneOf(assignOps()...)),
		bigen.With(bigen.OneOf(syntax.TsExists, syntax.TsRegFile, syntax.TsDirect, syntax.TsCharSp, syntax.TsBlckSp, syntax.TsNmPipe,
			syntax.TsSocket, syntax.TsSmbLink, syntax.TsSticky, syntax.TsGIDSet, syntax.TsUIDSet, syntax.TsGrpOwn, syntax.TsUsrOwn,
			syntax.TsModif, syntax.TsRead, syntax.TsWrite, syntax.TsExec, syntax.TsNoEmpty, syntax.TsFdTerm, syntax.TsEmpStr,
			syntax.TsNempStr, syntax.TsOptSet, syntax.TsVarSet, syntax.TsRefVar)),
		bigen.With(bigen.OneOf(syntax.TsNewer, syntax.TsOlder, syntax.TsDevIno, syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq,
			syntax.TsLss, syntax.TsGtr, syntax.TsMatchShort, syntax.TsMatch, syntax.TsNoMatch, syntax.TsBefore, syntax.TsAfter)),
		bigen.With(bigen.OneOf(testAnd, testOr)),
	)
	return d
}

// as makes every T from a value of A.
func as[T, A any](d *description, to func(A) T) {
	d.options = append(d.options, bigen.Construct(to, unread))
	d.constructors[tagOf[T]()] = reflect.TypeFor[A]()
}

// unread is the backward direction of what is only made.
func unread[T, A any](T) (a A, ok bool) { return a, false }

// variants lists the types of this package that an I may hold.
func variants[I any](d *description, types ...I) {
	d.options = append(d.options, bigen.Variants(types...))
	for _, v := range types {
		t := reflect.TypeOf(v)
		d.constructors[t.Name()] = t
	}
}

// tagOf returns the name of a type, or of what it points to.
func tagOf[T any]() string {
	_, name, _ := strings.Cut(reflect.TypeFor[T]().String(), ".")
	return name
}

// oneOf makes one of the texts: not by a pick, since texts are no constructors. Neither are
// booleans.
func oneOf[S ~string](texts ...string) bigen.Gen[S] {
	return bigen.Iso(bigen.IntRange(0, len(texts)-1),
		func(i int) S { return S(texts[i]) },
		func(S) (int, bool) { return 0, false })
}
