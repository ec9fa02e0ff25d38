package stats

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/choices/combinations"
	"github.com/espalier-go/espalier/internal/job"
)

// A Share says how frequent something is in a corpus and among random values.
type Share struct {
	Name string // as [combinations.Coarse] has it, or a label
	Tag  string `json:",omitempty"` // of a pick; "" for other choices and labels

	Values        int // of the corpus that have it
	Choices       int // of the corpus that are it
	RandomValues  int
	RandomChoices int

	// Ratio is its share of the choices of the corpus, or of the values if it is a label,
	// over its share of the random values. It is 0 if no random value has it.
	Ratio float64

	deviance float64
}

// shares returns the labels and the tags that values have.
func shares(corpus, random []*job.Entry) (labels, tags []Share) {
	byLabel, byTag := map[string]*Share{}, map[string]*Share{}
	sizes := [2]int{}
	for side, entries := range [][]*job.Entry{corpus, random} {
		for _, e := range entries {
			for s, n := range sharesOf(e, byLabel, byTag) {
				s.count(side, n)
			}
			sizes[side] += len(e.Tree)
		}
	}
	for _, s := range byLabel {
		s.Ratio = ratio(s.Values, len(corpus), s.RandomValues, len(random))
		labels = append(labels, *s)
	}
	for _, s := range byTag {
		s.Ratio = ratio(s.Choices, sizes[0], s.RandomChoices, sizes[1])
		s.deviance = deviance(s.Choices, sizes[0], s.RandomChoices, sizes[1])
		tags = append(tags, *s)
	}
	slices.SortFunc(labels, func(a, b Share) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(tags, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.deviance, a.deviance), cmp.Compare(a.Name, b.Name))
	})
	return labels, tags
}

// sharesOf returns the shares to which an entry adds, with the numbers of its choices.
func sharesOf(e *job.Entry, byLabel, byTag map[string]*Share) map[*Share]int {
	at := func(m map[string]*Share, name string) *Share {
		if m[name] == nil {
			m[name] = &Share{Name: name}
		}
		return m[name]
	}
	has := map[*Share]int{}
	for _, l := range e.Labels {
		has[at(byLabel, l)] = 0
	}
	for i := range e.Tree {
		c := &e.Tree[i]
		s := at(byTag, combinations.Coarse(c))
		if c.Kind == choices.Pick {
			s.Tag = c.Tag
		}
		has[s]++
	}
	return has
}

// count counts a value that has n choices, of the corpus (side 0) or a random one.
func (s *Share) count(side, n int) {
	if side == 0 {
		s.Values, s.Choices = s.Values+1, s.Choices+n
	} else {
		s.RandomValues, s.RandomChoices = s.RandomValues+1, s.RandomChoices+n
	}
}

// ratio returns k of n over l of m, or 0 if that is infinite.
func ratio(k, n, l, m int) float64 {
	if n == 0 || l == 0 {
		return 0
	}
	return float64(k) / float64(n) / (float64(l) / float64(m))
}

// deviance says how unlikely it is that k of n and l of m differ by chance: it is twice the
// logarithm of the ratio of likelihoods of two frequencies and of one (the G-test).
func deviance(k, n, l, m int) float64 {
	if n == 0 || m == 0 {
		return 0
	}
	both := float64(k+l) / float64(n+m)
	term := func(k, n int, p float64) float64 {
		if k == 0 {
			return 0
		}
		return float64(k) * math.Log(float64(k)/(float64(n)*p))
	}
	return 2 * (term(k, n, both) + term(n-k, n, 1-both) + term(l, m, both) + term(m-l, m, 1-both))
}

// fewSmallest is how many of the smallest entries the page has.
const fewSmallest = 4

// Smallest returns a few entries with the fewest choices.
func (s *Survey) Smallest() []*job.Entry { return smallest(s.corpus, fewSmallest) }

// smallest returns up to n entries with the fewest choices, or else bytes.
func smallest(entries []*job.Entry, n int) []*job.Entry {
	list := slices.Clone(entries)
	slices.SortStableFunc(list, func(a, b *job.Entry) int {
		return cmp.Or(cmp.Compare(len(a.Tree), len(b.Tree)), cmp.Compare(len(a.Data), len(b.Data)))
	})
	return list[:min(n, len(list))]
}

// Unusual returns up to n entries whose choices are rare among the random values: those whose
// surprise exceeds what is expected of so many choices by most standard deviations or so.
func (s *Survey) Unusual(n int) []*job.Entry {
	rare, total := map[string]float64{}, 0
	for _, t := range s.Tags {
		total += t.RandomChoices
	}
	expected := 0.0
	for _, t := range s.Tags {
		p := (float64(t.RandomChoices) + 0.5) / (float64(total) + 0.5*float64(len(s.Tags)))
		rare[t.Name] = -math.Log2(p)
		expected -= p * math.Log2(p)
	}
	score := map[*job.Entry]float64{}
	for _, e := range s.corpus {
		for i := range e.Tree {
			score[e] += rare[combinations.Coarse(&e.Tree[i])] - expected
		}
		score[e] /= math.Sqrt(float64(max(1, len(e.Tree))))
	}
	list := slices.Collect(maps.Keys(score))
	slices.SortFunc(list, func(a, b *job.Entry) int {
		return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(a.Number, b.Number))
	})
	return list[:min(n, len(list))]
}
