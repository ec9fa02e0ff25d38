package tune

import (
	"iter"

	"golang.org/x/exp/slices"

	"github.com/espalier-go/espalier/bigen"
	"github.com/espalier-go/espalier/choices"
)

// Enumerate returns all values that g makes within a model, each once, with their sizes and in
// the order of their sizes: the model as a bounded-exhaustive one. An answer of probability 0 is
// out of bounds, so a [Truncated] bounds one choice point, and a [Table] one in some contexts, such
// as beyond a depth. Points without a sampler have no bounds. See [bigen.Enumerate], also for the
// panic. A value that g makes in several ways appears if the leftmost is within the model.
func Enumerate[A any](m *Model, g bigen.Gen[A]) iter.Seq2[int, A] {
	return func(yield func(int, A) bool) {
		inVain := 0
		b := &bounded{runner: NewRunner(m)}
		for attempt := range choices.Enumerate() {
			b.begin(attempt)
			v, t, err := bigen.Run(g, b)
			if err == nil && b.made(t) && isLeftmost(g, v, t) {
				inVain = 0
				if !yield(attempt.Size(), v) {
					return
				}
				continue
			}
			if inVain += 1 + len(t) + attempt.Answers(); inVain > maxInVain {
				panic("tune.Enumerate: 4194304 steps without a new value: there are no more within the model, or a SuchThat rejects nearly all")
			}
		}
	}
}

// maxInVain bounds the work between two new values, as bigen.Enumerate does.
const maxInVain = 1 << 22

func isLeftmost[A any](g bigen.Gen[A], v A, t choices.Tree) bool {
	back, err := bigen.Choices(g, v)
	return err != nil || slices.Equal(t, back)
}

// bounded is an attempt that gives only answers within a model.
type bounded struct {
	attempt  *choices.Attempt
	runner   *Runner
	given    []choices.Mark // all answers; of a pick, the index
	rejected bool
}

var _ choices.Rejecter = (*bounded)(nil)

func (b *bounded) begin(a *choices.Attempt) {
	b.attempt, b.given, b.rejected = a, b.given[:0], false
	b.runner.Begin()
}

// made reports whether the run, which recorded t, has kept all answers.
func (b *bounded) made(t choices.Tree) bool {
	given := b.given
	for i := range t {
		c := &t[i]
		if !c.Asked() {
			continue
		}
		mark := choices.Mark{Kind: c.Kind, N: c.N}
		if c.Kind == choices.Text {
			mark = c.Mark()
		}
		if len(given) == 0 || given[0] != mark {
			return false
		}
		given = given[1:]
	}
	return len(given) == 0 && !b.rejected
}

// Reject implements [choices.Rejecter].
func (b *bounded) Reject() bool {
	b.rejected = true
	return b.attempt.Reject()
}

// Pick implements [choices.Source].
func (b *bounded) Pick(q *choices.Question) (n int) {
	if len(q.Alts) > 1 {
		allowed, _, ok := b.runner.allowed(q, pointKey{family: choices.Family(q.Alts)}, uint64(len(q.Alts)))
		switch {
		case !ok:
			n = b.attempt.Pick(q)
		case len(allowed) == 1:
			n = allowed[0]
		default:
			some := *q
			some.Alts = make([]choices.Alt, len(allowed))
			for i, k := range allowed {
				some.Alts[i] = q.Alts[k]
			}
			n = allowed[b.attempt.Pick(&some)]
		}
		b.given = append(b.given, choices.Mark{Kind: choices.Pick, N: int64(n)})
	}
	b.runner.Picked(q, n)
	return n
}

// Leave implements [choices.Source].
func (b *bounded) Leave() { b.runner.Leave() }

// Int implements [choices.Source].
func (b *bounded) Int(q *choices.Question) (n int64) {
	span := spanOf(q)
	allowed, parts, ok := b.runner.allowed(q, pointKey{}, span)
	if !ok || len(allowed) == parts {
		n = b.attempt.Int(q)
	} else {
		n = b.within(q, span, allowed, parts)
	}
	b.given = append(b.given, choices.Mark{Kind: q.Kind, N: n})
	return n
}

// within returns an integer from some of the parts of a range.
func (b *bounded) within(q *choices.Question, span uint64, allowed []int, parts int) int64 {
	total := uint64(0)
	for _, k := range allowed {
		total += part(span, k+1, parts) - part(span, k, parts)
	}
	i := uint64(0)
	if total > 1 {
		i = uint64(b.attempt.Int(&choices.Question{Kind: choices.Uint, Hi: int64(total - 1)}))
	}
	for _, k := range allowed {
		first := part(span, k, parts)
		if size := part(span, k+1, parts) - first; i < size {
			return int64(uint64(q.Lo) + first + i)
		} else {
			i -= size
		}
	}
	return q.Lo // not reached
}

// Text implements [choices.Source].
func (b *bounded) Text(q *choices.Question) string {
	text := b.attempt.Text(q)
	b.given = append(b.given, choices.Mark{Kind: choices.Text, Tag: text})
	return text
}

// allowed returns the outcomes of a question that are possible, of n in all. It reports false if no
// sampler answers it.
func (r *Runner) allowed(q *choices.Question, key pointKey, span uint64) (outcomes []int, n int, ok bool) {
	w, ok := r.weigh(q, key, span)
	last := uint64(0)
	for k, sum := range w.sums {
		if sum > last {
			outcomes = append(outcomes, k)
		}
		last = sum
	}
	return outcomes, len(w.sums), ok
}
