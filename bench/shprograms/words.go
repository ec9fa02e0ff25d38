package shprograms

import "mvdan.cc/sh/v3/syntax"

type (
	name      string // of a variable or function
	parameter string // what expands
	digits    string
	text      string // between quotes
	pattern   string // of an extended glob
)

type word struct {
	Parts []syntax.WordPart `bigen:"len=1.."`
}

func (w word) node() *syntax.Word { return &syntax.Word{Parts: w.Parts} }

type literal string

func (l literal) node() *syntax.Lit { return lit(l) }

type sglQuoted struct {
	Dollar bool
	Value  text
}

func (q sglQuoted) node() *syntax.SglQuoted {
	return &syntax.SglQuoted{Dollar: q.Dollar, Value: string(q.Value)}
}

type dblQuoted struct {
	Dollar bool
	Parts  []quotedPart
}

// quotedPart is a part of a word between double quotes.
type quotedPart interface{ syntax.WordPart }

func (q dblQuoted) node() *syntax.DblQuoted {
	n := &syntax.DblQuoted{Dollar: q.Dollar}
	for _, p := range q.Parts {
		n.Parts = append(n.Parts, p)
	}
	return n
}

type cmdSubst struct {
	Stmts []*syntax.Stmt
}

func (s cmdSubst) node() *syntax.CmdSubst { return &syntax.CmdSubst{Stmts: s.Stmts} }

type arithmExp struct{ X arithm }

func (a arithmExp) node() *syntax.ArithmExp { return &syntax.ArithmExp{X: a.X.expr()} }

type extGlob struct {
	Op      syntax.GlobOperator
	Pattern pattern
}

func (g extGlob) node() *syntax.ExtGlob { return &syntax.ExtGlob{Op: g.Op, Pattern: lit(g.Pattern)} }

type paramExp struct{ X expansion }

type expansion interface{ param() *syntax.ParamExp }

func (p paramExp) node() *syntax.ParamExp { return p.X.param() }

type plain struct{ Param parameter }

func (x plain) param() *syntax.ParamExp { return &syntax.ParamExp{Param: lit(x.Param)} }

type short struct{ Param parameter }

func (x short) param() *syntax.ParamExp { return &syntax.ParamExp{Short: true, Param: lit(x.Param)} }

type length struct{ Param name }

func (x length) param() *syntax.ParamExp { return &syntax.ParamExp{Length: true, Param: lit(x.Param)} }

type indirect struct{ Param name }

func (x indirect) param() *syntax.ParamExp { return &syntax.ParamExp{Excl: true, Param: lit(x.Param)} }

type index struct {
	Param name
	Index arithm
}

func (x index) param() *syntax.ParamExp {
	return &syntax.ParamExp{Param: lit(x.Param), Index: x.Index.expr()}
}

type slice struct {
	Param  parameter
	Offset arithm
	Length *indexed
}

func (x slice) param() *syntax.ParamExp {
	s := &syntax.Slice{Offset: &syntax.ParenArithm{X: x.Offset.expr()}}
	if x.Length != nil {
		s.Length = &syntax.ParenArithm{X: x.Length.X.expr()}
	}
	return &syntax.ParamExp{Param: lit(x.Param), Slice: s}
}

type replace struct {
	Param      parameter
	All        bool
	Orig, With *syntax.Word
}

func (x replace) param() *syntax.ParamExp {
	return &syntax.ParamExp{Param: lit(x.Param), Repl: &syntax.Replace{All: x.All, Orig: x.Orig, With: x.With}}
}

type names struct {
	Prefix name
	Op     syntax.ParNamesOperator
}

func (x names) param() *syntax.ParamExp {
	return &syntax.ParamExp{Excl: true, Param: lit(x.Prefix), Names: x.Op}
}

type operator struct {
	Param parameter
	Op    syntax.ParExpOperator
	Word  *syntax.Word
}

func (x operator) param() *syntax.ParamExp {
	return &syntax.ParamExp{Param: lit(x.Param), Exp: &syntax.Expansion{Op: x.Op, Word: x.Word}}
}
