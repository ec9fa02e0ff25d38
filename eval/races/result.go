package main

import (
	_ "embed"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/espalier-go/espalier/eval/others"
)

// A result is what is known of a bug.
type result struct {
	Build    float64 // CPU seconds, of the version before the fix
	Before   outcome
	Replayed int // of three runs of the saved schedule, those that fail
	After    outcome
	Chance   outcome // without corpusgen, before the fix
	Note     string  // why it could not be run
}

// printReport writes a row for each bug that has results, as Markdown if that is asked for, and how
// many bugs are shown.
func printReport(out io.Writer, results string, pattern *regexp.Regexp, markdown bool) error {
	rows := []string{"bug\tversion\tkind\tfound after\tCPU s\twith build\treplays\tafter the fix\t" +
		"CPU s\tchance, -race\tCPU s"}
	var ran, found, both, chance int
	var notes []string
	for _, b := range bugs() {
		r, ok, err := others.Kept[result](results, b.file())
		if err != nil {
			return err
		} else if !ok || !pattern.MatchString(b.name) {
			continue
		}
		ran++
		count(&found, r.Before.Failed && r.Replayed == replays)
		count(&both, r.shown())
		count(&chance, r.Chance.Failed)
		rows = append(rows, fmt.Sprintf("%s\t%s\t%s\t%s\t%.1f\t%.1f\t%d of %d\t%s\t%.1f\t%s\t%.1f",
			b.name, b.version(), b.kind+b.mode(), r.Before.found(), r.Before.CPU, r.Build+r.Before.CPU,
			r.Replayed, replays, r.After.silent(), r.After.CPU, r.Chance.found(), r.Chance.CPU))
		switch reason := b.reason(); {
		case r.Note != "":
			notes = append(notes, b.name+": "+r.Note)
		case !r.shown() && reason != "":
			notes = append(notes, b.name+": "+reason)
		case !r.shown():
			notes = append(notes, fmt.Sprintf("%s: not yet known: before the fix %q, and after it %q",
				b.name, r.Before.Says, r.After.Says))
		}
	}
	if err := others.PrintTable(out, rows, markdown); err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%d bugs: %d tests fail before the fix, %d of them pass after it, "+
		"%d fail by chance\n", ran, found, both, chance)
	for _, note := range notes {
		fmt.Fprintln(out, note)
	}
	return nil
}

func count(n *int, ok bool) {
	if ok {
		*n++
	}
}

// version returns the module and its version before the fix, without the host and a hash.
func (b bug) version() string {
	path, version, _ := strings.Cut(b.before, "@")
	version, _, _ = strings.Cut(version, "+")
	if m := pseudo.FindStringSubmatch(version); m != nil {
		version = "of " + m[1]
	}
	return strings.TrimPrefix(path, "github.com/") + " " + version
}

var pseudo = regexp.MustCompile(`^v0\.0\.0-(\d{8})\d{6}-`)

// mode returns the mode, as a report has it.
func (b bug) mode() string {
	if b.race {
		return " -race"
	}
	return ""
}

// shown reports whether the test has failed before the fix, each time, and passed after it.
func (r result) shown() bool {
	return r.Note == "" && r.Before.Failed && r.Replayed == replays && !r.After.Failed
}

// reasons says why a bug is not shown: its name and the reason.
//
//go:embed reasons.tsv
var reasons string

// reason returns why a bug is not shown, as far as that is known.
func (b bug) reason() string {
	for line := range strings.Lines(reasons) {
		if name, reason, _ := strings.Cut(strings.TrimSpace(line), "\t"); name == b.name {
			return reason
		}
	}
	return ""
}

// found says what became of runs that should fail.
func (o outcome) found() string {
	switch {
	case o.Hangs:
		return "hangs"
	case o.Failed && o.Runs == 0:
		return "yes"
	case o.Failed:
		return fmt.Sprint(o.Runs)
	case o.Spent:
		return "no, time is up"
	}
	return fmt.Sprintf("no, %d runs", o.Runs)
}

// silent says what became of runs that should pass.
func (o outcome) silent() string {
	switch {
	case o.Hangs:
		return "hangs"
	case o.Failed:
		return "FAILS"
	case o.Spent:
		return "silent, until time is up"
	}
	return fmt.Sprintf("silent, %d", o.Runs)
}
