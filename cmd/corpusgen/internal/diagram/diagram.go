// Package diagram draws schedules that fail as tables with a column for each goroutine, in Markdown
// and HTML, from the reports of tests.
//
//	failures, err := job.ReadSchedules(path)
//	err = diagram.Write("schedule.md", failures)
package diagram

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/cmd/corpusgen/internal/page"
	"github.com/espalier-go/espalier/internal/job"
	"github.com/espalier-go/espalier/internal/safefile"
)

// Is reports whether a file has the name of a diagram: whether it ends in .md or .html.
func Is(path string) bool { return slices.Contains([]string{".md", ".html"}, filepath.Ext(path)) }

// command is the one that writes diagrams.
const command = "test"

// comment begins a diagram in Markdown.
const comment = "<!-- corpusgen " + command + " -->\n"

// Replaceable returns an error if there is a file at path that is not a diagram.
func Replaceable(path string) error {
	if filepath.Ext(path) == ".md" {
		return safefile.Replaceable(path, comment)
	}
	return page.Replaceable(path, command)
}

// Write writes a diagram of the failures, in place of an older one, and of no other file.
func Write(path string, failures []job.ScheduleFailure) error {
	slices.SortStableFunc(failures, func(a, b job.ScheduleFailure) int {
		return strings.Compare(a.Package+" "+a.Test, b.Package+" "+b.Test)
	})
	var all []schedule
	for _, f := range failures {
		all = append(all, read(f))
	}
	if filepath.Ext(path) != ".md" {
		text, err := inHTML(all)
		if err != nil {
			return err
		}
		return page.Write(path, command, text)
	}
	if err := Replaceable(path); err != nil {
		return err
	}
	return safefile.Write(path, []byte(inMarkdown(all)))
}

// A schedule is what a report tells of one that fails.
type schedule struct {
	Package, Test string
	First         string   // line of the failure
	Rest          string   // what the report says besides, until the schedule
	Goroutines    []string // the headings of the columns
	Turns         []turn
	Needs         string // what must come before what
	Value         string // the minimal failing value
	Rerun         string // the command that runs it again
}

// A turn is a line of the table.
type turn struct {
	Column int    // -1 if Why stands for several turns
	Why    string // it ends
	Place  string // FILE:LINE, or ""
	Needed bool   // the failure needs the place
}

// table is the line before the table in a report.
const table = "the schedule: where each turn ended, in a column for each goroutine\n"

var (
	place = regexp.MustCompile(`\S+\.go:\d+`)
	head  = regexp.MustCompile(`goroutine \d+`)
	needs = regexp.MustCompile(`(\S+\.go:\d+) in .*? \((goroutine \d+)\)`)
)

// read reads a report.
func read(f job.ScheduleFailure) schedule {
	s := schedule{Package: f.Package, Test: f.Test}
	said, rest, ok := strings.Cut(f.Report, table)
	if !ok {
		rest = ""
	}
	s.First, s.Rest, _ = strings.Cut(strings.TrimSpace(said), "\n")
	s.Rest = strings.Trim(s.Rest, "\n")
	columns, more, _ := strings.Cut(rest, "\n\n")
	s.Value, s.Needs = section(more, job.MinimalValue), section(more, "it needs")
	if s.Value == "" {
		s.Value = section(more, "failing value")
	}
	s.Rerun = section(more, "to run it again")
	needed := map[string]bool{} // goroutines and places
	for _, m := range needs.FindAllStringSubmatch(s.Needs, -1) {
		needed[m[2]+" "+m[1]] = true
	}
	lines := strings.Split(strings.TrimRight(columns, "\n"), "\n")
	at := head.FindAllStringIndex(lines[0], -1)
	for _, a := range at {
		s.Goroutines = append(s.Goroutines, lines[0][a[0]:a[1]])
	}
	for _, line := range lines[1:] {
		t := turnOf(line, at)
		t.Needed = t.Column >= 0 && needed[s.Goroutines[t.Column]+" "+t.Place]
		s.Turns = append(s.Turns, t)
	}
	return s
}

// turnOf reads a line of a table whose columns begin at some offsets.
func turnOf(line string, at [][]int) turn {
	cell := strings.TrimLeft(line, " ")
	t := turn{Column: -1, Why: cell}
	for i, a := range at {
		if len(line)-len(cell) == a[0] && !strings.HasPrefix(cell, "... and again") {
			t.Column = i
		}
	}
	if i := strings.LastIndexByte(cell, ' ') + 1; place.MatchString(cell[i:]) {
		t.Why, t.Place = strings.TrimSpace(cell[:i]), cell[i:]
	}
	return t
}

// section returns the part of a report whose title begins so, without its indentation.
func section(report, title string) string {
	_, rest, found := strings.Cut("\n"+report, "\n"+title)
	if !found {
		return ""
	}
	_, rest, _ = strings.Cut(rest, "\n")
	var lines []string
	for line := range strings.Lines(rest) {
		text, indented := strings.CutPrefix(line, "    ")
		if !indented {
			break
		}
		lines = append(lines, text)
	}
	return strings.TrimSuffix(strings.Join(lines, ""), "\n")
}

// none is what a diagram says if no schedule has failed.
const none = "No schedule has failed."

// title returns the heading of a schedule.
func (s schedule) title() string { return fmt.Sprintf("%s: %s", s.Test, s.First) }
