package stats

import (
	"bytes"
	_ "embed"
	"html/template"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/page"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
	"github.com/espalier-go/espalier/internal/atomicfile"
)

// A Page shows surveys of corpora. It is one file of HTML that needs nothing else.
type Page struct {
	Command string // that made it
	Targets []*Target
}

// A Target is a fuzz target on the page.
type Target struct {
	Package, Name string
	Survey        *Survey // of its corpus
	Files         []File  // that the corpus covers, if that has been measured
}

// A File is how far a corpus covers a source file.
type File struct {
	Name                string
	Reached, Statements int
}

//go:embed page.html
var source string

var document = template.Must(template.New("page").Funcs(template.FuncMap{
	"one":     session.Count,
	"percent": session.Percent,
	"code":    code,
	"quote":   session.Printable,
	"first":   first,
	"inc":     func(i int) int { return i + 1 },
	"name":    nameOf,
	"style":   func() template.CSS { return template.CSS(page.Style) },
}).Parse(source))

// mark is in each page, and in no other file that matters.
const mark = `<meta name="generator" content="corpusgen report">`

// Replaceable returns an error if there is a file at path that is no such page.
func Replaceable(path string) error { return atomicfile.Replaceable(path, mark) }

// Write writes the page to the file at path. It replaces an older page, and no other file.
func (p *Page) Write(path string) error {
	if err := Replaceable(path); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := document.Execute(&b, p); err != nil {
		return err
	}
	return atomicfile.Write(path, b.Bytes())
}

// Sum is the total of what the page shows.
func (p *Page) Sum() (sum struct{ Entries, Values, Problems int }) {
	for _, t := range p.Targets {
		sum.Entries += t.Survey.Entries
		sum.Values += t.Survey.Values
		sum.Problems += len(t.Survey.Problems)
	}
	return sum
}

// Pairs returns the combinations of the largest strength, or nil if there are none.
func (t *Target) Pairs() *Combinations {
	if n := len(t.Survey.Combinations); n > 0 {
		return &t.Survey.Combinations[n-1]
	}
	return nil
}

// MissingShare is the share of the combinations of random values that the corpus lacks, in
// percent.
func (t *Target) MissingShare() string {
	c := t.Pairs()
	return session.Percent(c.Missing, c.Random)
}

// Missing returns the combinations to show.
func (t *Target) Missing() []Missing {
	return t.Pairs().Examples[:min(25, len(t.Pairs().Examples))]
}

// Tags returns the tags to list.
func (t *Target) Tags() []Share { return t.Survey.Tags[:min(100, len(t.Survey.Tags))] }

// code returns an excerpt of Go code.
func code(text string) string {
	if len(text) > maxExample {
		text = strings.ToValidUTF8(text[:maxExample], "") + " …"
	}
	return text
}

// first returns the first n names.
func first(n int, names []string) []string { return names[:min(n, len(names))] }
