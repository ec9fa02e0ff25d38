package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/espalier-go/espalier/eval/others"
)

// A result is what is known of a service.
type result struct {
	Statements int // of the module, as far as it is linked
	Arms       []run
	Random     random
	Check      check
	Note       string // why it could not be run
}

// A run is what became of an arm.
type run struct {
	Statements, Reached int
	Failures            int // files that the engine has written
	CPU                 float64
	Says                string // the end of the output
	Note                string // why nothing is known
}

// A random is what a client without data flow has reached and found.
type random struct {
	Reached int
	Classes []string
}

// A check is what random sequences have found.
type check struct {
	Succeeded, Operations string // how many operations have succeeded, of all
	Classes               []string
	CPU                   float64
	Says                  string
}

// printReport writes a row for each service that has results, and then the classes of failures.
func printReport(out io.Writer, results string, matching *regexp.Regexp, markdown bool) error {
	header := "service\tstatements"
	for _, a := range arms {
		header += "\t" + a.String()
	}
	rows := []string{header + "\trandom client\toperations\tclasses\tclasses, random client"}
	var notes []string
	for _, s := range services() {
		r, ok, err := others.Kept[result](results, s.name+".json")
		if err != nil {
			return err
		} else if !ok || !matching.MatchString(s.name) {
			continue
		}
		if r.Note != "" {
			notes = append(notes, s.name+": "+r.Note)
			continue
		}
		row := fmt.Sprintf("%s\t%d", s.name, r.Statements)
		for i, a := range r.Arms {
			if a.Note != "" {
				row += "\t-"
				notes = append(notes, fmt.Sprintf("%s, %s: %s", s.name, arms[i], a.Note))
				continue
			}
			row += fmt.Sprintf("\t%d", a.Reached)
		}
		rows = append(rows, fmt.Sprintf("%s\t%d\t%s of %s\t%d\t%d", row, r.Random.Reached,
			r.Check.Succeeded, r.Check.Operations, len(r.Check.Classes), len(r.Random.Classes)))
		for _, class := range r.Check.Classes {
			notes = append(notes, s.name+": "+class)
		}
	}
	if err := others.PrintTable(out, rows, markdown); err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%s\n", strings.Join(notes, "\n"))
	return nil
}
