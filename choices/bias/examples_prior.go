package bias

import (
	"math/bits"
	"sort"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/chance"
	"golang.org/x/exp/slices"
)

// Prior returns a source of answers like e, for [choices.RandomBy] and [choices.FromBytesBy]. It
// serves one run at a time. The answers are the same on all platforms.
func (e *Examples) Prior() choices.Prior { return &exampleRun{of: e} }

// exampleRun answers the questions of one run by a model.
type exampleRun struct {
	of     *Examples
	around exampleContext
	picks  int // so far

	steps   []exampleStep  // buffer of contexts
	path    []*exampleNode // buffer of contexts
	tags    []exampleTag   // buffer of weigh
	counts  []uint64       // buffer of weigh
	weights []uint64       // of weigh: at most exampleCertain each
}

// exampleLonger is how many times as many picks as the largest example a value has before it takes
// the first alternatives that the examples have: what follows examples need not end by itself. Once
// it has twice as many, it takes the first alternatives of all, which end it.
const exampleLonger = 2

// exampleCertain is the weight of what is certain.
const exampleCertain = 1 << 32

// Begin implements [choices.Prior].
func (r *exampleRun) Begin() { r.around, r.picks = r.around[:0], 0 }

// Picked implements [choices.Prior].
func (r *exampleRun) Picked(q *choices.Question, n int) {
	if len(q.Alts) > 1 {
		r.picks++
	}
	r.around.enter(q.Slot, r.tag(q.Alts[n].Tag))
}

func (r *exampleRun) tag(tag string) exampleTag {
	if known, ok := r.of.tags[tag]; ok {
		return known
	}
	return unknownTag
}

// Leave implements [choices.Prior].
func (r *exampleRun) Leave() { r.around.leave() }

// IntGiven implements [choices.Prior].
func (r *exampleRun) IntGiven(*choices.Question, int64) {}

// TextGiven implements [choices.Prior].
func (r *exampleRun) TextGiven(*choices.Question, string) {}

// Pick implements [choices.Prior].
func (r *exampleRun) Pick(q *choices.Question, word uint64) int {
	r.weigh(q, q.Alts)
	total := uint64(0)
	for _, w := range r.weights {
		total += w
	}
	if total == 0 {
		return 0
	}
	u, _ := bits.Mul64(word, total)
	for i, w := range r.weights {
		if u < w {
			return i
		}
		u -= w
	}
	return len(r.weights) - 1
}

// Int implements [choices.Prior].
func (r *exampleRun) Int(q *choices.Question, word uint64) int64 {
	if n, ok := r.integer(q, word); ok {
		return n
	}
	return q.DrawInt(word)
}

// Text implements [choices.Prior].
func (r *exampleRun) Text(q *choices.Question, word uint64) string {
	if s, ok := r.string(q, word); ok {
		return s
	}
	return q.DrawText(word)
}

// end leaves the first of n alternatives that has a weight or, if none has, the first of all.
func (r *exampleRun) end(weighed bool, n int) {
	first := 0
	if weighed {
		first = max(0, slices.IndexFunc(r.weights, func(w uint64) bool { return w > 0 }))
	}
	r.weights = append(r.weights[:0], make([]uint64, n)...)
	r.weights[first] = exampleCertain
}

// weigh sets r.weights to weights of the alternatives of q, which are alts with the
// generator's own weights.
func (r *exampleRun) weigh(q *choices.Question, alts []choices.Alt) {
	known, often := r.like(q, alts)
	switch {
	case !r.of.Unlike && r.of.picks > 0 && r.picks >= exampleLonger*r.of.picks:
		r.end(known && r.picks < 2*exampleLonger*r.of.picks, len(alts))
	case known && !r.of.Unlike:
	case known && r.picks < r.of.picks:
		like := r.counts // its memory is free
		copy(like, r.weights)
		r.own(alts)
		for i, w := range r.weights {
			r.weights[i], _ = bits.Div64(w>>32, w<<32, exampleCertain+often*like[i])
		}
	default:
		r.own(alts)
	}
}

// own sets r.weights to the generator's own weights.
func (r *exampleRun) own(alts []choices.Alt) {
	total := 0.0
	for i := range alts {
		total += alts[i].Weight
	}
	r.weights = r.weights[:0]
	for i := range alts {
		w := uint64(0)
		if total > 0 {
			w = uint64(alts[i].Weight / total * exampleCertain)
		}
		r.weights = append(r.weights, w)
	}
}

// like sets r.weights to the probabilities of the alternatives by the examples, in units of
// 1/exampleCertain. It reports false if the examples have none of them. In the second shortest
// context, the context of the slot, q is answered so often.
func (r *exampleRun) like(q *choices.Question, alts []choices.Alt) (known bool, often uint64) {
	r.weights, r.counts = resized(r.weights, len(alts)), resized(r.counts, len(alts))
	clear(r.weights)
	r.tags = r.tags[:0]
	for i := range alts {
		r.tags = append(r.tags, r.tag(alts[i].Tag))
	}
	path := r.contexts(q)
	for depth, node := range path {
		adds := depth+1 == len(path) || path[depth+1].total < node.total // see rule 3
		if !adds && depth > 1 {
			continue
		}
		n, once := r.count(node)
		if n == 0 {
			continue
		}
		if depth <= 1 {
			often = n
		}
		if adds {
			r.mix(n, once, known)
			known = true
		}
	}
	return known, often
}

// count sets r.counts to how often the alternatives occur in a context. It returns how many
// answers these are, and how many alternatives occur once.
func (r *exampleRun) count(node *exampleNode) (n, once uint64) {
	for i, tag := range r.tags {
		c := node.countOf(tag)
		r.counts[i] = c
		n += c
		if c == 1 {
			once++
		}
	}
	return n, once
}

// mix mixes the shares of r.counts, of n together, with the probabilities of shorter contexts, if
// these are known. Those count as much as the alternatives that occur once.
func (r *exampleRun) mix(n, once uint64, known bool) {
	if !known {
		once = 0
	}
	whole := n + once
	for i, c := range r.counts {
		r.weights[i] = muldiv(c, exampleCertain, whole) + muldiv(once, r.weights[i], whole)
	}
}

// countOf returns how often a pick has taken a tag.
func (n *exampleNode) countOf(tag exampleTag) uint64 {
	i, ok := slices.BinarySearchFunc(
		n.answers, exampleAnswer{n: int64(tag)}, answerOrder(choices.Pick).compare,
	)
	if !ok {
		return 0
	}
	return uint64(n.answers[i].count)
}

// integer draws an integer by the examples. It reports false if they know none.
func (r *exampleRun) integer(q *choices.Question, word uint64) (int64, bool) {
	path := r.contexts(q)
	if !r.of.Unlike {
		a, ok := r.draw(path, word, func(a *exampleAnswer) bool {
			return q.Kind.Clamp(a.n, q.Lo, q.Hi) == a.n
		})
		return a.n, ok
	}
	n := q.DrawInt(word)
	if r.picks > r.of.picks {
		return n, true
	}
	seen := path[min(1, len(path)-1)].answers
	compare := func(a exampleAnswer, n int64) int {
		return answerOrder(q.Kind).compare(a, exampleAnswer{n: n})
	}
	if _, known := slices.BinarySearchFunc(seen, n, compare); !known {
		return n, true
	}
	i, _ := slices.BinarySearchFunc(seen, q.Lo, compare)
	j, last := slices.BinarySearchFunc(seen, q.Hi, compare)
	if last {
		j++
	}
	others := uint64(q.Hi) - uint64(q.Lo) + 1 - uint64(j-i) // n is not one of them
	if others == 0 {
		return n, true
	}
	s := chance.Words(word)
	u, _ := bits.Mul64(s.Next(), others)
	k := sort.Search(j-i, func(k int) bool {
		return uint64(seen[i+k].n)-uint64(q.Lo)-uint64(k) > u
	})
	// k seen integers are below the u-th unseen one, from 0.
	return int64(uint64(q.Lo) + u + uint64(k)), true
}

// string draws a text by the examples. It reports false if they know none.
func (r *exampleRun) string(q *choices.Question, word uint64) (string, bool) {
	path := r.contexts(q)
	if !r.of.Unlike {
		a, ok := r.draw(path, word, func(a *exampleAnswer) bool {
			return q.FitText(a.text) == a.text
		})
		return a.text, ok
	}
	text := q.DrawText(word)
	if r.picks > r.of.picks {
		return text, true
	}
	s := chance.Words(word)
	for range 10 {
		seen, compare := path[min(1, len(path)-1)].answers, answerOrder(choices.Text).compare
		if _, known := slices.BinarySearchFunc(seen, exampleAnswer{text: text}, compare); !known {
			break
		}
		text = q.DrawText(s.Next())
	}
	return text, true
}

// draw draws an answer that fits from the contexts of a question.
func (r *exampleRun) draw(
	path []*exampleNode, word uint64, fits func(*exampleAnswer) bool,
) (a exampleAnswer, ok bool) {
	s := chance.Words(word)
	for depth := len(path) - 1; depth >= 0; depth-- {
		node := path[depth]
		if node.total == 0 || depth+1 < len(path) && path[depth+1].total >= node.total {
			continue
		}
		other, known := node.draw(&s, fits)
		if !known {
			continue
		}
		a, ok = other, true
		n, shorter := uint64(node.total), node.once()
		if u, _ := bits.Mul64(s.Next(), n+shorter); u < n {
			break
		}
	}
	return a, ok
}

// draw draws one of the answers that fit, in proportion.
func (n *exampleNode) draw(
	s *chance.Words, fits func(*exampleAnswer) bool,
) (a exampleAnswer, ok bool) {
	any := func(*exampleAnswer) bool { return true }
	if a := n.at(s.Below(int(n.total)), any); fits(&a) {
		return a, true
	}
	total := 0
	for i := range n.answers {
		if fits(&n.answers[i]) {
			total += int(n.answers[i].count)
		}
	}
	if total == 0 {
		return a, false
	}
	return n.at(s.Below(total), fits), true
}

// at returns the answer that is the u-th of those that fit.
func (n *exampleNode) at(u int, fits func(*exampleAnswer) bool) (a exampleAnswer) {
	for i := range n.answers {
		if !fits(&n.answers[i]) {
			continue
		}
		a = n.answers[i]
		if u -= int(a.count); u < 0 {
			break
		}
	}
	return a
}

// once returns how many answers occur once.
func (n *exampleNode) once() (once uint64) {
	for i := range n.answers {
		if n.answers[i].count == 1 {
			once++
		}
	}
	return once
}

// contexts returns the contexts of a question that the examples have, the shortest first.
func (r *exampleRun) contexts(q *choices.Question) []*exampleNode {
	node := &r.of.kinds[q.Kind]
	r.path = append(r.path[:0], node)
	r.steps = r.around.appendSteps(r.steps[:0], q.Kind, q.Slot, q.Index)
	for _, step := range r.steps {
		if node = node.longer[step]; node == nil {
			break
		}
		r.path = append(r.path, node)
	}
	return r.path
}

// muldiv returns a*b/c, which fits.
func muldiv(a, b, c uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	q, _ := bits.Div64(hi, lo, c)
	return q
}

// resized returns a slice of n arbitrary elements, in the memory of s if it has room.
func resized(s []uint64, n int) []uint64 { return slices.Grow(s[:0], n)[:n] }
