package rl

import (
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/sizeclass"
)

// transcript holds the answers of an episode. As in a [choices.Tree], a pick precedes
// the questions asked in its branch.
type transcript struct {
	answers []answered
	open    []int32 // indexes of the picks whose branches are open
}

// answered is a question with its answer.
type answered struct {
	text  string // Text
	n     int64  // Int, Uint; Pick: the index of the alternative
	mark  mark   // of the learner, before the question
	slot  uint32
	index int32
	size  int32 // number of answers in its branch, and itself
	kind  choices.Kind
	free  bool // another answer was possible
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

// class returns the class of the input's size: the number of picks with parts.
func (t *transcript) class() int {
	size := 0
	for i := range t.answers {
		if t.answers[i].size > 1 {
			size++
		}
	}
	return sizeclass.Of(size)
}

// bytes returns how much memory a copy takes.
func (t *transcript) bytes() int {
	n := len(t.answers) * answeredBytes
	for i := range t.answers {
		n += len(t.answers[i].text)
	}
	return n
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
