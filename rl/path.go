package rl

import "github.com/espalier-go/espalier/choices"

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
	answers    []uint64    // all, in order
	influences []influence // on the way to the question
	frames     []frame     // of the picks that are open; the first is of the value as a whole

	structural map[uint64]struct{} // the choice points of picks that have had choices below
}

// influence is an earlier answer that bears on the next.
type influence struct {
	answer uint64
	place  uint64 // of the answer: that of a pick tells one subtree from another
}

// frame is the branch of an open pick.
type frame struct {
	point  uint64 // its choice point
	branch uint64 // its alternatives and the one taken
	way    uint64 // branch and slot
	answer uint64
	slot   uint64
	depth  int  // of influences before it
	asked  bool // something was, within

	anc    uint64 // from the branch around to this one: what was asked there before, the slot and the alternative
	local  uint64 // the last answer within that influences
	full   uint64 // all that influences, from the root
	skel   uint64 // full without integers and texts
	sig    uint64 // the first picks within
	picks  int    // how many
	elder  uint64 // the last subtree within
	elders uint64 // the set of them
}

const maxStructural = 1 << 16

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
	h := mix(p.top().branch, uint64(q.Slot)<<8|uint64(q.Kind))
	if q.Kind == choices.Pick {
		h = mix(h, uint64(choices.Family(q.Alts)))
	}
	return h
}

// answer takes note of the answer to a question for an integer or text.
func (p *Path) answer(q *choices.Question, point, answer uint64) {
	p.answers = append(p.answers, answer)
	p.value(influence{answer, mix((uint64(q.Slot)+1)*0x9E3779B97F4A7C15, answer)})
}

// value takes note of an answer that influences what follows in its branch.
func (p *Path) value(v influence) {
	f := p.top()
	f.asked = true
	p.influences = append(p.influences, v)
	f.local = v.place
	f.full = mix(f.full, v.place)
}

// enter takes note of the answer to a pick, whose branch begins.
func (p *Path) enter(q *choices.Question, point uint64, n int) {
	answer := uint64(q.Alts[n].Code()) | 1<<63
	alternative := mix(uint64(choices.Family(q.Alts)), uint64(n)+1)
	branch := mix(alternative, uint64(q.Slot))
	if len(q.Alts) > 1 {
		p.answers = append(p.answers, answer)
	}
	outer := p.top()
	outer.asked = true
	if outer.picks < signature {
		outer.picks++
		outer.sig = mix(outer.sig, branch)
	}
	way := mix(outer.local, branch)
	p.frames = append(p.frames, frame{
		point: point, branch: alternative, way: branch, answer: answer, slot: uint64(q.Slot), depth: len(p.influences),
		anc: way, full: mix(outer.full, branch), skel: mix(outer.skel, branch),
	})
	p.influences = append(p.influences, influence{answer, branch})
}

// signature is how many picks tell a subtree from another.
const signature = 6

func (p *Path) leave() {
	f := p.frames[len(p.frames)-1]
	p.frames = p.frames[:len(p.frames)-1]
	p.influences = p.influences[:f.depth]
	outer := p.top()
	if f.asked {
		if len(p.structural) < maxStructural {
			p.structural[f.point] = struct{}{}
		}
	}
	if outer.picks < signature { // the branch's own picks, as far as there is room
		outer.sig = mix(outer.sig, f.sig)
		outer.picks += f.picks
	}
	outer.elder = mix(f.way, f.sig)
	outer.elders += mix(outer.elder, 1)
	if _, ok := p.structural[f.point]; !ok && !f.asked {
		p.value(influence{f.answer, f.way})
		outer.skel = mix(outer.skel, f.way)
	}
}

func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0xBF58476D1CE4E5B9
	h = (h ^ h>>30) * 0x94D049BB133111EB
	return h ^ h>>31
}

// hashText is the 64-bit FNV-1a hash of s.
func hashText(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
