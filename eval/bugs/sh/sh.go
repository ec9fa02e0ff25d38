// Package sh has bugs of mvdan.cc/sh.
package sh

import (
	"fmt"
	"reflect"
	"strings"

	"mvdan.cc/sh/v3/syntax"
	"pgregory.net/rapid"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/eval/bug"
)

const source = "hegeldev/hegel-zoo, targets/go/sh"

// Bugs are the bugs.
var Bugs = []bug.Bug{
	printing("sh/8", "a test after a heredoc on the same line puts the body after its delimiter",
		func(text string) bool {
			return !signs(text)
		}),
	printing("sh/19", "on a single line, nothing separates a body that ends in & from the next "+
		"statement", func(text string) bool {
		return !signs(text) && !heredoc(text) && !strings.Contains(text, "esac") // sh/18
	}, syntax.SingleLine(true)),
	printing("sh/20", "a sign before a sign or an increment is printed without a space",
		func(text string) bool {
			return !heredoc(text)
		}),
	printing("sh/25", "minified, a redirection after a pipe becomes a part of the pipe",
		func(text string) bool {
			return !signs(text) && !heredoc(text)
		}, syntax.Minify(true)),
}

// printing returns a bug of a printer that shows when its output is parsed. Of a text that is not
// of interest, another bug may show.
func printing(
	name, title string, interest func(text string) bool, opts ...syntax.PrinterOption,
) bug.Bug {
	return bug.New(bug.Spec[[]stmt]{
		Name: name, Title: title, Source: source,
		Gen: bigen.SliceOf(genStmts, 1, mostLines),
		Rapid: func(t *rapid.T) []stmt {
			return rapid.SliceOfN(rapidStmts, 1, mostLines).Draw(t, "lines")
		},
		Fails: func(lines []stmt) string {
			text := program(lines)
			if !interest(text) {
				return ""
			}
			file := parse(text)
			var b strings.Builder
			if err := syntax.NewPrinter(opts...).Print(&b, file); err != nil {
				return err.Error()
			}
			back, err := syntax.NewParser().Parse(strings.NewReader(b.String()), "")
			if err != nil {
				return fmt.Sprintf("%q is printed as %q: %v", text, b.String(), err)
			}
			if shape(reflect.ValueOf(back)) != shape(reflect.ValueOf(file)) {
				return fmt.Sprintf("%q is printed as %q", text, b.String())
			}
			return ""
		},
	})
}

func parse(text string) *syntax.File {
	file, err := syntax.NewParser().Parse(strings.NewReader(text), "")
	if err != nil {
		panic(fmt.Sprintf("%q: %v", text, err))
	}
	return file
}

func heredoc(text string) bool { return strings.Contains(text, "<<") } // sh/8
func signs(text string) bool { // sh/20
	return strings.Contains(text, "+ +") || strings.Contains(text, "- -")
}

// shape returns a syntax tree without its positions.
func shape(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return "nil"
		}
		if v.Kind() == reflect.Interface {
			return v.Elem().Type().String() + shape(v.Elem())
		}
		return shape(v.Elem())
	case reflect.Slice:
		var parts []string
		for i := range v.Len() {
			parts = append(parts, shape(v.Index(i)))
		}
		return fmt.Sprint(parts)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[syntax.Pos]() {
			return ""
		}
		var parts []string
		for i := range v.NumField() {
			parts = append(parts, shape(v.Field(i)))
		}
		return fmt.Sprint(parts)
	}
	return fmt.Sprint(v)
}

// A stmt is a statement of a kind.
type stmt struct {
	Kind          string
	Before, After string // redirections of a call
	Expr          expr   // of arithmetic
	Parts         []stmt // of a list, or a body
	Background    bool   // the body ends in &
}

func (s stmt) String() string {
	switch s.Kind {
	case "call":
		return s.Before + "a" + s.After
	case "test":
		return "[[ a ]]"
	case "math":
		return "((" + s.Expr.String() + "))"
	case "and":
		return s.Parts[0].String() + " && " + s.Parts[1].String()
	case "pipe":
		return s.Parts[0].String() + " | " + s.Parts[1].String()
	}
	var parts []string
	for _, p := range s.Parts {
		parts = append(parts, p.String())
	}
	body := strings.Join(parts, "; ")
	switch {
	case s.Background:
		body += " &"
	case s.Kind != "case":
		body += ";"
	}
	switch s.Kind {
	case "if":
		return "if a; then " + body + " fi"
	case "while":
		return "while a; do " + body + " done"
	case "case":
		return "case a in b) " + body + " ;; esac"
	}
	return "{ " + body + " }"
}

// An expr is arithmetic.
type expr struct {
	Op   string
	Args []expr
}

func (e expr) String() string {
	switch len(e.Args) {
	case 0:
		return e.Op
	case 1:
		return e.Op + " " + e.Args[0].String()
	}
	return e.Args[0].String() + " " + e.Op + " " + e.Args[1].String()
}

// program returns the text of a program of statements on lines of their own.
func program(lines []stmt) string {
	var b strings.Builder
	for _, s := range lines {
		line := s.String()
		b.WriteString(line + "\n")
		b.WriteString(strings.Repeat("x\nEOF\n", strings.Count(line, "<<EOF")))
	}
	return b.String()
}

var (
	befores = []string{"", "", ">f ", "&>f "}
	afters  = []string{"", "", " >f", " <<EOF"}
	lists   = []string{"and", "pipe"}
	bodies  = []string{"block", "if", "while", "case"}
	atoms   = []string{"x", "1", "++x", "--x"}
	unaries = []string{"+", "-", "!"}
	binary  = []string{"+", "-", "*"}
)

const (
	mostLines = 2
	stmtDepth = 2
	exprDepth = 2
)

var (
	genExprs = genExpr(exprDepth)
	genStmts = genStmt(stmtDepth)
)

func genExpr(depth int) bigen.Gen[expr] {
	alts := []bigen.Alt[expr]{bigen.Tag("atom", genOp(atoms, bigen.Just([]expr(nil))))}
	if depth > 0 {
		sub := genExpr(depth - 1)
		alts = append(alts, bigen.Tag("unary", genOp(unaries, bigen.SliceOf(sub, 1, 1))),
			bigen.Tag("binary", genOp(binary, bigen.SliceOf(sub, 2, 2))))
	}
	return bigen.Pick(alts...)
}

func genOp(ops []string, args bigen.Gen[[]expr]) bigen.Gen[expr] {
	return bigen.Struct(func(c *bigen.C, e *expr) {
		bigen.At(c, &e.Op, bigen.OneOf(ops...))
		bigen.At(c, &e.Args, args)
	})
}

func genStmt(depth int) bigen.Gen[stmt] {
	alts := []bigen.Alt[stmt]{
		bigen.Tag("call", bigen.Struct(func(c *bigen.C, s *stmt) {
			bigen.At(c, &s.Kind, bigen.Just("call"))
			bigen.At(c, &s.Before, bigen.OneOf(befores...))
			bigen.At(c, &s.After, bigen.OneOf(afters...))
		})),
		bigen.Tag("test", bigen.Just(stmt{Kind: "test"})),
		bigen.Tag("math", bigen.Struct(func(c *bigen.C, s *stmt) {
			bigen.At(c, &s.Kind, bigen.Just("math"))
			bigen.At(c, &s.Expr, genExprs)
		})),
	}
	if depth > 0 {
		sub := genStmt(depth - 1)
		alts = append(alts, bigen.Tag("list", bigen.Struct(func(c *bigen.C, s *stmt) {
			bigen.At(c, &s.Kind, bigen.OneOf(lists...))
			bigen.At(c, &s.Parts, bigen.SliceOf(sub, 2, 2))
		})), bigen.Tag("body", bigen.Struct(func(c *bigen.C, s *stmt) {
			bigen.At(c, &s.Kind, bigen.OneOf(bodies...))
			bigen.At(c, &s.Parts, bigen.SliceOf(sub, 1, 2))
			bigen.At(c, &s.Background, bigen.Bool())
		})))
	}
	return bigen.Pick(alts...)
}

var (
	rapidExprs = rapidExpr(exprDepth)
	rapidStmts = rapidStmt(stmtDepth)
)

func rapidExpr(depth int) *rapid.Generator[expr] {
	atom := rapid.Custom(func(t *rapid.T) expr {
		return expr{Op: rapid.SampledFrom(atoms).Draw(t, "atom")}
	})
	if depth == 0 {
		return atom
	}
	sub := rapidExpr(depth - 1)
	return rapid.OneOf(atom, rapid.Custom(func(t *rapid.T) expr {
		return expr{rapid.SampledFrom(unaries).Draw(t, "op"), []expr{sub.Draw(t, "x")}}
	}), rapid.Custom(func(t *rapid.T) expr {
		return expr{rapid.SampledFrom(binary).Draw(t, "op"), []expr{sub.Draw(t, "x"), sub.Draw(t, "y")}}
	}))
}

func rapidStmt(depth int) *rapid.Generator[stmt] {
	kinds := []*rapid.Generator[stmt]{
		rapid.Custom(func(t *rapid.T) stmt {
			return stmt{
				Kind:   "call",
				Before: rapid.SampledFrom(befores).Draw(t, "before"),
				After:  rapid.SampledFrom(afters).Draw(t, "after"),
			}
		}),
		rapid.Just(stmt{Kind: "test"}),
		rapid.Custom(func(t *rapid.T) stmt {
			return stmt{Kind: "math", Expr: rapidExprs.Draw(t, "expr")}
		}),
	}
	if depth > 0 {
		sub := rapidStmt(depth - 1)
		kinds = append(kinds, rapid.Custom(func(t *rapid.T) stmt {
			return stmt{
				Kind:  rapid.SampledFrom(lists).Draw(t, "kind"),
				Parts: rapid.SliceOfN(sub, 2, 2).Draw(t, "parts"),
			}
		}), rapid.Custom(func(t *rapid.T) stmt {
			return stmt{
				Kind:       rapid.SampledFrom(bodies).Draw(t, "kind"),
				Parts:      rapid.SliceOfN(sub, 1, 2).Draw(t, "parts"),
				Background: rapid.Bool().Draw(t, "background"),
			}
		}))
	}
	return rapid.OneOf(kinds...)
}
