package stats

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/coverage"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/shell"
)

// A Weakness is something that a corpus lacks, in a sentence.
type Weakness struct {
	Text    string
	Place   Link
	Code    string // that is not reached, or a value
	Command string // that makes up for it
}

// maxWeak is how many weaknesses are told of a target.
const maxWeak = 5

// weaken tells what a corpus lacks: first code, then values, then entries that it could do without.
func (shown *Section) weaken(t *session.Target, gaps []coverage.Part) {
	s := shown.Survey
	for _, g := range gaps[:min(2, len(gaps))] {
		place := fmt.Sprintf("%s:%d", g.Path, g.Start.Line)
		shown.addWeakness(Weakness{
			Text: fmt.Sprintf("No entry reaches %s of %s:",
				session.Count(g.Statements, "statement", "statements"), g.Function),
			Place: Link{place, shown.line(g.Path, g.Start.Line)}, Code: g.Text,
		})
	}
	if s.Plain {
		return
	}
	if all := s.Statuses["invalid"]; 2*all > s.Entries {
		text := fmt.Sprintf("The property does not assume %d of %s, so they check nothing.",
			all, session.Count(s.Entries, "entry", "entries"))
		shown.addWeakness(Weakness{Text: text})
	}
	if t.IsTest() {
		return // its entries are failures, not a corpus to complete
	}
	command := func(name string) string {
		return job.Program() + " " + shell.Command(name, "-fuzz", "^"+t.Name+"$", t.Package.Path)
	}
	shown.lackTags()
	if c := shown.Pairs(); c != nil && c.Missing > 0 {
		w := lackCombinations(c)
		w.Command = command("seed")
		shown.addWeakness(w)
	}
	if n := len(s.Idle); 2*n > s.Entries {
		shown.addWeakness(Weakness{
			Text: fmt.Sprintf("%d of %s add no combination of choices to the others. This "+
				"command tells which of them reach no further code either:", n,
				session.Count(s.Entries, "entry", "entries")),
			Command: command("min"),
		})
	}
}

func (shown *Section) addWeakness(w Weakness) {
	if len(shown.Weak) < maxWeak {
		shown.Weak = append(shown.Weak, w)
	}
}

// lackTags tells the first tags that no entry has.
func (shown *Section) lackTags() {
	s, lacking := shown.Survey, 0
	for _, tag := range s.Tags {
		if tag.Tag != "" && tag.Choices == 0 && lacking < 2 {
			lacking++
			text := fmt.Sprintf("No entry has %s, which %s of the random values have.",
				tag.Name, session.Percent(tag.RandomValues, s.Random.Values))
			shown.addWeakness(Weakness{Text: text})
		}
	}
}

// lackCombinations tells which combinations of choices a corpus lacks, and a value that has many.
func lackCombinations(c *Combinations) Weakness {
	w := Weakness{Text: fmt.Sprintf("The corpus lacks %s of the %d combinations of choices that "+
		"random values have.", session.Percent(c.Missing, c.Random), c.Random)}
	value, names := c.richest()
	if value == "" {
		return w
	}
	w.Text += fmt.Sprintf(" This value has %d of them", len(names))
	telling := func(name string) bool {
		return words(name) != "" && strings.IndexFunc(name, unicode.IsLetter) >= 0
	}
	if i := slices.IndexFunc(names, telling); i >= 0 {
		w.Text += ", such as " + words(names[i])
	}
	w.Text, w.Code = w.Text+":", value
	return w
}

// fewBytes is how long a value is, as Go code, that a reader takes in at a glance.
const fewBytes = 300

// richest returns the value that has most of the examples, and these. Any short value is better
// than a long one; the shortest is best.
func (c *Combinations) richest() (value string, names []string) {
	in := map[string][]string{}
	for _, m := range c.Examples {
		if m.Value == "" {
			continue
		}
		in[m.Value] = append(in[m.Value], m.Combination)
	}
	order := func(a, b string) int {
		x, y := max(len(a), fewBytes), max(len(b), fewBytes)
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(len(in[b]), len(in[a])),
			cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	}
	if len(in) > 0 {
		value = slices.MinFunc(slices.Collect(maps.Keys(in)), order)
	}
	return value, in[value]
}

const label = `("(?:[^"\\]|\\.)*"|[^\s(),:"]+)`

var (
	beside = regexp.MustCompile(`^_\(\d+: ` + label + `, \d+: ` + label + `\)$`)
	within = regexp.MustCompile(`^` + label + `\(\d+: ` + label + `\)$`)
)

// words says what a combination of two choices is, or returns "".
func words(combination string) string {
	if m := beside.FindStringSubmatch(combination); m != nil {
		return m[1] + " beside " + m[2]
	}
	if m := within.FindStringSubmatch(combination); m != nil {
		return m[2] + " in " + m[1]
	}
	return ""
}
