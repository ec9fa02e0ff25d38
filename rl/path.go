package rl

import (
	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/hash"
)

// A Path is where an episode stands: the answers given so far, in their order and
// as they influence the next one.
//
// What influences a choice is found on the way to it from the root of the tree of
// choices: of each pick that encloses it, and of the value as a whole, the integers,
// texts and picks without further choices that precede it there, and then through
// which slot, by which alternative, the way goes on. So, in a tree whose node has a
// key and then two subtrees, the choice of a key is influenced by the keys above it
// and by the sides on which it stands below them: what RLCheck, section 4.3, has its
// users carry along by hand.
type Path struct {
	answers    []uint64
	influences []Influence
	frames     []frame // of the picks that are open; the first is of the value as a whole

	structural map[uint64]struct{} // the choice points of picks that have had choices below
}

// An Influence is an earlier answer that bears on the next.
type Influence struct {
	Answer uint64 // a hash of the integer or text, or of the tag
	Place  uint64 // a hash of the answer and its slot: of a pick, it tells one subtree from another
}

// Answers returns hashes of all answers so far, in order. They are valid until the
// next.
func (p *Path) Answers() []uint64 { return p.answers }

// Influences returns what influences the choice, from the root on. It is valid until
// the next answer.
func (p *Path) Influences() []Influence { return p.influences }

// frame is the branch of an open pick.
type frame struct {
	Influence
	point  uint64 // the choice point of the pick
	branch uint64 // its alternatives and the one taken
	depth  int    // of influences before it
	asked  bool   // something was, within

	// What choices within are learned by: see factors.
	way     uint64         // what influences in the branch around come to, and the pick
	around  uint64         // subtrees on the way here: those before each branch in the one around
	before  uint64         // the last subtree within
	last    uint64         // the last influence within that
	locals  [locals]uint64 // the last influences within, the last one first
	nLocals int
	picks   uint64 // the first picks within, and
	nPicks  int    // how many
}

const (
	locals    = 3 // influences in a branch that are remembered
	signature = 6 // picks by which a subtree is known

	maxStructural = 1 << 16
)

func (p *Path) init() { p.structural = map[uint64]struct{}{} }

func (p *Path) reset() {
	p.answers, p.influences = p.answers[:0], p.influences[:0]
	p.frames = append(p.frames[:0], frame{})
}

func (p *Path) top() *frame { return &p.frames[len(p.frames)-1] }

// pointOf returns the identity of the choice point that asks q: the alternative
// around it, its slot there, and what it can be. Bounds of integers are not part of
// it.
func (p *Path) pointOf(q *choices.Question) uint64 {
	h := hash.Mix(p.top().branch, uint64(q.Slot)<<8|uint64(q.Kind))
	if q.Kind == choices.Pick {
		h = hash.Mix(h, uint64(choices.Family(q.Alts)))
	}
	return h
}

// answer takes note of the answer to a question for an integer or text.
func (p *Path) answer(q *choices.Question, answer uint64) {
	p.answers = append(p.answers, answer)
	p.influence(Influence{answer, hash.Mix((uint64(q.Slot)+1)*0x9E3779B97F4A7C15, answer)})
}

// influence takes note of an answer that influences what follows in its branch.
func (p *Path) influence(v Influence) {
	p.influences = append(p.influences, v)
	f := p.top()
	f.asked = true
	copy(f.locals[1:], f.locals[:])
	f.locals[0] = v.Place
	f.nLocals = min(f.nLocals+1, locals)
}

// enter takes note of the answer to a pick, whose branch begins.
func (p *Path) enter(q *choices.Question, point uint64, n int) {
	answer := hash.FNV64(q.Alts[n].Tag)
	branch := hash.Mix(uint64(choices.Family(q.Alts)), uint64(n)+1)
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

// leave ends the innermost branch. A pick below which nothing has ever been asked is a
// value like an integer, and influences what follows.
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
