package main

import (
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"
)

// A result is what is known of a module.
type result struct {
	module, version       string
	tests                 []comparison
	scheduled             []comparison // that fail under a schedule alone
	notes                 []string
	broken                int // packages that do not compile with points
	fellBack              int // packages or files that corpusgen has left as they are
	bubbles               int // tests that have run under a schedule
	buildPlain, buildWith time.Duration
	cpuPlain, cpuWith     time.Duration
	cpuSchedule           time.Duration
}

func (r *result) note(format string, args ...any) {
	r.notes = append(r.notes, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", " | "))
}

// text returns a line of figures, notes, and a line for each test.
func (r *result) text() string {
	var b strings.Builder
	differ := 0
	for _, c := range r.tests {
		if c.differs() {
			differ++
		}
	}
	fmt.Fprintf(&b, "module\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\n", r.module,
		r.version, len(r.tests), differ, r.broken, r.fellBack, r.bubbles, len(r.scheduled),
		r.buildPlain.Seconds(), r.buildWith.Seconds(), r.cpuPlain.Seconds(), r.cpuWith.Seconds(),
		r.cpuSchedule.Seconds())
	for _, note := range r.notes {
		fmt.Fprintf(&b, "note\t%s\n", note)
	}
	line := func(kind string, c comparison) {
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\n", kind, c.pkg, strings.ReplaceAll(c.test, "\t", " "),
			strings.Join(c.plain, " "), strings.Join(c.with, " "))
	}
	for _, c := range r.scheduled {
		line("schedule", c)
	}
	for _, c := range r.tests {
		if c.differs() {
			line("differs", c)
		} else {
			line("test", c)
		}
	}
	return b.String()
}

// reasons says why tests differ: module, package, test and the reason.
//
//go:embed reasons.tsv
var reasons string

// reason returns why a test differs, as far as that is known.
func reason(pkg, test string) string {
	for line := range strings.Lines(reasons) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) == 3 && f[0] == pkg && (f[1] == test || f[1] == "*") {
			return f[2]
		}
	}
	return "not yet known"
}

// printReport writes the results of modules: a row for each, and the tests that differ.
func printReport(out io.Writer, results string, pattern *regexp.Regexp) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "module\ttests\tdiffer\tnot built\tfell back\tscheduled\tdiffer\tCPU s: build\t"+
		"with points\ttests\twith points\tscheduled\t")
	var sum [11]float64
	var differences []string
	for _, m := range modules() {
		text, err := os.ReadFile(filepath.Join(results, m.file()))
		if os.IsNotExist(err) || !pattern.MatchString(m.path) {
			continue
		} else if err != nil {
			return err
		}
		for line := range strings.Lines(string(text)) {
			f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			switch f[0] {
			case "module":
				fmt.Fprintf(w, "%s\t%s\t\n", f[1], strings.Join(f[3:], "\t"))
				for i := range sum {
					v, _ := strconv.ParseFloat(f[i+3], 64)
					sum[i] += v
				}
			case "differs", "schedule":
				differences = append(differences, fmt.Sprintf("%s: %s %s: %s; with points %s: %s", f[0], f[1],
					f[2], f[3], f[4], reason(f[1], f[2])))
			case "note":
				if strings.Contains(f[1], "with points") || strings.Contains(f[1], "prepared") {
					differences = append(differences, f[1])
				}
			}
		}
	}
	fmt.Fprint(w, "sum\t")
	for _, v := range sum {
		fmt.Fprintf(w, "%.6g\t", v)
	}
	fmt.Fprintln(w)
	if err := w.Flush(); err != nil {
		return err
	}
	for _, d := range differences {
		fmt.Fprintln(out, d)
	}
	return nil
}

var goCache = sync.OnceValue(func() string {
	out, _ := exec.Command("go", "env", "GOCACHE").Output()
	return filepath.Clean(strings.TrimSpace(string(out)))
})
