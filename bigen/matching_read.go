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
	id   int   // unbounded runs, and others, are numbered from 0
	next int   // instruction after a literal or a run
	to   []int // choice: the instructions to continue with
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

	// maxSteps bounds the instructions executed to read one string, apart from one for
	// each of its bytes.
	maxSteps = 1 << 22

	// runesPerStep is how many runes of a run count as an instruction.
	runesPerStep = 16

	// stepsPerChoice is how many of them count as one choice of a run.
	stepsPerChoice = 16
)

func (g *pattern) emit(in instr) int {
	if in.kind == instrRun && in.part.max == unbounded {
		in.id = g.runs
		g.runs++
	} else {
		in.id = g.others
		g.others++
	}
	g.prog = append(g.prog, in)
	return len(g.prog) - 1
}

// compile adds the instructions that read p and continue with next, and returns the
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
			next = g.emit(
				instr{kind: instrChoice, last: true, to: []int{stop, g.compile(p.parts[0], next)}},
			)
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

	tried   map[uint64]uint64 // positions, 64 to a word, by the choice tried there
	stretch []stretch         // by run
	retry   []retry
	explain bool
	far     int    // the furthest position where something did not match,
	wanted  []want // and what
}

// stretch is a part of the string that has runes of the class of a run only, and
// is not followed by another.
type stretch struct {
	from, end int
	tried     int // the ends of the run from here on have been tried, or will be
	known     bool
}

// want is what a part has from offset n of its text on; a nil part is the end.
type want struct {
	part *part
	n    int
}

// retry is an instruction that has ways left to try.
type retry struct {
	pc    int
	pos   int // run: where it ended last; choice: where it stands
	taken int // how many answers precede it
	more  int // run: where it ends at the earliest; choice: how many ways are left
}

// exhausted reports whether reading has taken too many steps.
func (r *reading) exhausted() bool { return r.steps > maxSteps+len(r.s) }

// match reports whether the program reads all of r.s, and records the answers.
func (r *reading) match(g *pattern) bool {
	pc, pos := g.start, 0
	for {
		if r.steps++; r.exhausted() {
			return false
		}
		if g.prog[pc].kind == instrEnd && pos == len(r.s) {
			return true
		}
		var ok bool
		if pc, pos, ok = r.step(g, pc, pos); ok {
			continue
		}
		if len(r.retry) == 0 {
			return false
		}
		pc, pos = r.again(g)
	}
}

// step executes the instruction pc at pos and returns where to continue. It reports false if the
// instruction does not match there.
func (r *reading) step(g *pattern, pc, pos int) (nextPC, nextPos int, ok bool) {
	in := &g.prog[pc]
	switch in.kind {
	case instrEnd:
		r.miss(pos, want{})
	case instrLiteral:
		if strings.HasPrefix(r.s[pos:], in.part.text) {
			return in.next, pos + len(in.part.text), true
		}
		r.missLiteral(pos, in.part)
	case instrRun:
		least, end, ok := r.run(g, in, pos)
		if !ok {
			break
		}
		if least < end {
			r.retry = append(r.retry, retry{pc, end, len(r.taken), least})
		}
		r.taken = append(r.taken, end)
		return in.next, end, true
	case instrChoice:
		if !r.enter(in, pos) {
			break
		}
		n := in.way(0)
		r.retry = append(r.retry, retry{pc, pos, len(r.taken), len(in.to) - 1})
		r.taken = append(r.taken, n)
		return in.to[n], pos, true
	}
	return pc, pos, false
}

// way returns the answer that a choice gives at its n-th try.
func (in *instr) way(n int) int {
	if in.last {
		return len(in.to) - 1 - n
	}
	return n
}

// again takes the next way of the latest instruction that has one left, and returns
// where to resume.
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

// run returns where a run from pos can end at the earliest and at the latest, without
// the ends that have been tried; ok is false if there are no others.
func (r *reading) run(g *pattern, in *instr, pos int) (least, end int, ok bool) {
	p := in.part
	least, ok = r.scan(p, pos, p.min, -1)
	if !ok || p.max == p.min {
		return least, least, ok
	}
	if p.max < unbounded {
		end, _ = r.scan(p, least, p.max-p.min, -1)
		return least, end, r.enter(in, pos)
	}
	if r.stretch == nil {
		r.stretch = make([]stretch, g.runs)
	}
	t := &r.stretch[in.id]
	switch {
	case !t.known || pos > t.end:
		end, _ = r.scan(p, pos, unbounded, -1)
		*t = stretch{pos, end, end + 1, true}
	case pos < t.from:
		if end, _ = r.scan(p, pos, unbounded, t.from); end < t.from {
			*t = stretch{pos, end, end + 1, true}
		}
		t.from = pos
	}
	if least >= t.tried {
		return 0, 0, false
	}
	end = t.end
	if t.tried <= t.end {
		_, n := utf8.DecodeLastRuneInString(r.s[:t.tried])
		end = t.tried - n
	}
	t.tried = least
	return least, end, true
}

// scan skips n runes of the class of p, or as many as there are, up to stop; ok reports
// whether there were n.
func (r *reading) scan(p *part, pos, n, stop int) (end int, ok bool) {
	begin := pos
	for ; n > 0 && pos != stop; n-- {
		c, width := utf8.DecodeRuneInString(r.s[pos:])
		if width == 0 || !p.class.Contains(c) {
			r.miss(pos, want{part: p})
			break
		}
		pos += width
	}
	r.steps += (pos - begin) / runesPerStep
	return pos, n == 0
}

// take returns the next answer.
func (r *reading) take() int {
	n := r.taken[0]
	r.taken = r.taken[1:]
	return n
}

func (r *reading) missLiteral(pos int, p *part) {
	if !r.explain {
		return
	}
	n := 0
	for n < len(p.text) && pos+n < len(r.s) && p.text[n] == r.s[pos+n] {
		n++
	}
	for !utf8.RuneStart(p.text[n]) {
		n--
	}
	r.miss(pos+n, want{p, n})
}

// miss records what does not match at pos.
func (r *reading) miss(pos int, w want) {
	const most = 100
	if !r.explain || pos < r.far {
		return
	}
	if pos > r.far {
		r.far, r.wanted = pos, nil
	}
	if len(r.wanted) < most && !slices.Contains(r.wanted, w) {
		r.wanted = append(r.wanted, w)
	}
}

// fault says where and why the string does not match.
func (r *reading) fault() string {
	const most, width = 5, 20
	rest := "the end"
	if r.far < len(r.s) {
		rest = fmt.Sprintf("%q", shorten(r.s[r.far:], width))
	}
	var wanted []string
	for _, w := range r.wanted {
		text := "the end"
		switch {
		case w.part != nil && w.part.kind == partLiteral:
			text = fmt.Sprintf("%q", shorten(w.part.text[w.n:], width))
		case w.part != nil:
			text = w.part.text
		}
		if !slices.Contains(wanted, text) {
			wanted = append(wanted, text)
		}
	}
	if len(wanted) > most {
		wanted = append(wanted[:most], "others")
	}
	return fmt.Sprintf(
		"at position %d: %s does not match %s", r.far, rest, strings.Join(wanted, " or "),
	)
}

// pattern makes the strings that match an expression without the assertions that its
// parts do not express.
type pattern struct {
	root  *part
	prog  []instr // the same, to read a string backward
	start int

	runs, others int // how many instructions are unbounded runs, and how many are not
}
