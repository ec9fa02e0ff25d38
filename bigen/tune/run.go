package tune

import (
	"errors"
	"math"
	"math/bits"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
	"golang.org/x/exp/slices"
)

// ErrLimit is the error of a run that has asked more questions than [Model.SetLimit] allows.
var ErrLimit = errors.New("tune: the run has reached the limit of answers")

// A runner answers as a model of samplers does, and records the answers of its last run. It
// implements [choices.Prior], and serves one run at a time.
type runner struct {
	model   *Model
	points  []runnerPoint
	kept    int // numbers that points remember
	tracker tracker

	asked   int
	by      int // how many of these a sampler has answered
	deepest int
	failed  bool    // the run has reached the limit of answers
	bits    float64 // see Run.Bits

	record  bool     // whether to record answers
	answers []answer // also for discarded parts; valid until the next run
}

// An answer is what a sampler has answered.
type answer struct {
	point   int // an index of Model.points
	cell    int // of the contexts that the sampler distinguishes
	outcome int
}

// A runnerPoint is a point that is ready to answer: it remembers sums of weights.
type runnerPoint struct {
	sampler  Sampler
	given    []Given
	outcomes int
	known    map[uint64][]uint64 // by cell and outcomes: the sums of the weights up to each outcome
}

// newRunner returns a runner of a model, which must not change from then on.
func newRunner(m *Model) *runner {
	r := &runner{model: m, points: make([]runnerPoint, len(m.points)), tracker: newTracker(m)}
	for i := range m.points {
		s := m.points[i].sampler
		r.points[i] = runnerPoint{s, s.given(), s.outcomes(), map[uint64][]uint64{}}
	}
	return r
}

// Answered returns how many questions of the last run samplers have answered.
func (r *runner) Answered() int { return r.by }

func (r *runner) Begin() {
	r.tracker.begin()
	r.asked, r.by, r.deepest, r.failed, r.bits = 0, 0, 0, false, 0
	r.answers = r.answers[:0]
}

func (r *runner) Pick(q *choices.Question, word uint64) int {
	if !r.within() {
		return 0
	}
	if k, _, ok := r.outcome(q, pointKey{family: q.Family()}, uint64(len(q.Alts)), word); ok {
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

func (r *runner) Int(q *choices.Question, word uint64) int64 {
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

func (r *runner) Text(q *choices.Question, word uint64) string {
	if !r.within() {
		return q.SimplestText()
	}
	return q.DrawText(word)
}

func (r *runner) Picked(q *choices.Question, n int) {
	r.tracker.picked(q, n)
	r.deepest = max(r.deepest, r.tracker.at.depth)
}

func (r *runner) Leave() { r.tracker.leave() }

func (r *runner) IntGiven(*choices.Question, int64) {}

func (r *runner) TextGiven(*choices.Question, string) {}

// within reports whether the limit allows another answer.
func (r *runner) within() bool {
	r.asked++
	if r.asked > r.model.limit {
		r.failed = true
	}
	return !r.failed
}

// outcome asks the sampler of a question, if there is one, for one of n outcomes.
func (r *runner) outcome(q *choices.Question, key pointKey, span, word uint64) (k, n int, ok bool) {
	key.kind, key.slot, key.in = q.Kind, q.Slot, r.tracker.in()
	point, ok := r.model.find(key)
	if !ok {
		return 0, 0, false
	}
	p := &r.points[point]
	if n = p.outcomes; n == 0 {
		n = maxOutcomes
	}
	if q.Kind == choices.Pick || span < uint64(n) {
		n = int(span)
	}
	cell := r.tracker.at.cell(p.given)
	sums := r.sums(p, cell, n)
	k = draw(sums, word)
	r.by++
	r.bits += information(sums, k)
	if r.record {
		r.answers = append(r.answers, answer{point, cell, k})
	}
	return k, n, true
}

// maxKept bounds what points remember: 8 MiB.
const maxKept = 1 << 20

// sums returns the sums of weights of a point in a cell.
func (r *runner) sums(p *runnerPoint, cell, outcomes int) []uint64 {
	key := uint64(cell)<<32 | uint64(outcomes)
	sums := p.known[key]
	if sums != nil {
		return sums
	}
	if r.kept > maxKept {
		for i := range r.points {
			clear(r.points[i].known)
		}
		r.kept = 0
	}
	sums = make([]uint64, outcomes)
	p.sampler.weights(&r.tracker.at, sums)
	sum := uint64(0)
	for i, w := range sums {
		sum += w
		sums[i] = sum
	}
	if sum == 0 { // the first outcome
		for i := range sums {
			sums[i] = 1
		}
	}
	p.known[key] = sums
	r.kept += outcomes + 8
	return sums
}

// draw returns an outcome.
func draw(sums []uint64, word uint64) int {
	x, _ := bits.Mul64(word, sums[len(sums)-1])
	if len(sums) <= 8 {
		k := 0
		for sums[k] <= x {
			k++
		}
		return k
	}
	k, _ := slices.BinarySearchFunc(sums, x, func(sum, x uint64) int {
		if sum <= x {
			return -1
		}
		return 1
	})
	return k
}

// information returns the information of an outcome in bits.
func information(sums []uint64, k int) float64 {
	w := sums[k]
	if k > 0 {
		w -= sums[k-1]
	}
	return math.Log2(float64(sums[len(sums)-1]) / float64(w))
}

// spanOf returns how many integers a range has, or one less if it has all 2^64.
func spanOf(q *choices.Question) uint64 {
	return max(uint64(q.Hi)-uint64(q.Lo), uint64(q.Hi)-uint64(q.Lo)+1)
}

// part returns where part k of n equal parts of a range begins.
func part(span uint64, k, n int) uint64 {
	size, more := span/uint64(n), span%uint64(n)
	return uint64(k)*size + min(uint64(k), more)
}
