package stats

import (
	"cmp"
	"slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/combinations"
)

// Combinations says which combinations of choices, the descriptions of [combinations.Coverage], a
// corpus covers.
type Combinations struct {
	Strength int
	Corpus   int // covered by the corpus
	Random   int // covered by random values
	Of       int // random values looked at
	Missing  int // of Random, those that the corpus lacks
	Examples []Missing
}

// Missing is a combination that random values have and the corpus lacks.
type Missing struct {
	Combination string
	Values      int    // random values that have it, of those looked at
	Value       string `json:",omitempty"` // one of them, as Go code, if it is known
}

const (
	maxWork     = 1 << 25 // combinations of random values looked at
	maxTexts    = 1 << 18 // combinations written
	maxExamples = 1000
)

// combine measures the combinations of a strength. If it is the last, combine also finds out
// which entries add nothing, and the growth.
func (s *Survey) combine(strength int, last bool) {
	c := Combinations{Strength: strength}
	covered := combinations.New(strength, nil)
	corpus := trees(s.corpus)
	if last {
		kept := make([]bool, len(corpus))
		for _, i := range covered.Thin(corpus) {
			kept[i] = true
		}
		for i, e := range s.corpus {
			if !kept[i] {
				s.Idle = append(s.Idle, nameOf(e))
			}
		}
		s.growth = growth(strength, corpus)
	} else {
		for _, t := range corpus {
			covered.Add(t)
		}
	}
	c.Corpus = covered.Len()

	random := combinations.New(strength, nil)
	found := map[string]*Missing{}
	work, texts := 0, 0
	for _, e := range s.random {
		if work > maxWork {
			break
		}
		c.Of++
		t := choices.Tree(e.Tree)
		for d := range random.Descriptions(t) {
			work++
			if covered.Covers(d) {
				continue
			}
			if !random.Covers(d) {
				c.Missing++
			}
			if texts++; texts > maxTexts {
				continue
			}
			text := d.String()
			if found[text] == nil {
				found[text] = &Missing{Combination: text, Value: e.Value}
			}
			m := found[text]
			m.Values++
			if e.Value != "" && len(e.Value) < len(m.Value) {
				m.Value = e.Value
			}
		}
		random.Add(t)
		if last {
			s.drawn = append(s.drawn, random.Len())
		}
	}
	c.Random = random.Len()
	for _, m := range found {
		c.Examples = append(c.Examples, *m)
	}
	slices.SortFunc(c.Examples, func(a, b Missing) int {
		return cmp.Or(cmp.Compare(b.Values, a.Values), cmp.Compare(len(a.Combination), len(b.Combination)), cmp.Compare(a.Combination, b.Combination))
	})
	c.Examples = c.Examples[:min(len(c.Examples), maxExamples)]
	s.Combinations = append(s.Combinations, c)
}

func growth(strength int, list []choices.Tree) (sums []int) {
	covered := combinations.New(strength, nil)
	for _, t := range list {
		covered.Add(t)
		sums = append(sums, covered.Len())
	}
	return sums
}
