package wholetext

import (
	"encoding/binary"
	"math"
	"regexp/syntax"
	"strconv"
	"unicode"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"golang.org/x/exp/slices"
)

// Bounds of what [Intersection] computes: instructions of the expressions, states of their product,
// and work.
const (
	maxInsts  = 4000
	maxStates = 2000
	maxWork   = 20_000_000
)

// Intersection makes the texts of lo to hi runes that match all expressions and none of the others,
// each as a whole. hi is at most [math.MaxInt32], which stands for no bound. It reports false for
// known if it cannot tell: if an expression has a word boundary or an anchor of lines, or is too
// large; and false for some if there is no such text.
//
// A text is made rune by rune: only runes after which the text can still be completed are offered.
// Where the steps stop too early, the shortest end follows.
func Intersection(all, none []string, lo, hi int) (g bigen.Gen[string], some, known bool) {
	a := &automaton{lo: lo, hi: hi, index: map[string]int{}}
	for i, expr := range append(slices.Clone(all), none...) {
		if !a.add(expr, i >= len(all)) {
			return g, false, false
		}
	}
	if a.partition(); !a.explore() || !a.measure() {
		return g, false, false
	}
	if !a.completes(0, 0) {
		return g, false, true
	}
	const mean = 8
	most := max(1, hi)
	steps := bigen.Steps(func(*bigen.C, []rune) (bigen.Machine[rune], []rune) {
		return &walk{automaton: a}, nil
	}, min(mean, float64(most)), most)
	return bigen.Iso(steps, func(s []rune) string {
		w := walk{automaton: a}
		for _, r := range s {
			w.to(a.classOf(r))
		}
		return string(s) + a.shortest(w.state, w.n)
	}, func(s string) ([]rune, bool) { return []rune(s), a.accepts(s) }), true, true
}

// An automaton is deterministic: the product of those of several expressions.
type automaton struct {
	progs  []*syntax.Prog
	not    []bool // the expressions that must not match
	lo, hi int
	insts  int

	classes   []*choices.Alphabet // runes that no expression tells apart
	samples   []rune              // one of each class
	intervals []interval

	index  map[string]int // of states, by their sets
	states []state
	left   [][]uint64 // by a number of runes: the states from which so many lead to the end
}

// An interval begins a class of runes, up to the next one.
type interval struct {
	first rune
	class int
}

type state struct {
	sets    [][]uint32 // of instructions, for each expression
	start   bool
	accepts bool
	next    []int // by class
}

// add adds an expression.
func (a *automaton) add(expr string, not bool) bool {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return false
	}
	p, err := syntax.Compile(re.Simplify())
	if err != nil {
		return false
	}
	if a.insts += len(p.Inst); a.insts > maxInsts {
		return false
	}
	for i := range p.Inst {
		in := &p.Inst[i]
		if in.Op == syntax.InstEmptyWidth &&
			syntax.EmptyOp(in.Arg)&^(syntax.EmptyBeginText|syntax.EmptyEndText) != 0 {
			return false
		}
	}
	a.progs, a.not = append(a.progs, p), append(a.not, not)
	return true
}

// partition finds the classes.
func (a *automaton) partition() {
	var insts []*syntax.Inst
	bounds := map[rune]bool{0: true, 0xD800: true, 0xE000: true}
	mark := func(r rune) { bounds[r], bounds[r+1] = true, true }
	for _, p := range a.progs {
		for i := range p.Inst {
			in := &p.Inst[i]
			switch in.Op {
			case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
				insts = append(insts, in)
			default:
				continue
			}
			if in.Op == syntax.InstRuneAnyNotNL {
				mark('\n')
			}
			for j, r := range in.Rune {
				if len(in.Rune) == 1 { // perhaps of either case
					for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
						mark(f)
					}
					mark(r)
				} else {
					bounds[r+rune(j&1)] = true
				}
			}
		}
	}
	var firsts []rune
	for r := range bounds {
		if r <= unicode.MaxRune {
			firsts = append(firsts, r)
		}
	}
	slices.Sort(firsts)
	classes := map[string]int{}
	var ranges [][]rune
	for i, r := range firsts {
		if r == 0xD800 {
			a.intervals = append(a.intervals, interval{r, -1})
			continue
		}
		last := rune(unicode.MaxRune)
		if i+1 < len(firsts) {
			last = firsts[i+1] - 1
		}
		var key []byte
		for _, in := range insts {
			key = append(key, '0')
			if in.MatchRune(r) {
				key[len(key)-1] = '1'
			}
		}
		c, ok := classes[string(key)]
		if !ok {
			c = len(ranges)
			classes[string(key)] = c
			ranges = append(ranges, nil)
		}
		ranges[c] = append(ranges[c], r, last)
		a.intervals = append(a.intervals, interval{r, c})
	}
	for _, bounds := range ranges {
		class := choices.RuneRanges(bounds...)
		a.classes, a.samples = append(a.classes, class), append(a.samples, class.Simplest())
	}
}

// classOf returns the class of a rune, or -1.
func (a *automaton) classOf(r rune) int {
	i, found := slices.BinarySearchFunc(a.intervals, r, func(in interval, r rune) int {
		return int(in.first) - int(r)
	})
	if !found {
		i--
	}
	return a.intervals[i].class
}

// closure returns the instructions that a set leads to without a rune, sorted, and whether it leads
// to a match.
func closure(p *syntax.Prog, from []uint32, holds syntax.EmptyOp) (set []uint32, match bool) {
	seen := make([]uint64, (len(p.Inst)+63)/64)
	for todo := slices.Clone(from); len(todo) > 0; {
		pc := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[pc/64]>>(pc%64)&1 == 1 {
			continue
		}
		seen[pc/64] |= 1 << (pc % 64)
		switch in := &p.Inst[pc]; in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			todo = append(todo, in.Out, in.Arg)
		case syntax.InstCapture, syntax.InstNop:
			todo = append(todo, in.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.Arg)&^holds == 0 {
				todo = append(todo, in.Out)
			} else {
				set = append(set, pc)
			}
		case syntax.InstMatch:
			match = true
			set = append(set, pc)
		case syntax.InstFail:
		default:
			set = append(set, pc)
		}
	}
	slices.Sort(set)
	return set, match
}

// explore finds all states.
func (a *automaton) explore() bool {
	var sets [][]uint32
	for _, p := range a.progs {
		set, _ := closure(p, []uint32{uint32(p.Start)}, syntax.EmptyBeginText)
		sets = append(sets, set)
	}
	a.state(sets, true)
	for i := 0; i < len(a.states); i++ {
		if len(a.states) > maxStates {
			return false
		}
		a.states[i].next = make([]int, len(a.classes))
		for c, r := range a.samples {
			var sets [][]uint32
			for j, p := range a.progs {
				var out []uint32
				for _, pc := range a.states[i].sets[j] {
					switch in := &p.Inst[pc]; in.Op {
					case syntax.InstEmptyWidth, syntax.InstMatch:
					default:
						if in.MatchRune(r) {
							out = append(out, in.Out)
						}
					}
				}
				slices.Sort(out)
				set, _ := closure(p, slices.Compact(out), 0)
				sets = append(sets, set)
			}
			next := a.state(sets, false)
			a.states[i].next[c] = next
		}
	}
	return true
}

// state returns the index of a state.
func (a *automaton) state(sets [][]uint32, start bool) int {
	key := []byte{0}
	if start {
		key[0] = 1
	}
	for _, set := range sets {
		key = binary.LittleEndian.AppendUint32(key, uint32(len(set)))
		for _, pc := range set {
			key = binary.LittleEndian.AppendUint32(key, pc)
		}
	}
	if i, ok := a.index[string(key)]; ok {
		return i
	}
	s := state{sets: sets, start: start, accepts: true}
	for j, p := range a.progs {
		end := syntax.EmptyEndText
		if start {
			end |= syntax.EmptyBeginText
		}
		_, match := closure(p, sets[j], end)
		s.accepts = s.accepts && match != a.not[j]
	}
	i := len(a.states)
	a.index[string(key)] = i
	a.states = append(a.states, s)
	return i
}

// measure finds from which states so many runes lead to the end.
func (a *automaton) measure() bool {
	n := len(a.states)
	most := a.lo + n
	if a.hi < math.MaxInt32 {
		most = min(most, a.hi)
	}
	if int64(n)*int64(len(a.classes))*int64(most+1) > maxWork {
		return false
	}
	words := (n + 63) / 64
	row := make([]uint64, words)
	for i := range a.states {
		if a.states[i].accepts {
			row[i/64] |= 1 << (i % 64)
		}
	}
	a.left = append(a.left, row)
	for range most {
		before := row
		row = make([]uint64, words)
		for i := range a.states {
			for _, next := range a.states[i].next {
				if before[next/64]>>(next%64)&1 == 1 {
					row[i/64] |= 1 << (i % 64)
					break
				}
			}
		}
		a.left = append(a.left, row)
	}
	return true
}

// rest returns the least number of runes that lead from a state, after n runes, to the end of a
// text, or -1.
func (a *automaton) rest(state, n int) int {
	for k := max(0, a.lo-n); k < len(a.left) && k+n <= a.hi; k++ {
		if a.left[k][state/64]>>(state%64)&1 == 1 {
			return k
		}
	}
	return -1
}

func (a *automaton) completes(state, n int) bool { return a.rest(state, n) >= 0 }

// shortest returns the shortest and simplest end of a text.
func (a *automaton) shortest(state, n int) string {
	var end []rune
	for k := a.rest(state, n); k > 0; k-- {
		for c, next := range a.states[state].next {
			if a.left[k-1][next/64]>>(next%64)&1 == 1 {
				end, state = append(end, a.samples[c]), next
				break
			}
		}
	}
	return string(end)
}

func (a *automaton) accepts(s string) bool {
	state, n := 0, 0
	for _, r := range s {
		c := a.classOf(r)
		if c < 0 {
			return false
		}
		state = a.states[state].next[c]
		n++
	}
	return a.states[state].accepts && a.lo <= n && n <= a.hi
}

// A walk is a [bigen.Machine] whose steps are the runes of a text.
type walk struct {
	*automaton
	state, n int
	alts     []choices.Alt
}

func (w *walk) to(class int) {
	w.state = w.states[w.state].next[class]
	w.n++
}

func (w *walk) Offer() []choices.Alt {
	if w.alts == nil {
		for i := range w.classes {
			w.alts = append(w.alts, bigen.NewAlt(strconv.Itoa(i), 1))
		}
	}
	some := false
	for i := range w.alts {
		w.alts[i].Weight = 0
		if w.Allows(i) {
			some = true
			if w.alts[i].Weight = 1; w.samples[i] < unicode.MaxASCII {
				w.alts[i].Weight = 4
			}
		}
	}
	if !some {
		return nil
	}
	return w.alts
}

func (w *walk) Allows(class int) bool {
	return w.completes(w.states[w.state].next[class], w.n+1)
}

func (w *walk) Find(c *bigen.C, r *rune) int {
	class := w.classOf(*r)
	if class < 0 {
		c.Refuse("it is not a rune: %U", *r)
	}
	return class
}

func (w *walk) Step(c *bigen.C, class int, r *rune) {
	bigen.Part(c, "rune", r, bigen.Rune(w.classes[class]))
	w.to(class)
}
