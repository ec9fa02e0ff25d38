package bigen

import (
	"regexp/syntax"
	"unicode/utf8"

	"github.com/espalier-go/espalier/choices"
)

// shortestMatch returns a shortest string of which re matches the whole, assertions
// included; ok is false if there is none.
//
// It searches the states of the program of re breadth first. Whether an assertion holds
// depends only on the sorts of the runes before and behind it. So a state is an
// instruction, the sort of the rune before, and a guessed sort of the rune behind, which
// the next rune must then have.
func shortestMatch(re *syntax.Regexp) (s string, ok bool) {
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return "", false
	}
	seen := map[matchState]bool{}
	visit := func(queue []matchRun, at matchState, text string) []matchRun {
		if seen[at] {
			return queue
		}
		seen[at] = true
		return append(queue, matchRun{at, text})
	}
	var now, next []matchRun
	for sort := range runeSorts {
		now = visit(now, matchState{uint32(prog.Start), noRune, sort}, "")
	}
	for ; len(now) > 0; now, next = next, nil {
		for i := 0; i < len(now); i++ { // grows as it goes
			at, text := now[i].at, now[i].text
			in := &prog.Inst[at.pc]
			to := matchState{in.Out, at.before, at.behind}
			switch in.Op {
			case syntax.InstMatch:
				if at.behind == noRune {
					return text, true
				}
			case syntax.InstAlt, syntax.InstAltMatch:
				now = visit(now, to, text)
				to.pc = in.Arg
				now = visit(now, to, text)
			case syntax.InstCapture, syntax.InstNop:
				now = visit(now, to, text)
			case syntax.InstEmptyWidth:
				context := syntax.EmptyOpContext(sortRune[at.before], sortRune[at.behind])
				if syntax.EmptyOp(in.Arg)&^context == 0 {
					now = visit(now, to, text)
				}
			case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
				r, ok := runeOfSort(in, at.behind)
				if !ok {
					continue
				}
				for sort := range runeSorts {
					next = visit(next, matchState{in.Out, at.behind, sort}, text+string(r))
				}
			}
		}
	}
	return "", false
}

type matchState struct {
	pc             uint32
	before, behind runeSort
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
