package tune

import (
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// ErrLimit is the error of a run that has asked more questions than [Model.SetLimit] allows.
var ErrLimit = errors.New("tune: the run has reached the limit of answers")

// Sample makes a value of g by the model. The error is [ErrLimit] or one of [bigen.Run].
func Sample[A any](m *Model, g bigen.Gen[A], r *rand.Rand) (A, error) {
	run := NewRunner(m)
	v, _, err := Make(run, g, r)
	return v, err
}

// Prior returns m as a source of answers for [choices.RandomBy] and [choices.FromBytesBy]. It
// serves one run at a time.
func (m *Model) Prior() choices.Prior { return NewRunner(m) }

// An Answer is what a sampler has answered.
type Answer struct {
	Point    int // an index of Model.Points
	Cell     int // of the contexts that the sampler distinguishes
	Outcome  int
	Outcomes int // how many there were
}

// A Runner answers as a model does, and records the answers of its last run. It serves one
// run at a time.
type Runner struct {
	model    *Model
	compiled compiled
	tracker  tracker

	asked   int
	by      int // of these, those that a sampler has answered
	deepest int
	failed  bool
	bits    float64

	// Record says whether Answers shall be recorded.
	Record  bool
	answers []Answer
}

// NewRunner returns a runner of a model, which must not change any more.
func NewRunner(m *Model) *Runner {
	return &Runner{model: m, compiled: m.compile(), tracker: tracker{parts: m.arity, counted: m.countedBy}}
}

// Answers returns what samplers have answered, also for parts that were thrown away. It is
// valid until the next run.
func (r *Runner) Answers() []Answer { return r.answers }

// Answered returns how many questions of the last run samplers have answered.
func (r *Runner) Answered() int { return r.by }

// Failed reports whether the run has reached the limit of answers.
func (r *Runner) Failed() bool { return r.failed }

// Nodes returns what the feature [Nodes] was in the end of the last run.
func (r *Runner) Nodes() int { return r.tracker.at[Nodes] }

// Depth returns what the feature [Depth] was at most in the last run.
func (r *Runner) Depth() int { return r.deepest }

// Bits returns the information of the answers: the sum of the base-2 logarithms of their
// probabilities, without the sign. Its mean over runs is the entropy of the choices. Texts do not
// count, nor do integers with edges that no sampler answers, nor answers after a filter.
func (r *Runner) Bits() float64 { return r.bits }

// Make makes a value of g by the model of a runner. The error is [ErrLimit] or one of
// [bigen.Run].
func Make[A any](run *Runner, g bigen.Gen[A], r *rand.Rand) (A, choices.Tree, error) {
	return MakeInto(nil, run, g, r)
}

// MakeInto is [Make], with the memory of tree.
func MakeInto[A any](tree choices.Tree, run *Runner, g bigen.Gen[A], r *rand.Rand) (A, choices.Tree, error) {
	v, tree, err := bigen.RunInto(tree, g, choices.RandomBy(r, run))
	if err == nil && run.failed {
		err = ErrLimit
	}
	return v, tree, err
}

// Begin implements [choices.Prior].
func (r *Runner) Begin() {
	r.tracker.begin()
	r.asked, r.by, r.deepest, r.failed, r.bits = 0, 0, 0, false, 0
	r.answers = r.answers[:0]
}

// within reports whether the limit allows another answer.
func (r *Runner) within() bool {
	r.asked++
	if r.asked > r.model.limit {
		r.failed = true
	}
	return !r.failed
}

// outcome asks the sampler of a question, if it has one: for one of n outcomes.
func (r *Runner) outcome(q *choices.Question, key pointKey, span, word uint64) (k, n int, ok bool) {
	w, ok := r.weigh(q, key, span)
	if !ok {
		return 0, 0, false
	}
	r.by++
	k = draw(w.sums, word)
	r.bits += information(w.sums, k)
	if r.Record {
		r.answers = append(r.answers, Answer{w.point, w.cell, k, len(w.sums)})
	}
	return k, len(w.sums), true
}

// weighed is a question with the sums of the weights of its outcomes.
type weighed struct {
	point, cell int
	sums        []uint64
}

// weigh returns the weights of a question, if it has a sampler.
func (r *Runner) weigh(q *choices.Question, key pointKey, span uint64) (w weighed, ok bool) {
	key.kind, key.slot, key.in = q.Kind, q.Slot, r.tracker.in()
	if w.point, ok = r.model.find(key); !ok {
		return w, false
	}
	p := &r.compiled.points[w.point]
	n := maxOutcomes
	if p.outcomes > 0 {
		n = p.outcomes
	}
	if q.Kind == choices.Pick || span < uint64(n) {
		n = int(span)
	}
	w.cell = r.tracker.at.cell(p.given)
	w.sums = r.compiled.sums(p, &r.tracker.at, w.cell, n)
	return w, true
}

// Pick implements [choices.Prior].
func (r *Runner) Pick(q *choices.Question, word uint64) int {
	if !r.within() {
		return 0
	}
	if k, _, ok := r.outcome(q, pointKey{family: choices.Family(q.Alts)}, uint64(len(q.Alts)), word); ok {
		return k
	}
	k, total := q.DrawPick(word), 0.0
	for i := range q.Alts {
		total += q.Alts[i].Weight
	}
	if w := q.Alts[k].Weight; w > 0 {
		r.bits += math.Log2(total / w)
	}
	return k
}

// Int implements [choices.Prior].
func (r *Runner) Int(q *choices.Question, word uint64) int64 {
	if !r.within() {
		return q.Kind.Origin(q.Lo, q.Hi)
	}
	span := spanOf(q)
	k, n, ok := r.outcome(q, pointKey{}, span, word)
	if !ok {
		if !q.Edges {
			r.bits += math.Log2(float64(span))
		}
		return q.DrawInt(word)
	}
	first, size := part(span, k, n), part(span, k+1, n)-part(span, k, n)
	within, _ := bits.Mul64(hash.Mix(word, 1), size)
	r.bits += math.Log2(float64(size))
	return int64(uint64(q.Lo) + first + within)
}

// spanOf returns how many integers a range has, except for the last of all 2^64.
func spanOf(q *choices.Question) uint64 {
	return max(uint64(q.Hi)-uint64(q.Lo), uint64(q.Hi)-uint64(q.Lo)+1)
}

// part returns where part k of n equal parts of a range begins.
func part(span uint64, k, n int) uint64 {
	size, more := span/uint64(n), span%uint64(n)
	return uint64(k)*size + min(uint64(k), more)
}

// Text implements [choices.Prior].
func (r *Runner) Text(q *choices.Question, word uint64) string {
	if !r.within() {
		return q.SimplestText()
	}
	return q.DrawText(word)
}

// Picked implements [choices.Prior].
func (r *Runner) Picked(q *choices.Question, n int) {
	r.tracker.picked(q, n)
	r.deepest = max(r.deepest, r.tracker.at[Depth])
}

// Leave implements [choices.Prior].
func (r *Runner) Leave() { r.tracker.leave() }

// IntGiven implements [choices.Prior].
func (r *Runner) IntGiven(*choices.Question, int64) {}

// TextGiven implements [choices.Prior].
func (r *Runner) TextGiven(*choices.Question, string) {}
