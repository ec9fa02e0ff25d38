package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/espalier-go/espalier/eval/others"
)

// A difference is a mistake that one tool says is noticed, and the other not.
type difference struct {
	File          string
	Line          int
	Before, After string
	Gremlins      string // its status
}

// changes has what gremlins makes of an operator, by the type of the mutant.
var changes = map[string]map[string]string{
	"CONDITIONALS_BOUNDARY": {"<": "<=", "<=": "<", ">": ">=", ">=": ">"},
	"CONDITIONALS_NEGATION": {
		"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<",
	},
	"ARITHMETIC_BASE":     {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*"},
	"INCREMENT_DECREMENT": {"++": "--", "--": "++"},
	"INVERT_NEGATIVES":    {"-": ""},
}

// apply returns a line with a mutant, or "" if it is not of a known kind. Columns count bytes, and
// begin at 1.
func (m mutant) apply(line string) string {
	if m.Column < 1 || m.Column > len(line) {
		return ""
	}
	rest := line[m.Column-1:]
	for _, long := range []int{2, 1} {
		if len(rest) < long {
			continue
		}
		if other, known := changes[m.Type][rest[:long]]; known {
			return line[:m.Column-1] + other + rest[long:]
		}
	}
	return ""
}

// judged are the verdicts of gremlins, and whether a test notices.
var judged = map[string]bool{"KILLED": true, "TIMED OUT": true, "LIVED": false}

// compare compares the verdicts on the mutants of gremlins that corpusgen strength makes, too.
func (r *result) compare(dir string) error {
	lines := map[string][]string{}
	for _, m := range r.Mutants {
		noticed, known := judged[m.Status]
		if !known {
			continue
		}
		if lines[m.File] == nil {
			text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(m.File)))
			if err != nil {
				return err
			}
			lines[m.File] = strings.Split(string(text), "\n")
		}
		if m.Line > len(lines[m.File]) {
			return fmt.Errorf("gremlins: %s has no line %d", m.File, m.Line)
		}
		line := lines[m.File][m.Line-1]
		after := m.apply(line)
		same := func(s mistake) bool {
			return s.File == m.File && s.Line == m.Line && s.Before == line && s.After == after
		}
		if after == "" || !slices.ContainsFunc(r.Made, same) {
			continue
		}
		if slices.ContainsFunc(r.Survivors, same) != noticed {
			r.Same++
			continue
		}
		r.Differ = append(r.Differ, difference{m.File, m.Line, line, after, m.Status})
	}
	return nil
}

// report writes the table.
func report(
	out io.Writer, subjects []string, all map[string]result, markdown bool,
) error {
	rows := []string{"module\tmutants of gremlins\tCPU s\tone\tmistakes of strength\tCPU s\tone\t" +
		"times\tequal verdicts\tothers"}
	var sum result
	var mutants, mistakes int
	add := func(name string, mutants, mistakes int, r result) {
		theirs, ours := r.CPU.Gremlins/float64(mutants), r.CPU.Strength/float64(mistakes)
		rows = append(rows, fmt.Sprintf("%s\t%d\t%.0f\t%.2f\t%d\t%.1f\t%.3f\t%.0f\t%d\t%d", name,
			mutants, r.CPU.Gremlins, theirs, mistakes, r.CPU.Strength, ours, theirs/ours, r.Same,
			len(r.Differ)))
	}
	for _, name := range subjects {
		r, known := all[name]
		if !known {
			continue
		}
		made := r.Strength.Mistakes - r.Strength.Unreached
		add(name, r.tried(), made, r)
		mutants, mistakes = mutants+r.tried(), mistakes+made
		sum.CPU.Gremlins += r.CPU.Gremlins
		sum.CPU.Strength += r.CPU.Strength
		sum.Same += r.Same
		sum.Differ = append(sum.Differ, r.Differ...)
	}
	add("all", mutants, mistakes, sum)
	if err := others.PrintTable(out, rows, markdown); err != nil {
		return err
	}
	for _, name := range subjects {
		for _, d := range all[name].Differ {
			fmt.Fprintf(out, "\n%s %s:%d: gremlins: %s\n-%s\n+%s\n", name, d.File, d.Line, d.Gremlins,
				d.Before, d.After)
		}
	}
	return nil
}
