package rl

import (
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// A Path is the position of an episode in the choice tree: the answers given so far, in
// order, and which of them influence the next one. Implement an [Abstraction] with it.
//
// The influences on a choice are read off the way to it from the root of the choice
// tree. In each enclosing pick, from the value as a whole inward, they are the integers,
// texts and picks without questions of their own that precede the choice, and then the
// slot and the alternative through which the way continues. So if a node has a key and
// then two subtrees, the choice of a key is influenced by the keys above it and by the
// side on which it is below each of them. In RLCheck, section 4.3, users pass these
// along by hand.
type Path struct {
	answers    []uint64
	influences []Influence
	frames     []frame // of the picks that are open; the first is of the value as a whole

	structural map[uint64]struct{} // the choice points of picks with questions in a branch
}

// An Influence is an earlier answer that influences the next one.
type Influence struct {
	Answer uint64 // a hash of the integer or text, or of the tag
	Place  uint64 // a hash of the answer and its slot: for a pick, it distinguishes subtrees
}

// Answers returns hashes of all answers so far, in order. The slice is valid until the
// next answer.
func (p *Path) Answers() []uint64 { return p.answers }

// Influences returns the influences on the choice, from the root inward. The slice is
// valid until the next answer.
func (p *Path) Influences() []Influence { return p.influences }

// frame is the branch of an open pick.
type frame struct {
	Influence
	point  uint64 // the choice point of the pick
	branch uint64 // its alternatives and the one taken
	depth  int    // number of influences before it
	asked  bool   // a question was asked in the branch

	// The properties that factors use.
	way     uint64         // hash of the last influence in the enclosing branch, and of the pick
	around  uint64         // hash of the subtrees on the way here: in each branch, the one before
	before  uint64         // the last subtree in this branch
	last    uint64         // the last influence in that subtree
	locals  [locals]uint64 // the last influences in this branch, the latest first
	nLocals int
	picks   uint64 // hash of the first picks in this branch
	nPicks  int    // and their number
}

const (
	locals    = 3 // influences remembered of a branch
	signature = 6 // picks by which a subtree is identified

	maxStructural = 1 << 16
)

func (p *Path) reset() {
	p.answers, p.influences = p.answers[:0], p.influences[:0]
	p.frames = append(p.frames[:0], frame{})
}

func (p *Path) top() *frame { return &p.frames[len(p.frames)-1] }

// pointOf identifies the choice point that asks q by the enclosing alternative, the slot
// there, and the alternatives of a pick. The bounds of integers do not matter.
func (p *Path) pointOf(q *choices.Question) uint64 {
	h := hash.Mix(p.top().branch, uint64(q.Slot)<<8|uint64(q.Kind))
	if q.Kind == choices.Pick {
		h = hash.Mix(h, uint64(q.Family()))
	}
	return h
}

// answer records the answer to a question for an integer or text.
func (p *Path) answer(q *choices.Question, answer uint64) {
	p.answers = append(p.answers, answer)
	p.influence(Influence{answer, hash.Mix((uint64(q.Slot)+1)*0x9E3779B97F4A7C15, answer)})
}

// influence records an answer that influences what follows in its branch.
func (p *Path) influence(v Influence) {
	p.influences = append(p.influences, v)
	f := p.top()
	f.asked = true
	copy(f.locals[1:], f.locals[:])
	f.locals[0] = v.Place
	f.nLocals = min(f.nLocals+1, locals)
}

// enter records the answer to a pick and enters its branch.
func (p *Path) enter(q *choices.Question, point uint64, n int) {
	answer := hash.FNV64(q.Alts[n].Tag)
	branch := hash.Mix(uint64(q.Family()), uint64(n)+1)
	place := hash.Mix(branch, uint64(q.Slot))
	if len(q.Alts) > 1 {
		p.answers = append(p.answers, answer)
	}
	outer := p.top()
	outer.asked = true
	if outer.nPicks < signature {
		outer.nPicks++
		outer.picks = hash.Mix(outer.picks, place)
	}
	inner := frame{
		Influence: Influence{answer, place},
		point:     point,
		branch:    branch,
		depth:     len(p.influences),
		way:       hash.Mix(outer.locals[0], place),
		around:    hash.Mix(hash.Mix(outer.around, outer.before), place),
	}
	p.influences = append(p.influences, inner.Influence)
	p.frames = append(p.frames, inner)
}

// leave leaves the innermost branch. A pick in whose branches no question was ever asked
// is a value like an integer, and influences what follows.
func (p *Path) leave() {
	f := *p.top()
	p.frames = p.frames[:len(p.frames)-1]
	p.influences = p.influences[:f.depth]
	outer := p.top()
	if outer.nPicks < signature {
		outer.picks = hash.Mix(outer.picks, f.picks)
		outer.nPicks += f.nPicks
	}
	outer.before = hash.Mix(f.Place, f.picks)
	if f.nLocals > 0 {
		outer.last = f.locals[0]
	} else {
		outer.last = f.last
	}
	if f.asked {
		if len(p.structural) < maxStructural {
			p.structural[f.point] = struct{}{}
		}
	} else if _, ok := p.structural[f.point]; !ok {
		p.influence(f.Influence)
	}
}
