package bigen

import (
	"regexp/syntax"
	"unicode/utf8"

	"github.com/espalier-go/espalier/choices"
)

// shortestMatch returns a shortest string that re matches as a whole, assertions
// included; ok is false if there is none.
//
// It searches the states of the program of re breadth first. Whether an assertion holds
// depends only on the sorts of the runes before and after it. So a state is an
// instruction, the sort of the rune before, and a guessed sort of the rune after, which
// the next rune must then have.
func shortestMatch(re *syntax.Regexp) (s string, ok bool) {
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return "", false
	}
	m := &matchSearch{prog: prog, seen: map[matchState]bool{}}
	for sort := range runeSorts {
		m.visit(&m.now, matchState{uint32(prog.Start), noRune, sort}, "")
	}
	for ; len(m.now) > 0; m.now, m.next = m.next, nil {
		for i := 0; i < len(m.now); i++ { // step appends to now
			if m.step(m.now[i].at, m.now[i].text) {
				return m.now[i].text, true
			}
		}
	}
	return "", false
}

// matchSearch is the state of a search for a shortest match.
type matchSearch struct {
	prog *syntax.Prog
	seen map[matchState]bool
	now  []matchRun // with texts of the length in work
	next []matchRun // with texts of one rune more
}

// visit adds a state to a queue, unless it has been visited.
func (m *matchSearch) visit(queue *[]matchRun, at matchState, text string) {
	if !m.seen[at] {
		m.seen[at] = true
		*queue = append(*queue, matchRun{at, text})
	}
}

// step visits the states that follow on one. It reports whether the text matches.
func (m *matchSearch) step(at matchState, text string) (matches bool) {
	in := &m.prog.Inst[at.pc]
	to := matchState{in.Out, at.before, at.after}
	switch in.Op {
	case syntax.InstMatch:
		return at.after == noRune
	case syntax.InstAlt, syntax.InstAltMatch:
		m.visit(&m.now, to, text)
		to.pc = in.Arg
		m.visit(&m.now, to, text)
	case syntax.InstCapture, syntax.InstNop:
		m.visit(&m.now, to, text)
	case syntax.InstEmptyWidth:
		context := syntax.EmptyOpContext(sortRune[at.before], sortRune[at.after])
		if syntax.EmptyOp(in.Arg)&^context == 0 {
			m.visit(&m.now, to, text)
		}
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		r, ok := runeOfSort(in, at.after)
		if !ok {
			break
		}
		for sort := range runeSorts {
			m.visit(&m.next, matchState{in.Out, at.after, sort}, text+string(r))
		}
	}
	return false
}

type matchState struct {
	pc            uint32
	before, after runeSort
}

// matchRun is a state and a shortest text that leads to it.
type matchRun struct {
	at   matchState
	text string
}

// runeSort distinguishes runes as assertions do.
type runeSort uint8

const (
	noRune runeSort = iota // the beginning or the end
	wordRune
	otherRune // but newline
	newline
	runeSorts
)

// sortRune holds a rune of each sort.
var sortRune = [runeSorts]rune{-1, 'a', ' ', '\n'}

// runeOfSort returns the plainest rune of a sort that in reads.
func runeOfSort(in *syntax.Inst, sort runeSort) (r rune, ok bool) {
	var a *choices.Alphabet
	switch in.Op {
	case syntax.InstRuneAnyNotNL:
		a = anyButNewline
	case syntax.InstRune, syntax.InstRune1:
		bounds := in.Rune
		if len(bounds) == 1 {
			bounds = []rune{bounds[0], bounds[0]}
			if syntax.Flags(in.Arg)&syntax.FoldCase != 0 {
				bounds = foldsOf(bounds[0])
			}
		}
		p := classPart(bounds, "")
		if p == nil {
			return 0, false
		}
		if a = p.class; p.kind == partLiteral {
			a = choices.Chars(p.text)
		}
	}
	// The plainest runes of each sort are ASCII, or follow it at once.
	for i := range min(a.Len(), 2*utf8.RuneSelf) {
		r := a.At(i)
		switch {
		case r == '\n':
			ok = sort == newline
		case syntax.IsWordChar(r):
			ok = sort == wordRune
		default:
			ok = sort == otherRune
		}
		if ok {
			return r, true
		}
	}
	return 0, false
}
