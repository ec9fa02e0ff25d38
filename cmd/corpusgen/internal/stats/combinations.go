package stats

import (
	"cmp"
	"slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/combinations"
	"github.com/espalier-go/espalier/internal/job"
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
	covered := combinations.New(strength, nil)
	corpus := trees(s.corpus)
	if last {
		s.Idle = append(s.Idle, s.idle(covered.Thin(corpus))...)
		s.growth = growth(strength, corpus)
	} else {
		for _, t := range corpus {
			covered.Add(t)
		}
	}
	c := Combinations{Strength: strength, Corpus: covered.Len()}
	m := missing{
		covered: covered,
		random:  combinations.New(strength, nil),
		found:   map[string]*Missing{},
	}
	for _, e := range s.random {
		if m.work > maxWork {
			break
		}
		c.Of++
		c.Missing += m.add(e)
		if last {
			s.drawn = append(s.drawn, m.random.Len())
		}
	}
	c.Random, c.Examples = m.random.Len(), m.examples()
	s.Combinations = append(s.Combinations, c)
}

// idle returns the names of the entries that are not kept.
func (s *Survey) idle(kept []int) (names []string) {
	isKept := make([]bool, len(s.corpus))
	for _, i := range kept {
		isKept[i] = true
	}
	for i, e := range s.corpus {
		if !isKept[i] {
			names = append(names, nameOf(e))
		}
	}
	return names
}

// missing collects what random values have and the corpus lacks.
type missing struct {
	covered, random *combinations.Coverage // by the corpus; by random values
	found           map[string]*Missing
	work, texts     int
}

// add adds a random value. It returns how many combinations it is the first to have, of those that
// the corpus lacks.
func (m *missing) add(e *job.Entry) (first int) {
	t := choices.Tree(e.Tree)
	for d := range m.random.Descriptions(t) {
		m.work++
		if m.covered.Covers(d) {
			continue
		}
		if !m.random.Covers(d) {
			first++
		}
		if m.texts++; m.texts <= maxTexts {
			m.note(d.String(), e.Value)
		}
	}
	m.random.Add(t)
	return first
}

// note notes that a random value has a combination. The shortest such value is kept.
func (m *missing) note(text, value string) {
	found := m.found[text]
	if found == nil {
		found = &Missing{Combination: text, Value: value}
		m.found[text] = found
	}
	found.Values++
	if value != "" && len(value) < len(found.Value) {
		found.Value = value
	}
}

// examples returns the combinations that most random values have.
func (m *missing) examples() (list []Missing) {
	for _, found := range m.found {
		list = append(list, *found)
	}
	slices.SortFunc(list, func(a, b Missing) int {
		return cmp.Or(cmp.Compare(b.Values, a.Values),
			cmp.Compare(len(a.Combination), len(b.Combination)), cmp.Compare(a.Combination, b.Combination))
	})
	return list[:min(len(list), maxExamples)]
}

func growth(strength int, list []choices.Tree) (sums []int) {
	covered := combinations.New(strength, nil)
	for _, t := range list {
		covered.Add(t)
		sums = append(sums, covered.Len())
	}
	return sums
}
