package strength

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/gotest"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/mistake"
	"github.com/espalier-go/espalier/cmd/corpusgen/internal/session"
)

// A MistakeEvent is the line of -json for a mistake that no test notices: of the event survivor,
// unsteady or unreached.
type MistakeEvent struct {
	session.Head
	Mistake  mistake.Mistake
	Tests    []string // that reach it
	Why      string   `json:",omitempty"`
	Accepted bool     `json:",omitempty"`

	// With -seek, of a survivor: a test that notices it, what that says then, and how many sequences of
	// calls have run with the mistake.
	Test, Says string `json:",omitempty"`
	Tries      int    `json:",omitempty"`
}

// A StrengthEvent is the line of -json for a package.
type StrengthEvent struct {
	session.Head
	Mistakes, Killed, Survive, Accepted, Unsteady, Unreached int
	Untried                                                  int // there was no time
	Left                                                     int // they do not compile
	Known                                                    int // of verdicts, from earlier runs

	Why string `json:",omitempty"` // the package cannot have mistakes
}

func (p *program) printf(format string, args ...any) {
	p.Print(p.Text, fmt.Sprintf(format, args...))
}

// place returns where a mistake is.
func place(j judgment) string { return fmt.Sprintf("%s:%d", gotest.Short(j.File), j.Line) }

func (p *program) printSurvivor(j judgment) {
	p.printf("%s: no test notices this %s in %s:\n%s%s\treached by %s\n", place(j), j.Kind, j.Func,
		marked("-", j.Before), marked("+", j.After), someOf(j.Tests))
}

// manyTries is how many sequences of calls suggest that a mistake changes nothing.
const manyTries = 500

// printLead prints what a search for a test has found about a survivor.
func (d *docket) printLead(j judgment) {
	switch l := j.lead; {
	case l == nil:
	case l.Test != "" && slices.Contains(d.shown, l.Test):
		d.printf("\t%s, above, would notice it, too: %s\n", l.Test, l.Says)
	case l.Test != "":
		d.shown = append(d.shown, l.Test)
		d.printf("\t%s would notice it: %s\n%s", l.Test, l.Says, indented(l.Code))
	case l.Found:
		d.printf("\tcalls tell it apart, but no short test does so each time\n")
	case l.Ends:
		d.printf("\twith it, calls of the package end the process\n")
	case l.Tries == 0:
		d.printf("\tno calls of the package that reach it could be tried\n")
	case l.Tries < manyTries:
		d.printf("\tonly %s of calls could be tried, and none tells it apart\n",
			session.Count(l.Tries, "sequence", "sequences"))
	default:
		d.printf("\tnone of %d sequences of calls tells it apart: perhaps it changes nothing\n", l.Tries)
	}
}

// printSought says what the tests that are printed need.
func (d *docket) printSought() {
	if len(d.shown) == 0 {
		return
	}
	head, _, _ := strings.Cut(string(d.sought.Text), "\nfunc ")
	var imports []string
	for _, m := range imported.FindAllStringSubmatch(head, -1) {
		imports = append(imports, m[1])
	}
	begins := ""
	if at := strings.Index(head, "//go:build "); at >= 0 {
		begins = "begins with " + session.FirstLine(head[at:]) + " and "
	}
	d.printf("these tests are for a file of package %s_test, which %simports %s\n", d.pkg.Name, begins,
		strings.Join(imports, ", "))
	stubs, code := string(d.sought.Stubs), functions(d.sought.Text)
	for _, m := range declaredType.FindAllStringSubmatch(stubs, -1) {
		if slices.ContainsFunc(d.shown, func(test string) bool { return strings.Contains(code[test], m[1]) }) {
			d.printf("they need this file, too:\n%s", indented(stubs))
			return
		}
	}
}

// declaredType matches the declaration of a type in a file.
var declaredType = regexp.MustCompile(`(?m)^type (\w+) `)

// imported matches an import in a file that has them in parentheses.
var imported = regexp.MustCompile(`(?m)^\t((?:\w+ )?"[^"]+")$`)

// indented returns code with more tabs.
func indented(code string) string {
	var b strings.Builder
	for line := range strings.Lines(code) {
		fmt.Fprintf(&b, "\t\t%s\n", strings.TrimRight(line, "\n"))
	}
	return b.String()
}

func (p *program) printUnsteady(j judgment) {
	p.printf("%s: unsteady: this %s in %s: %s:\n%s%s", place(j), j.Kind, j.Func, j.Why,
		marked("-", j.Before), marked("+", j.After))
}

// maxLines is how many lines of a mistake are shown.
const maxLines = 6

// marked returns lines with a mark, and without the tabs that all of them begin with.
func marked(mark, text string) string {
	if text == "" {
		return "\t" + mark + "\n"
	}
	lines := strings.Split(text, "\n")
	tabs := len(lines[0]) - len(strings.TrimLeft(lines[0], "\t"))
	var b strings.Builder
	for i, line := range lines {
		if i == maxLines {
			fmt.Fprintf(&b, "\t%s ...\n", mark)
			break
		}
		n := min(tabs, len(line)-len(strings.TrimLeft(line, "\t")))
		fmt.Fprintf(&b, "\t%s %s\n", mark, line[n:])
	}
	return b.String()
}

// maxNames is how many tests are named.
const maxNames = 5

// someOf names tests.
func someOf(names []string) string {
	if len(names) == 0 {
		return "the tests together"
	}
	if shown := session.Shown(len(names), maxNames); shown < len(names) {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
	}
	return strings.Join(names, ", ")
}

// printUnreached names the functions of mistakes that no test reaches, and the lines if a test
// reaches others.
func (p *program) printUnreached(list []judgment) {
	type function struct {
		file, name string
		first      int
		lines      []int
	}
	var functions []*function
	by := map[string]*function{}
	of := map[string]int{} // mistakes
	for _, m := range p.mistakes {
		of[m.FuncID]++
	}
	missed := map[string]int{}
	for _, j := range list {
		f := by[j.FuncID]
		if f == nil {
			f = &function{file: gotest.Short(j.File), name: j.Func, first: j.Line}
			by[j.FuncID] = f
			functions = append(functions, f)
		}
		if !slices.Contains(f.lines, j.Line) {
			f.lines = append(f.lines, j.Line)
		}
		missed[j.FuncID]++
	}
	for id, f := range by {
		if missed[id] == of[id] {
			f.lines = nil
		}
	}
	slices.SortStableFunc(functions, func(a, b *function) int { return cmp.Compare(a.file, b.file) })
	for _, f := range functions {
		if f.lines == nil {
			p.printf("%s:%d: no test reaches %s\n", f.file, f.first, f.name)
		} else {
			p.printf("%s:%d: no test reaches these lines of %s: %s\n", f.file, f.first, f.name,
				linesText(f.lines))
		}
	}
}

// linesText lists up to 20 lines.
func linesText(lines []int) string {
	slices.Sort(lines)
	shown := session.Shown(len(lines), 20)
	var list []string
	for _, line := range lines[:shown] {
		list = append(list, fmt.Sprint(line))
	}
	if more := len(lines) - shown; more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	return strings.Join(list, ", ")
}

// none reports that a package cannot have mistakes. It is no failure, but no test has been asked.
func (r *run) none(pkg, why string) {
	r.Print(r.Text, fmt.Sprintf("%s: no mistakes: %s\n", pkg, why))
	r.Emit(StrengthEvent{Head: session.NewHead("strength", pkg, ""), Why: why})
}

func (p *program) printTotal(t StrengthEvent) {
	parts := []string{fmt.Sprintf("%d noticed", t.Killed)}
	add := func(n int, format string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(format, n))
		}
	}
	add(t.Survive-t.Accepted, "%d that no test notices")
	add(t.Accepted, "%d accepted")
	add(t.Unsteady, "%d unsteady")
	add(t.Unreached, "%d that no test reaches")
	add(t.Untried, "%d not tried")
	text := fmt.Sprintf("%s: %d mistakes: %s", t.Package, t.Mistakes, strings.Join(parts, ", "))
	if t.Known > 0 {
		text += fmt.Sprintf(" (%d known from earlier runs)", t.Known)
	}
	p.printf("%s\n", text)
}
