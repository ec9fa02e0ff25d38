package rltargets

import (
	"strings"

	"github.com/dop251/goja"

	"github.com/espalier-go/espalier/bigen"
)

// javaScript is a target of programs that goja compiles.
func javaScript() Target {
	x := &js{Text: "@", Name: "a"}
	example := &js{Text: "%", List: []*js{
		{Text: "let @ = $;", Name: "a", A: &js{Text: "@", Name: "0"}},
		{Text: "while ($) $", A: x, B: &js{Text: "{%\n}", List: []*js{{Text: "break;"}}}},
	}}
	return spec[*js]{"js", genProgram(3), example, (*js).valid, (*js).hash, (*js).size, exitBugs,
		(*js).shows}.target()
}

// js is a part of a program. In its Text, @ stands for Name, the n-th $ for the n-th of A, B
// and C, # for List with commas, and % for List without commas.
type js struct {
	Text    string
	Name    string
	A, B, C *js
	List    []*js
}

func (p *js) render(b *strings.Builder) {
	next := []*js{p.A, p.B, p.C}
	for _, r := range p.Text {
		switch r {
		case '@':
			b.WriteString(p.Name)
		case '$':
			next[0].render(b)
			next = next[1:]
		case '#', '%':
			for i, q := range p.List {
				switch {
				case r == '%':
					b.WriteByte('\n')
				case i > 0:
					b.WriteString(", ")
				}
				q.render(b)
			}
		default:
			b.WriteRune(r)
		}
	}
}

func (p *js) String() string {
	var b strings.Builder
	p.render(&b)
	return b.String()
}

// valid reports whether goja compiles p. A program on which goja panics is not valid.
func (p *js) valid() (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	_, err := goja.Compile("", p.String(), false)
	return err == nil
}

func (p *js) hash() hash { return hash(0).addText(p.String()) }

func (p *js) size() int {
	if p == nil {
		return 0
	}
	n := 1 + p.A.size() + p.B.size() + p.C.size()
	for _, q := range p.List {
		n += q.size()
	}
	return n
}

// form makes parts of programs with the text. The other arguments generate the name, the
// list, and A, B and C.
func form(text string, parts ...any) bigen.Alt[*js] {
	var name bigen.Gen[string]
	var list bigen.Gen[[]*js]
	var kids []bigen.Gen[*js]
	for _, p := range parts {
		switch p := p.(type) {
		case bigen.Gen[string]:
			name = p
		case bigen.Gen[[]*js]:
			list = p
		case bigen.Gen[*js]:
			kids = append(kids, p)
		}
	}
	hasName, hasList := strings.Contains(text, "@"), strings.ContainsAny(text, "#%")
	return bigen.Tag(text, bigen.New(func(c *bigen.C, p *js) {
		p.Text = text
		if hasName {
			bigen.At(c, &p.Name, name)
		}
		for i, k := range kids {
			bigen.At(c, [...]**js{&p.A, &p.B, &p.C}[i], k)
		}
		if hasList {
			bigen.At(c, &p.List, list)
		}
	}))
}

var (
	genIdent = bigen.OneOf("a", "b", "c", "d", "e")
	genAtom  = bigen.OneOf("a", "b", "c", "d", "e", "0", "1", "2.5", `"s"`, "true", "null",
		"undefined", "this", "/x/", "new.target")
	genBinary = bigen.OneOf("+", "-", "*", "/", "%", "**", "==", "===", "<", ">=", "&&", "||",
		"??", "&", "|", "<<", "in", "instanceof", ",")
	genUnary   = bigen.OneOf("-", "+", "!", "~", "typeof ", "void ", "delete ", "++", "--")
	genAssign  = bigen.OneOf("", "+", "-", "*", "||", "&&", "??")
	genDeclare = bigen.OneOf("var", "let", "const")
)

// genProgram makes programs with statements nested up to the depth.
func genProgram(depth int) bigen.Gen[*js] {
	return bigen.Pick(form("%", bigen.SliceOf(genStatement(depth), 1, 3)))
}

func genStatement(depth int) bigen.Gen[*js] {
	expr := genExpression(2)
	alts := []bigen.Alt[*js]{
		form("$;", expr),
		form("var @ = $;", genIdent, expr),
		form("let @ = $;", genIdent, expr),
		form("const @ = $;", genIdent, expr),
		form("let @;", genIdent),
		form("@ = $;", genIdent, expr),
		form("break;"),
		form("break @;", genIdent),
		form("continue;"),
		form("continue @;", genIdent),
		form("return $;", expr),
		form("throw $;", expr),
	}
	if depth > 0 {
		sub := genStatement(depth - 1)
		block := bigen.Pick(form("{%\n}", bigen.SliceOf(sub, 0, 3)))
		params := bigen.SliceOf(bigen.Pick(form("@", genIdent), form("@ = $", genIdent, expr),
			form("...@", genIdent)), 0, 2)
		cases := bigen.SliceOf(bigen.Pick(
			form("default: $", sub),
			form("case $: $", expr, sub),
		), 0, 3)
		alts = append(alts,
			form("{%\n}", bigen.SliceOf(sub, 0, 3)),
			form("if ($) $", expr, sub),
			form("if ($) $ else $", expr, sub, sub),
			form("while ($) $", expr, block),
			form("do $ while ($);", block, expr),
			form("for (@ a = $; $; a++) $", genDeclare, expr, expr, block),
			form("for (@ e of $) $", genDeclare, expr, block),
			form("for ($ in $) $", expr, expr, block),
			form("function @(#) $", genIdent, params, block),
			form("@: $", genIdent, sub),
			form("try $ catch (@) $", genIdent, block, block),
			form("try $ finally $", block, block),
			form("switch ($) {%\n}", expr, cases),
		)
	}
	return bigen.Pick(alts...)
}

func genExpression(depth int) bigen.Gen[*js] {
	alts := []bigen.Alt[*js]{
		form("@", genAtom),
	}
	if depth > 0 {
		sub := genExpression(depth - 1)
		args := bigen.SliceOf(sub, 0, 3)
		alts = append(alts,
			form("$ @ $", sub, genBinary, sub),
			form("$ @= $", sub, genAssign, sub),
			form("@$", genUnary, sub),
			form("($)", sub),
			form("$(#)", sub, args),
			form("new $(#)", sub, args),
			form("$.@", sub, genIdent),
			form("$[$]", sub, sub),
			form("[#]", args),
			form("[...$]", sub),
			form("({@: $})", genIdent, sub),
			form("$ ? $ : $", sub, sub, sub),
			form("@ => $", genIdent, sub),
			form("function @() { return $; }", genIdent, sub),
		)
	}
	return bigen.Pick(alts...)
}
