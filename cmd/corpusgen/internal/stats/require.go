package stats

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// A Requirement demands a share of the values of a corpus.
type Requirement struct {
	Text    string // as it was given
	Label   bool   // Name is a label, not a tag
	Name    string
	Order   string // >=, >, <= or <
	Percent float64
}

var requirement = regexp.MustCompile(`^(label:)?(.+?) *(>=|<=|>|<) *([0-9.]+)%$`)

// ParseRequirement returns the requirement of a text such as node>=20% or label:empty<5%.
func ParseRequirement(text string) (r Requirement, err error) {
	m := requirement.FindStringSubmatch(text)
	if m == nil {
		return r, fmt.Errorf("%q is not a requirement: want TAG>=P%% or label:NAME>=P%%, with "+
			">=, >, <= or <", text)
	}
	r = Requirement{Text: text, Label: m[1] != "", Name: m[2], Order: m[3]}
	if r.Percent, err = strconv.ParseFloat(m[4], 64); err != nil || r.Percent > 100 {
		return r, fmt.Errorf("%q: %s%% is not from 0%% to 100%%", text, m[4])
	}
	return r, nil
}

// A Measured is a requirement and what there is.
type Measured struct {
	Requirement
	Values  int // of the corpus that have the tag or label
	Of      int
	Met     bool
	Unknown bool // no random value has the tag or label, either
}

// Measure says whether a corpus meets a requirement. A corpus without values has a share of 0.
func (r Requirement) Measure(s *Survey) Measured {
	m := Measured{Requirement: r, Of: s.Values, Unknown: true}
	list, name := s.Tags, func(x Share) string { return x.Tag }
	if r.Label {
		list, name = s.Labels, func(x Share) string { return x.Name }
	}
	for _, x := range list {
		if name(x) == r.Name {
			m.Values, m.Unknown = x.Values, false
		}
	}
	got, want := 100*float64(m.Values), r.Percent*float64(max(1, m.Of))
	switch r.Order {
	case ">=":
		m.Met = got >= want
	case ">":
		m.Met = got > want
	case "<=":
		m.Met = got <= want
	case "<":
		m.Met = got < want
	}
	return m
}

// String says what was measured.
func (m Measured) String() string {
	verb := "is met"
	if !m.Met {
		verb = "is missed"
	}
	return fmt.Sprintf("%s %s: %d of %d values (%s)", m.Text, verb, m.Values, m.Of,
		session.Percent(m.Values, max(1, m.Of)))
}
