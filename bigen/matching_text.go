package bigen

import (
	"fmt"
	"regexp/syntax"
	"strings"
)

// regexpTexts writes expressions as [syntax.Regexp.String] does. That takes a millisecond for each
// large class, for which the flags of the groups around it are determined rune by rune, each time.
// Here, this is done once for classes of the same runes: small ones stand for them.
type regexpTexts struct {
	copies   map[*syntax.Regexp]*syntax.Regexp
	standIns map[string]*syntax.Regexp // by the runes of large classes
	texts    []string                  // of stand-ins and, behind each, of what these stand for
}

// largeClass is how many runes a class needs to be large.
const largeClass = 256

// text returns the text of an expression.
func (t *regexpTexts) text(re *syntax.Regexp) string {
	s := t.copy(re).String()
	return strings.NewReplacer(t.texts...).Replace(s)
}

// copy returns an expression with stand-ins.
func (t *regexpTexts) copy(re *syntax.Regexp) *syntax.Regexp {
	switch {
	case re.Op == syntax.OpCharClass:
		return t.standIn(re)
	case len(re.Sub) == 0:
		return re
	case t.copies[re] != nil:
		return t.copies[re]
	}
	c := *re
	c.Sub = make([]*syntax.Regexp, len(re.Sub))
	for i, sub := range re.Sub {
		c.Sub[i] = t.copy(sub)
	}
	if t.copies == nil {
		t.copies = map[*syntax.Regexp]*syntax.Regexp{}
	}
	t.copies[re] = &c
	return &c
}

// standIn returns what stands for a class: if it is large, one with a rune for private use, and with
// a letter whose case matters if that of a letter of the class does.
func (t *regexpTexts) standIn(class *syntax.Regexp) *syntax.Regexp {
	size := 0
	for i := 0; i+1 < len(class.Rune); i += 2 {
		size += int(class.Rune[i+1]-class.Rune[i]) + 1
	}
	if size < largeClass {
		return class
	}
	key := fmt.Sprint(class.Rune)
	if s := t.standIns[key]; s != nil {
		return s
	}
	private := rune(0xf0000 + len(t.standIns))
	s := &syntax.Regexp{Op: syntax.OpCharClass, Rune: []rune{private, private}}
	letter := &syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune{'K'}, Flags: syntax.FoldCase}
	both := &syntax.Regexp{Op: syntax.OpConcat, Sub: []*syntax.Regexp{letter, class}}
	if !strings.HasSuffix(both.String(), ")") { // the class is not in the group without case
		s.Rune = append([]rune{'a', 'a'}, s.Rune...)
	}
	if t.standIns == nil {
		t.standIns = map[string]*syntax.Regexp{}
	}
	t.standIns[key] = s
	t.texts = append(t.texts, s.String(), class.String())
	return s
}
