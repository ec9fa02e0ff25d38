package predict

import (
	"github.com/espalier-go/espalier/choices"
)

// Prior returns a prior that answers picks by the weights of the grammar, with the last level
// that [Grammar.Expect] counts on for this size. [choices.RandomBy] makes values with it:
//
//	v, _, err := bigen.Run(gen, choices.RandomBy(r, g.Prior(10)))
//
// It answers all other questions at random. Where the weights of a constructor depend on more
// than its alternatives, the generator's own remain, unless [Grammar.With] has replaced them.
func (g *Grammar) Prior(size int) choices.Prior {
	p := &prior{size: size, families: map[uint16][]menuWeights{}}
	for f := range g.families {
		fam := &g.families[f]
		p.families[fam.hash] = append(p.families[fam.hash], menuWeights{fam, g.commonWeights(f)})
	}
	return p
}

// commonWeights returns the weights of the alternatives of a family, nil if its types differ.
func (g *Grammar) commonWeights(f int) []float64 {
	var common []float64
	for i := range g.types {
		if g.types[i].family != f {
			continue
		}
		alts := g.types[i].alts
		if common == nil {
			common = make([]float64, len(alts))
			for n := range common {
				common[n] = -1
			}
		}
		for n, a := range alts {
			switch {
			case a.absent:
			case common[n] < 0:
				common[n] = a.weight
			case common[n] != a.weight:
				return nil
			}
		}
	}
	return common
}

// prior implements [choices.Prior].
type prior struct {
	size     int
	families map[uint16][]menuWeights
	stack    []enclosure // of picks
	alts     []choices.Alt
}

type menuWeights struct {
	family  *family
	weights []float64
}

// find returns what is known of the family of q, or nil.
func (p *prior) find(q *choices.Question, family uint16) *menuWeights {
	list := p.families[family]
	for i := range list {
		m := &list[i]
		if len(m.family.tags) != len(q.Alts) || m.family.common != isCommon(q) {
			continue
		}
		same := true
		for n := range q.Alts {
			same = same && q.Alts[n].Tag == m.family.tags[n]
		}
		if !same {
			continue
		}
		if !m.family.common || m.family.place == placeOf(q.Slot, len(p.stack), func(i int) enclosure { return p.stack[i] }) {
			return m
		}
	}
	return nil
}

func (p *prior) Begin() { p.stack = p.stack[:0] }

func (p *prior) Pick(q *choices.Question, word uint64) int {
	m := p.find(q, choices.Family(q.Alts))
	if m == nil {
		return q.DrawPick(word)
	}
	p.alts = append(p.alts[:0], q.Alts...)
	for n := range p.alts {
		if m.weights != nil && q.Alts[n].Weight > 0 {
			p.alts[n].Weight = m.weights[n]
		}
		if len(p.stack) >= p.size && !m.family.last[n] {
			p.alts[n].Weight = 0
		}
	}
	total := 0.0
	for n := range p.alts {
		total += p.alts[n].Weight
	}
	if total == 0 {
		if len(p.stack) >= p.size {
			return firstOf(m.family.last)
		}
		return 0
	}
	changed := choices.Question{Kind: choices.Pick, Alts: p.alts}
	return changed.DrawPick(word)
}

func (p *prior) Int(q *choices.Question, word uint64) int64   { return q.DrawInt(word) }
func (p *prior) Text(q *choices.Question, word uint64) string { return q.DrawText(word) }

func (p *prior) Picked(q *choices.Question, n int) {
	p.stack = append(p.stack, enclosure{choices.Family(q.Alts), q.Alts[n].Tag, q.Slot, q.Element()})
}

func (p *prior) Leave() { p.stack = p.stack[:len(p.stack)-1] }

func (p *prior) IntGiven(*choices.Question, int64)   {}
func (p *prior) TextGiven(*choices.Question, string) {}
