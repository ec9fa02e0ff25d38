package bigen

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/exp/slices"
)

// A string is read backward by a program, in which repetitions are written out, so
// that all that matters for the rest of the string is which instruction is next.
// Then no instruction that has a choice need be tried twice at one position.

type instr struct {
	kind instrKind
	part *part // of a literal or a run
	id   int   // of a run or a choice
	next int   // instruction behind a literal or a run
	to   []int // choice: the instructions to go on with
	last bool  // choice: the last of them is tried first
}

type instrKind uint8

const (
	instrEnd instrKind = iota // of the string
	instrLiteral
	instrRun
	instrChoice
)

const (
	// maxProgram bounds the instructions of one program.
	maxProgram = 1 << 18

	// maxSteps bounds the instructions executed to read one string.
	maxSteps = 1 << 22

	// stepsPerChoice is how many of them count as one choice of a run.
	stepsPerChoice = 16
)

func (g *pattern) emit(in instr) int {
	if in.kind == instrRun || in.kind == instrChoice {
		in.id = g.ids
		g.ids++
	}
	g.prog = append(g.prog, in)
	return len(g.prog) - 1
}

// compile adds the instructions that read p and go on with next, and returns the
// first of them. It stops halfway where the program becomes too large.
func (g *pattern) compile(p *part, next int) int {
	if len(g.prog) > maxProgram {
		return next
	}
	switch p.kind {
	case partLiteral:
		if p.text == "" {
			return next
		}
		return g.emit(instr{kind: instrLiteral, part: p, next: next})
	case partRun:
		return g.emit(instr{kind: instrRun, part: p, next: next})
	case partSequence:
		for i := len(p.parts) - 1; i >= 0; i-- {
			next = g.compile(p.parts[i], next)
		}
		return next
	case partAlternation:
		to := make([]int, len(p.parts))
		for i := range to {
			to[i] = g.compile(p.parts[i], next)
		}
		return g.emit(instr{kind: instrChoice, to: to})
	}
	stop, n := next, p.min
	if p.max == unbounded {
		next = g.emit(instr{kind: instrChoice, last: true})
		more := g.compile(p.parts[0], next)
		g.prog[next].to = []int{stop, more}
	} else {
		for range p.max - p.min {
			if len(g.prog) > maxProgram {
				return next
			}
			next = g.emit(instr{kind: instrChoice, last: true, to: []int{stop, g.compile(p.parts[0], next)}})
		}
	}
	for range n {
		next = g.compile(p.parts[0], next)
	}
	return next
}

// reading is the reading of one string.
type reading struct {
	s     string
	taken []int // answers in the order asked: where runs end, which way choices go
	pos   int   // for those who take them
	steps int

	tried map[uint64]uint64 // positions, 64 to a word, by the choice tried there
	retry []retry

	explain bool
	far     int      // the furthest position where something did not match,
	wanted  []string // and what
}

// retry is an instruction that can be tried otherwise.
type retry struct {
	pc    int
	pos   int // run: where it ended last; choice: where it stands
	taken int // how many answers precede it
	more  int // run: where it ends at the earliest; choice: how many ways are left
}

// match reports whether the program reads all of r.s, and notes the answers.
func (r *reading) match(g *pattern) bool {
	pc, pos := g.start, 0
	for {
		if r.steps++; r.steps > maxSteps {
			return false
		}
		in := &g.prog[pc]
		ok := false
		switch in.kind {
		case instrEnd:
			if pos == len(r.s) {
				return true
			}
			r.miss(pos, "the end")
		case instrLiteral:
			if ok = strings.HasPrefix(r.s[pos:], in.part.text); ok {
				pos, pc = pos+len(in.part.text), in.next
			} else {
				r.missLiteral(pos, in.part.text)
			}
		case instrRun:
			least, end := r.run(in.part, pos)
			if ok = least >= 0 && (least == end || r.enter(in, pos)); ok {
				if least < end {
					r.retry = append(r.retry, retry{pc, end, len(r.taken), least})
				}
				r.taken = append(r.taken, end)
				pos, pc = end, in.next
			}
		case instrChoice:
			if ok = r.enter(in, pos); ok {
				n := in.way(0)
				r.retry = append(r.retry, retry{pc, pos, len(r.taken), len(in.to) - 1})
				r.taken = append(r.taken, n)
				pc = in.to[n]
			}
		}
		if !ok {
			if len(r.retry) == 0 {
				return false
			}
			pc, pos = r.again(g)
		}
	}
}

// way returns the answer that a choice gives at its n-th try.
func (in *instr) way(n int) int {
	if in.last {
		return len(in.to) - 1 - n
	}
	return n
}

// again tries the latest of what can be tried otherwise, and returns where to go
// on.
func (r *reading) again(g *pattern) (pc, pos int) {
	t := &r.retry[len(r.retry)-1]
	in := &g.prog[t.pc]
	r.taken = r.taken[:t.taken]
	var done bool
	if in.kind == instrRun {
		_, n := utf8.DecodeLastRuneInString(r.s[:t.pos])
		t.pos -= n
		pc, pos, done = in.next, t.pos, t.pos == t.more
		r.taken = append(r.taken, pos)
	} else {
		n := in.way(len(in.to) - t.more)
		t.more--
		pc, pos, done = in.to[n], t.pos, t.more == 0
		r.taken = append(r.taken, n)
	}
	if done {
		r.retry = r.retry[:len(r.retry)-1]
	}
	return pc, pos
}

// enter reports whether in has not been tried at pos before.
func (r *reading) enter(in *instr, pos int) bool {
	words := uint64(len(r.s))/64 + 1
	key, bit := uint64(in.id)*words+uint64(pos)/64, uint64(1)<<(pos%64)
	if r.tried[key]&bit != 0 {
		return false
	}
	if r.tried == nil {
		r.tried = map[uint64]uint64{}
	}
	r.tried[key] |= bit
	return true
}

// run returns where a run from pos can end at the earliest, -1 if nowhere, and at
// the latest.
func (r *reading) run(p *part, pos int) (least, end int) {
	least, end = -1, pos
	for n := 0; ; n++ {
		if n == p.min {
			least = end
		}
		if n == p.max {
			break
		}
		c, width := utf8.DecodeRuneInString(r.s[end:])
		if width == 0 || !p.class.Contains(c) {
			if r.explain {
				r.miss(end, p.class.String())
			}
			break
		}
		end += width
	}
	return least, end
}

// take returns the next answer.
func (r *reading) take() int {
	n := r.taken[0]
	r.taken = r.taken[1:]
	return n
}

func (r *reading) missLiteral(pos int, text string) {
	if !r.explain {
		return
	}
	n := 0
	for n < len(text) && pos+n < len(r.s) && text[n] == r.s[pos+n] {
		n++
	}
	for !utf8.RuneStart(text[n]) {
		n--
	}
	r.miss(pos+n, fmt.Sprintf("%q", text[n:]))
}

// miss notes what does not match at pos.
func (r *reading) miss(pos int, what string) {
	if !r.explain || pos < r.far {
		return
	}
	if pos > r.far {
		r.far, r.wanted = pos, nil
	}
	if !slices.Contains(r.wanted, what) {
		r.wanted = append(r.wanted, what)
	}
}

// fault says where and why the string does not match.
func (r *reading) fault() string {
	const most, width = 5, 20
	rest := "the end"
	if r.far < len(r.s) {
		rest = fmt.Sprintf("%q", shorten(r.s[r.far:], width))
	}
	if n := len(r.wanted); n > most {
		r.wanted = append(r.wanted[:most-1:most-1], fmt.Sprintf("%d others", n-most+1))
	}
	return fmt.Sprintf("at position %d: %s does not match %s", r.far, rest, strings.Join(r.wanted, " or "))
}

// shorten returns the first n runes of s.
func shorten(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i] + "..."
		}
	}
	return s
}
