package rl

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
)

// archive holds valid inputs to return to: an episode may repeat one of them but for
// a part that is made anew ("first return, then explore": Ecoffet et al., Nature
// 2021). Strict validity is reached, and its surroundings explored, in steps that way.
type archive struct {
	kept  []*memory
	bytes int
	most  int
	made  int // unique valid inputs so far
}

// memory is an input, as the answers that made it.
type memory struct {
	answers   []answered
	fruitless int // returns in a row that gave nothing
}

// answered is a question with its answer. It stands before those asked in its
// branch, as in a [choices.Tree].
type answered struct {
	text  string
	n     int64
	slot  uint32
	size  int32 // with those in its branch
	kind  choices.Kind
	asked bool
}

const answeredBytes = 40

func (a *archive) add(answers []answered, r *rand.Rand) {
	a.made++
	m := &memory{answers: append([]answered(nil), answers...)}
	bytes := len(answers) * answeredBytes
	if bytes > a.most/16 {
		return
	}
	for len(a.kept) > 0 && (a.bytes+bytes > a.most || len(a.kept) >= maxKept) {
		// out goes the more fruitless of two
		i := a.pick(r, func(x, y int) bool { return x > y })
		a.bytes -= len(a.kept[i].answers) * answeredBytes
		a.kept[i] = a.kept[len(a.kept)-1]
		a.kept = a.kept[:len(a.kept)-1]
	}
	a.kept = append(a.kept, m)
	a.bytes += bytes
}

const maxKept = 1 << 10

func (a *archive) pick(r *rand.Rand, better func(x, y int) bool) int {
	i, j := r.IntN(len(a.kept)), r.IntN(len(a.kept))
	if better(a.kept[j].fruitless, a.kept[i].fruitless) {
		return j
	}
	return i
}

// recorder keeps the answers of the episode.
type recorder struct {
	answers []answered
	open    []int32
}

func (c *recorder) reset() { c.answers, c.open = c.answers[:0], c.open[:0] }

func (c *recorder) add(q *choices.Question, n int64, text string, asked bool) {
	c.answers = append(c.answers, answered{kind: q.Kind, slot: q.Slot, n: n, text: text, size: 1, asked: asked})
}

func (c *recorder) enter() { c.open = append(c.open, int32(len(c.answers)-1)) }

func (c *recorder) leave() {
	i := c.open[len(c.open)-1]
	c.open = c.open[:len(c.open)-1]
	c.answers[i].size = int32(len(c.answers)) - i
}

// returning repeats an input but for the part at one of its answers.
type returning struct {
	from  *memory
	part  int
	scope scope
	outer []scope
}

// scope is the run of sibling answers that may still be asked for.
type scope struct{ next, end int }

func (t *returning) begin(m *memory, r *rand.Rand) {
	t.from = m
	t.scope, t.outer = scope{0, len(m.answers)}, t.outer[:0]
	t.part = -1
	for range 20 {
		if t.part = r.IntN(len(m.answers)); m.answers[t.part].asked {
			break
		}
	}
}

// find returns the answer to repeat, or nil; anew reports whether it is to be
// another.
func (t *returning) find(q *choices.Question) (a *answered, anew bool) {
	if t.from == nil {
		return nil, false
	}
	for i, ahead := t.scope.next, 0; i < t.scope.end && ahead < 100; ahead++ {
		c := &t.from.answers[i]
		if c.slot == q.Slot && c.kind == q.Kind {
			t.scope.next = i
			return c, i == t.part
		}
		i += int(c.size)
	}
	return nil, false
}

// enter follows a pick into its branch; a is nil if what is below is made anew.
func (t *returning) enter(a *answered, anew bool) {
	if t.from == nil {
		return
	}
	outer := t.scope
	inner := scope{}
	if a != nil {
		i := t.scope.next
		outer.next = i + int(a.size)
		if !anew {
			inner = scope{i + 1, outer.next}
		}
	}
	t.outer = append(t.outer, outer)
	t.scope = inner
}

func (t *returning) leave() {
	if t.from == nil {
		return
	}
	t.scope = t.outer[len(t.outer)-1]
	t.outer = t.outer[:len(t.outer)-1]
}

func (t *returning) pass() { t.scope.next++ }
