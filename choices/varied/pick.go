package varied

import (
	"math/bits"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/chance"
	"github.com/espalier-go/espalier/internal/hash"
	"golang.org/x/exp/slices"
)

// Pick implements [choices.Source].
func (s *varied) Pick(q *choices.Question) int {
	calm := s.calm(q)
	in := s.scope(s.depth + 1)
	sc := s.at() // in may have moved it
	*in = scope{index: -1, prev: -1, calm: calm}
	n, family := 0, uint16(0)
	if len(q.Alts) > 1 {
		family = q.Family()
		n = s.pick(q, family, in)
	} else {
		s.replayPick(q, q.Alts, family, in)
		in.end = sc.end
	}
	if s.again > 0 {
		in.index = s.keep(answer{kind: choices.Pick, family: family, slot: q.Slot, n: int64(n)})
	}
	sc.part, sc.slot, sc.last = true, q.Slot, family
	s.depth++
	return n
}

// PickLeaf implements [choices.LeafPicker]: it needs no scope.
func (s *varied) PickLeaf(q *choices.Question) int {
	in := scope{prev: -1, calm: s.calm(q)}
	sc := s.at()
	n, family := 0, uint16(0)
	if len(q.Alts) > 1 {
		family = q.Family()
		n = s.pick(q, family, &in)
	} else {
		s.replayPick(q, q.Alts, family, &in)
	}
	if s.again > 0 {
		kept := answer{kind: choices.Pick, family: family, slot: q.Slot, n: int64(n)}
		if index := s.keep(kept); index >= 0 {
			s.given.answers[index].end = index + 1
			sc.prev = index
		}
	}
	sc.part, sc.slot, sc.last = true, q.Slot, family
	if in.step {
		s.families[in.of].open--
	}
	return n
}

// Leave implements [choices.Source].
func (s *varied) Leave() {
	in := s.at()
	if in.step {
		s.families[in.of].open--
	}
	s.depth--
	if in.index >= 0 {
		s.given.answers[in.index].end = int32(len(s.given.answers))
		s.at().prev = in.index
	}
}

// pick answers q, which has several alternatives, and sets in for what is below it.
//
// Which alternatives make a value grow shows while it is made: the alternatives of a pick below a
// pick with the same tags, or of the next element after one. Size leaves the weights of other
// picks, such as the one between true and false, alone.
func (s *varied) pick(q *choices.Question, family uint16, in *scope) int {
	sc := s.at()
	f := &s.families[family%families]
	grows := false
	if q.Steps {
		if !s.steps {
			s.toSteps()
			sc.end, sc.upto = s.size, s.size
		}
		if s.sure {
			return s.another(q, in)
		}
	} else {
		f.grows = f.grows || f.open > 0 || sc.part && sc.last == family && sc.slot == q.Slot
		grows = f.grows || !f.seen
		f.seen = true
	}

	if !sc.part || sc.slot != q.Slot {
		sc.upto = s.grown + s.share(sc.end-s.grown)
	}
	in.end = sc.upto
	n := s.replayOrDraw(q, s.featured(q, grows, in.calm), s.factor(grows, in.calm), family, in)
	if n > 0 {
		if grows {
			s.grown++
		}
		f.open++
		in.step, in.of = true, uint8(family%families)
	}
	return n
}

// featured returns the alternatives of q with their weights by the features of the value. Of two
// that make the value grow, both keep theirs.
func (s *varied) featured(q *choices.Question, grows, calm bool) []choices.Alt {
	if s.features == usualFeatures || calm || q.Steps || grows && len(q.Alts) <= 2 {
		return q.Alts
	}
	s.alts = append(s.alts[:0], q.Alts...)
	s.feature(s.alts, grows)
	return s.alts
}

// factor returns by what the weights of alternatives other than the first are multiplied.
func (s *varied) factor(grows, calm bool) float64 {
	if grows || s.simplest {
		return s.stepFactor(calm)
	}
	return 1
}

// replayOrDraw returns the alternative that a repetition has for q. If it has none, or if the value
// must end, it draws one.
func (s *varied) replayOrDraw(
	q *choices.Question, alts []choices.Alt, factor float64, family uint16, in *scope,
) int {
	n := s.replayPick(q, alts, family, in)
	if n > 0 && factor == 0 {
		n = -1
		in.next = in.stop
	}
	if n >= 0 {
		return n
	}
	n = s.draw(q, alts, factor)
	if n > 0 && !in.calm {
		n = s.pickAgain(alts, family, n, in)
	}
	return n
}

// another answers whether a sequence of steps continues, so that a third of the mean length is
// certain and the mean remains.
func (s *varied) another(q *choices.Question, in *scope) int {
	sc := s.at()
	in.end = sc.end
	if !sc.part || sc.slot != q.Slot {
		s.going = 0
	}
	mean := q.Alts[len(q.Alts)-1].Weight / q.Alts[0].Weight
	if s.going++; float64(s.going) <= mean/3 {
		return len(q.Alts) - 1
	}
	return s.draw(q, q.Alts, 2./3)
}

// share draws how many of the remaining steps the next part gets, at least 1 unless none
// is left.
func (s *varied) share(left int32) int32 {
	if left <= 1 {
		return left
	}
	switch s.sharing {
	case shareSome:
		if u := s.r.Uint64(); u&1 == 0 {
			part, _ := bits.Mul64(u, uint64(left))
			return int32(part) + 1
		}
	case shareLittle:
		if s.depth > 0 {
			return left/32 + 1
		}
	}
	return left
}

// atEnd is the factor for the weights of steps once a value has its size.
const atEnd = 1. / 8

// stepFactor returns the factor for the weights of steps. Up to its size, a value's steps gain
// weight, by a factor from 1 to 32. Then they lose weight, and from twice the size on they have
// none.
func (s *varied) stepFactor(calm bool) float64 {
	switch {
	case s.simplest && calm:
		return 1
	case s.grown >= 2*s.size:
		return 0
	case s.grown >= s.at().upto:
		return atEnd
	}
	return s.grow
}

// draw is drawPick with a factor for the weights of all alternatives but the first. With
// factor 0 it takes the first alternative. If that has no weight itself, it takes it only
// when the value would otherwise never end.
func (s *varied) draw(q *choices.Question, alts []choices.Alt, factor float64) int {
	if factor == 0 {
		if alts[0].Weight == 0 && s.grown < 4*s.size+64 {
			return drawPick(q, alts, s.r.Uint64())
		}
		return 0
	}
	u := s.r.Uint64()
	if factor == 1 {
		return drawPick(q, alts, u)
	}
	total := alts[0].Weight
	for i := range alts[1:] {
		total += float64(factor * alts[1+i].Weight)
	}
	x := float64(float64(u>>11)/(1<<53)*total) - alts[0].Weight
	last := 0
	for i := 1; i < len(alts) && x >= 0; i++ {
		if w := float64(factor * alts[i].Weight); w > 0 {
			last = i
			x -= w
		}
	}
	return last
}

// feature changes the weights of alternatives, always in the same way for the same tag. If
// they make the value grow, the first, which ends it, keeps its weight; see also featured.
func (s *varied) feature(alts []choices.Alt, grows bool) {
	if grows {
		alts = alts[1:]
	}
	switch s.features {
	case otherWeights:
		for i := range alts {
			e := int(hash.Mix(s.seed, uint64(alts[i].Code)) % 9)
			alts[i].Weight = chance.LimitWeight(alts[i].Weight * float64(int(1)<<e) / 16)
		}
	case oneEach:
		s.keepOne(alts)
	case someLeftOut:
		s.leaveOut(alts)
	}
}

// keepOne takes the weights of all alternatives but those with one tag.
func (s *varied) keepOne(alts []choices.Alt) {
	best, least := -1, uint64(0)
	for i := range alts {
		h := hash.Mix(s.seed, uint64(alts[i].Code))
		if alts[i].Weight > 0 && (best < 0 || h < least) {
			best, least = i, h
		}
	}
	for i := range alts {
		if best >= 0 && alts[i].Code != alts[best].Code {
			alts[i].Weight = 0
		}
	}
}

// leaveOut takes the weights of about half of the tags, unless no alternative would remain.
func (s *varied) leaveOut(alts []choices.Alt) {
	out := func(a *choices.Alt) bool { return hash.Mix(s.seed, uint64(a.Code))&1 == 0 }
	remains := func(a choices.Alt) bool { return a.Weight > 0 && !out(&a) }
	if !slices.ContainsFunc(alts, remains) {
		return
	}
	for i := range alts {
		if out(&alts[i]) {
			alts[i].Weight = 0
		}
	}
}

// drawPick answers q by the weights of alts, which are those of the question or differ from them
// by their weights: the first alternative if all have weight 0.
func drawPick(q *choices.Question, alts []choices.Alt, u uint64) int {
	asked := q.Alts
	q.Alts = alts
	n := q.DrawPick(u)
	q.Alts = asked
	return n
}
