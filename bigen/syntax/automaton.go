package syntax

import (
	"encoding/binary"
	"fmt"
	"regexp/syntax"
	"sync"
	"unicode"
	"unicode/utf8"
)

// An automaton finds which of some regular expressions matches the longest text at the beginning of
// another one; of expressions that match equally much, the first one. It is a nondeterministic
// automaton whose states become deterministic as texts need them.
//
// A lazy repetition ends its expression at the first match: once an expression has matched, its
// threads that have gone through a lazy repetition, and are less preferred, end. That is how the
// lexers of ANTLR read /* .*? */.
type automaton struct {
	insts []inst
	first []int // the instructions that the expressions begin with

	lock   sync.Mutex
	states map[string]*state // by their threads
	start  *state
}

// An inst is an instruction: it consumes a character, leads to two others, or accepts.
type inst struct {
	op    instOp
	class []rune // pairs, of consume
	next  int
	other int  // of split: less preferred
	lazy  bool // of split
	rule  int
}

type instOp int8

const (
	consume instOp = iota
	split
	accept
	atEnd // consumes the end of the text
)

// endOfText is what atEnd consumes.
const endOfText rune = -1

// A state is threads in the order of their preference.
type state struct {
	threads []thread
	rule    int // which is accepted, or -1
	ascii   [utf8.RuneSelf]*state
	others  map[rune]*state
}

// A thread is an instruction that consumes, and whether the way there was through a lazy
// repetition.
type thread struct {
	at   int
	lazy bool
}

// maxStates bounds the states that an automaton remembers.
const maxStates = 4000

// newAutomaton returns an automaton of regular expressions.
func newAutomaton(exprs []string) (*automaton, error) {
	a := &automaton{}
	for rule, expr := range exprs {
		re, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			return nil, err
		}
		end := a.emit(inst{op: accept, rule: rule})
		first, err := a.compile(re.Simplify(), end)
		if err != nil {
			return nil, err
		}
		a.first = append(a.first, first)
		for i := end; i < len(a.insts); i++ {
			a.insts[i].rule = rule
		}
	}
	a.forget()
	return a, nil
}

// forget drops all states.
func (a *automaton) forget() {
	a.states = map[string]*state{}
	b := newBuilder(a)
	for _, first := range a.first {
		b.add(first, false)
	}
	a.start = b.state()
}

func (a *automaton) emit(i inst) int {
	a.insts = append(a.insts, i)
	return len(a.insts) - 1
}

// compile returns the first instruction of an expression that next follows.
func (a *automaton) compile(re *syntax.Regexp, next int) (first int, err error) {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginText:
		return next, nil
	case syntax.OpNoMatch:
		return a.emit(inst{op: consume, next: next}), nil
	case syntax.OpEndText:
		return a.emit(inst{op: atEnd, next: next}), nil
	case syntax.OpLiteral:
		for i := len(re.Rune) - 1; i >= 0; i-- {
			class := []rune{re.Rune[i], re.Rune[i]}
			if re.Flags&syntax.FoldCase != 0 {
				for r := unicode.SimpleFold(re.Rune[i]); r != re.Rune[i]; r = unicode.SimpleFold(r) {
					class = append(class, r, r)
				}
			}
			next = a.emit(inst{op: consume, class: class, next: next})
		}
		return next, nil
	case syntax.OpCharClass:
		return a.emit(inst{op: consume, class: re.Rune, next: next}), nil
	case syntax.OpAnyCharNotNL:
		class := []rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune}
		return a.emit(inst{op: consume, class: class, next: next}), nil
	case syntax.OpAnyChar:
		return a.emit(inst{op: consume, class: []rune{0, unicode.MaxRune}, next: next}), nil
	case syntax.OpCapture:
		return a.compile(re.Sub[0], next)
	case syntax.OpConcat:
		for i := len(re.Sub) - 1; i >= 0 && err == nil; i-- {
			next, err = a.compile(re.Sub[i], next)
		}
		return next, err
	case syntax.OpAlternate:
		return a.alternate(re.Sub, next)
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest:
		return a.repeat(re, next)
	}
	return 0, fmt.Errorf("%v cannot be part of a token", re)
}

func (a *automaton) alternate(subs []*syntax.Regexp, next int) (first int, err error) {
	first, err = a.compile(subs[len(subs)-1], next)
	for i := len(subs) - 2; i >= 0 && err == nil; i-- {
		var one int
		if one, err = a.compile(subs[i], next); err == nil {
			first = a.emit(inst{op: split, next: one, other: first})
		}
	}
	return first, err
}

func (a *automaton) repeat(re *syntax.Regexp, next int) (first int, err error) {
	s := inst{op: split, other: next, lazy: re.Flags&syntax.NonGreedy != 0}
	at := a.emit(s)
	again := at
	if re.Op == syntax.OpQuest {
		again = next
	}
	one, err := a.compile(re.Sub[0], again)
	if a.insts[at].next = one; s.lazy {
		a.insts[at].next, a.insts[at].other = next, one
	}
	if re.Op == syntax.OpPlus {
		return one, err
	}
	return at, err
}

// A builder collects the threads of a state.
type builder struct {
	*automaton
	threads  []thread
	seen     map[thread]bool
	accepted map[int]bool // rules
	rule     int
}

func newBuilder(a *automaton) *builder {
	return &builder{automaton: a, seen: map[thread]bool{}, accepted: map[int]bool{}, rule: -1}
}

// add adds the threads that begin at an instruction.
func (b *builder) add(at int, lazy bool) {
	t := thread{at, lazy}
	if b.seen[t] {
		return
	}
	b.seen[t] = true
	switch i := &b.insts[at]; {
	case i.op == split:
		b.add(i.next, lazy || i.lazy)
		b.add(i.other, lazy || i.lazy)
	case i.op == accept:
		b.accepted[i.rule] = true
		if b.rule < 0 {
			b.rule = i.rule
		}
	case !lazy || !b.accepted[i.rule]:
		b.threads = append(b.threads, t)
	}
}

// state returns the state of the threads. Nil is the one without any.
func (b *builder) state() *state {
	if len(b.threads) == 0 && b.rule < 0 {
		return nil
	}
	key := binary.AppendVarint(nil, int64(b.rule))
	for _, t := range b.threads {
		n := uint64(t.at) << 1
		if t.lazy {
			n++
		}
		key = binary.AppendUvarint(key, n)
	}
	s := b.states[string(key)]
	if s == nil {
		s = &state{threads: b.threads, rule: b.rule, others: map[rune]*state{}}
		b.states[string(key)] = s
	}
	return s
}

// unknown stands for a state that has not been computed.
var unknown = &state{}

// step returns the state after a character, nil if there is none.
func (a *automaton) step(s *state, r rune) *state {
	known, ok := s.others[r]
	if r >= 0 && r < utf8.RuneSelf {
		known, ok = s.ascii[r], s.ascii[r] != nil
	}
	if known == unknown {
		return nil
	} else if ok {
		return known
	}
	b := newBuilder(a)
	for _, t := range s.threads {
		i := &a.insts[t.at]
		if (!t.lazy || !b.accepted[i.rule]) && i.takes(r) {
			b.add(i.next, t.lazy)
		}
	}
	to := b.state()
	known = to
	if to == nil {
		known = unknown
	}
	if r >= 0 && r < utf8.RuneSelf {
		s.ascii[r] = known
	} else {
		s.others[r] = known
	}
	return to
}

// takes reports whether an instruction consumes a character.
func (i *inst) takes(r rune) bool {
	if i.op == atEnd || r == endOfText {
		return i.op == atEnd && r == endOfText
	}
	for n := 0; n < len(i.class); n += 2 {
		if i.class[n] <= r && r <= i.class[n+1] {
			return true
		}
	}
	return false
}

// match returns the length of the longest match at the beginning of a text, and its expression,
// which is -1 if nothing matches but the empty text.
func (a *automaton) match(text string) (length, rule int) {
	a.lock.Lock()
	defer a.lock.Unlock()
	if len(a.states) > maxStates {
		a.forget()
	}
	rule = -1
	s := a.start
	for pos := 0; s != nil; {
		if pos > 0 && s.rule >= 0 {
			length, rule = pos, s.rule
		}
		if pos == len(text) {
			end := a.step(s, endOfText)
			if end != nil && pos > 0 && end.rule >= 0 && (length < pos || end.rule < rule) {
				length, rule = pos, end.rule
			}
			break
		}
		r, size := utf8.DecodeRuneInString(text[pos:])
		s = a.step(s, r)
		pos += size
	}
	return length, rule
}
