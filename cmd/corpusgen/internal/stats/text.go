package stats

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// fewLines is how many tags, combinations and entries stats prints without -v.
const fewLines = 10

// statsText returns what stats prints of a target.
func statsText(label string, s *Survey, all bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", label, session.Count(s.Entries, "entry", "entries"))
	if s.Added > 0 {
		fmt.Fprintf(&b, " (%d of them in code)", s.Added)
	}
	if s.Random.Made > 0 {
		fmt.Fprintf(&b, ", %s", session.Count(s.Random.Made, "random value", "random values"))
	}
	b.WriteString("\n")
	for _, p := range s.Problems {
		fmt.Fprintf(&b, "    %s: %s: %s\n", p.Name, p.Status, session.FirstLine(p.Why))
	}
	t := &comparing{tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0), s.Random.Made > 0}
	writeValues(t, s)
	writeTags(t, s, all)
	for i := range s.Combinations {
		writeCombinations(&b, &s.Combinations[i], s.Random.Made > 0, all)
	}
	if n := len(s.Combinations); n > 0 {
		list(&b, all, s.Idle, "%s of %d idle: without them, no %d-way combination is lost", s.Values, n)
	}
	list(&b, all, pairs(s.Equal), "%s of %d equal to an earlier one", s.Values)
	return b.String()
}

// comparing is a table whose rows compare a corpus with random values, if these are drawn.
type comparing struct {
	*tabwriter.Writer
	drawn bool
}

type cells []string

func (t *comparing) row(corpus cells, random ...string) {
	if t.drawn {
		corpus = append(corpus, random...)
	}
	fmt.Fprintf(t, "    %s\n", strings.Join(corpus, "\t"))
}

// writeValues writes the table of what values are like.
func writeValues(t *comparing, s *Survey) {
	t.row(cells{"", "corpus"}, "random values")
	t.row(cells{"values", s.StatusText()},
		fmt.Sprintf("%d of %d count", s.Random.Values, s.Random.Made))
	t.row(cells{"bytes", s.Bytes.String()}, s.Random.Bytes.String())
	t.row(cells{"choices", s.Choices.String()}, s.Random.Choices.String())
	for _, l := range s.Labels {
		t.row(cells{"label " + session.Printable(l.Name), session.Percent(l.Values, s.Values)},
			session.Percent(l.RandomValues, s.Random.Values))
	}
	t.Flush()
}

// writeTags writes the table of tags.
func writeTags(t *comparing, s *Survey, all bool) {
	corpus, random := 0, 0
	for _, tag := range s.Tags {
		corpus, random = corpus+tag.Choices, random+tag.RandomChoices
	}
	if len(s.Tags) > 0 {
		t.row(cells{"tag", "in values", "of choices"}, "in random values", "of choices", "ratio")
	}
	for _, tag := range s.Tags[:limit(len(s.Tags), all)] {
		values, choices := session.Percent(tag.Values, s.Values), session.Percent(tag.Choices, corpus)
		t.row(cells{tag.Name, values, choices},
			session.Percent(tag.RandomValues, s.Random.Values),
			session.Percent(tag.RandomChoices, random), ratioText(tag))
	}
	if n := len(s.Tags) - limit(len(s.Tags), all); n > 0 {
		t.row(cells{fmt.Sprintf("and %d more: -v", n)})
	}
	t.Flush()
}

// writeCombinations writes how many combinations are covered, and examples of those that are not.
func writeCombinations(b *strings.Builder, c *Combinations, drawn, all bool) {
	fmt.Fprintf(b, "    %d-way: %d covered", c.Strength, c.Corpus)
	if drawn {
		fmt.Fprintf(b, ", %d missing of %d that %s have", c.Missing, c.Random,
			session.Count(c.Of, "random value", "random values"))
	}
	b.WriteString("\n")
	shown := limit(len(c.Examples), all)
	for _, m := range c.Examples[:shown] {
		fmt.Fprintf(b, "        %s in %s\n", m.Combination, session.Count(m.Values, "value", "values"))
	}
	if more := c.Missing - shown; !all && more > 0 {
		fmt.Fprintf(b, "        and %d more: -v\n", more)
	}
}

// plainText returns what stats prints of a target that does not use fuzzext.
func plainText(t *session.Target, s *Survey) string {
	text := fmt.Sprintf("%s: %s (the target does not use fuzzext: cover and report show what "+
		"they reach)\n", t.Label, session.Count(s.Entries, "entry", "entries"))
	if s.Entries > 0 {
		text += "    bytes  " + s.Bytes.String() + "\n"
	}
	return text
}

// limit returns how many of n lines are printed.
func limit(n int, all bool) int {
	if all {
		return n
	}
	return session.Shown(n, fewLines)
}

// list prints names of entries below a line, if there are any.
func list(b *strings.Builder, all bool, names []string, format string, args ...any) {
	if len(names) == 0 {
		return
	}
	fmt.Fprintf(b, "    "+format+"\n",
		append([]any{session.Count(len(names), "entry", "entries")}, args...)...)
	n := limit(len(names), all)
	for _, name := range names[:n] {
		fmt.Fprintf(b, "        %s\n", name)
	}
	if n < len(names) {
		fmt.Fprintf(b, "        and %d more: -v\n", len(names)-n)
	}
}

func pairs(pairs []Pair) (names []string) {
	for _, p := range pairs {
		names = append(names, p.Name+" like "+p.Like)
	}
	return names
}

func ratioText(t Share) string {
	switch {
	case t.RandomChoices == 0:
		return "only in the corpus"
	case t.Choices == 0:
		return "missing in the corpus"
	}
	return fmt.Sprintf("× %.2f", t.Ratio)
}
