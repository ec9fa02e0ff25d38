// Package enumerate makes all values of a generator, the smallest first.
package enumerate

import (
	"iter"
	"math/bits"

	"github.com/espalier-go/espalier/choices"
)

// Sources returns a sequence of sources that make all values of a generator, one
// each, the smallest first. The body of the loop must run the generator on the source
// once. The sequence ends when there are no more values. If there are infinitely many,
// break out of the loop.
//
// The size of a value is the sum over its answers of:
//
//   - Pick: 0 for the first alternative, 1 for any other; alternatives of weight 0 do not take
//     part;
//   - Int and Uint: the bits of n, for the n-th simplest integer of the range. The
//     0-th is [choices.Kind.Origin], then come those around it, above and below in turn:
//     0, 1, -1, 2, ...;
//   - Text: for each rune the bits of n, if it is [choices.Alphabet.At](n), and 1 if the
//     text may end before it.
//
// So the size of a binary tree whose leaf is the first alternative is its number of nodes.
// There are finitely many values of each size, and all come before larger ones. Different
// sources give different trees of choices, and thus different values unless the generator
// is ambiguous. If a generator throws values away, some sources make no value of their
// own: see [Attempt.Made].
//
// The sequence remembers up to 100 bytes for each source.
func Sources() iter.Seq[*Attempt] {
	return func(yield func(*Attempt) bool) {
		a := &Attempt{}
		var next []*deviation
		for now := []*deviation{{at: -1}}; len(now) > 0; now, next = next, now {
			for len(now) > 0 {
				d := now[len(now)-1]
				now = now[:len(now)-1]
				a.start(d)
				if !yield(a) {
					return
				}
				now, next = a.follow(d, now, next)
			}
			a.size++
		}
	}
}

// follow adds the trees that follow on d, which has been made: to now if they have the same size,
// to next if their size is one more.
func (a *Attempt) follow(d *deviation, now, next []*deviation) (_, _ []*deviation) {
	d.answers = a.answers
	if d.at+1 < d.answers {
		next = append(next, &deviation{parent: d, at: d.at + 1, rank: 1})
	}
	if d.rank == 1 && d.at+1 < d.parent.answers {
		now = append(now, &deviation{parent: d.parent, at: d.at + 1, rank: 1})
	}
	if d.rank > 0 && d.rank < a.most {
		sibling := &deviation{parent: d.parent, at: d.at, rank: d.rank + 1}
		if a.flat || bits.Len64(d.rank) == bits.Len64(d.rank+1) {
			now = append(now, sibling)
		} else {
			next = append(next, sibling)
		}
	}
	return now, next
}

// A deviation stands for a tree of answers: the tree of its parent, except for one answer.
//
// The places where a tree deviates from the simplest answers determine it. Its parent is the tree
// without the last deviation. The answers after that are the simplest, and a first deviation there
// costs 1, whatever the question. So two stacks of trees yet to be made suffice for a queue, and of
// a tree only the number of its answers must be remembered.
type deviation struct {
	parent  *deviation // nil for the tree without deviations
	rank    uint64     // of the answer: 0 is the simplest
	at      int32      // which answer
	answers int32      // how many there are, once the tree has been made
}

// An Attempt is a source of [Sources].
type Attempt struct {
	size     int
	answers  int32          // so far
	given    []choices.Mark // the answers to questions; of a pick, the index
	rejected bool

	path []*deviation // those yet to come, the last one first
	flat bool         // the last deviation is by an answer whose size does not grow with its rank
	most uint64       // and has at most this rank
}

var _ choices.Rejecter = (*Attempt)(nil)

func (a *Attempt) start(d *deviation) {
	*a = Attempt{size: a.size, path: a.path[:0], given: a.given[:0]}
	for ; d.parent != nil; d = d.parent {
		a.path = append(a.path, d)
	}
}

// Size returns the size of the value; see [Sources].
func (a *Attempt) Size() int { return a.size }

// Answers returns how many answers the source has given: one for a pick or an integer, up
// to two for each rune of a text. A loop that must end can add them up.
func (a *Attempt) Answers() int { return int(a.answers) }

// Made reports whether the run, which recorded t, has made the value of this source. It has
// not if a filter rejected a value, or if the generator threw away or reordered answers:
// then another source makes the same value.
func (a *Attempt) Made(t choices.Tree) bool {
	given := a.given
	for i := range t {
		c := &t[i]
		if !c.Asked() {
			continue
		}
		m := choices.Mark{Kind: c.Kind, N: c.N}
		if c.Kind == choices.Text {
			m = c.Mark()
		}
		if len(given) == 0 || given[0] != m {
			return false
		}
		given = given[1:]
	}
	return len(given) == 0 && !a.rejected
}

// Reject implements [choices.Rejecter]. It reports true: a further try would be in vain, since the
// values that pass have sources of their own.
func (a *Attempt) Reject() bool {
	a.rejected = true
	return true
}

// answer returns the rank of the next answer, from 0 to most, which is at least 1. A flat
// answer has size 1, unless its rank is 0.
func (a *Attempt) answer(most uint64, flat bool) uint64 {
	at := a.answers
	a.answers++
	last := len(a.path) - 1
	if last < 0 || a.path[last].at != at {
		return 0
	}
	d := a.path[last]
	a.path = a.path[:last]
	if last == 0 {
		a.flat, a.most = flat, most
	}
	return min(d.rank, most)
}

// inVain reports whether the answer to q does not matter, since a value was thrown away.
func (a *Attempt) inVain(q *choices.Question) bool {
	a.rejected = a.rejected || q.Retry != 0
	return a.rejected
}

// Pick implements [choices.Source].
func (a *Attempt) Pick(q *choices.Question) int {
	if len(q.Alts) == 1 || a.inVain(q) {
		return 0
	}
	n := nth(q.Alts, 0)
	if most := takePart(q.Alts) - 1; most > 0 {
		n = nth(q.Alts, a.answer(uint64(most), true))
	}
	a.given = append(a.given, choices.Mark{Kind: choices.Pick, N: int64(n)})
	return n
}

// takePart returns how many alternatives take part: those with a weight or, if none has, the first.
func takePart(alts []choices.Alt) (n int) {
	for i := range alts {
		if alts[i].Weight > 0 {
			n++
		}
	}
	return max(n, 1)
}

// nth returns the index of the n-th alternative that takes part, from 0.
func nth(alts []choices.Alt, n uint64) int {
	for i := range alts {
		if alts[i].Weight == 0 {
			continue
		}
		if n == 0 {
			return i
		}
		n--
	}
	return 0
}

// Leave implements [choices.Source].
func (a *Attempt) Leave() {}

// Int implements [choices.Source].
func (a *Attempt) Int(q *choices.Question) int64 {
	if a.inVain(q) {
		return q.Kind.Origin(q.Lo, q.Hi)
	}
	n := simplest(q.Kind, q.Lo, q.Hi, a.answer(uint64(q.Hi)-uint64(q.Lo), false))
	a.given = append(a.given, choices.Mark{Kind: q.Kind, N: n})
	return n
}

// Text implements [choices.Source]. The answers are "which rune?" and, beyond the fewest,
// before each "end or more?".
func (a *Attempt) Text(q *choices.Question) string {
	if a.inVain(q) {
		return q.SimplestText()
	}
	var text []rune
	for len(text) < q.Min || len(text) < q.Max && a.answer(1, true) == 1 {
		r := q.Alphabet.At(0)
		if n := q.Alphabet.Len(); n > 1 {
			r = q.Alphabet.At(int(a.answer(uint64(n-1), false)))
		}
		text = append(text, r)
	}
	a.given = append(a.given, choices.Mark{Kind: choices.Text, Tag: string(text)})
	return string(text)
}

// simplest returns the n-th simplest integer of the range, from 0.
func simplest(k choices.Kind, lo, hi int64, n uint64) int64 {
	origin := uint64(k.Origin(lo, hi))
	below, above := origin-uint64(lo), uint64(hi)-origin
	both := min(below, above) // so many to either side
	switch {
	case n <= 2*both && n%2 == 1:
		return int64(origin + n/2 + 1)
	case n <= 2*both:
		return int64(origin - n/2)
	case above > below:
		return int64(origin + n - both)
	}
	return int64(origin - n + both)
}
