package stats

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"reflect"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/coverage"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/page"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// A Page shows surveys of corpora. It is one file of HTML that needs nothing else.
type Page struct {
	Command string // that made it
	Targets []*Section
}

// A Section is a fuzz target on the page.
type Section struct {
	ID            int // from 1
	Package, Name string
	Survey        *Survey // of its corpus
	Failures      []Failure
	Weak          []Weakness
	Files         []*coverage.Source // that the corpus covers, if that has been measured
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
	"rest":    rest,
	"missing": func(line []coverage.Span) bool { return slices.ContainsFunc(line, missed) },
	"missed":  missed,
	"name":    nameOf,
	"reached": func(s coverage.Span) bool { return s.Reach == coverage.IsReached },
	"script":  func() template.JS { return template.JS(page.Script) },
	"style":   func() template.CSS { return template.CSS(page.Style) },
}).Parse(source))

func missed(s coverage.Span) bool { return s.Reach == coverage.NotReached }

// Write writes the page to the file at path, targets that fail first.
func (p *Page) Write(path string) error {
	failing := func(t *Section) int { return min(1, len(t.Survey.Problems)) }
	slices.SortStableFunc(p.Targets, func(a, b *Section) int {
		return cmp.Compare(failing(b), failing(a))
	})
	var b bytes.Buffer
	if err := document.Execute(&b, p); err != nil {
		return err
	}
	return page.Write(path, "report", b.Bytes())
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
func (t *Section) Pairs() *Combinations {
	if n := len(t.Survey.Combinations); n > 0 {
		return &t.Survey.Combinations[n-1]
	}
	return nil
}

// Open returns the target that the page shows at once: the first, if it fails or is alone.
func (p *Page) Open() *Section {
	if len(p.Targets) == 1 || p.Sum().Problems > 0 {
		return p.Targets[0]
	}
	return nil
}

// Covered says which part of the statements the corpus reaches, or is "".
func (t *Section) Covered() string {
	reached, all := 0, 0
	for _, f := range t.Files {
		reached, all = reached+f.Reached, all+f.Statements
	}
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %s reached", session.Percent(reached, all),
		session.Count(all, "statement", "statements"))
}

// LineID is the ID of a line of a file of the target.
func (t *Section) LineID(file, line int) string {
	return fmt.Sprintf("t%d-%d-%d", t.ID, file, line)
}

// Tags returns the tags to list: what picks choose, and lengths of texts. Numbers are too many to
// tell anything.
func (t *Section) Tags() (tags []Share) {
	for _, tag := range t.Survey.Tags {
		if (tag.Tag != "" || strings.HasPrefix(tag.Name, "text(")) && len(tags) < 100 {
			tags = append(tags, tag)
		}
	}
	return tags
}

// code returns an excerpt of Go code.
func code(text string) string {
	if len(text) > maxExample {
		text = strings.ToValidUTF8(text[:maxExample], "") + " …"
	}
	return text
}

// first returns the first n elements, and rest the others.
func first(n int, list any) any {
	v := reflect.ValueOf(list)
	return v.Slice(0, min(n, v.Len())).Interface()
}

func rest(n int, list any) any {
	v := reflect.ValueOf(list)
	return v.Slice(min(n, v.Len()), v.Len()).Interface()
}
