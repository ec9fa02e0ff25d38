package rl

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
)

// transcript keeps the answers of an episode, a question before those asked in its
// branch, as in a [choices.Tree].
type transcript struct {
	answers []answered
	open    []int32 // picks
}

// answered is a question with its answer.
type answered struct {
	text  string // Text
	n     int64  // Int, Uint; Pick: the index of the alternative
	mark  mark   // of the learner, before
	slot  uint32
	index int32
	size  int32 // with those in its branch
	kind  choices.Kind
	free  bool // it could have been another
}

const answeredBytes = 48

func (t *transcript) reset() { t.answers, t.open = t.answers[:0], t.open[:0] }

func (t *transcript) pick(q *choices.Question, n int, m mark) {
	t.open = append(t.open, int32(len(t.answers)))
	t.add(q, int64(n), "", len(q.Alts) > 1, m)
}

func (t *transcript) leave() {
	i := t.open[len(t.open)-1]
	t.open = t.open[:len(t.open)-1]
	t.answers[i].size = int32(len(t.answers)) - i
}

func (t *transcript) add(q *choices.Question, n int64, text string, free bool, m mark) {
	t.answers = append(t.answers, answered{
		text: text, n: n, mark: m, slot: q.Slot, index: q.Index, size: 1, kind: q.Kind, free: free,
	})
}

// find returns the index of the last answer to q in the innermost branch, or -1.
func (t *transcript) find(q *choices.Question) int {
	i, found := 0, -1
	if n := len(t.open); n > 0 {
		i = int(t.open[n-1]) + 1
	}
	for ; i < len(t.answers); i += int(t.answers[i].size) {
		if a := &t.answers[i]; a.slot == q.Slot && a.index == q.Index && a.kind == q.Kind {
			found = i
		}
	}
	return found
}

// A returning repeats the answers of an input, but for one of them and what is below
// it. As in [choices.Replay], an answer is found by its slot, in its order.
type returning struct {
	to    *cell // nil if the episode does not return
	part  int   // the index of the answer that is to be another
	scope scope
	outer []scope
}

// scope is the run of sibling answers that may still be asked for.
type scope struct{ next, end int }

// The part is drawn a few times in the hope of one with choices below: what comes of it
// differs more.
const (
	maxDraws   = 20
	largeDraws = 4
)

// maxAhead bounds the siblings that are looked at for an answer.
const maxAhead = 100

func (t *returning) begin(m *cell, r *rand.Rand) {
	t.to = m
	t.scope, t.outer = scope{0, len(m.answers)}, t.outer[:0]
	for i := range maxDraws {
		t.part = r.IntN(len(m.answers))
		if a := &m.answers[t.part]; a.free && (a.size > 1 || i >= largeDraws) {
			break
		}
	}
}

// find returns the answer to repeat, or nil; other reports whether it is to be another.
func (t *returning) find(q *choices.Question) (a *answered, other bool) {
	if t.to == nil {
		return nil, false
	}
	for i, ahead := t.scope.next, 0; i < t.scope.end && ahead < maxAhead; ahead++ {
		c := &t.to.answers[i]
		if c.slot == q.Slot && c.kind == q.Kind {
			t.scope.next = i
			return c, i == t.part
		}
		i += int(c.size)
	}
	return nil, false
}

// pass leaves behind the integer or text found.
func (t *returning) pass(a *answered) {
	if a != nil {
		t.scope.next++
	}
}

// enter goes into the branch of a pick: that of a, the answer found, if it was
// repeated.
func (t *returning) enter(a *answered, repeated bool) {
	if t.to == nil {
		return
	}
	outer, inner := t.scope, scope{}
	if a != nil {
		outer.next += int(a.size)
		if repeated {
			inner = scope{t.scope.next + 1, outer.next}
		}
	}
	t.outer = append(t.outer, outer)
	t.scope = inner
}

func (t *returning) leave() {
	if t.to == nil {
		return
	}
	t.scope = t.outer[len(t.outer)-1]
	t.outer = t.outer[:len(t.outer)-1]
}
