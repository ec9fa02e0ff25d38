package choices

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/espalier-go/espalier/internal/chance"
	"github.com/espalier-go/espalier/internal/hash"
)

// Replay answers questions from t, which it does not change. It is the forward half of
// mutation, the paper's MutGen ("Bigenerators, Exposed!", section 6.2.3): it keeps a choice
// that is still possible, and draws again one that is not, or that is marked Reroll. In
// detail:
//
//  1. A question is answered by the next choice of the same slot and kind among the next
//     1000 below the pick whose branch asks. Elements of a sequence share a slot, so if an
//     element is taken out, the later ones move up.
//  2. A pick takes the alternative with the recorded tag; of several, the one with the
//     recorded rank, or else the last. An edit by [Choice.TakeIndex] takes the alternative
//     of that index, or else the last.
//  3. If no alternative has the tag, the pick is drawn again. If the choice is marked
//     Reroll, the pick is drawn again among the other alternatives, unless there is
//     only one. The new branch keeps what was recorded below. The draw is even, as in the
//     paper: weights are there to bound the size of random values, and below a pick that is
//     drawn again nothing is random that could grow (rule 4). But in seven of eight cases an
//     alternative of weight 0 does not take part if there are others: the generator may say
//     by it that the alternative is useless here, as a machine says of steps that its state
//     does not permit. In the eighth it does, so that a reroll reaches whatever decodes.
//  4. A pick for which nothing is recorded takes its first alternative, so that a leaf that
//     turns into a node adds one node, not a random tree.
//  5. An integer in range is kept. One out of range, marked or not recorded is drawn from
//     the range; if marked, it becomes another one. An edit by [Choice.KeepDistance] counts
//     from the simplest integer of the range. Texts likewise, but [Question.FitText] makes a
//     text fit that does not.
//  6. [Regenerate] in the place of a pick draws it by weight or, if it is also marked Reroll,
//     as rule 3 says, and draws all below it as [Random] does, whatever is recorded there.
//     Once 4096 alternatives other than the first have been drawn there, further picks take
//     their first alternative.
//
// If r is nil, nothing is random: integers out of range move to the nearest end, integers
// and texts that are not recorded take their simplest value, and the rest depends only on
// the place of the question.
func Replay(t Tree, r *rand.Rand) Source {
	s := &replay{t: t, r: r, scope: scope{end: int32(len(t))}}
	s.outer = s.room[:0]
	return s
}

// replay is the source of [Replay].
type replay struct {
	t      Tree
	r      *rand.Rand
	scope  scope
	outer  []scope
	supply chance.Supply // of alternatives below a Regenerate
	room   [12]scope     // for outer, so that most replays allocate nothing else
}

// scope is the run of sibling choices that may still be asked for.
type scope struct {
	next, end int32
	random    bool // below a Regenerate: nothing is recorded, picks are made by weight
}

// find returns the choice that answers q, or nil. Values that a filter has thrown away have
// used up their choices.
func (s *replay) find(q *Question) *Choice {
	i, end := int(s.scope.next), int(s.scope.end)
	for ahead := 0; i < end && ahead < 1000; i, ahead = s.t.End(i), ahead+1 {
		if c := &s.t[i]; c.Slot == q.Slot &&
			(c.Kind == q.Kind || c.Kind == Regenerate && q.Kind == Pick) {
			s.scope.next = int32(i)
			return c
		}
	}
	return nil
}

// word returns random bits for q.
func (s *replay) word(q *Question) uint64 {
	if s.r != nil {
		return s.r.Uint64()
	}
	return hash.Mix(q.Path(), uint64(q.Kind))
}

func (s *replay) Pick(q *Question) int {
	c := s.find(q)
	if c == nil {
		s.outer = append(s.outer, s.scope)
		s.scope = scope{random: s.scope.random}
		if q.Retry != 0 || s.scope.random {
			return s.supply.Draw(drawPick(q.Alts, -1, s.word(q)), chance.MostRedrawn, q.bounded())
		}
		return 0
	}
	i := s.scope.next
	end := int32(s.t.End(int(i)))
	s.outer = append(s.outer, scope{next: end, end: s.scope.end})
	s.scope = scope{next: i + 1, end: end}
	n := c.indexIn(q.Alts)
	if c.Kind == Regenerate {
		s.scope = scope{random: true}
		if !c.Reroll {
			return drawPick(q.Alts, -1, s.word(q))
		}
	}
	if n < 0 || c.Reroll {
		return redraw(q.Alts, n, s.word(q))
	}
	return n
}

func (s *replay) Leave() {
	last := len(s.outer) - 1
	s.scope, s.outer = s.outer[last], s.outer[:last]
}

func (s *replay) Int(q *Question) int64 {
	c := s.find(q)
	if c == nil {
		if s.r == nil && q.Retry == 0 {
			return q.Kind.Origin(q.Lo, q.Hi)
		}
		return q.DrawInt(s.word(q))
	}
	s.scope.next++
	n := c.N
	if c.distant {
		n += q.Kind.Origin(q.Lo, q.Hi)
	}
	inside := q.Kind.Clamp(n, q.Lo, q.Hi)
	switch {
	case inside != n && s.r == nil:
		return inside
	case inside != n:
		return q.DrawInt(s.word(q))
	case c.Reroll:
		return drawOther(q, n, s.word(q))
	}
	return n
}

func (s *replay) Text(q *Question) string {
	c := s.find(q)
	if c == nil {
		if s.r == nil && q.Retry == 0 {
			return q.SimplestText()
		}
		return q.DrawText(s.word(q))
	}
	s.scope.next++
	text := q.FitText(c.Tag)
	if c.Reroll {
		text = q.otherText(text, s.word(q))
	}
	return text
}

// AppendKey appends to b a description of all that [Replay] depends on, and returns the
// extended slice. Trees with equal keys are replayed alike.
func (t Tree) AppendKey(b []byte) []byte {
	for i := range t {
		c := &t[i]
		flags := byte(c.Kind) << 2
		if c.Reroll {
			flags |= 1
		}
		if c.byIndex() {
			flags |= 2
		}
		if c.distant {
			flags |= 0x80
		}
		b = append(b, flags,
			byte(c.Slot), byte(c.Slot>>8), byte(c.Slot>>16), byte(c.Slot>>24),
			byte(c.Size), byte(c.Size>>8), byte(c.Size>>16), byte(c.Size>>24),
			byte(c.rank), byte(c.rank>>8), byte(c.rank>>16), byte(c.rank>>24),
			byte(c.N), byte(c.N>>8), byte(c.N>>16), byte(c.N>>24),
			byte(c.N>>32), byte(c.N>>40), byte(c.N>>48), byte(c.N>>56))
		b = append(binary.AppendUvarint(b, uint64(len(c.Tag))), c.Tag...)
	}
	return b
}
