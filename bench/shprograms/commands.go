package shprograms

import "mvdan.cc/sh/v3/syntax"

// somewhere marks what is present only if its position is valid.
var somewhere = syntax.NewPos(1, 1, 1)

func lit[S ~string](s S) *syntax.Lit { return &syntax.Lit{Value: string(s)} }

func wordOf(parts ...syntax.WordPart) *syntax.Word { return &syntax.Word{Parts: parts} }

// unnegated returns s without a negation, which is only allowed at the beginning of a statement.
func unnegated(s *syntax.Stmt) *syntax.Stmt {
	s.Negated = false
	return s
}

func blockOf(s *syntax.Stmt) *syntax.Block { return &syntax.Block{Stmts: []*syntax.Stmt{s}} }

type file struct {
	Stmts []*syntax.Stmt `bigen:"len=1.."`
}

func (f file) node() *syntax.File { return &syntax.File{Stmts: f.Stmts} }

type stmt struct {
	Cmd     syntax.Command
	Negated bool
	Redirs  []*syntax.Redirect
}

func (s stmt) node() *syntax.Stmt {
	cmd := s.Cmd
	switch cmd.(type) {
	case *syntax.LetClause, *syntax.BinaryCmd, *syntax.TimeClause, *syntax.CoprocClause:
		if len(s.Redirs) > 0 {
			cmd = blockOf(&syntax.Stmt{Cmd: cmd}) // else the last command has the redirections
		}
	}
	return &syntax.Stmt{Cmd: cmd, Negated: s.Negated, Redirs: s.Redirs}
}

type redirect struct {
	Op   syntax.RedirOperator
	Word *syntax.Word
}

func (r redirect) node() *syntax.Redirect { return &syntax.Redirect{Op: r.Op, Word: r.Word} }

type block struct {
	Stmts []*syntax.Stmt `bigen:"len=1.."`
}

func (b block) node() *syntax.Block { return &syntax.Block{Stmts: b.Stmts} }

type subshell struct {
	Stmts []*syntax.Stmt `bigen:"len=1.."`
}

func (s subshell) node() *syntax.Subshell { return &syntax.Subshell{Stmts: s.Stmts} }

// call is a command, or assignments without one.
type call struct{ Form callForm }

type callForm interface{ call() *syntax.CallExpr }

func (c call) node() *syntax.CallExpr { return c.Form.call() }

type (
	commandName string
	flag        string
)

type command struct {
	Env   []value
	Name  commandName
	Flags []flag
	Args  []*syntax.Word
}

func (c command) call() *syntax.CallExpr {
	e := &syntax.CallExpr{Args: []*syntax.Word{wordOf(lit(c.Name))}}
	for _, f := range c.Flags {
		e.Args = append(e.Args, wordOf(lit(f)))
	}
	e.Args = append(e.Args, c.Args...)
	for _, v := range c.Env {
		e.Assigns = append(e.Assigns, v.assign())
	}
	return e
}

type assignments struct {
	Assigns []assign `bigen:"len=1.."`
}

func (a assignments) call() *syntax.CallExpr {
	e := &syntax.CallExpr{}
	for _, x := range a.Assigns {
		e.Assigns = append(e.Assigns, x.assign())
	}
	return e
}

type assign interface{ assign() *syntax.Assign }

type value struct {
	Name   name
	Append bool
	Value  *syntax.Word
}

func (v value) assign() *syntax.Assign {
	return &syntax.Assign{Append: v.Append, Name: lit(v.Name), Value: v.Value}
}

type element struct {
	Name  name
	Index arithm
	Value *syntax.Word
}

func (e element) assign() *syntax.Assign {
	return &syntax.Assign{Name: lit(e.Name), Index: e.Index.expr(), Value: e.Value}
}

type array struct {
	Name   name
	Append bool
	Elems  []arrayElem
}

type arrayElem struct {
	Index *indexed
	Value *syntax.Word
}

type indexed struct{ X arithm }

func (a array) assign() *syntax.Assign {
	e := &syntax.ArrayExpr{}
	for _, x := range a.Elems {
		elem := &syntax.ArrayElem{Value: x.Value}
		if x.Index != nil {
			elem.Index = x.Index.X.expr()
		}
		e.Elems = append(e.Elems, elem)
	}
	return &syntax.Assign{Append: a.Append, Name: lit(a.Name), Array: e}
}

type ifClause struct {
	Cond []*syntax.Stmt `bigen:"len=1.."`
	Then []*syntax.Stmt `bigen:"len=1.."`
	Elif *elif
	Else []*syntax.Stmt
}

type elif struct {
	Cond []*syntax.Stmt `bigen:"len=1.."`
	Then []*syntax.Stmt `bigen:"len=1.."`
}

func (c ifClause) node() *syntax.IfClause {
	n := &syntax.IfClause{ThenPos: somewhere, Cond: c.Cond, Then: c.Then}
	last := n
	if e := c.Elif; e != nil {
		last.Else = &syntax.IfClause{ThenPos: somewhere, Cond: e.Cond, Then: e.Then}
		last = last.Else
	}
	if len(c.Else) > 0 {
		last.Else = &syntax.IfClause{Then: c.Else}
	}
	return n
}

type whileClause struct {
	Until bool
	Cond  []*syntax.Stmt `bigen:"len=1.."`
	Do    []*syntax.Stmt `bigen:"len=1.."`
}

func (c whileClause) node() *syntax.WhileClause {
	return &syntax.WhileClause{Until: c.Until, Cond: c.Cond, Do: c.Do}
}

type forClause struct {
	Loop loop
	Do   []*syntax.Stmt `bigen:"len=1.."`
}

type loop interface {
	loop() (l syntax.Loop, isSelect bool)
}

func (c forClause) node() *syntax.ForClause {
	l, isSelect := c.Loop.loop()
	return &syntax.ForClause{Select: isSelect, Loop: l, Do: c.Do}
}

type wordIter struct {
	Select bool
	Name   name
	In     bool
	Items  []*syntax.Word
}

func (i wordIter) loop() (syntax.Loop, bool) {
	l := &syntax.WordIter{Name: lit(i.Name)}
	if i.In {
		l.InPos, l.Items = somewhere, i.Items
	}
	return l, i.Select
}

type binaryCmd struct {
	Op   syntax.BinCmdOperator
	X, Y *syntax.Stmt
}

func (b binaryCmd) node() *syntax.BinaryCmd {
	return &syntax.BinaryCmd{Op: b.Op, X: unnegated(b.X), Y: unnegated(b.Y)}
}

type funcDecl struct {
	Keyword bool
	Name    name
	Body    *syntax.Block
}

func (f funcDecl) node() *syntax.FuncDecl {
	return &syntax.FuncDecl{RsrvWord: f.Keyword, Parens: !f.Keyword, Name: lit(f.Name), Body: &syntax.Stmt{Cmd: f.Body}}
}

type caseClause struct {
	Word  *syntax.Word
	Items []*syntax.CaseItem
}

func (c caseClause) node() *syntax.CaseClause {
	return &syntax.CaseClause{Word: c.Word, Items: c.Items}
}

type caseItem struct {
	Op       syntax.CaseOperator
	Patterns []*syntax.Word `bigen:"len=1.."`
	Stmts    []*syntax.Stmt
}

func (c caseItem) node() *syntax.CaseItem {
	return &syntax.CaseItem{Op: c.Op, Patterns: c.Patterns, Stmts: c.Stmts}
}

type arithmCmd struct{ X arithm }

func (a arithmCmd) node() *syntax.ArithmCmd { return &syntax.ArithmCmd{X: a.X.expr()} }

type testClause struct{ X test }

func (t testClause) node() *syntax.TestClause { return &syntax.TestClause{X: t.X.test()} }

type declClause struct {
	Variant string
	Args    []declArg
}

type declArg interface{ arg() *syntax.Assign }

func (d declClause) node() *syntax.DeclClause {
	n := &syntax.DeclClause{Variant: lit(d.Variant)}
	for _, a := range d.Args {
		n.Args = append(n.Args, a.arg())
	}
	return n
}

type declName string

func (n declName) arg() *syntax.Assign { return &syntax.Assign{Naked: true, Name: lit(n)} }

type declFlag string

func (f declFlag) arg() *syntax.Assign { return &syntax.Assign{Naked: true, Value: wordOf(lit(f))} }

type declValue struct{ Assign assign }

func (v declValue) arg() *syntax.Assign { return v.Assign.assign() }

type letClause struct {
	Exprs []arithm `bigen:"len=1.."`
}

func (l letClause) node() *syntax.LetClause {
	n := &syntax.LetClause{}
	for _, x := range l.Exprs {
		n.Exprs = append(n.Exprs, x.expr())
	}
	return n
}

type timeClause struct {
	Posix bool
	Stmt  *stmt
}

func (t timeClause) node() *syntax.TimeClause {
	n := &syntax.TimeClause{PosixFormat: t.Posix}
	if t.Stmt != nil {
		n.Stmt = unnegated(t.Stmt.node())
	}
	return n
}

type coprocClause struct{ Stmt *syntax.Stmt }

func (c coprocClause) node() *syntax.CoprocClause {
	return &syntax.CoprocClause{Stmt: &syntax.Stmt{Cmd: blockOf(c.Stmt)}}
}
