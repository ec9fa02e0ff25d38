package rl

import (
	"math/rand/v2"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/archive"
)

// A revisit repeats the answers of an archived input, except for one answer and what is in its
// branch, or only for what is in the branch. As in [choices.Replay], answers are found by their
// slots, in order. There are two differences. A replay answers every question, but here the learner
// answers what the archived input does not. And an answer is only a wish: if all inputs with it
// have been made, the Guide drops it.
type revisit struct {
	to    *archive.Entry[choices.Tree] // nil if the episode is not a revisit
	vary  int                          // the index of the answer to vary
	anew  bool                         // if it has answers in its branch, keep it and make those again
	scope scope
	outer []scope
}

// scope is the range of sibling answers that are still to be passed.
type scope struct{ next, end int }

// The answer to vary is drawn up to maxDraws times. The first largeDraws draws prefer an
// answer with answers in its branch, because varying it changes more.
const (
	maxDraws   = 20
	largeDraws = 4
)

// maxAhead bounds the siblings that a question looks at.
const maxAhead = 100

func (v *revisit) begin(to *archive.Entry[choices.Tree], r *rand.Rand) {
	v.to, v.anew = to, r.IntN(4) == 0
	v.scope, v.outer = scope{0, len(to.Value)}, v.outer[:0]
	for i := range maxDraws {
		v.vary = r.IntN(len(to.Value))
		if c := &to.Value[v.vary]; c.Asked() && (c.Size > 1 || i >= largeDraws) {
			break
		}
	}
}

// find returns the archived answer to q, or nil, and reports whether to vary it.
func (v *revisit) find(q *choices.Question) (c *choices.Choice, vary bool) {
	if v.to == nil {
		return nil, false
	}
	t := v.to.Value
	for i, ahead := v.scope.next, 0; i < v.scope.end && ahead < maxAhead; i, ahead = t.End(i),
		ahead+1 {
		if c := &t[i]; c.Slot == q.Slot && c.Kind == q.Kind {
			v.scope.next = i
			return c, i == v.vary
		}
	}
	return nil, false
}

// pass moves past an integer or text that find has returned.
func (v *revisit) pass() { v.scope.next++ }

// enter enters the branch of a pick. Its archived answer is c, if not nil; repeated
// reports whether what is in the branch is repeated, too.
func (v *revisit) enter(c *choices.Choice, repeated bool) {
	if v.to == nil {
		return
	}
	outer, inner := v.scope, scope{}
	if c != nil {
		outer.next += int(c.Size)
		if repeated {
			inner = scope{v.scope.next + 1, outer.next}
		}
	}
	v.outer, v.scope = append(v.outer, outer), inner
}

func (v *revisit) leave() {
	if v.to == nil {
		return
	}
	last := len(v.outer) - 1
	v.scope, v.outer = v.outer[last], v.outer[:last]
}
