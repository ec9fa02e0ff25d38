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
	n    int   // run: how many runes
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

	// maxSteps bounds the instructions executed to read one string, beside stepsPerByte for
	// each of its bytes.
	maxSteps     = 1 << 22
	stepsPerByte = 4

	// runesPerStep is how many runes of a run count as one more instruction.
	runesPerStep = 16

	// stepsPerChoice is how many of them count as one choice of a run.
	stepsPerChoice = 16
)

func (g *pattern) emit(in instr) int {
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
		next = g.repeat(p, next, func(next int) int { return g.emit(instr{kind: instrRun, part: p, n: 1, next: next}) })
		if p.min > 0 {
			next = g.emit(instr{kind: instrRun, part: p, n: p.min, next: next})
		}
		return next
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
	once := func(next int) int { return g.compile(p.parts[0], next) }
	next = g.repeat(p, next, once)
	for range p.min {
		next = once(next)
	}
	return next
}

// repeat adds the instructions that read p as often as it may be there beyond the fewest
// times, where once adds those for one time.
func (g *pattern) repeat(p *part, next int, once func(next int) int) int {
	stop := next
	if p.max == unbounded {
		next = g.emit(instr{kind: instrChoice, last: true})
		more := once(next)
		g.prog[next].to = []int{stop, more}
		return next
	}
	for i := p.min; i < p.max && len(g.prog) <= maxProgram; i++ {
		more := once(next)
		next = g.emit(instr{kind: instrChoice, last: true, to: []int{stop, more}})
	}
	return next
}

// reading is the reading of one string.
type reading struct {
	s     string
	taken []int // which way choices go, in the order asked
	pos   int   // for those who take them
	steps int

	tried   map[uint64]uint64 // positions, 64 to a word, by the choice tried there
	retry   []retry
	explain bool
	far     int    // the furthest position where something did not match,
	wanted  []want // and what
}

// want is what a part has from offset n of its text on; a nil part is the end.
type want struct {
	part *part
	n    int
}

// retry is a choice that has ways left to try.
type retry struct {
	pc    int
	pos   int // where it stands
	taken int // how many answers precede it
	left  int // how many ways
}

// excess returns how many steps reading has taken beside those that each byte may take.
func (r *reading) excess() int { return max(0, r.steps-stepsPerByte*len(r.s)) }

// exhausted reports whether reading has taken too many steps.
func (r *reading) exhausted() bool { return r.excess() > maxSteps }

// match reports whether the program reads all of r.s, and records the answers.
func (r *reading) match(g *pattern) bool {
	pc, pos := g.start, 0
	for {
		if r.steps++; r.exhausted() {
			return false
		}
		in := &g.prog[pc]
		ok := false
		switch in.kind {
		case instrEnd:
			if pos == len(r.s) {
				return true
			}
			r.miss(pos, want{})
		case instrLiteral:
			if ok = strings.HasPrefix(r.s[pos:], in.part.text); ok {
				pos, pc = pos+len(in.part.text), in.next
			} else {
				r.missLiteral(pos, in.part)
			}
		case instrRun:
			pos, ok = r.run(in, pos)
			pc = in.next
		case instrChoice:
			if ok = r.enter(pc, pos); ok {
				r.retry = append(r.retry, retry{pc, pos, len(r.taken), len(in.to)})
				pc, pos = r.again(g)
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

// again takes the next way of the latest choice that has one left, and returns where to
// resume.
func (r *reading) again(g *pattern) (pc, pos int) {
	last := len(r.retry) - 1
	t := &r.retry[last]
	in := &g.prog[t.pc]
	n := len(in.to) - t.left
	if in.last {
		n = t.left - 1
	}
	pos, r.taken = t.pos, append(r.taken[:t.taken], n)
	if t.left--; t.left == 0 {
		r.retry = r.retry[:last]
	}
	return in.to[n], pos
}

// enter reports whether the choice at pc has not been tried at pos before.
func (r *reading) enter(pc, pos int) bool {
	words := uint64(len(r.s))/64 + 1
	key, bit := uint64(pc)*words+uint64(pos)/64, uint64(1)<<(pos%64)
	if r.tried[key]&bit != 0 {
		return false
	}
	if r.tried == nil {
		r.tried = map[uint64]uint64{}
	}
	r.tried[key] |= bit
	return true
}

// run returns where the runes of a run end; ok is false if they are not there.
func (r *reading) run(in *instr, pos int) (end int, ok bool) {
	r.steps += in.n / runesPerStep
	for range in.n {
		c, width := utf8.DecodeRuneInString(r.s[pos:])
		if width == 0 || !in.part.class.Contains(c) {
			r.miss(pos, want{part: in.part})
			return pos, false
		}
		pos += width
	}
	return pos, true
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
	return fmt.Sprintf("at position %d: %s does not match %s", r.far, rest, strings.Join(wanted, " or "))
}

// pattern makes the strings that match an expression without the assertions that its
// parts do not express.
type pattern struct {
	root  *part
	prog  []instr // the same, to read a string backward
	start int
}
