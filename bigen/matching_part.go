package bigen

import (
	"fmt"
	"math"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
	"golang.org/x/exp/slices"
)

// part is a part of a regular expression as a generator sees it.
type part struct {
	kind  partKind
	text  string            // literal; run: its class, for people
	class *choices.Alphabet // run
	min   int               // run: the fewest runes; repeat: the fewest times
	max   int               // the most
	parts []*part           // sequence; alternation: the branches; repeat: what is repeated
	slots []uint32          // sequence: of its parts
	alts  []choices.Alt     // alternation; repeat: stop, more
}

type partKind uint8

const (
	partLiteral partKind = iota
	partRun              // of runes of one class
	partSequence
	partAlternation
	partRepeat
)

const unbounded = math.MaxInt32

// partBuilder makes parts of expressions.
type partBuilder struct {
	asserts bool // there are assertions that the parts do not express
	texts   regexpTexts
}

// build returns the part for re, nil if nothing matches it. first and last tell
// whether re can stand nowhere but at the beginning, or the end, of the string.
func (b *partBuilder) build(re *syntax.Regexp, first, last bool) *part {
	switch re.Op {
	case syntax.OpNoMatch:
		return nil
	case syntax.OpEmptyMatch:
		return &part{}
	case syntax.OpBeginText, syntax.OpBeginLine:
		b.asserts = b.asserts || !first
		return &part{}
	case syntax.OpEndText, syntax.OpEndLine:
		b.asserts = b.asserts || !last
		return &part{}
	case syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		b.asserts = true
		return &part{}
	case syntax.OpLiteral:
		return literalPart(re)
	case syntax.OpCharClass:
		return classPart(re.Rune, shorten(b.texts.text(re), maxName))
	case syntax.OpAnyCharNotNL:
		return runPart(anyButNewline, ".", 1, 1)
	case syntax.OpAnyChar:
		return runPart(nil, "any rune", 1, 1)
	case syntax.OpCapture:
		return b.build(re.Sub[0], first, last)
	case syntax.OpStar:
		return b.repeat(re.Sub[0], 0, unbounded, first, last)
	case syntax.OpPlus:
		return b.repeat(re.Sub[0], 1, unbounded, first, last)
	case syntax.OpQuest:
		return b.repeat(re.Sub[0], 0, 1, first, last)
	case syntax.OpRepeat:
		if re.Max < 0 {
			return b.repeat(re.Sub[0], re.Min, unbounded, first, last)
		}
		return b.repeat(re.Sub[0], re.Min, re.Max, first, last)
	case syntax.OpConcat:
		return b.sequence(re.Sub, first, last)
	case syntax.OpAlternate:
		return b.alternation(re.Sub, first, last)
	}
	panic("bigen.Matching: unknown operator in " + re.String())
}

var anyButNewline = choices.RuneRanges(0, '\n'-1, '\n'+1, utf8.MaxRune)

// literalPart makes a run of each letter whose case does not matter.
func literalPart(re *syntax.Regexp) *part {
	p := &part{kind: partSequence}
	var text []rune
	flush := func() {
		if len(text) > 0 {
			p.parts = append(p.parts, &part{text: string(text)})
			text = nil
		}
	}
	for _, r := range re.Rune {
		if !utf8.ValidRune(r) {
			return nil
		}
		if re.Flags&syntax.FoldCase != 0 && unicode.SimpleFold(r) != r {
			flush()
			p.parts = append(p.parts, classPart(foldsOf(r), fmt.Sprintf("%q", r)))
		} else {
			text = append(text, r)
		}
	}
	flush()
	if len(p.parts) == 1 {
		return p.parts[0]
	}
	for i := range p.parts {
		p.slots = append(p.slots, uint32(i))
	}
	return p
}

// foldsOf returns, as ranges, the runes that are r but for case.
func foldsOf(r rune) []rune {
	bounds := []rune{r, r}
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		bounds = append(bounds, f, f)
	}
	return bounds
}

// classPart makes one rune of the ranges, surrogates left out.
func classPart(bounds []rune, name string) *part {
	for i := 0; i < len(bounds); i += 2 {
		if utf8.ValidRune(bounds[i]) || utf8.ValidRune(bounds[i+1]) {
			return runPart(choices.RuneRanges(bounds...), name, 1, 1)
		}
	}
	return nil
}

func runPart(a *choices.Alphabet, name string, least, most int) *part {
	if a.Len() == 1 {
		text := string(a.Simplest())
		if least == most {
			return &part{text: strings.Repeat(text, least)}
		}
		name = fmt.Sprintf("%q", text)
	}
	return &part{kind: partRun, text: name, class: a, min: least, max: most}
}

func (b *partBuilder) repeat(re *syntax.Regexp, least, most int, first, last bool) *part {
	if most == 0 {
		return &part{}
	}
	p := b.build(re, first && most == 1, last && most == 1)
	switch {
	case p == nil && least == 0:
		return &part{}
	case p == nil, p.empty(), least == 1 && most == 1:
		return p
	case p.kind == partRun && p.min == 1 && p.max == 1:
		return runPart(p.class, p.text, least, most)
	case p.kind == partLiteral && utf8.RuneCountInString(p.text) == 1:
		return runPart(choices.Chars(p.text), "", least, most)
	case p.kind == partLiteral && least == most:
		return &part{text: strings.Repeat(p.text, least)}
	}
	more := min(3, (float64(most)-float64(least)+1)/2)
	alts := elementAlts(more)
	return &part{kind: partRepeat, min: least, max: most, parts: []*part{p}, alts: alts[:]}
}

func (b *partBuilder) sequence(subs []*syntax.Regexp, first, last bool) *part {
	p := &part{kind: partSequence}
	for i, re := range subs {
		starts := first && !slices.ContainsFunc(subs[:i], hasWidth)
		ends := last && !slices.ContainsFunc(subs[i+1:], hasWidth)
		sub := b.build(re, starts, ends)
		if sub == nil {
			return nil
		}
		if sub.empty() {
			continue
		}
		slot := uint32(i)
		if re.Op == syntax.OpCapture && re.Name != "" {
			slot = hash.FNV32(re.Name)
		}
		p.parts, p.slots = append(p.parts, sub), append(p.slots, slot)
	}
	switch len(p.parts) {
	case 0:
		return &part{}
	case 1:
		return p.parts[0]
	}
	return p
}

// hasWidth reports whether re can match more than the empty string.
func hasWidth(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral, syntax.OpCharClass, syntax.OpAnyCharNotNL, syntax.OpAnyChar:
		return true
	case syntax.OpRepeat:
		if re.Max == 0 {
			return false
		}
	}
	return slices.ContainsFunc(re.Sub, hasWidth)
}

func (b *partBuilder) alternation(subs []*syntax.Regexp, first, last bool) *part {
	p := &part{kind: partAlternation}
	for _, re := range subs {
		if sub := b.build(re, first, last); sub != nil {
			p.parts, p.alts = append(p.parts, sub), append(p.alts, NewAlt(b.branchTag(re), 1))
		}
	}
	switch len(p.parts) {
	case 0:
		return nil
	case 1:
		return p.parts[0]
	}
	return p
}

// branchTag returns what names a branch: its group's name or its text, cut if long.
func (b *partBuilder) branchTag(re *syntax.Regexp) string {
	for re.Op == syntax.OpCapture {
		if re.Name != "" {
			return re.Name
		}
		re = re.Sub[0]
	}
	switch {
	case re.Op == syntax.OpEmptyMatch:
		return ""
	case re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase == 0:
		return shorten(string(re.Rune), maxName)
	}
	return shorten(b.texts.text(re), maxName)
}

// maxName bounds the runes of tags and of the names of classes.
const maxName = 40

// shorten returns the first n runes of s.
func shorten(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i] + "..."
		}
	}
	return s
}

func (p *part) empty() bool { return p.kind == partLiteral && p.text == "" }

// height returns how many choices of p can stand below each other.
func (p *part) height() int {
	h := 0
	for _, sub := range p.parts {
		h = max(h, sub.height())
	}
	if p.kind != partSequence {
		h++
	}
	return h
}
