// Package goprogram generates small Go programs with side effects in every position, which
// type-check by construction, are deterministic, and record a trace. They are subjects for what
// changes the source of programs, and must not change what programs do.
//
// The grammar is in rules.txt. Each text of the grammar is an alternative of a [bigen.Pick], so
// [mutate.Minimize] makes programs small.
package goprogram

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"

	"github.com/espalier-go/espalier/bigen"
)

// A Node is a part of a program: a text of the grammar and its own parts, or a list of statements.
type Node struct {
	Text  string
	Parts [mostParts]*Node
	List  []*Node
}

const (
	mostParts = 8 // of a text
	deepest   = 4 // how deep parts are nested
	longest   = 4 // statements in a list
)

// World is the source of the package that programs import as example.com/batch/world.
//
//go:embed world/world.go
var World string

// Common is a file that is part of each package of programs.
var Common = texts["common"][0] + "\n"

// Source returns the file of a program, of a package progs. It declares a function ProgN for the
// number n, and all else that it declares has the number in its name: many programs and [Common]
// make one package.
func Source(program *Node, n int) string {
	p := printer{program: fmt.Sprint(n)}
	p.print(program)
	return p.String()
}

// A printer prints one program.
type printer struct {
	strings.Builder
	program string
	names   int
}

func (p *printer) print(n *Node) {
	if n.Text == statements {
		p.WriteString("\n")
		for _, s := range n.List {
			p.print(s)
			p.WriteString("\n")
		}
		return
	}
	p.names++
	name := fmt.Sprint(p.names)
	rest, parts := n.Text, 0
	for {
		at := hole.FindStringIndex(rest)
		before := rest
		if at != nil {
			before = rest[:at[0]]
		}
		p.WriteString(strings.NewReplacer("#", name, "@", p.program).Replace(before))
		if at == nil {
			return
		}
		if kind := rest[at[0]+1 : at[1]]; len(texts[kind]) == 1 {
			p.WriteString(texts[kind][0])
		} else {
			p.print(n.Parts[parts])
			parts++
		}
		rest = rest[at[1]:]
	}
}

// hole matches where a text has a part.
var hole = regexp.MustCompile(`\$[a-z]+`)

// statements is the kind, and the text, of a list of statements.
const statements = "stmts"

//go:embed rules.txt
var rules string

// texts are the texts of the grammar, by kinds.
var texts = func() map[string][]string {
	texts := map[string][]string{}
	kind := ""
	for line := range strings.Lines(rules) {
		line = strings.TrimSuffix(line, "\n")
		more, continues := strings.CutPrefix(line, "\t")
		first, text, begins := strings.Cut(line, ": ")
		switch {
		case strings.HasPrefix(line, "//") || kind == "" && !begins:
			kind = ""
		case continues:
			texts[kind][len(texts[kind])-1] += "\n" + more
		case line == "":
			if kind == "program" || kind == "common" {
				texts[kind][0] += "\n"
			}
		case begins:
			kind = first
			texts[kind] = append(texts[kind], text)
		}
	}
	return texts
}()

// Gen makes programs.
var Gen = func() bigen.Gen[*Node] {
	m := maker{}
	return m.text(texts["program"][0], deepest+1)
}()

// A maker keeps the generators of parts, by kind and depth.
type maker map[string]bigen.Gen[*Node]

// kind returns the generator of a kind of part in which parts are nested so deep.
func (m maker) kind(kind string, depth int) bigen.Gen[*Node] {
	key := fmt.Sprint(kind, " ", depth)
	if g, ok := m[key]; ok {
		return g
	}
	var g bigen.Gen[*Node]
	if kind == statements {
		list := bigen.SliceOf(m.kind("stmt", depth-1), 1, longest)
		g = bigen.New(func(c *bigen.C, n *Node) {
			n.Text = statements
			bigen.At(c, &n.List, list)
		})
	} else {
		var alts []bigen.Alt[*Node]
		for _, text := range texts[kind] {
			kinds := parts(text)
			if len(kinds) > 0 && (depth <= 0 || depth <= 1 && strings.Contains(text, "$"+statements)) {
				continue
			}
			weight := 1.0
			if len(kinds) == 0 {
				weight = 0.5
			}
			alts = append(alts, bigen.Tag(text, m.text(text, depth)).Weight(weight))
		}
		g = bigen.Pick(alts...)
	}
	m[key] = g
	return g
}

// text returns the generator of a text and its parts.
func (m maker) text(text string, depth int) bigen.Gen[*Node] {
	var gens []bigen.Gen[*Node]
	for _, kind := range parts(text) {
		gens = append(gens, m.kind(kind, depth-1))
	}
	return bigen.New(func(c *bigen.C, n *Node) {
		n.Text = text
		for i, g := range gens {
			bigen.At(c, &n.Parts[i], g)
		}
	})
}

// parts returns the kinds of the parts of a text, but for kinds of one text.
func parts(text string) (kinds []string) {
	for _, h := range hole.FindAllString(text, -1) {
		if kind := h[1:]; kind == statements || len(texts[kind]) > 1 {
			kinds = append(kinds, kind)
		} else if len(texts[kind]) == 0 {
			panic("goprogram: there is no kind " + kind)
		}
	}
	return kinds
}
