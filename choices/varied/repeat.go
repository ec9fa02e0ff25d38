package varied

import (
	"math/bits"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// maxGiven bounds the answers that are remembered.
const maxGiven = 1 << 10

// keepsLeaves reports whether answers other than picks may be needed again. Picks are if steps
// repeat.
func (s *varied) keepsLeaves() bool {
	return s.again > 0 || s.repeat > 0 || s.plan.ints >= ascending
}

// keep remembers an answer. It returns its index, or -1 if there are too many.
func (s *varied) keep(a answer) int32 {
	if len(s.given.answers) == maxGiven {
		return -1
	}
	if n := len(s.given.answers); n == cap(s.given.answers) {
		more := make([]answer, n, max(8, 4*n))
		copy(more, s.given.answers)
		s.given.answers = more
	}
	s.given.answers = append(s.given.answers, a)
	return int32(len(s.given.answers) - 1)
}

// keepText is keep for a text.
func (s *varied) keepText(q *choices.Question, text string) {
	if !s.keepsLeaves() {
		return
	}
	if s.keep(answer{kind: choices.Text, slot: q.Slot, n: int64(len(s.given.texts))}) >= 0 {
		s.given.texts = append(s.given.texts, text)
	}
}

// find returns an earlier answer of q's kind that fits, or nil. It searches backward from a
// random answer for one of q's slot, or with probability 1/4 for one of any slot. If it
// finds none of q's slot, it returns the first of another slot.
func (s *varied) find(q *choices.Question, u uint64, fits func(*answer) bool) *answer {
	all := s.given.answers
	if len(all) == 0 {
		return nil
	}
	hi, _ := bits.Mul64(hash.Mix(u, 1), uint64(len(all)))
	anySlot := u&3 == 0
	var other *answer
	found := s.given.before(int(hi), func(e *answer) bool {
		if e.kind != q.Kind || !fits(e) {
			return false
		}
		if other == nil {
			other = e
		}
		return anySlot || e.slot == q.Slot
	})
	if found < 0 {
		return other
	}
	return &all[found]
}

// lastOf returns the last answer of q's kind and slot, or nil.
func (s *varied) lastOf(q *choices.Question) *answer {
	all := s.given.answers
	i := s.given.before(len(all)-1, func(e *answer) bool {
		return e.kind == q.Kind && e.slot == q.Slot
	})
	if i < 0 {
		return nil
	}
	return &all[i]
}

// find and pickAgain repeat answers: an integer or text is, with a probability that is the value's
// own, equal or close to an earlier one, mostly of the same field; a step likewise repeats an
// earlier one with the same tags, often the one before, and all below it as far as that fits. So
// lists get equal elements, and trees equal subtrees.

// pickAgain returns n, or instead the answer of an earlier step with the same
// alternatives. Then it sets in so that the answers below that are repeated.
func (s *varied) pickAgain(alts []choices.Alt, family uint16, n int, in *scope) int {
	if s.again == 0 || len(s.given.answers) == 0 {
		return n
	}
	u := s.r.Uint64()
	if u&255 >= uint64(s.again) {
		return n
	}
	fits := func(e *answer) bool {
		return e.kind == choices.Pick && e.family == family && e.n > 0 &&
			e.end > 0 && int(e.n) < len(alts) && alts[e.n].Weight > 0
	}
	i := int(s.at().prev)
	if i < 0 || u>>8&1 == 0 || !fits(&s.given.answers[i]) {
		hi, _ := bits.Mul64(hash.Mix(u, 2), uint64(len(s.given.answers)))
		if i = s.given.before(int(hi), fits); i < 0 {
			return n
		}
	}
	e := &s.given.answers[i]
	in.next, in.stop = int32(i)+1, e.end
	return int(e.n)
}

// replayed returns the answer to repeat for a question, or nil.
func (s *varied) replayed(kind choices.Kind, slot uint32) *answer {
	sc := s.at()
	if sc.next >= sc.stop {
		return nil
	}
	e := &s.given.answers[sc.next]
	if e.kind != kind || e.slot != slot {
		sc.next = sc.stop // from here on they are different
		return nil
	}
	sc.next++
	return e
}

// replayLeaf returns the integer or text to repeat for q, or nil.
func (s *varied) replayLeaf(q *choices.Question) *answer {
	if s.again == 0 || s.calm(q) {
		return nil
	}
	return s.replayed(q.Kind, q.Slot)
}

// replayPick returns the alternative to repeat for q, or -1.
func (s *varied) replayPick(
	q *choices.Question, alts []choices.Alt, family uint16, in *scope,
) int {
	if in.calm || s.again == 0 {
		return -1
	}
	e := s.replayed(choices.Pick, q.Slot)
	if e == nil {
		return -1
	}
	sc := s.at()
	below := sc.next
	sc.next = max(sc.next, e.end)
	if e.family != family || int(e.n) >= len(alts) || alts[e.n].Weight <= 0 {
		return -1
	}
	in.next, in.stop = below, e.end
	return int(e.n)
}
