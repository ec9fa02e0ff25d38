package stats

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/choices"
	"github.com/espalier-go/espalier/internal/job"
)

// A Survey is what is known of a corpus. It counts values that the property assumes, unless
// it says otherwise: an invalid value shows nothing about the property.
type Survey struct {
	// the target does not use fuzzext: only Entries and Bytes are known
	Plain    bool               `json:"-"`
	Entries  int                // files of the corpus, and values that code adds
	Added    int                // of them, those that code adds
	Statuses map[job.Status]int // of the entries
	Problems []Problem          // entries that fail, or that stand for no value
	Values   int                // that count
	Bytes    Spread             // of the values; of a plain target, of the arguments
	Choices  Spread

	Random Sample // values that the generator has made, to compare

	Labels       []Share // by name
	Tags         []Share // and numbers and lengths of texts; those that deviate most first
	Combinations []Combinations
	Idle         []string // entries that add no combination of the largest strength to the others
	Equal        []Pair   // entries that stand for one value

	corpus, random []*job.Entry // that count; of a plain target, the shortest entries
	// How many combinations of the largest strength the first n+1 entries of the corpus cover, and
	// the first n+1 random values.
	growth, drawn []int
}

// A Sample is values that the generator has made at random.
type Sample struct {
	Made           int // values
	Values         int // of them, those that count
	Bytes, Choices Spread
}

// A Problem is an entry that fails, or that stands for no value.
type Problem struct {
	Name   string
	Status job.Status
	Why    string
	Place  string `json:",omitempty"` // where the property fails, if that is known
	Value  string // as Go code, if it is known
	File   string `json:"-"` // that holds it; "" if it is in code
}

// leaveOutProblems takes entries that fail from those of a plain target that are shown as examples.
func (s *Survey) leaveOutProblems() {
	s.corpus = slices.DeleteFunc(s.corpus, func(e *job.Entry) bool {
		return slices.ContainsFunc(s.Problems, func(p Problem) bool { return p.File == e.Of })
	})
}

// newSurvey measures the entries of a corpus, together with those that are drawn, by combinations
// of up to strength choices.
func newSurvey(entries []job.Entry, strength int) *Survey {
	s := &Survey{Statuses: map[job.Status]int{}}
	for i := range entries {
		s.sort(&entries[i])
	}
	s.Values, s.Random.Values = len(s.corpus), len(s.random)
	s.Bytes, s.Choices = spreads(s.corpus)
	s.Random.Bytes, s.Random.Choices = spreads(s.random)
	s.Labels, s.Tags = shares(s.corpus, s.random)
	for k := 1; k <= strength; k++ {
		s.combine(k, k == strength)
	}
	s.Equal = equalPairs(s.corpus)
	return s
}

// sort puts an entry to the corpus or to the random values, and to the problems.
func (s *Survey) sort(e *job.Entry) {
	if e.Drawn {
		s.Random.Made++
		if counts(e) {
			s.random = append(s.random, e)
		}
		return
	}
	s.Entries++
	if filepath.Base(e.Of) == e.Of {
		s.Added++
	}
	s.Statuses[e.Status]++
	if counts(e) {
		s.corpus = append(s.corpus, e)
	}
	if e.Status == job.Valid || e.Status == job.Invalid {
		return
	}
	p := Problem{Name: nameOf(e), Status: e.Status, Why: e.Why, Place: e.Place, Value: e.Value}
	if p.Name != e.Of {
		p.File = e.Of
	}
	s.Problems = append(s.Problems, p)
}

// counts reports whether an entry stands for a value that the property assumes.
func counts(e *job.Entry) bool {
	switch e.Status {
	case job.Valid, job.Failing, job.Hanging:
		return true
	case job.Fatal:
		return len(e.Tree) > 0
	}
	return false
}

// StatusText says what became of the entries.
func (s *Survey) StatusText() string {
	var parts []string
	for _, status := range []job.Status{job.Valid, job.Invalid, job.Failing, job.Hanging, job.Fatal,
		job.Rejected} {
		if n := s.Statuses[status]; n > 0 || status == job.Valid {
			parts = append(parts, fmt.Sprintf("%d %s", n, status))
		}
	}
	return strings.Join(parts, ", ")
}

// nameOf returns the name of an entry for people.
func nameOf(e *job.Entry) string { return filepath.Base(e.Of) }

// trees returns the choices of entries.
func trees(entries []*job.Entry) []choices.Tree {
	list := make([]choices.Tree, len(entries))
	for i, e := range entries {
		list[i] = choices.Tree(e.Tree)
	}
	return list
}

// A Spread says how numbers are distributed.
type Spread struct {
	Min, Median, Mean, Max float64
}

// spreads returns how long the bytes and the trees of entries are.
func spreads(entries []*job.Entry) (bytes, choices Spread) {
	var b, c []int
	for _, e := range entries {
		b, c = append(b, len(e.Data)), append(c, len(e.Tree))
	}
	return spreadOf(b), spreadOf(c)
}

// spreadOf returns the spread of numbers, which it sorts.
func spreadOf(list []int) (s Spread) {
	n := len(list)
	if n == 0 {
		return s
	}
	slices.Sort(list)
	for _, x := range list {
		s.Mean += float64(x) / float64(n)
	}
	s.Min, s.Max = float64(list[0]), float64(list[n-1])
	s.Median = float64(list[(n-1)/2]+list[n/2]) / 2
	return s
}

// String returns the numbers in a line.
func (s Spread) String() string {
	return fmt.Sprintf("min %v, median %v, mean %.1f, max %v", s.Min, s.Median, s.Mean, s.Max)
}

// A Pair is an entry, and an earlier one that is like it.
type Pair struct{ Name, Like string }

// equalPairs finds entries that stand for the same value as an earlier one: their choices have the
// same marks.
func equalPairs(entries []*job.Entry) (equal []Pair) {
	first := map[string]string{} // names, by marks
	for _, e := range entries {
		key := ""
		for _, c := range e.Tree {
			m := c.Mark()
			key += fmt.Sprintf("%d %q %d,", m.Kind, m.Tag, m.N)
		}
		if name, ok := first[key]; ok {
			equal = append(equal, Pair{nameOf(e), name})
		} else {
			first[key] = nameOf(e)
		}
	}
	return equal
}
